"""Lower bounds for all schedules on a package, known before any search.

Energy: every layer on the chiplet kind that runs it with least, plus the memory traffic that cannot be avoided (weights,
first inputs and last outputs, once each, without hops). Latency: all work spread evenly over all chiplets, or the slowest
model by itself, whichever is more. Both follow from odema-2024 sections 4.3.5 and 4.3.6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.chiplets.problem.tables import ScenarioTables
from engines.contract.arrays import FloatArray


@dataclass(frozen=True)
class Bounds:
    """Lower bounds of a schedule's latency and energy."""

    latency_s: float
    energy_j: float


def lower_bounds(tables: ScenarioTables) -> Bounds:
    """Return the bounds that hold for every schedule on the package itself (baselines run on other packages)."""
    numbers = range(len(tables.models))
    work = sum(_least_compute_s(tables, number) * tables.models[number].batch for number in numbers) / tables.chiplets
    slowest = max(model_latency_s(tables, number) for number in numbers)
    return Bounds(max(work, slowest), sum(_model_energy_j(tables, number) for number in numbers))


def _least_compute_s(tables: ScenarioTables, number: int) -> float:
    """Return the time of one sample with every layer on the fastest class of chiplet that the model may use."""
    return _least_over_kinds(tables, number, tables.models[number].compute_s)


def _least_over_kinds(tables: ScenarioTables, number: int, prefix_sums: FloatArray) -> float:
    kinds = np.unique(tables.class_of[sorted(tables.allowed[number])])
    return float(np.diff(prefix_sums[kinds], axis=1).min(axis=0).sum())


def _model_energy_j(tables: ScenarioTables, number: int) -> float:
    network, model = tables.package_model, tables.models[number]
    compute = _least_over_kinds(tables, number, model.compute_j) * model.batch
    loads = model.split.rounds if tables.params.weight_loading == "every_mini_batch" else 1
    moved = (
        float(model.segment_weight_bytes(0, model.layers)) * loads
        + (float(model.input_bytes[0]) + model.output_bytes) * model.batch
    )
    return compute + float(network.memory_energy_j(moved))


def model_latency_s(tables: ScenarioTables, number: int) -> float:
    """Return the latency in seconds of one model that has all its allowed chiplets to itself and perfectly balanced cuts.

    At most one segment per chiplet: the slowest of them takes at least the mean.
    """
    model, chiplets = tables.models[number], len(tables.allowed[number])
    split = model.split
    compute = _least_compute_s(tables, number) * split.samples
    weights = float(tables.package_model.off_chip_streaming_s(float(model.segment_weight_bytes(0, model.layers))))
    if tables.params.latency_reading == "pipelined_maximum":
        return (compute + weights) / chiplets
    steady = compute + (weights if tables.params.weight_loading == "every_mini_batch" else 0.0)
    return compute + weights + (split.rounds - 1) * steady / chiplets
