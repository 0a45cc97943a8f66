"""Measurements of the selected designs as rows of the table of measures: a row, and its interval, for each device."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engines.contract.quantities import Quantity
from frontend.figures.numbers import in_sentence, scale_of
from frontend.pages.compare.data import Side
from frontend.pages.compare.measures import MetricRow, metric_rows
from frontend.pages.run.measurements.data import measured_of
from webapp.measuring.designs import measurable_of
from webapp.measuring.measured_designs import MeasuredDesign

_NAN = float("nan")
Rows = dict[str, list[MeasuredDesign | None]]


def table_rows(sides: Sequence[Side]) -> list[MetricRow]:
    """Return all rows of the table: the measures of the runs, and what machines measured."""
    return [*metric_rows(sides), *measured_rows(sides)]


def measured_rows(sides: Sequence[Side]) -> list[MetricRow]:
    """Return the rows of the designs looked at, by device; nothing where none of them was measured."""
    found: Rows = {}
    for at, side in enumerate(sides):
        for each in measured_of(side.run):
            if each.number == side.number and each.latency is not None:
                found.setdefault(each.where, [None] * len(sides))[at] = each
    title = next((quantity.title for side in sides if (quantity := _measured_quantity(side)) is not None), "")
    return [row for where, designs in found.items() for row in _rows(title, where, designs)]


def _measured_quantity(side: Side) -> Quantity | None:
    measurable = measurable_of(side.run)
    return None if measurable is None else side.designs.quantity(measurable.column)


def _rows(title: str, where: str, designs: Sequence[MeasuredDesign | None]) -> list[MetricRow]:
    known = [None if each is None else each.latency for each in designs]
    medians = [_NAN if each is None else each.median_s for each in known]
    lows = [_NAN if each is None or each.low_s is None else each.low_s for each in known]
    highs = [_NAN if each is None or each.high_s is None else each.high_s for each in known]
    scale = scale_of(medians, "s")
    apart = _apart(lows, highs)
    help_words = "Better only if the intervals do not overlap." + _left(designs)

    def row(name: str, values: Sequence[float], better: bool) -> MetricRow:
        shown = tuple(value * scale.factor for value in values)
        return MetricRow(f"Measured on {where}", name, scale.unit, shown, "low" if better else "none", help_words)

    found = [row(f"{title}, measured", medians, apart)]
    if any(value == value for value in lows):  # NaN: too few repetitions for an interval
        found += [row("From, at 95 %", lows, False), row("To, at 95 %", highs, False)]
    return found


def _apart(lows: Sequence[float], highs: Sequence[float]) -> bool:
    """Return whether none of the intervals that are known reaches into another one."""
    known = sorted((low, high) for low, high in zip(lows, highs, strict=True) if low == low)
    return len(known) > 1 and all(before[1] < after[0] for before, after in pairwise(known))


def _left(designs: Sequence[MeasuredDesign | None]) -> str:
    words = sorted({each.rest_words for each in designs if each is not None and each.rest_words})
    return f" Predicted ratios: {in_sentence('; '.join(words))}." if words else ""
