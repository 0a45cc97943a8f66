"""Columns of simulated mappings."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.mapformer.problem.instance import MixInstance
from engines.simulation.board import Mappings
from engines.simulation.steady_state import steady_state


def columns_of(instance: MixInstance, mappings: Mappings) -> dict[str, FloatArray]:
    """Simulate mappings, and return the column of every quantity."""
    steady = steady_state(instance.board, mappings)
    start = np.concatenate([np.zeros_like(mappings.ends[:, :, :1]), mappings.ends[:, :, :-1]], axis=2)
    change = (mappings.units[:, :, 1:] != mappings.units[:, :, :-1]) & (mappings.ends > start)[:, :, 1:]
    bound = instance.bound.mean_per_s
    return {
        "throughput_per_s": steady.mean_per_s,
        "power_w": steady.power_w,
        "inferences_per_j": steady.per_j,
        "fairness_fraction": instance.fairness.smallest(steady),
        "bound_fraction": steady.mean_per_s / bound if bound else np.full(len(mappings), np.nan),
        "slowest_per_s": steady.throughput_per_s.min(axis=1),
        "cuts": change.sum(axis=(1, 2)).astype(np.float64),
    }
