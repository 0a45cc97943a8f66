"""Simulated mappings as designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.methods.mapformer.problem.decision import decoded, encoded
from engines.methods.mapformer.problem.instance import MixInstance
from engines.simulation.board import Mappings
from engines.simulation.steady_state import Steady, steady_state


def columns_of(instance: MixInstance, mappings: Mappings, steady: Steady) -> dict[str, FloatArray]:
    """Return column -> values for every quantity."""
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


def designs_of(instance: MixInstance, mappings: Mappings, steady: Steady) -> Designs:
    """Return the mappings as designs with columns and decisions."""
    return Designs(columns_of(instance, mappings, steady), encoded(instance, mappings))


def evaluated_designs(instance: MixInstance, decisions: Sequence[Mapping[str, Any]]) -> Designs:
    """Return the decisions simulated.

    Raises:
        DecisionError: a decision does not describe a mapping.
    """
    mappings = Mappings.joined(*(decoded(instance, decision) for decision in decisions))
    found = designs_of(instance, mappings, steady_state(instance.board, mappings))
    return Designs(found.columns, [dict(decision) for decision in decisions])
