"""All values of a hardware document as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any

from engines.documents import families
from engines.exchange.csv_cells import as_text
from hardware.figure_table import figure_table
from webapp.catalogue.entries import DocumentEntry

HEADS = ("key", "value", "unit", "confidence", "source")
NOT_PUBLISHED = "not published"


def values_csv(entry: DocumentEntry) -> str:
    """Return a line per value, lists apart by "/", then those that are not published.

    Raises:
        ProblemError: the document cannot be read.
    """
    device = families.load(entry.content, entry.kind)
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow(HEADS)
    content = families.upgraded(entry.content)
    for figure in figure_table(content, device.sources, getattr(device, "confidence", {})):
        value: Any = content
        for part in figure.key.split("."):
            value = value[part]
        text = "/".join(map(str, value)) if isinstance(value, list) else str(value)
        writer.writerow(map(as_text, (figure.key, text, figure.unit, figure.quality, figure.source)))
    for key in getattr(device, "not_published", ()):
        writer.writerow(map(as_text, (key, NOT_PUBLISHED, "", "", "")))
    return sink.getvalue()
