"""Files of click logs as documents, and CSV files of any kind: one whose header has the columns user and item is a click log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from engines.contract.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.data.click_log import CLICK_LOG_SCHEMA, load_click_log
from engines.recordings.csv_file import read_csv as read_recording
from engines.recordings.csv_file import slug_of

_MOST_BYTES = 1_800_000  # of rows in a document


def read_csv(data: bytes, name: str, options: Mapping[str, Any] | None = None) -> ReadDocument:
    """The document that a CSV file describes: a click log, or what `engines.recordings.csv_file` makes of it.

    Raises:
        ProblemError: names line and column of what is wrong.
    """
    header = {
        cell.strip().lower()
        for cell in data[:2000].decode("utf-8", "replace").lstrip("\ufeff").split("\n")[0].split(",")
    }
    return (
        _click_log(data, name, options, "ratings")
        if {"user", "item"} <= header
        else read_recording(data, name, options)
    )


def read_criteo(data: bytes, name: str, options: Mapping[str, Any] | None = None) -> ReadDocument:
    """The document of a click log in Criteo's format.

    Raises:
        ProblemError: names line and column of what is wrong.
    """
    return _click_log(data, name, options, "criteo")


def _click_log(data: bytes, name: str, options: Mapping[str, Any] | None, kind: str) -> ReadDocument:
    try:
        text = data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ProblemError("file", str(error)[:200], "text in UTF-8") from error
    notes = []
    if len(text.encode()) > _MOST_BYTES:
        whole = text.count("\n")
        text = text[:_MOST_BYTES].rpartition("\n")[0]
        while len(text.encode()) > _MOST_BYTES:
            text = text[: -_MOST_BYTES // 10].rpartition("\n")[0]
        notes.append(f"The first {text.count(chr(10)) + 1} of {whole} lines are kept: a document has room for no more.")
    title = str((options or {}).get("name") or PurePath(name).stem)[:200] or "Click log"
    content = {
        "schema": CLICK_LOG_SCHEMA, "slug": slug_of(title), "title": title, "source": f"file {name}", "format": kind, "rows": text
    }  # fmt: skip
    log = load_click_log(content)
    columns = [table.title for table in log.tables]
    report = {"format": "Click log", "rows": len(log.labels), "tracks": 1, "columns": columns, "notes": notes}
    return ReadDocument(content, {}, report)
