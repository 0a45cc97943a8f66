"""The change log as a file: a line per field that changed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from engines.exchange.csv_cells import as_text
from webapp.changes.service import Line

HEADS = (
    "number", "at", "who", "means", "token", "verb", "kind", "what", "project", "request", "field", "before", "after",
)  # fmt: skip


def csv_lines(lines: Iterable[Line]) -> Iterator[str]:
    """Yield the head, then the lines; a change without fields has one line."""
    yield _row(HEADS)
    for line in lines:
        facts = (line.number, line.at.isoformat(), line.who, line.means, line.token, line.verb, line.kind, line.what)
        for difference in line.differences or (("", "", ""),):
            yield _row((*facts, line.project, line.request_id, *difference))


def _row(cells: Iterable[object]) -> str:
    sink = io.StringIO()
    csv.writer(sink).writerow([as_text(str(cell)) for cell in cells])
    return sink.getvalue()
