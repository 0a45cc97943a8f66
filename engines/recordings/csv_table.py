"""Tables of values over time: the column of times, the columns of values with their units, and the tracks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError
from engines.recordings.pieces import impossible_fixes, pieces
from engines.recordings.recording import longest_step_s
from engines.tables.cells import Cells, Decimals, Numbers, Texts
from engines.tables.moments import Moments
from engines.tables.table import Table
from engines.tables.text import is_number
from hardware.units import Unit, split_unit, unit_advice

MAX_COLUMNS = 41
_HOUR_S = 3600.0
_TIMES = re.compile(r"(date_?)?time(_?stamp)?|date|elapsed(_time)?|ts?|seconds|utc|(local|utc)_time")
# Columns of power meters that are no measured values: levels of digital inputs.
_LEVELS = re.compile(r"D\d(-D\d)?")
# The export of Joulescope names SI units in its manual, not in the file.
_JOULESCOPE = {"time": "s", "current": "A", "voltage": "V", "power": "W", "charge": "As", "energy": "J"}
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


@dataclass(frozen=True)
class Column:
    """A column of numbers: its name without unit, the unit, and where it stands (from 0 on)."""

    name: str
    unit: Unit
    index: int

    @property
    def reading(self) -> str:
        """Name, unit and what was read: "bandwidth: MB/s, read as 8 Mbit/s"."""
        return f"{self.name}: {self.unit.reading}"


@dataclass(frozen=True, eq=False)
class Series:
    """Rows of one track.

    Attributes:
        times_s: ascending, shape `n`.
        values: in the units of the columns, shape `n x columns`.
    """

    times_s: FloatArray
    values: FloatArray


@dataclass(frozen=True, eq=False)
class TimeTable:
    """A table of values over time.

    Attributes:
        columns: next to time and track.
        tracks: title -> its rows, in the order of the file; one entry "" where there is no track column.
        time: format of the times.
        notes: sentences on changes of the file.
    """

    columns: tuple[Column, ...]
    tracks: Mapping[str, Series]
    time: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Head:
    """The columns by what they hold, by indices from 0 on.

    Attributes:
        time: with the seconds in its unit, 0 where its name has none.
        clock: clock of the time of day, where `time` has days alone.
        track, columns, ignored: of titles, of values, of what is left out.
    """

    time: tuple[int, float]
    clock: int | None
    track: int | None
    columns: tuple[Column, ...]
    ignored: tuple[str, ...]


def read_time_table(data: bytes, name: str) -> TimeTable:
    """Read a table whose head names a time, columns of values with their units and, where there are several, the track.

    Raises:
        ProblemError: names line and column of what is wrong.
    """
    table = Table(data, name, MAX_COLUMNS)
    head = _head_of(table)
    decimals = Decimals()
    time = Moments(factor=head.time[1], decimals=decimals)
    wanted: dict[int, Cells] = {head.time[0]: time}
    wanted |= {column.index: Numbers(decimals) for column in head.columns}
    wanted |= {} if head.track is None else {head.track: Texts()}
    read = table.read(wanted, {} if head.clock is None else {head.time[0]: head.clock})
    for column in head.columns:
        _check_bounds(table, column, read[column.index])
    titles, codes = ([""], np.zeros(len(read[head.time[0]]), np.int64)) if head.track is None else read[head.track]
    values = np.column_stack([read[column.index] for column in head.columns])
    kept = np.ones(len(values), bool)
    kept[time.leap_rows] = False
    notes = [
        *table.notes,
        *(f"{_many(len(time.leap_rows), 'row')} of leap seconds left out." for _ in time.leap_rows[:1]),
    ]
    notes += [f"Columns left out, as they hold no measured values: {', '.join(head.ignored)}."] if head.ignored else []
    tracks = {}
    by_track = np.argsort(codes, kind="stable")  # one sort: there may be as many tracks as rows
    by_track = by_track[kept[by_track]]
    ends = np.searchsorted(codes[by_track], np.arange(1, len(titles)))
    for title, rows in zip(titles, np.split(by_track, ends), strict=True):
        _check_order(table, head, read[head.time[0]], rows, local=time.zoned is False)
        tracks[title] = Series(read[head.time[0]][rows], values[rows])
    short = [title for title, each in tracks.items() if len(each.times_s) < 2]
    if short:
        raise ProblemError("track", short[0] or "one row", "at least two rows")
    return TimeTable(head.columns, tracks, time.reading, tuple(notes))


def without_errors(table: TimeTable) -> TimeTable:
    """Return the table without impossible fixes, its tracks cut at gaps; notes say what was done.

    Raises:
        ProblemError: no track keeps two rows.
    """
    names = [column.name for column in table.columns]
    route = {"latitude", "longitude"} <= set(names)
    tracks: dict[str, Series] = {}
    impossible, gaps, short = 0, 0, 0
    for title, series in table.tracks.items():
        times, values = series.times_s, series.values
        if route:
            wrong = impossible_fixes(times, *(_base(table, values, name) for name in ("latitude", "longitude")))
            impossible += int(wrong.sum())
            times, values = times[~wrong], values[~wrong]
        found, cuts, left_out = pieces(times, longest_step_s(times), 2)
        gaps, short = gaps + cuts, short + left_out
        for number, piece in enumerate(found):
            tracks[f"{title or 'part'} ({number + 1})" if len(found) > 1 else title] = Series(
                times[piece], values[piece]
            )
    if not tracks:
        raise ProblemError(
            "file", "no two rows without a gap between them", "a recording with two neighbouring rows or more"
        )
    findings = (
        (impossible, "impossible position", "left out: 0, 0 or too far from those around"),
        (gaps, "gap", "found: the rows after a gap are a track of their own"),
        (short, "track", "of one row between gaps left out"),
    )
    notes = tuple(f"{_many(count, what)} {words}." for count, what, words in findings if count)
    return replace(table, tracks=tracks, notes=(*table.notes, *notes))


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _base(table: TimeTable, values: FloatArray, name: str) -> FloatArray:
    index, column = next((index, each) for index, each in enumerate(table.columns) if each.name == name)
    return np.asarray(values[:, index] * column.unit.factor)


def _head_of(table: Table) -> _Head:
    time: tuple[int, float] | None = None
    clock: int | None = None
    track: int | None = None
    columns: list[Column] = []
    ignored: list[str] = []
    first = table.first_row()
    for index, cell in enumerate(_with_units(table.head)):
        found = split_unit(cell)
        words = _plain(found[0] if found else cell)
        if time is None and _TIMES.fullmatch(words) and (found is None or found[1].base == "s"):
            time = (index, found[1].factor if found else 1.0 if words == "seconds" else 0.0)
        elif time and found is None and {_plain(table.head[time[0]]), words} == {"date", "time"}:
            clock, time = (index, time) if words == "time" else (time[0], (index, 0.0))
        elif words == "track":
            track = index
        elif found is not None:
            columns.append(Column(words if words[:1].isalpha() else f"column_{words}", found[1], index))
        elif _LEVELS.fullmatch(cell) or (first and index < len(first) and not is_number(first[index])):
            ignored.append(cell or f"column {index + 1}")
        else:
            raise ProblemError(f"column {index + 1}", cell, unit_advice(cell), table.line)
    if time is None:
        accepted = "a head with a column time_s (or time [h], or timestamp)"
        raise ProblemError("head", ", ".join(table.head)[:200], accepted, table.line)
    if not columns:
        raise ProblemError(
            "head", ", ".join(table.head)[:200], "a head with a column of values in addition to the time", table.line
        )
    names = [column.name for column in columns]
    for column in columns:
        if names.count(column.name) > 1:
            raise ProblemError(f"column {column.index + 1}", column.name, "a name that no other column has", table.line)
    return _Head(time, clock, track, tuple(columns), tuple(ignored))


def _with_units(head: Sequence[str]) -> Sequence[str]:
    """Return the names of columns; those of a Joulescope with its units."""
    names = [cell.lower() for cell in head]
    if {"time", "current", "voltage"} <= set(names) <= set(_JOULESCOPE):
        return [f"{name} [{_JOULESCOPE[name]}]" for name in names]
    return head


def _plain(words: str) -> str:
    return "".join(each if each.isascii() and each.isalnum() else "_" for each in words.lower()).strip("_")[:60]


def _check_order(table: Table, head: _Head, times_s: FloatArray, rows: np.ndarray, *, local: bool) -> None:
    index = head.time[0]
    late = np.flatnonzero(np.diff(times_s[rows]) <= 0)
    if not late.size:
        return
    before, row = int(rows[late[0]]), int(rows[late[0] + 1])
    unit = split_unit(table.head[index])
    cell = table.cell(before, index)[1] + (f" {unit[1].symbol}" if unit else "")
    accepted = f"later than {cell}, the row before" + (" of the track" if head.track is not None else "")
    if local and -_HOUR_S <= times_s[row] - times_s[before] < -_HOUR_S / 2:
        accepted += "; where summer time ends, write UTC or the zone (+02:00)"
    raise table.error(row, index, accepted)


def _check_bounds(table: Table, column: Column, values: FloatArray) -> None:
    low, high = _BOUNDS.get(column.name, _BOUNDS.get(column.unit.base, (-1e15, 1e15)))
    factor = column.unit.factor
    wrong = (values * factor < low) | (values * factor > high * (1 + 1e-9))
    if wrong.any():
        accepted = f"from {low / factor:g} to {high / factor:g} {column.unit.symbol}"
        hint = "; is it in %?" if column.unit.base == "share" and factor == 1 else ""
        raise table.error(int(wrong.argmax()), column.index, accepted + hint)
