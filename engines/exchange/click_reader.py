"""Tables of a user as documents: click logs, logs of tegrastats, and values over time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.cost.calibration.files import rails_w
from engines.data.click_log import CLICK_LOG_SCHEMA, check_stars, load_click_log, names_ratings
from engines.recordings.csv_file import read_csv as read_recording
from engines.tables.text import as_utf8, layout_of
from hardware.slugs import slug_of

_MOST_BYTES = 1_800_000  # of rows in a document
_MOST_COLUMNS = 2000
_CRITEO = re.compile(rb"[01](\t[^\t\n]*){39}(\n|\Z)")
_TEGRASTATS = re.compile(r"^(?:(\d\d)-(\d\d)-(\d{4}) (\d\d:\d\d:\d\d) )?RAM \d+/\d+MB")


def read_csv(data: bytes, name: str, options: Mapping[str, Any] | None = None) -> ReadDocument:
    """Return the document that a table describes, by its head or form.

    Args:
        data: the file.
        name: name in messages; it becomes slug and title.
        options: "name": a title of its own.

    Raises:
        ProblemError: names line and column of what is wrong.
    """
    text, _ = as_utf8(data, name)
    if _CRITEO.match(text):
        return _click_log(text, name, options, "criteo")
    if _TEGRASTATS.match(text[:200].decode(errors="replace")):
        return _power_log(text.decode(), name, options)
    if names_ratings(layout_of(data, name, _MOST_COLUMNS).head):
        return _click_log(text, name, options, "ratings")
    return read_recording(data, name, options)


def _click_log(text: bytes, name: str, options: Mapping[str, Any] | None, kind: str) -> ReadDocument:
    notes = []
    if len(text) > _MOST_BYTES:
        whole = text.rstrip(b"\n").count(b"\n") + 1
        text = text[:_MOST_BYTES].rpartition(b"\n")[0]
        notes.append(f"The first {text.count(10) + 1} of {whole} lines are kept: a document holds no more.")
    title = str((options or {}).get("name") or PurePath(name).stem)[:200] or "Click log"
    content = {
        "schema": CLICK_LOG_SCHEMA, "slug": slug_of(title, "clicks"), "title": title, "source": f"file {name}", "format": kind,
        "rows": text.decode(errors="replace"),
    }  # fmt: skip
    if kind == "ratings":
        check_stars(content["rows"])
    log = load_click_log(content)
    columns = [table.title for table in log.tables]
    report = {"format": "Click log", "rows": len(log.labels), "tracks": 1, "columns": columns, "notes": notes}
    return ReadDocument(content, {}, report)


def _power_log(text: str, name: str, options: Mapping[str, Any] | None) -> ReadDocument:
    """Return the powers of all rails of a log of tegrastats over time, which counts lines where they have no times."""
    lines = [line for line in text.splitlines() if _TEGRASTATS.match(line)]
    powers = [rails_w(line) for line in lines]
    rails = list(dict.fromkeys(rail for each in powers for rail in each))
    clock = all(_TEGRASTATS.match(line)[1] for line in lines)  # type: ignore[index]
    rows = [["timestamp" if clock else "time_s", *(f"{rail} [W]" for rail in rails)]]
    for number, (line, each) in enumerate(zip(lines, powers, strict=True)):
        if each.keys() == set(rails):
            stamp = _TEGRASTATS.sub(r"\3-\1-\2T\4\n", line).partition("\n")[0] if clock else str(number)
            rows.append([stamp, *(f"{each[rail]:g}" for rail in rails)])
    read = read_recording("\n".join(",".join(row) for row in rows).encode(), name, options)
    notes = [
        *read.report["notes"],
        *([] if clock else ["The log has no times: one line per second is assumed, the default of tegrastats."]),
    ]
    left_out = len(lines) + 1 - len(rows)
    notes += [f"Lines without all rails left out: {left_out}."] if left_out else []
    return ReadDocument(read.content, read.lines, {**read.report, "format": "tegrastats", "notes": notes})
