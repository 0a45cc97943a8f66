"""The front of what a search has found, and which packages it rules out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engines.search.indicators import non_dominated

FloatArray = npt.NDArray[np.float64]

_CERTAIN = 1e-9  # bounds and scores add up in another order


class Archive:
    """Non-dominated points, all objectives minimised."""

    def __init__(self, objectives: int) -> None:
        self._front: FloatArray = np.empty((0, objectives))

    def add(self, points: FloatArray) -> None:
        """Take in points of shape `n x objectives`."""
        merged = np.concatenate([self._front, points])
        keep = non_dominated(merged, ("minimise",) * merged.shape[1])
        self._front = np.unique(merged[keep], axis=0)

    def rules_out(self, bound: FloatArray) -> bool:
        """Whether every point of a bound, shape `n x objectives`, is worse than something found.

        What is no better than one of those points then cannot come onto the front.
        """
        if not len(self._front):
            return False
        no_better = np.all(self._front[None, :, :] <= bound[:, None, :], axis=2)
        worse = np.any(self._front[None, :, :] < bound[:, None, :] * (1 - _CERTAIN), axis=2)
        return bool(np.all(np.any(no_better & worse, axis=1)))
