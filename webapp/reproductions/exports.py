"""A reproduction as CSV."""

from __future__ import annotations

import csv
import io
from math import isfinite, nan

from engines.exchange.csv_cells import as_text
from engines.reproduction.verdicts import verdict_of
from webapp.reproductions.service import Shown

HEADS = (
    "publication", "table", "compared", "reading", "published", "published_high", "ours", "ratio", "unit", "ours_is",
    "same_side_wins", "verdict", "where", "why", "computed", "engine_versions",
)  # fmt: skip


def csv_of(found: Shown) -> str:
    """One line per comparison and reading; what is missing is empty."""
    made = found.reproduction
    when = made.created.isoformat() if made else ""
    versions = "; ".join(f"{name} {version}" for name, version in made.versions.items()) if made else ""
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow(HEADS)
    for row in found.rows:
        computed = row.key in found.computed
        high = nan if row.published_high is None else row.published_high
        numbers = [repr(value) if isfinite(value) else "" for value in (row.published, high, row.ours, row.ratio)]
        side = "" if row.ordering is None else "yes" if row.ordering else "no"
        cells = [row.anchor, row.group, row.name, row.reading, *numbers, row.unit, row.kind, side, verdict_of(row, computed),
                 row.where, row.why, *((when, versions) if computed else ("", ""))]  # fmt: skip
        writer.writerow([as_text(cell) for cell in cells])
    return sink.getvalue()
