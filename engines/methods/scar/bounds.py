"""What no schedule on the package can be better than: known before anything is searched.

Energy: every layer on the chiplet kind that runs it with least, plus the memory traffic that cannot be avoided (weights,
first inputs and last outputs, once each, without hops). Latency: all work spread evenly over all chiplets, or the slowest
model by itself, whichever is more. Both follow from odema-2024 sections 4.3.5 and 4.3.6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.methods.scar.tables import ModelTables, ScenarioTables


@dataclass(frozen=True)
class Bounds:
    """Lower bounds of a schedule's latency and energy."""

    latency_s: float
    energy_j: float


def lower_bounds(tables: ScenarioTables) -> Bounds:
    """Bounds that hold for every schedule on the package itself (baselines run on other packages)."""
    work = sum(_least_compute_s(model) * model.batch for model in tables.models) / tables.chiplets
    slowest = max(_model_latency_s(tables, model) for model in tables.models)
    return Bounds(max(work, slowest), sum(_model_energy_j(tables, model) for model in tables.models))


def _least_compute_s(model: ModelTables) -> float:
    """Time of one sample with every layer on the fastest kind of chiplet."""
    return float(np.diff(model.compute_s, axis=1).min(axis=0).sum())


def _model_energy_j(tables: ScenarioTables, model: ModelTables) -> float:
    network = tables.package_model
    compute = float(np.diff(model.compute_j, axis=1).min(axis=0).sum()) * model.batch
    loads = model.split.rounds if tables.params.weight_loading == "every_mini_batch" else 1
    moved = float(model.weight_bytes[-1]) * loads + (float(model.input_bytes[0]) + model.output_bytes) * model.batch
    return compute + float(network.memory_energy_j(moved))


def _model_latency_s(tables: ScenarioTables, model: ModelTables) -> float:
    """One model with the whole package to itself and cuts that balance perfectly.

    At most one segment per chiplet: the slowest of them takes at least the mean.
    """
    split = model.split
    compute = _least_compute_s(model) * split.samples
    weights = float(model.weight_bytes[-1]) / tables.package_model.package.memory.bandwidth_bytes_per_s
    if tables.params.latency_reading == "pipelined_maximum":
        return (compute + weights) / tables.chiplets
    steady = compute + (weights if tables.params.weight_loading == "every_mini_batch" else 0.0)
    return compute + weights + (split.rounds - 1) * steady / tables.chiplets
