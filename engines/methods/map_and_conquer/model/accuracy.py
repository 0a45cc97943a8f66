"""The accuracy of stages, from the importance of the features that each one sees: assumed, or interpolated from measurements.

Channels are ordered by importance, and the first stage gets the most important ones (odema-2024 section 2.4.4). The source leaves
the following open, which is assumed here:

- importance within a layer falls linearly from the first channel to 0 at the last one, so the most important share p of the
channels holds 2 p - p^2 of the importance;
- a stage sees its own part of every layer and the reused parts of earlier stages; its mass is the mean of their importance over
the layers;
- Acc_i = Acc_base - d (1 - mass_i)^1.5, at least 0; or the measured accuracy at this mass (`MeasuredCurve`);
- correctness is nested: every stage of higher accuracy is right where a stage is right (`engines.search.ends`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray

EXPONENT = 1.5


@dataclass(frozen=True, eq=False)
class MeasuredCurve:
    """The measured accuracy of a stage over its mass, linear between points and never falling.

    Attributes:
        seen: mass of the points, rising from 0 to 1, shape `p`.
        percent: accuracy of the points in per cent, shape `p`.
    """

    seen: FloatArray
    percent: FloatArray

    def words(self) -> str:
        """Return the range from its first to its last value, in per cent."""
        return f"{self.percent[0]:.1f} to {self.percent[-1]:.1f} %"


@dataclass(frozen=True)
class AssumedAccuracy:
    """The accuracy law of this module.

    Attributes:
        base_percent: accuracy of the undivided network in per cent.
        loss_points: d, the loss of a stage that sees nothing, in percentage points.
        mass_of: importance of the 0 to q most important steps of each layer, shape `n x (q + 1)`, from 0 to 1.
        curve: measured curve that replaces base and loss; its last accuracy is `base_percent`. None: assumed.
    """

    base_percent: float
    loss_points: float
    mass_of: FloatArray
    curve: MeasuredCurve | None = None

    def layer_mass(self, partition: IntArray, reuse: BoolArray) -> FloatArray:
        """Return the share of each layer's features, weighted by importance, that each stage sees, shape `B x M x n`.

        Args:
            partition: number of steps of each stage in each layer, shape `B x M x n`.
            reuse: whether later stages reuse the features of a part, shape `B x M x n`.
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
    """Return the mass of the 0 to `steps` most important steps under linear importance, shape `layers x (steps + 1)`."""
    share = np.arange(steps + 1) / steps
    return np.repeat((2 * share - share**2)[None], layers, axis=0)
