"""Parts of the picture of a front: designs, bounds, limits, named points, density, and the ranges of the axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.fronts.front import knee_among
from engines.contract.quantities import Quantity, Sense

Hidden = Literal["dominated", "infeasible", "baselines", "bounds", "products", "knee", "points"]


@dataclass(frozen=True)
class Cloud:
    """Designs over two quantities; all arrays have shape `n`.

    Attributes:
        x, y: the quantities; a front is drawn where both have a sense.
        x_values, y_values: in the quantities' stored units; NaN is not drawn.
        numbers: number of each design within its run, which a click brings back.
        baseline: mask of the baselines, which are named and excluded from the front.
        labels: names of the designs ("" for most).
        kept: mask of designs that meet the limits; None means all.
        fresh: mask of designs that are new since the last picture; None means none.
        infeasible: mask of designs that violate a constraint, which are excluded from the front. None means none.
        member: which designs no other dominates over all objectives of the run; None means those of these two.
        colour, size: a quantity and its values by which the designs are coloured or sized; None is one colour, one size.
        hardware: label of a baseline -> its hardware in words, where that is not the hardware of the run.
    """

    x: Quantity
    y: Quantity
    x_values: FloatArray
    y_values: FloatArray
    numbers: IntArray
    baseline: BoolArray
    labels: Sequence[str]
    kept: BoolArray | None = None
    fresh: BoolArray | None = None
    infeasible: BoolArray | None = None
    member: BoolArray | None = None
    colour: tuple[Quantity, FloatArray] | None = None
    size: tuple[Quantity, FloatArray] | None = None
    hardware: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def searched(self) -> IntArray:
        """Positions of the designs that are no baselines and have both values."""
        return np.flatnonzero(~self.baseline & np.isfinite(self.x_values) & np.isfinite(self.y_values))

    @cached_property
    def front(self) -> IntArray:
        """Positions of the non-dominated designs, by ascending x; empty where a quantity has no sense."""
        taking_part = self.searched if self.infeasible is None else self.searched[~self.infeasible[self.searched]]
        if "none" in (self.x.sense, self.y.sense) or not len(taking_part):
            return np.empty(0, np.int64)
        x = _minimised(self.x_values[taking_part], self.x.sense)
        y = _minimised(self.y_values[taking_part], self.y.sense)
        order = np.lexsort((y, x))
        best_before = np.concatenate([[np.inf], np.minimum.accumulate(y[order])[:-1]])
        found = taking_part[order[y[order] < best_before]]
        return found[np.argsort(self.x_values[found], kind="stable")]

    @cached_property
    def dominated_by_baselines(self) -> BoolArray:
        """Which designs of `front` a baseline dominates, shape of `front`."""
        beaten = np.zeros(len(self.front), bool)
        x, y = _minimised(self.x_values, self.x.sense), _minimised(self.y_values, self.y.sense)
        for at in np.flatnonzero(self.baseline & np.isfinite(x) & np.isfinite(y)):
            no_worse = (x[at] <= x[self.front]) & (y[at] <= y[self.front])
            beaten |= no_worse & ((x[at] < x[self.front]) | (y[at] < y[self.front]))
        return beaten

    @cached_property
    def knee(self) -> int | None:
        """Position of the knee point of the front over these two quantities.

        None for a front of fewer than three designs, and where a baseline dominates that design.
        """
        if len(self.front) < 3:
            return None
        columns = {self.x.name: self.x_values, self.y.name: self.y_values}
        knee = knee_among(columns, (self.x, self.y), self.front)
        return None if self.dominated_by_baselines[self.front == knee].any() else knee


@dataclass(frozen=True)
class Bound:
    """A value that no design can pass: on the axis "x" or "y", in the quantity's stored unit, with its name."""

    axis: Literal["x", "y"]
    value: float
    title: str


@dataclass(frozen=True)
class Limit:
    """A constraint on an axis: what lies beyond `value` is excluded."""

    axis: Literal["x", "y"]
    value: float
    upper: bool = True


@dataclass(frozen=True)
class Point:
    """A point that is no design, in stored units of the two axes."""

    kind: Literal["ideal", "nadir", "reference point"]
    x: float
    y: float


@dataclass(frozen=True)
class Density:
    """The density of designs that are not drawn one by one.

    Attributes:
        counts: designs per cell, `rows x columns`, the first row at the top.
        x, y: the range that the cells span, in stored units.
    """

    counts: IntArray
    x: tuple[float, float]
    y: tuple[float, float]


@dataclass(frozen=True)
class View:
    """The ranges of the axes, in stored units; kept by the page so that a live picture never jumps."""

    x: tuple[float, float]
    y: tuple[float, float]


def _minimised(values: FloatArray, sense: Sense) -> FloatArray:
    return -values if sense == "maximise" else values
