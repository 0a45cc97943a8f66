"""Accuracy with its spread over several trainings of one network with different seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Spread:
    """Values of several seeds.

    Attributes:
        values: one per seed, in their order.
        unit: unit of them.
    """

    values: tuple[float, ...]
    unit: str = "%"

    @property
    def mean(self) -> float:
        """Over seeds; NaN of none."""
        return float(np.mean(self.values)) if self.values else math.nan

    @property
    def deviation(self) -> float:
        """Standard deviation of a sample (n - 1); NaN of fewer than two seeds, of which nothing is known."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else math.nan

    @property
    def span(self) -> float:
        """Largest less smallest; NaN of fewer than two."""
        return float(np.ptp(self.values)) if len(self.values) > 1 else math.nan

    @property
    def words(self) -> str:
        """Return mean and spread as text, such as "93.1 ± 0.4 % (3 seeds)"; for one seed, that the spread is unknown."""
        if len(self.values) < 2:
            return f"{self.mean:.4g} {self.unit} (one seed, spread not known)".replace("  ", " ")
        digits = max(0, 1 - math.floor(math.log10(self.deviation))) if self.deviation > 0 else 1
        mean = f"{self.mean:.{digits}f} ± {self.deviation:.{digits}f} {self.unit}".rstrip()
        return f"{mean} ({len(self.values)} seeds)"


def spread_of(values: Sequence[float], unit: str = "%") -> Spread:
    """Return the spread of one value per seed."""
    return Spread(tuple(float(each) for each in values), unit)
