"""Costs of every possible segment of a model in a window, by class of chiplet, for the exact search.

The same equations as `scoring.placement_costs` (odema-2024 sections 4.3.5 and 4.3.6), laid out by first and last layer
instead of by path. Chiplets are alike if they compute alike and are equally far from memory; for the first segment also
the distance to where the model's activations lie counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.chiplets.costs.scoring import MEMORY
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.solver.chain_costs import ChainCosts
from engines.chiplets.windows.reconfig import LayerRange
from engines.contract.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class ChipletKinds:
    """Kinds of chiplets of a package.

    Attributes:
        of: kind of each chiplet, shape `chiplets`.
        array: row of the compute tables per kind, shape `K`.
        memory_hops: links to the memory interface per kind, shape `K`.
    """

    of: IntArray
    array: IntArray
    memory_hops: IntArray


@dataclass(frozen=True)
class StartKinds:
    """Kinds of first chiplets: which `ChipletKinds`, and how many links from the model's activations.

    Attributes:
        of: kind of first chiplet per chiplet, shape `chiplets`.
        kind: chiplet kind of each, shape `V`.
        hops: links from where the activations lie, shape `V`; -1 if they lie in memory.
    """

    of: IntArray
    kind: IntArray
    hops: IntArray


def chiplet_kinds(tables: ScenarioTables) -> ChipletKinds:
    """Return the classes of chiplets that the segments of a model can distinguish."""
    rows = np.stack([tables.class_of, tables.package_model.memory_hops], axis=1)
    unique, of = np.unique(rows, axis=0, return_inverse=True)
    return ChipletKinds(of.reshape(-1).astype(np.int64), unique[:, 0], unique[:, 1])


def start_kinds(tables: ScenarioTables, kinds: ChipletKinds, source: int | None) -> StartKinds:
    """Return `chiplet_kinds` of a first segment with activations at `source`; None for any start (a relaxation)."""
    count = len(kinds.of)
    hops = np.zeros(count, np.int64)
    if source is not None:
        hops = np.full(count, -1, np.int64) if source == MEMORY else tables.package_model.hops[source]
    unique, of = np.unique(np.stack([kinds.of, hops], axis=1), axis=0, return_inverse=True)
    return StartKinds(of.reshape(-1).astype(np.int64), unique[:, 0], unique[:, 1])


def chain_costs(tables: ScenarioTables, layers: LayerRange, kinds: ChipletKinds, starts: StartKinds) -> ChainCosts:
    """Return the costs of all segments of `layers`; positions count from its first layer."""
    model = tables.models[layers.model]
    network, split = tables.package_model, model.split
    here = slice(layers.first, layers.end + 1)
    length = layers.end - layers.first
    empty = np.arange(length + 1)[:, None] >= np.arange(length + 1)[None, :]
    places = np.arange(layers.first, layers.end + 1)
    weights = np.where(empty, 0.0, model.segment_weight_bytes(places[:, None], places[None, :]))
    every_time = tables.params.weight_loading == "every_mini_batch"
    hops = kinds.memory_hops[:, None, None]
    weights_s = network.off_chip_latency_s(weights[None], hops)
    weights_j = (network.package_energy_j(weights[None], hops) + network.memory_energy_j(weights[None])) * (
        split.rounds if every_time else 1
    )
    output_s, output_j = _outputs(tables, layers, kinds)
    compute_s = _between(model.compute_s[kinds.array][:, here]) * split.samples
    compute_j = _between(model.compute_j[kinds.array][:, here]) * model.batch
    first_s = weights_s + compute_s + output_s[:, None, :]
    steady_s = first_s if every_time else compute_s + output_s[:, None, :]
    energy_j = compute_j + weights_j + output_j[:, None, :]
    input_s, input_j = _inputs(tables, layers, kinds, starts)
    own = _added_and_peak(tables, split.rounds, first_s, steady_s)
    start_first, start_steady = (
        first_s[starts.kind, 0] + input_s[:, None],
        steady_s[starts.kind, 0] + input_s[:, None],
    )
    start = _added_and_peak(tables, split.rounds, start_first, start_steady)
    added, peak, energy = (np.where(empty[None], np.inf, values) for values in (*own, energy_j))
    start_energy = energy_j[starts.kind, 0] + input_j[:, None]
    start_added, start_peak, start_energy = (np.where(empty[0][None], np.inf, v) for v in (*start, start_energy))
    return ChainCosts(added, peak, energy, start_added, start_peak, start_energy)


def _between(prefix: FloatArray) -> FloatArray:
    """Return the sums a..b-1 at [row, a, b] from prefix sums, shape `K x (L + 1) x (L + 1)`."""
    return prefix[:, None, :] - prefix[:, :, None]


def _outputs(tables: ScenarioTables, layers: LayerRange, kinds: ChipletKinds) -> tuple[FloatArray, FloatArray]:
    """Return time per mini-batch and energy of the batch to hand on what a segment that ends before b made, shape `K x (L + 1)`."""
    model, network = tables.models[layers.model], tables.package_model
    shape = (len(kinds.array), layers.end - layers.first + 1)
    seconds, joules = np.zeros(shape), np.zeros(shape)
    handed_on = model.input_bytes[layers.first + 1 : layers.end]
    seconds[:, 1:-1] = network.package_latency_s(handed_on * model.split.samples, 1)
    joules[:, 1:-1] = network.package_energy_j(handed_on * model.batch, 1)
    if layers.end == model.layers:
        size, hops = model.output_bytes, kinds.memory_hops
        seconds[:, -1] = network.off_chip_latency_s(size * model.split.samples, hops)
        moved = size * model.batch
        joules[:, -1] = network.package_energy_j(moved, hops) + network.memory_energy_j(moved)
    return seconds, joules


def _inputs(
    tables: ScenarioTables, layers: LayerRange, kinds: ChipletKinds, starts: StartKinds
) -> tuple[FloatArray, FloatArray]:
    """Return the time per mini-batch and energy of the batch to fetch the first layer's input, shape `V` each."""
    model, network = tables.models[layers.model], tables.package_model
    read = float(model.input_bytes[layers.first])
    in_memory = starts.hops < 0
    memory_hops = kinds.memory_hops[starts.kind]
    from_memory_s = network.off_chip_latency_s(read * model.split.samples, memory_hops)
    moved = read * model.batch
    from_memory_j = network.package_energy_j(moved, memory_hops) + network.memory_energy_j(moved)
    on_package_s = network.package_latency_s(read * model.split.samples, starts.hops)
    on_package_j = network.package_energy_j(moved, starts.hops)
    return np.where(in_memory, from_memory_s, on_package_s), np.where(in_memory, from_memory_j, on_package_j)


def _added_and_peak(
    tables: ScenarioTables, rounds: int, first_s: FloatArray, steady_s: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the latency as a sum plus a maximum over segments (see `package_model.pipeline_latency_s`)."""
    if tables.params.latency_reading == "pipelined_maximum":
        return np.zeros(first_s.shape), first_s
    return first_s, (rounds - 1) * steady_s
