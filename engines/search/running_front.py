"""The front of what a search has found so far, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.non_dominated import non_dominated
from engines.contract.quantities import Sense


class RunningFront:
    """Points that no other dominates.

    Args:
        senses: of the `m` objectives.
        distinct: keep one of equal points, and all of them in ascending order; else as they came.

    Attributes:
        points: shape `k x m`.
    """

    def __init__(self, senses: Sequence[Sense], distinct: bool = False) -> None:
        self.points: FloatArray = np.empty((0, len(senses)))
        self._senses, self._distinct = senses, distinct

    def __len__(self) -> int:
        return len(self.points)

    def extend(self, points: FloatArray, allowed: BoolArray | None = None) -> BoolArray:
        """Take in points; which of them are on the front now, shape `n`.

        Args:
            points: shape `n x m`; one with NaN or infinity is never on the front.
            allowed: which of them may be on it, shape `n`; all by default.
        """
        taken = points if allowed is None else np.where(allowed[:, None], points, np.nan)
        merged, before = np.concatenate([self.points, taken]), len(self.points)
        keep = non_dominated(merged, self._senses)
        self.points = np.unique(merged[keep], axis=0) if self._distinct else merged[keep]
        return keep[before:]
