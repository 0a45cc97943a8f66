"""Tables as documents: measured series and routes as `recording/1`, budgets as `environment/1`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted, many
from engines.recordings.csv_table import Series, TimeTable, read_time_table, without_errors
from engines.recordings.loader import load_recording
from engines.recordings.recording import longest_step_s
from engines.recordings.schema import MAX_POINTS, READER, RECORDING_SCHEMA
from hardware.environment.loader import load_environment
from hardware.environment.schema import ENVIRONMENT_SCHEMA
from hardware.slugs import slug_of

_BUDGET = "budget"
_MOST_NUMBERS = 120_000  # times and values that a document holds
_PLACES = ({"latitude", "longitude"}, {"x", "y"})


def read_csv(data: bytes, name: str, options: Mapping[str, Any] | None = None) -> ReadDocument:
    """Return the document that a table describes.

    A file with a column whose name holds "budget" is an environment of one track; every other one is a recording.

    Args:
        data: the file.
        name: name in messages; it becomes slug and title.
        options: "name": a title of its own.

    Raises:
        ProblemError: names line and column of what is wrong.
    """
    table = read_time_table(data, name)
    rows = sum(len(series.times_s) for series in table.tracks.values())
    title = str((options or {}).get("name") or PurePath(name).stem)[:200] or "Recording"
    head = {"slug": slug_of(title, "recording"), "title": title}
    budget = any(_BUDGET in column.name for column in table.columns) and len(table.tracks) == 1
    if budget:
        table = _with_note_of_gaps(table)
        content = _environment(table, head, name)
    else:
        table = _averaged(without_errors(table))
        content = _recording(table, head, name)
    report = {
        "format": "CSV",
        "rows": rows,
        "tracks": len(table.tracks),
        "columns": [f"time: {table.time}", *(column.reading for column in table.columns)],
        "notes": list(table.notes),
    }
    return ReadDocument(content, {}, report)


def _recording(table: TimeTable, head: Mapping[str, str], name: str) -> dict[str, Any]:
    tracks = []
    for number, (title, series) in enumerate(table.tracks.items()):
        columns = {column.name: series.values[:, index].tolist() for index, column in enumerate(table.columns)}
        tracks.append(
            {"title": title or f"{head['title']} {number + 1}", "times_s": _from_start(series), "columns": columns}
        )
    units = {column.name: column.unit.symbol for column in table.columns}
    content = {
        "schema": RECORDING_SCHEMA, **head, "source": f"file {name}", "reader": READER, "units": units, "tracks": tracks
    }  # fmt: skip
    if not any(place <= units.keys() for place in _PLACES):
        content["measures"] = table.columns[-1].name  # people put the column that matters last
    load_recording(content)
    return content


def _environment(table: TimeTable, head: Mapping[str, str], name: str) -> dict[str, Any]:
    (series,) = table.tracks.values()
    times = _from_start(series)
    profiles = {
        column.name: {
            "title": column.name.replace("_", " ").capitalize(),
            "unit": column.unit.symbol,
            "times_s": times,
            "values": series.values[:, index].tolist(),
        }
        for index, column in enumerate(table.columns)
    }
    content = {
        "schema": ENVIRONMENT_SCHEMA,
        **head,
        "source": f"file {name}",
        "duration_s": round(
            times[-1] + float(np.median(np.diff(series.times_s))), 9
        ),  # the last value lasts as long as most
        "profiles": profiles,
        "sources": {"duration_s": f"file {name}", "profiles": f"file {name}"},
    }
    load_environment(content)
    return content


def _from_start(series: Series) -> list[float]:
    return [float(each) for each in np.round(series.times_s - series.times_s[0], 9)]


def _with_note_of_gaps(table: TimeTable) -> TimeTable:
    (series,) = table.tracks.values()
    steps = np.diff(series.times_s)
    long = int((steps > longest_step_s(series.times_s)).sum())
    words = (
        f"{long} {'step is' if long == 1 else 'steps are'} much longer than the others, the longest {steps.max():g} s: "
    )
    return (
        replace(table, notes=(*table.notes, f"{words}the value before each counts until the next.")) if long else table
    )


def _averaged(table: TimeTable) -> TimeTable:
    """Return the table with means over equal windows of time where it has more rows than a document holds.

    Raises:
        ProblemError: there are more positions of a route than a document holds; their mean would be no position of the route.
    """
    rows = sum(len(series.times_s) for series in table.tracks.values())
    most = min(MAX_POINTS, _MOST_NUMBERS // (1 + len(table.columns)))
    if rows <= most:
        return table
    if any(place <= {column.name for column in table.columns} for place in _PLACES):
        if rows <= MAX_POINTS:
            return table  # positions of few digits fit all the same
        ways = ["Record a position every few seconds."]
        accepted = f"at most {counted(MAX_POINTS)} positions of a route"
        raise ProblemError("file", many(rows, "row"), accepted, remedies=ways)
    total = sum(float(series.times_s[-1] - series.times_s[0]) for series in table.tracks.values())
    windows = most - 3 * len(table.tracks)  # a track of less than two windows takes up to three of its own
    window_s = _rounded_up(total / windows) if windows > 0 else total
    tracks = {title: _means(series, window_s) for title, series in table.tracks.items()}
    note = f"{many(rows, 'row')} are more than a document holds: each value is a mean over at most {1e3 * window_s:.4g} ms."
    return replace(table, tracks=tracks, notes=(*table.notes, note))


def _rounded_up(value: float) -> float:
    """Return a positive number rounded up to two digits."""
    digit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return math.ceil(value / digit) * digit


def _means(series: Series, window_s: float) -> Series:
    """Return the means of the rows of each window that has some, at the start of the window.

    Half the series is the largest window.
    """
    times_s = series.times_s - series.times_s[0]
    window_s = min(window_s, float(times_s[-1]) / 2)
    windows = np.floor(times_s / window_s + 1e-9)
    starts = np.flatnonzero(np.diff(windows, prepend=-1.0))
    counts = np.diff(starts, append=len(windows))
    sums = np.add.reduceat(series.values, starts, axis=0)
    means = np.array([[float(f"{value:.7g}") for value in row] for row in sums / counts[:, None]])
    return Series(windows[starts] * window_s, means)
