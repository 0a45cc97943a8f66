"""Limits of a cut network as the search layer by layer needs them, and the columns that limits bound."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engines.contract.arrays import FloatArray
from engines.contract.engine import require
from engines.methods.map_and_conquer.model.scoring import Scores
from engines.methods.map_and_conquer.params import MapAndConquerParams

_BYTES_PER_MB = 1e6
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


def limits_of(params: MapAndConquerParams, entries: int) -> CutLimits:
    """Return the limits of a run whose indicator matrix has so many entries.

    Raises:
        ProblemError: no number of reused features lies between the two limits.
    """
    least, most = params.reuse_least_percent or 0.0, params.reuse_most_percent
    most = 100.0 if most is None else most
    name = "params.reuse_least_percent"
    require(least <= most, name, least, f"at most {most:g}, the largest share of reuse")
    low = math.ceil(least / 100 * entries - _ROUNDING)
    high = math.floor(most / 100 * entries + _ROUNDING)
    accepted = f"a range with a multiple of 1/{entries}"
    require(
        low <= high, name, f"{least:g} to {most:g} %", accepted, reason=f"The design has {entries} features to reuse."
    )
    return CutLimits(
        latency_s=math.inf if params.latency_limit_s is None else params.latency_limit_s,
        energy_j=math.inf if params.energy_limit_j is None else params.energy_limit_j,
        feature_bytes=math.inf if params.memory_limit_mb is None else params.memory_limit_mb * _BYTES_PER_MB,
        accuracy_percent=params.accuracy_least_percent or 0.0,
        least_reused=low,
        most_reused=high,
    )


def columns_of(scores: Scores) -> dict[str, FloatArray]:
    """Return the column of every quantity of scored configurations but the slack to limits."""
    return {
        "latency_s": scores.latency_s,
        "energy_j": scores.energy_j,
        "accuracy_percent": scores.accuracy_percent,
        "performance_js": scores.performance_js,
        "whole_latency_s": scores.whole_latency_s,
        "whole_energy_j": scores.whole_energy_j,
        "union_percent": scores.union_percent,
        "first_stage_fraction": scores.stage_accuracy_percent[:, 0] / 100,
        "reuse_percent": scores.reuse_percent,
        "features_bytes": scores.feature_bytes,
    }
