"""The front of what a search has found, and which packages it rules out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engines.contract.non_dominated import non_dominated

FloatArray = npt.NDArray[np.float64]

_ROUNDING = 1e-9  # bounds and scores add up in another order


class Archive:
    """Non-dominated points, all objectives minimised."""

    def __init__(self, objectives: int) -> None:
        self._front: FloatArray = np.empty((0, objectives))

    def add(self, points: FloatArray) -> None:
        """Take in points of shape `n x objectives`."""
        merged = np.concatenate([self._front, points])
        keep = non_dominated(merged, ("minimise",) * merged.shape[1])
        self._front = np.unique(merged[keep], axis=0)

    @property
    def front(self) -> FloatArray:
        """The points, shape `n x objectives`."""
        return self._front


def rules_out(front: FloatArray, bound: FloatArray, least_gain: float = 0.0) -> bool:
    """Whether something found is as good as every point of a bound; both of shape `n x objectives`.

    What is no better than one of those points then adds nothing to the front but, at best, an equal point, or one that is better
    by less than `least_gain` (of one) in every objective.
    """
    as_good = np.all(front[None, :, :] <= bound[:, None, :] * (1 + _ROUNDING + least_gain), axis=2)
    return bool(np.all(np.any(as_good, axis=1)))
