"""Feasible designs, the Pareto front, the knee point and the best design: the one rule of pages, studies and engines.

A design counts if the search found it and it meets every constraint. Baselines and a user's own designs do not count: front, best
values and hypervolume show what the search achieved, and pages show the other designs next to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.quantities import Quantity, Sense

COUNTED = ("search",)
_SMALLEST_SPAN = 0.01  # share of the largest value by which an objective differs along a front, to count for the knee


def feasible(columns: Mapping[str, FloatArray], quantities: Iterable[Quantity], count: int) -> BoolArray:
    """Return a mask of the designs that meet every constraint, shape `count`; a slack of NaN counts as a violation."""
    meets = np.ones(count, dtype=bool)
    for quantity in quantities:
        if quantity.role == "constraint":
            meets &= columns[quantity.name] >= 0
    return meets


def front_among(columns: Mapping[str, FloatArray], objectives: Sequence[Quantity], rows: IntArray) -> IntArray:
    """Return the rows among `rows` that no other one dominates, in order; an empty array without objectives.

    An objective without any value is ignored, so a run that is older than an objective of its engine keeps its front.
    """
    values = {quantity: columns[quantity.name][rows] for quantity in objectives}
    stored = [quantity for quantity, column in values.items() if np.isfinite(column).any()]
    if not stored:
        return np.empty(0, np.int64)
    # One objective after the other in memory: of a million designs a matrix by rows takes longer than the front.
    matrix = np.array([values[quantity] for quantity in stored]).T
    return rows[non_dominated(matrix, [quantity.sense for quantity in stored])]


def knee_among(columns: Mapping[str, FloatArray], objectives: Sequence[Quantity], front: IntArray) -> int | None:
    """Return the knee point: the design of `front` with the least sum of objectives, each scaled to 0..1 along the front.

    An objective that differs by less than 1 % along the front does not count: that little decides nothing. The first of equals
    in the order of the first objective; None without two objectives and a design.
    """
    if not len(front) or len(objectives) < 2:
        return None
    costs = np.column_stack(
        [columns[each.name][front] * (-1.0 if each.sense == "maximise" else 1.0) for each in objectives]
    )
    spans = np.ptp(costs, axis=0)
    counts = spans > _SMALLEST_SPAN * np.abs(costs).max(axis=0)
    sums = ((costs - costs.min(axis=0)) / np.where(counts, spans, np.inf)).sum(axis=1)
    order = np.argsort(columns[objectives[0].name][front], kind="stable")
    return int(front[order[np.argmin(sums[order])]])


def best_among(values: FloatArray, sense: Sense, rows: IntArray) -> int | None:
    """Return the row among `rows` with the best finite value, the first one of equal values; None if no value is finite.

    Args:
        values: values of all designs, shape `n`.
        sense: "maximise" selects the largest value, any other sense the smallest.
        rows: numbers of designs.
    """
    rows = rows[np.isfinite(values[rows])]
    if not len(rows):
        return None
    return int(rows[np.argmax(values[rows]) if sense == "maximise" else np.argmin(values[rows])])
