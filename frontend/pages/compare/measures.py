"""The table of measures of a comparison. What costs time is computed once per set of runs and kept: a pick changes none of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.bounded_cache import BoundedCache
from engines.contract.certainty import NumberCertainty
from engines.contract.quantities import Quantity
from engines.search.indicators import APPROXIMATED_FROM, distinct_count
from frontend.designs.run_words import quantities_of
from frontend.figures.numbers import (
    MISSING,
    decimals_for,
    fixed,
    in_sentence,
    integer,
    product_unit,
    scale_of,
    si,
    significant,
)
from frontend.pages.compare.data import Side, common, unlike_rows
from webapp.comparisons.certainty import inside_error
from webapp.comparisons.measures import Measures, measure, shared_objectives

Better = Literal["low", "high", "none"]
_EQUAL_DECIMALS_UP_TO = 10.0
_COVERS, _EPSILON = "Covers the others", "Epsilon indicator"
_WHO_WINS = frozenset({_COVERS, _EPSILON})


@dataclass(frozen=True)
class MetricRow:
    """One row of the table: per run a value in one shown unit, and which way is better.

    Attributes:
        group: heading under which it stands.
        unit: displayed unit, in which `values` are.
        factors: per run the error band of its estimate, NaN where none is known; () where none is for any.
        certainties: per run that of its value; () of what is no estimate.
    """

    group: str
    title: str
    unit: str
    values: tuple[float, ...]
    better: Better
    help: str = ""
    factors: tuple[float, ...] = ()
    certainties: tuple[NumberCertainty | None, ...] = ()

    @property
    def inside_error(self) -> frozenset[int]:
        """Positions of the best value and of those that differ from it by no more than the estimates may be off."""
        if not self.factors or self.better == "none" or not self.best:
            return frozenset()
        return inside_error(self.values, self.factors, min(self.best))

    @property
    def texts(self) -> tuple[str, ...]:
        """The values with equal decimals, unless that would leave the small ones without digits."""
        if not self.unit and all(value == int(value) for value in self.values if np.isfinite(value)):
            return tuple(integer(int(value)) if np.isfinite(value) else MISSING for value in self.values)
        sizes = [abs(value) for value in self.values if np.isfinite(value) and value]
        if sizes and max(sizes) > _EQUAL_DECIMALS_UP_TO * min(sizes):
            return tuple(significant(value, 4) for value in self.values)
        decimals = decimals_for(self.values)
        return tuple(fixed(value, decimals) for value in self.values)

    @property
    def ratios(self) -> tuple[float, ...]:
        """Every value over that of the first run; NaN where either is missing or the first is 0."""
        first = self.values[0] if self.values else float("nan")
        known = bool(np.isfinite(first)) and first != 0
        return tuple(value / first if known and np.isfinite(value) else float("nan") for value in self.values)

    @property
    def best(self) -> frozenset[int]:
        """Positions of the best values as they are shown; none where all read the same or nothing is better."""
        finite = {value: text for value, text in zip(self.values, self.texts, strict=True) if np.isfinite(value)}
        if self.better == "none" or len(set(finite.values())) < 2:
            return frozenset()
        wanted = finite[min(finite) if self.better == "low" else max(finite)]
        return frozenset(at for at, text in enumerate(self.texts) if text == wanted)


@dataclass(frozen=True)
class Fronts:
    """The runs' fronts and how they stand to each other.

    Attributes:
        objectives: the `m` that all runs share.
        fronts: `k x m` per run, of designs that the search found and that meet every constraint.
    """

    objectives: tuple[Quantity, ...]
    fronts: tuple[FloatArray, ...]
    measures: Measures


_kept: BoundedCache[tuple[tuple[int, ...], ...], Fronts] = BoundedCache(32)


def fronts_of(sides: Sequence[Side]) -> Fronts:
    """Return fronts and quality measures of the runs, cached until a run has new designs."""
    key = tuple((side.run.pk, side.run.attempt, side.run.engine_version, len(side.designs)) for side in sides)
    return _kept.made(key, lambda: _measured(sides))


def _measured(sides: Sequence[Side]) -> Fronts:
    objectives = shared_objectives([quantities_of(side.run) for side in sides])
    fronts = tuple(_front(side, objectives) for side in sides)
    return Fronts(objectives, fronts, measure(fronts, objectives))


def _front(side: Side, objectives: Sequence[Quantity]) -> FloatArray:
    designs = side.designs
    front = designs.front_among(objectives, np.flatnonzero(designs.searched & designs.feasible))
    columns = [designs.columns[quantity.name][front] for quantity in objectives]
    return np.column_stack(columns) if columns else np.empty((0, 0))


def common_reference(sides: Sequence[Side]) -> dict[str, float]:
    """Return column -> value of the reference point that the hypervolumes share; empty without designs."""
    found = fronts_of(sides)
    if found.measures.reference is None:
        return {}
    return {q.name: float(value) for q, value in zip(found.objectives, found.measures.reference, strict=True)}


def metric_rows(sides: Sequence[Side]) -> list[MetricRow]:
    """Return the rows of metrics: objectives of the selected designs and values of the fronts.

    Then best designs and baselines, and the rest of the selected.
    """
    if not sides:
        return []
    quantities = common(sides)
    found = fronts_of(sides)

    def row(group: str, quantity: Quantity, values: list[float], numbers: Sequence[int | None]) -> MetricRow:
        own = [side.designs.quantity(quantity.name, number) for side, number in zip(sides, numbers, strict=True)]
        certainties = tuple(each.certainty for each in own)
        factors = tuple((each.factor if each else None) or float("nan") for each in certainties)
        values = [value if side.has(quantity) else float("nan") for side, value in zip(sides, values, strict=True)]
        found = _row(group, quantity, values, factors if np.isfinite(factors).any() else ())
        return replace(found, certainties=certainties)

    judged = [q for q in quantities if q in found.objectives or q.name == sides[0].designs.primary]
    rest = [q for q in quantities if q not in judged]
    looked_at = [side.number for side in sides]
    chosen = [row("Selected designs", q, [side.value(q.name) for side in sides], looked_at) for q in judged]
    best = [row("Best of the run", q, [side.best(q.name) for side in sides], _best(sides, q)) for q in judged]
    yardsticks = [
        row("Best baseline within the limits", q, [side.best_baseline(q.name) for side in sides], _baselines(sides, q))
        for q in judged
    ]
    further = [
        row("Selected designs, other metrics", q, [side.value(q.name) for side in sides], looked_at) for q in rest
    ]
    rows = [*chosen, *_front_rows(found), *best, *yardsticks, *further]
    # A value alone is no comparison, but for runs whose others have no design yet.
    shown = [row for row in rows if np.isfinite(row.values).any()]
    if not unlike_rows(sides):
        return shown
    # What dominates what says something of runs that compute the same by the same estimator only.
    return [replace(row, better="none", factors=()) for row in shown if row.title not in _WHO_WINS]


def _best(sides: Sequence[Side], quantity: Quantity) -> list[int | None]:
    return [side.designs.best(quantity.name) for side in sides]


def _baselines(sides: Sequence[Side], quantity: Quantity) -> list[int | None]:
    having = [quantity.name in side.designs.columns for side in sides]
    return [side.designs.best_baseline(quantity.name) if has else None for side, has in zip(sides, having, strict=True)]


def _row(group: str, quantity: Quantity, values: Sequence[float], factors: tuple[float, ...]) -> MetricRow:
    shown = scale_of(values, quantity.unit)
    better: Better = {"minimise": "low", "maximise": "high"}.get(quantity.sense, "none")  # type: ignore[assignment]
    scaled = tuple(value * shown.factor for value in values)
    return MetricRow(group, quantity.title, shown.unit, scaled, better, quantity.help, factors)


def _beyond_words(found: Fronts) -> str:
    """Return where a tenth beyond the worst is negative though no front is: this is a corner of an area and no design's value."""
    reference = found.measures.reference
    if reference is None:
        return ""
    least = np.min([front.min(axis=0) for front in found.fronts if len(front)], axis=0)
    below = [
        f"{in_sentence(quantity.title)} {si(float(corner), quantity.unit)}"
        for quantity, corner, lowest in zip(found.objectives, reference, least, strict=True)
        if corner < 0 <= lowest
    ]
    return (
        f" It may be negative, here at {' and '.join(below)}: it is a corner of the area, not a value of a design."
        if below
        else ""
    )


