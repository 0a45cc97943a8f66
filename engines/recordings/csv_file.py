"""CSV files as documents: measured series and routes as `recording/1`, budgets as `environment/1`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from engines.contract.document_text import ReadDocument
from engines.recordings.csv_table import TimeTable, read_time_table
from engines.recordings.loader import load_recording
from engines.recordings.schema import RECORDING_SCHEMA
from hardware.environment.loader import load_environment
from hardware.environment.schema import ENVIRONMENT_SCHEMA

_BUDGET = "budget"


def read_csv(data: bytes, name: str, options: Mapping[str, Any] | None = None) -> ReadDocument:
    """The document that a CSV file describes.

    A file with a column whose name holds "budget" is an environment of one track; every other one is a recording.

    Args:
        data: the file.
        name: what messages call it; it becomes slug and title.
        options: "name": a title of its own.

    Raises:
        ProblemError: names line and column of what is wrong.
    """
    table = read_time_table(data, name)
    title = str((options or {}).get("name") or PurePath(name).stem)[:200] or "Recording"
    head = {"slug": slug_of(title), "title": title}
    budget = any(_BUDGET in column.name for column in table.columns) and len(table.tracks) == 1
    content = _environment(table, head, name) if budget else _recording(table, head, name)
    rows = sum(map(len, table.times_s.values()))
    columns = [f"{column.name} [{column.unit.symbol}]" for column in table.columns]
    report = {
        "format": "CSV",
        "rows": rows,
        "tracks": len(table.tracks),
        "columns": columns,
        "notes": list(table.notes),
    }
    return ReadDocument(content, {}, report)


def slug_of(title: str) -> str:
    """A name for the catalogue that a title turns into."""
    letters = "".join(each if each.isascii() and each.isalnum() else "-" for each in title.lower())
    return "-".join(part for part in letters.split("-") if part)[:80].rstrip("-") or "recording"


def _recording(table: TimeTable, head: Mapping[str, str], name: str) -> dict[str, Any]:
    tracks = []
    for number, (title, rows) in enumerate(table.tracks.items()):
        columns = {column.name: [row[index] for row in rows] for index, column in enumerate(table.columns)}
        start = table.times_s[title][0]
        times = [round(time - start, 9) for time in table.times_s[title]]
        tracks.append({"title": title or f"{head['title']} {number + 1}", "times_s": times, "columns": columns})
    units = {column.name: column.unit.symbol for column in table.columns}
    content = {"schema": RECORDING_SCHEMA, **head, "source": f"file {name}", "units": units, "tracks": tracks}
    if not {"latitude", "longitude"} <= units.keys() and not {"x", "y"} <= units.keys():
        content["measures"] = table.columns[-1].name  # as people put what they want to tell last
    load_recording(content)
    return content


def _environment(table: TimeTable, head: Mapping[str, str], name: str) -> dict[str, Any]:
    (title,) = table.tracks
    times = [round(time - table.times_s[title][0], 9) for time in table.times_s[title]]
    profiles = {
        column.name: {
            "title": column.name.replace("_", " ").capitalize(),
            "unit": column.unit.symbol,
            "times_s": times,
            "values": [row[index] for row in table.tracks[title]],
        }
        for index, column in enumerate(table.columns)
    }
    content = {
        "schema": ENVIRONMENT_SCHEMA,
        **head,
        "source": f"file {name}",
        "duration_s": times[-1] + (times[-1] - times[-2]),  # the last value counts as long as the one before it
        "profiles": profiles,
        "sources": {"duration_s": f"file {name}", "profiles": f"file {name}"},
    }
    load_environment(content)
    return content
