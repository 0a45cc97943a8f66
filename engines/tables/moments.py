"""Times of a column, in seconds (64 bits): dates, times of a day, seconds since 1970 or from a start."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from engines.contract.arrays import FloatArray
from engines.tables.cells import CellError, Decimals, Numbers, as_array
from engines.tables.text import is_number

_DAY = re.compile(r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})")
_CLOCK = re.compile(r"(\d+):([0-5]?\d)(?::([0-5]?\d(?:[.,]\d+)?))?")
_LEAP_SECOND = re.compile(r"(?<=:[0-5]\d:)60(?!\d)")
_DAY_S = 86_400.0
# Times since 1970 lie between 1973 and 2100, in whichever unit they are.
_SINCE_1970_S = (1e8, 4.1e9)
_EPOCHS = {"seconds": 1.0, "milliseconds": 1e-3, "microseconds": 1e-6, "nanoseconds": 1e-9}
_DATES, _CLOCKS = "dates and times", "times of a day"


@dataclass
class Moments:
    """A column of times in seconds: since 1970 where they are dates (UTC where they name no zone).

    Attributes:
        factor: seconds in one unit of the numbers, where the head names it; 0 where it names none.
        plain: whether numbers without a unit that are too small to count from 1970 are seconds; else they are refused.
        reading: how the times were read, for people; empty until a batch was taken.
        zoned: whether dates name a zone; None before a batch of dates was taken.
        leap_rows: rows of leap seconds, which Python has no time for; they get the second before.
    """

    factor: float = 0.0
    plain: bool = False
    decimals: Decimals = field(default_factory=Decimals)
    reading: str = ""
    zoned: bool | None = None
    leap_rows: list[int] = field(default_factory=list)
    _parts: list[FloatArray] = field(default_factory=list)
    _numbers: Numbers | None = None
    _days_first: bool | None = None  # of dates with slashes, once a batch shows it

    def take(self, cells: pa.StringArray) -> None:  # noqa: D102
        if not self._parts and (self.factor or is_number(cells[0].as_py())):
            self._numbers = Numbers(self.decimals)
        if self._numbers is None:
            self._parts.append(self._of_clock(cells))
            return
        self._numbers.take(cells)
        values = self._numbers.parts[-1]
        if not self._parts:
            self._decide_unit(values)
        self._parts.append(values * self.factor)

    def whole(self) -> FloatArray:  # noqa: D102
        if self._numbers is not None:
            self._numbers.whole()  # refuses commas of two meanings
        times = np.concatenate(self._parts) if self._parts else np.empty(0)
        if self.reading == _CLOCKS:  # a step back by half a day or more is midnight
            times = times + _DAY_S * np.concatenate(([0.0], np.cumsum(np.diff(times) < -_DAY_S / 2)))
        return times

    def _decide_unit(self, values: FloatArray) -> None:
        low, high = _SINCE_1970_S
        first = float(values[0])
        if self.factor and abs(first * self.factor) > high:
            raise CellError(
                0, "a time of at most 130 years in the unit of the head", ["Check whether the time is in ms, us or ns."]
            )
        if not self.factor:
            for unit, factor in _EPOCHS.items():
                if low <= first * factor <= high:
                    self.factor, self.reading = factor, f"{unit} since 1970"
                    return
            if not self.plain:
                way = "Name the unit in the head, such as time_s or time [ms]."
                raise CellError(0, "a time such as 2026-05-01T10:00:00", [way])
            self.factor = 1.0
        self.reading = "seconds since 1970" if first * self.factor >= low else "seconds from a start"

    def _of_clock(self, cells: pa.StringArray) -> FloatArray:
        if self.reading in ("", _DATES):
            for zone in (None, "UTC"):
                try:
                    found = pc.cast(cells, pa.timestamp("us", zone))
                except pa.ArrowInvalid:
                    continue
                self.reading = _DATES
                self._check_zone([zone is not None])
                return np.asarray(as_array(pc.cast(found, pa.int64())) / 1e6)
        texts = [text.strip() for text in cells.to_pylist()]
        before = sum(map(len, self._parts))
        self.leap_rows += [before + row for row, text in enumerate(texts) if _LEAP_SECOND.search(text)]
        texts = [_LEAP_SECOND.sub("59", text) for text in texts]
        if not self.reading:
            self.reading = _CLOCKS if _CLOCK.fullmatch(texts[0]) else _DATES
        if self.reading == _CLOCKS:
            return np.array([_clock_s(text, row) for row, text in enumerate(texts)])
        if self._days_first is None:
            self._days_first = _day_first(texts)
        moments = [_moment(text, row, self._days_first) for row, text in enumerate(texts)]
        self._check_zone([each.tzinfo is not None for each in moments])
        # UTC where it names no zone: the zone of the computer that reads would shift times at a change to summer time.
        return np.array([(each if each.tzinfo else each.replace(tzinfo=UTC)).timestamp() for each in moments])

    def _check_zone(self, zoned: list[bool]) -> None:
        """Refuse a date with a zone below one without, and the other way round."""
        self.zoned = zoned[0] if self.zoned is None else self.zoned
        if (not self.zoned) in zoned:
            word = "with" if self.zoned else "without"
            raise CellError(zoned.index(not self.zoned), f"a time {word} a zone, as in the rows before")


def _clock_s(text: str, row: int) -> float:
    clock = _CLOCK.fullmatch(text)
    if clock is None:
        raise CellError(row, "a time of day such as 10:00:00, as in the first row")
    return 3600 * float(clock[1]) + 60 * float(clock[2]) + float((clock[3] or "0").replace(",", "."))


def _moment(text: str, row: int, day_first: bool | None) -> datetime:
    day = _DAY.match(text)
    if day:
        text = _iso_day(day, row, day_first) + text[day.end() :]
    try:
        text = re.sub(r"\s*(UTC|GMT|z)$", "Z", text)
        return datetime.fromisoformat(re.sub(r"\s+(?=[+-]\d\d:?\d\d$)", "", text))
    except ValueError as error:
        raise CellError(row, "a time such as 2026-05-01T10:00:00, or a column time_s of numbers") from error


def _day_first(texts: list[str]) -> bool | None:
    """Return whether days stand before months; None where every date can be read both ways."""
    days = [day for text in texts if (day := _DAY.match(text)) and len(day[1]) < 3]
    if any(int(day[1]) > 12 for day in days):
        return True
    return False if any(int(day[3]) > 12 for day in days) else None


def _iso_day(day: re.Match[str], row: int, day_first: bool | None) -> str:
    if len(day[1]) == 4:
        year, month, number = day[1], day[3], day[4]
    else:
        first = True if day[2] == "." else day_first  # with points the day stands first wherever dates are written so
        if first is None or len(day[4]) != 4:
            raise CellError(
                row, "a date such as 2026-05-01", ["Write the year first. This date can be read in two ways."]
            )
        year, month, number = (day[4], day[3], day[1]) if first else (day[4], day[1], day[3])
    return f"{int(year):04d}-{int(month):02d}-{int(number):02d}"
