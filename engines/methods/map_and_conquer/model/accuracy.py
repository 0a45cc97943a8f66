"""Accuracy of stages from how much of what matters each of them sees; assumed, or by a measurement.

Channels are ordered by importance, the most important go to the first stage (odema-2024 section 2.4.4). What the source does not
give is stated here:

- importance within a layer falls in a straight line from the first channel to none at the last, so the most important share p of
  the channels holds 2 p - p^2 of it;
- a stage sees, of every layer, its own part and those of earlier stages that are reused; its mass is the mean over layers;
- Acc_i = Acc_base - d (1 - mass_i)^1.5, never below 0; or what was measured of stages that see as much (`MeasuredCurve`);
- correctness is nested: what a stage answers rightly, every stage of higher accuracy does (`engines.search.ends`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray

EXPONENT = 1.5


@dataclass(frozen=True, eq=False)
class MeasuredCurve:
    """Accuracy of a stage by what it sees, measured: straight between points that never fall.

    Attributes:
        seen: rising from 0 to 1, shape `p`.
        percent: shape `p`.
    """

    seen: FloatArray
    percent: FloatArray

    def words(self) -> str:
        """Return the range from its first to its last value, in per cent."""
        return f"{self.percent[0]:.1f} to {self.percent[-1]:.1f} %"


@dataclass(frozen=True)
class AssumedAccuracy:
    """The law of this module.

    Attributes:
        base_percent: accuracy of the network that is not cut.
        loss_points: d, what a stage without anything would lose, in percentage points.
        mass_of: importance in the most important steps of each layer, shape `n x (q + 1)`, from 0 to 1.
        curve: takes the place of base and loss where stages were measured; its last accuracy is `base_percent`.
    """

    base_percent: float
    loss_points: float
    mass_of: FloatArray
    curve: MeasuredCurve | None = None

    def layer_mass(self, partition: IntArray, reuse: BoolArray) -> FloatArray:
        """Return the share of each layer's features, weighted by importance, that each stage sees, shape `B x M x n`.

        Args:
            partition: steps of each stage in each layer, shape `B x M x n`.
            reuse: shape `B x M x n`.
        """
        ends = np.cumsum(partition, axis=1)
        layer = np.arange(partition.shape[2])
        own = self.mass_of[layer, ends] - self.mass_of[layer, ends - partition]
        handed = np.where(reuse, own, 0.0)
        return np.asarray(own + np.cumsum(handed, axis=1) - handed)

    def of_mass(self, mass: FloatArray) -> FloatArray:
        """Return the accuracy of stages in per cent from their mean masses; same shape."""
        if self.curve is not None:
            return np.asarray(np.interp(mass, self.curve.seen, self.curve.percent))
        missing = np.clip(1.0 - mass, 0.0, 1.0)
        return np.maximum(self.base_percent - self.loss_points * missing**EXPONENT, 0.0)

    def stages_percent(self, partition: IntArray, reuse: BoolArray) -> FloatArray:
        """Return the accuracy of every stage, shape `B x M`."""
        return self.of_mass(self.layer_mass(partition, reuse).mean(axis=2))


def linear_importance(layers: int, steps: int) -> FloatArray:
    """Return the mass of the most important steps where importance falls in a straight line, shape `layers x (steps + 1)`."""
    share = np.arange(steps + 1) / steps
    return np.repeat((2 * share - share**2)[None], layers, axis=0)
