"""Limits of a cut network: how much room a configuration has, and which numbers of reused features are allowed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.contract.engine import require
from engines.methods.map_and_conquer.model.scoring import Scores
from engines.methods.map_and_conquer.params import MapAndConquerParams

FloatArray = npt.NDArray[np.float64]
BYTES_PER_MB = 1e6
_ROUNDING = 1e-9


@dataclass(frozen=True)
class CutLimits:
    """At most, or at least, so much of a configuration; infinite, 0 or everything where there is no limit.

    Attributes:
        latency_s, energy_j, feature_bytes: at most.
        accuracy_percent: at least.
        least_reused, most_reused: entries of the indicator matrix.
    """

    latency_s: float
    energy_j: float
    feature_bytes: float
    accuracy_percent: float
    least_reused: int
    most_reused: int

    def slack(self, scores: Scores, entries: int) -> FloatArray:
        """Least room to any limit as a share of it, shape `B`; below 0 where one is broken, 1 without limits.

        Args:
            scores: of `B` configurations.
            entries: of the indicator matrix, `n x (M - 1)`.
        """
        reused = scores.reuse_fraction * entries
        room = np.ones(len(reused))
        for value, most in (
            (scores.latency_s, self.latency_s),
            (scores.energy_j, self.energy_j),
            (scores.feature_bytes, self.feature_bytes),
        ):
            if np.isfinite(most):
                room = np.minimum(room, 1 - value / most)
        if self.accuracy_percent:
            room = np.minimum(room, scores.accuracy_percent / self.accuracy_percent - 1)
        over = np.maximum(reused - self.most_reused, self.least_reused - reused)
        return np.where(over > _ROUNDING, np.minimum(room, -over / max(1, entries)), room)


def limits_of(params: MapAndConquerParams, entries: int) -> CutLimits:
    """The limits of a run whose indicator matrix has so many entries.

    Raises:
        ProblemError: no number of reused features lies between the two limits.
    """
    least, most = params.reuse_least_percent, params.reuse_most_percent
    require(
        least <= most, "params.reuse_least_percent", least, f"at most {most:g}, which is the most that may be reused"
    )
    low = math.ceil(least / 100 * entries - _ROUNDING)
    high = math.floor(most / 100 * entries + _ROUNDING)
    accepted = f"a range with a multiple of 1/{entries}, as there are {entries} features to reuse"
    require(low <= high, "params.reuse_least_percent", f"{least:g} to {most:g} %", accepted)
    return CutLimits(
        latency_s=math.inf if params.latency_limit_s is None else params.latency_limit_s,
        energy_j=math.inf if params.energy_limit_j is None else params.energy_limit_j,
        feature_bytes=math.inf if params.memory_limit_mb is None else params.memory_limit_mb * BYTES_PER_MB,
        accuracy_percent=params.accuracy_least_percent or 0.0,
        least_reused=low,
        most_reused=high,
    )
