"""Strict reading of CSV files with a time column: what is wrong is told with line and column."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite

from engines.contract.counts import counted
from engines.contract.errors import ProblemError
from engines.recordings.recording import gap_after
from hardware.units import UNITS_IN_WORDS, Unit, split_unit

MAX_ROWS = 100_000
MAX_COLUMNS = 41
_TIMESTAMPS = ("time", "timestamp", "datetime")
_ELAPSED = ("time", "elapsed", "t", "seconds")
# Values in the base unit beyond which a column cannot be in the unit that its name says.
_BOUNDS: Mapping[str, tuple[float, float]] = {
    "share": (0.0, 1.0),
    "latitude": (-90.0, 90.0),
    "longitude": (-180.0, 360.0),
    "W": (0.0, 1e7),
    "Hz": (0.0, 1e12),
    "degC": (-273.15, 1e4),
    "bit/s": (0.0, 1e13),
    "delay": (0.0, 1e6),
    "queue": (0.0, 1e6),
}

# What channels and servers are simulated by: nobody knows what was in a gap of these.
_WITHOUT_GAPS = ("bit/s", "delay", "queue")


@dataclass(frozen=True)
class Column:
    """A column of numbers: its name without unit, the unit, and where it stands (from 1 on)."""

    name: str
    unit: Unit
    number: int


@dataclass(frozen=True)
class TimeTable:
    """A CSV of values over time.

    Attributes:
        columns: beside time and track.
        tracks: title -> rows of it, in the order of the file; one entry of no title where there is no track column.
        notes: what was done to the file, for people.
    """

    columns: tuple[Column, ...]
    tracks: Mapping[str, Sequence[tuple[float, ...]]]
    times_s: Mapping[str, Sequence[float]]
    notes: tuple[str, ...]


def read_time_table(data: bytes, name: str) -> TimeTable:
    """Read a CSV whose head names a time, columns that end in their units and, if there are several, the track.

    Raises:
        ProblemError: names line and column of what is wrong.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ProblemError("file", name, f"text in UTF-8 ({error.reason} at byte {error.start})") from error
    if "\x00" in text:
        raise ProblemError("file", name, "text without the character NUL")
    rows = _rows(text)
    line, head = next(rows, (1, []))
    if len(head) < 2 or len(head) > MAX_COLUMNS:
        raise ProblemError(
            "head", ", ".join(head)[:200], f"a time and 1 to {MAX_COLUMNS - 1} columns, apart by commas", line
        )
    time, track, columns = _columns(head, line)
    return _table(rows, head, time, track, columns)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    first = next((row for row in text.splitlines() if row.strip() and not row.startswith("#")), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        for row in reader:
            if row and any(cell.strip() for cell in row) and not row[0].startswith("#"):
                yield reader.line_num, [cell.strip() for cell in row]
    except csv.Error as error:
        raise ProblemError("file", str(error), "a CSV file", reader.line_num) from error


def _columns(head: Sequence[str], line: int) -> tuple[tuple[int, Unit | None], int | None, tuple[Column, ...]]:
    time: tuple[int, Unit | None] | None = None
    track: int | None = None
    columns: list[Column] = []
    for index, cell in enumerate(head):
        found = split_unit(cell)
        words = found[0].lower() if found else cell.lower()
        if time is None and found and found[1].base == "s" and words in _ELAPSED:
            time = (index, found[1])
        elif time is None and not found and words in _TIMESTAMPS:
            time = (index, None)
        elif words == "track":
            track = index
        elif found is None:
            raise ProblemError(
                f"column {index + 1}", cell, f"a name with a unit, as power_w or power [mW]: {UNITS_IN_WORDS}", line
            )
        else:
            columns.append(Column(_plain(words), found[1], index + 1))
    if time is None:
        raise ProblemError(
            "head", ", ".join(head)[:200], "a head with a column time_s (or time [h], or timestamp)", line
        )
    if not columns:
        raise ProblemError("head", ", ".join(head)[:200], "a column of values beside the time", line)
    names = [column.name for column in columns]
    for column in columns:
        if names.count(column.name) > 1:
            raise ProblemError(f"column {column.number}", column.name, "a name that no other column has", line)
    return time, track, tuple(columns)


def _plain(words: str) -> str:
    name = "".join(each if each.isascii() and each.isalnum() else "_" for each in words).strip("_")[:60]
    return name if name[:1].isalpha() else f"column_{name}"


def _table(
    rows: Iterable[tuple[int, list[str]]],
    head: Sequence[str],
    time: tuple[int, Unit | None],
    track: int | None,
    columns: tuple[Column, ...],
) -> TimeTable:
    values: dict[str, list[tuple[float, ...]]] = {}
    times: dict[str, list[float]] = {}
    lines: dict[str, list[int]] = {}
    for count, (line, row) in enumerate(rows):
        if count >= MAX_ROWS:
            raise ProblemError("file", f"more than {counted(MAX_ROWS)} rows", f"at most {counted(MAX_ROWS)} rows", line)
        if len(row) != len(head):
            raise ProblemError("row", f"{len(row)} values", f"{len(head)} values, one per column of the head", line)
        title = row[track] if track is not None else ""
        at = _time(row[time[0]], time, line)
        before = times.setdefault(title, [])
        if before and at <= before[-1]:
            accepted = f"later than {before[-1]:g} s, the row before" + (" of the track" if track is not None else "")
            raise ProblemError(f"column {time[0] + 1} ({head[time[0]]})", row[time[0]], accepted, line)
        before.append(at)
        lines.setdefault(title, []).append(line)
        values.setdefault(title, []).append(tuple(_value(row[c.number - 1], c, head, line) for c in columns))
    if not times:
        raise ProblemError("file", "no rows", "rows below the head")
    short = [title for title, each in times.items() if len(each) < 2]
    if short:
        raise ProblemError("track", short[0] or "one row", "at least two rows")
    if any(name in _WITHOUT_GAPS for column in columns for name in (column.name, column.unit.base)):
        for title, each in times.items():
            _without_gap(each, lines[title], f"column {time[0] + 1} ({head[time[0]]})")
    return TimeTable(columns, values, times, ())


def _without_gap(times_s: Sequence[float], lines: Sequence[int], place: str) -> None:
    gap = gap_after(times_s)
    if gap is None:
        return
    got = f"a gap from {times_s[gap]:g} s to {times_s[gap + 1]:g} s"
    accepted = "steps of about the same length: what follows a gap can be a track of its own, named in a column track"
    raise ProblemError(place, got, accepted, lines[gap + 1])


def _time(cell: str, time: tuple[int, Unit | None], line: int) -> float:
    place = f"column {time[0] + 1} (time)"
    if time[1] is not None:
        return _number(cell, place, line) * time[1].factor
    try:
        moment = datetime.fromisoformat(cell)
        # UTC where no zone is told: the zone of the machine that reads would put its hour of summer time into the file.
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise ProblemError(
            place, cell[:60], "a time as 2026-05-01T10:00:00, or a column time_s of numbers", line
        ) from error


def _value(cell: str, column: Column, head: Sequence[str], line: int) -> float:
    place = f"column {column.number} ({head[column.number - 1]})"
    value = _number(cell, place, line)
    low, high = _BOUNDS.get(column.name, _BOUNDS.get(column.unit.base, (-1e15, 1e15)))
    if not low <= value * column.unit.factor <= high * (1 + 1e-9):
        factor = column.unit.factor
        accepted = f"from {low / factor:g} to {high / factor:g} {column.unit.symbol}"
        hint = "; is it in %?" if column.unit.base == "share" and factor == 1 else ""
        raise ProblemError(place, value, accepted + hint, line)
    return value


def _number(cell: str, place: str, line: int) -> float:
    try:
        value = float(cell)
    except ValueError as error:
        hint = " with a point, not a comma" if "," in cell else ""
        raise ProblemError(place, cell[:60], f"a number{hint}", line) from error
    if not isfinite(value):
        raise ProblemError(place, cell[:60], "a finite number: leave a row out where nothing was measured", line)
    return value
