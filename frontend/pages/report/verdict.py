"""Verdict of a report on several runs: their best values, and which run is better where they can be ranked."""

from __future__ import annotations

import math
from collections.abc import Sequence

from frontend.designs.answer import difference_sentence
from frontend.figures.numbers import in_sentence, si
from frontend.pages.compare.data import Side
from frontend.pages.compare.measures import MetricRow, metric_rows
from frontend.pages.compare.view import unlike_names

BEST = "Best of the run"


def verdict_sentences(sides: Sequence[Side]) -> str:
    """Return the best value of every run by the first run's own measure, and the better run; why not where none is ranked."""
    primary = sides[0].designs.quantity(sides[0].designs.primary)
    values = {side.style.letter: side.best(primary.name) if side.has(primary) else math.nan for side in sides}
    known = {letter: value for letter, value in values.items() if math.isfinite(value)}
    if len(known) < 2:
        return ""
    title = in_sentence(primary.title)
    listed = ", ".join(f"run {letter} {si(value, primary.unit)}" for letter, value in known.items())
    found = f"Best {title}: {listed}."
    row = next((row for row in metric_rows(sides) if row.group == BEST and row.title == primary.title), None)
    return f"{found} {_ranking(sides, row, known)}".rstrip()


def _ranking(sides: Sequence[Side], row: MetricRow | None, known: dict[str, float]) -> str:
    names = unlike_names(sides)
    if names:
        return f"The runs are not ranked, because they differ in {names}."
    if row is None or row.better == "none":
        return ""
    primary = sides[0].designs.quantity(sides[0].designs.primary)
    (best, value), (second, reference) = sorted(
        known.items(), key=lambda each: each[1] if row.better == "low" else -each[1]
    )[:2]
    if not row.best or len(row.best) == len(known):
        return "The runs reach the same value."
    if row.inside_error:
        return "The difference is smaller than the error band, so the runs are not ranked."
    return f"Run {best} has {difference_sentence(value, reference, primary, f'run {second}')}."
