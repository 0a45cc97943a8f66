"""A reproduction as CSV."""

from __future__ import annotations

import csv
import io
from math import isfinite, nan

from engines.exchange.csv_cells import as_text
from engines.reproduction.verdicts import verdict_of
from webapp.reproductions.service import ReproductionSummary, ValueOrigin

HEADS = (
    "publication", "table", "compared", "reading", "published", "published_high", "ours", "ratio", "unit", "ours_is",
    "compared_as", "baseline", "seeds_from", "seeds_to", "same_side_wins", "verdict", "where", "why", "computed_at", "computed",
    "engine_versions",
)  # fmt: skip


def csv_of(found: ReproductionSummary) -> str:
    """Return one line per comparison and reading; what is missing is empty."""
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow(HEADS)
    for row in found.rows:
        made = found.made.get(row.key)
        high = nan if row.published_high is None else row.published_high
        numbers = [_number(value) for value in (row.published, high, row.ours, row.ratio)]
        least, most = row.seeds or (nan, nan)
        test = [row.test, *map(_number, (nan if row.baseline is None else row.baseline, least, most))]
        side = "" if row.ordering is None else "yes" if row.ordering else "no"
        cells = [row.anchor, row.group, row.name, row.reading, *numbers, row.unit, row.kind, *test, side,
                 verdict_of(row, made is not None), row.where, row.why, *_origin(made)]  # fmt: skip
        writer.writerow([as_text(cell) for cell in cells])
    return sink.getvalue()


def _number(value: float) -> str:
    return repr(value) if isfinite(value) else ""


def _origin(made: ValueOrigin | None) -> tuple[str, str, str]:
    """Return the origin of our value: site or release, time and versions."""
    if made is None:
        return "", "", ""
    return made.at, made.computed.isoformat(), "; ".join(f"{name} {version}" for name, version in made.versions.items())