def _front_rows(found: Fronts) -> list[MetricRow]:
    objectives, measures = found.objectives, found.measures
    if not objectives:
        return []
    names = " and ".join(in_sentence(q.title) for q in objectives)
    volume = scale_of(measures.hypervolume, product_unit(q.unit for q in objectives))
    group = f"Fronts over {names}"
    sizes = tuple(float(len(front)) for front in found.fronts)
    points = tuple(float(distinct_count(front)) for front in found.fronts)
    alike = [
        MetricRow(
            group, "Trade-offs on the front", "", points, "none", "Designs with equal objectives share one trade-off."
        )
    ]
    rows = [
        *(alike if points != sizes else ()),
        MetricRow(group, "Designs on the front", "", sizes, "none"),
        MetricRow(
            group, "Hypervolume", volume.unit, tuple(value * volume.factor for value in measures.hypervolume), "high",
            "Share that the front dominates, up to one reference point: the worst of all fronts plus a tenth."
            + _beyond_words(found)
            + (" Approximate, as there are five objectives or more." if len(objectives) >= APPROXIMATED_FROM else ""),
        ),
        MetricRow(
            group, _COVERS, "%", tuple(100 * value for value in measures.covers), "high",
            "Share of the trade-offs on the other runs' fronts that a design of this run dominates (ratio of dominance).",
        ),
        MetricRow(
            group, _EPSILON, "×", measures.epsilon, "low",
            "The factor by which this front must improve to cover the best front of all runs. 1: it already does.",
        ),
    ]  # fmt: skip
    return [row for row in rows if np.isfinite(row.values).any()]
