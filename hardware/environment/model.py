"""Environments: what surrounds a device over time, as budgets and conditions that change piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Between = Literal["held", "straight"]


@dataclass(frozen=True, eq=False)
class Profile:
    """One value over time.

    Attributes:
        title: for people.
        unit: unit of the values (`hardware.units`: W, share, Hz, ...).
        times_s: ascending, from 0 on, n.
        values: n.
        between: "held": a value counts until the next one; "straight": by straight lines. The last value stays.
    """

    name: str
    title: str
    unit: str
    times_s: FloatArray
    values: FloatArray
    between: Between = "held"

    def at(self, times_s: npt.ArrayLike) -> FloatArray:
        """Return the values at any times, in the shape of `times_s`; before the first time the first value counts."""
        times = np.asarray(times_s, np.float64)
        if self.between == "straight":
            return np.asarray(np.interp(times, self.times_s, self.values), np.float64)
        index = np.searchsorted(self.times_s, times, side="right") - 1
        return self.values[np.maximum(index, 0)]

    def mean(self, duration_s: float) -> float:
        """Return the mean value from 0 to `duration_s`, which is above 0."""
        inside = self.times_s[(self.times_s > 0) & (self.times_s < duration_s)]
        times = np.concatenate(([0.0], inside, [duration_s]))
        if self.between == "held":
            return float(np.sum(self.at(times[:-1]) * np.diff(times)) / duration_s)
        return float(np.trapezoid(self.at(times), times) / duration_s)


@dataclass(frozen=True)
class Period:
    """A named stretch of time ("wind")."""

    start_s: float
    end_s: float
    title: str


@dataclass(frozen=True)
class Environment:
    """An environment of the catalogue.

    Attributes:
        duration_s: duration.
        profiles: name -> what changes.
        periods: named stretches, in order of their starts; they may lie apart.
        sources: dotted key of a figure -> where the figure is from.
    """

    slug: str
    title: str
    duration_s: float
    profiles: Mapping[str, Profile]
    periods: tuple[Period, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
