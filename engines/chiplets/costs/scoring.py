"""Scores schedules: the one place where latency, energy and the metrics of a schedule are computed.

Search, evaluation and explanation all come through `placement_costs`, so their numbers are equal bit for bit.
Segments, windows and scenario: odema-2024, sections 4.3.5 and 4.3.6. A transfer counts once: within a window for its
sender (Lat_opcom), from an earlier window or memory for its receiver (Lat_ipcom).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engines.chiplets.costs.buffers import buffer_needs
from engines.chiplets.costs.contention import TransferWaits, waiting_of
from engines.chiplets.costs.traffic import MEMORY, link_bytes
from engines.chiplets.problem.decision import PackageSchedule, Placement, Window
from engines.chiplets.problem.tables import ModelTables, ScenarioTables
from engines.contract.arrays import FloatArray, IntArray
from engines.cost.package.model import pipeline_latency_s

__all__ = ["COLUMNS", "MEMORY", "PlacementCosts", "PlacementScore", "Scorer", "placement_costs", "steady_latency_s"]

COLUMNS = (
    "latency_s", "energy_j", "edp_js", "buffer_excess_mb", "windows", "chiplet_busy_fraction", "link_peak_bytes",
)  # fmt: skip

# A scorer is kept with its problem, beyond the run, and threads share it.
_MOST_WINDOWS_KEPT, _MOST_PLACEMENTS_KEPT = 50_000, 100_000


@dataclass(frozen=True)
class PlacementCosts:
    """Costs of one model in a window for `p` paths of `n` chiplets. Times are per mini-batch, energies of the whole batch.

    Attributes:
        input_s, weights_s, compute_s, output_s: parts of Lat(sg), shape `p x n`.
        latency_s: latency in seconds of the model in the window, shape `p`.
        compute_j, package_j, off_chip_j: shape `p x n`; off chip includes the hops to the interface.
        energy_j: sum of all, shape `p`.
    """

    input_s: FloatArray
    weights_s: FloatArray
    compute_s: FloatArray
    output_s: FloatArray
    latency_s: FloatArray
    compute_j: FloatArray
    package_j: FloatArray
    off_chip_j: FloatArray
    energy_j: FloatArray

    @property
    def first_s(self) -> FloatArray:
        """Lat(sg) of the first mini-batch, shape `p x n`."""
        return self.input_s + self.weights_s + self.compute_s + self.output_s


def placement_costs(
    tables: ScenarioTables,
    model: ModelTables,
    first_layer: int,
    cuts: Sequence[int],
    paths: IntArray,
    source: int,
    waiting: TransferWaits | None = None,
) -> PlacementCosts:
    """Return the costs of the segments of `model` that start at `first_layer` and end before each of `cuts`, on each of `paths`.

    Args:
        tables: the problem.
        model: one of its models.
        first_layer: first layer of the first segment.
        cuts: exclusive ends of the segments, the last one the end of the window's layers.
        paths: chiplets of the segments, shape `p x n`.
        source: the chiplet that holds the model's activations, or `MEMORY`.
        waiting: for the traffic of other models; None: no contention.
    """
    split = model.split
    starts, ends = np.array([first_layer, *cuts[:-1]]), np.asarray(cuts)
    kinds = tables.class_of[paths]
    sample_s = model.compute_s[kinds, ends] - model.compute_s[kinds, starts]
    compute_j = (model.compute_j[kinds, ends] - model.compute_j[kinds, starts]) * model.batch
    moved = _moving_costs(tables, model, (starts, ends), paths, source)
    if waiting is not None:
        _add_waiting(moved, model, (starts, ends), waiting)
    compute_s = sample_s * split.samples
    steady_s = steady_latency_s(tables, moved.input_s, moved.weights_s, compute_s, moved.output_s)
    first_s = moved.input_s + moved.weights_s + compute_s + moved.output_s
    latency_s = pipeline_latency_s(first_s, steady_s, split.rounds, tables.params.latency_reading)
    energy_j = _sum_in_order(compute_j + moved.package_j + moved.off_chip_j)
    return PlacementCosts(
        moved.input_s, moved.weights_s, compute_s, moved.output_s, latency_s, compute_j, moved.package_j,
        moved.off_chip_j, energy_j,
    )  # fmt: skip


@dataclass(frozen=True)
class _MovingCosts:
    """Times per mini-batch and energies of the batch for what is moved, shape `p x n`."""

    input_s: FloatArray
    weights_s: FloatArray
    output_s: FloatArray
    package_j: FloatArray
    off_chip_j: FloatArray


def _moving_costs(
    tables: ScenarioTables, model: ModelTables, segments: tuple[IntArray, IntArray], paths: IntArray, source: int
) -> _MovingCosts:
    """Return the transfers of `segments` (first layers, ends) on `paths`, each with its links to itself."""
    network, split, (starts, ends) = tables.package_model, model.split, segments
    memory_hops = network.memory_hops[paths]
    weights = np.broadcast_to(model.segment_weight_bytes(starts, ends), paths.shape)
    loads = split.rounds if tables.params.weight_loading == "every_mini_batch" else 1
    weights_s = network.off_chip_latency_s(weights, memory_hops)
    off_chip_j = _off_chip_j(tables, weights, memory_hops) * loads
    package_j = np.zeros(paths.shape)
    input_s, output_s = np.zeros(paths.shape), np.zeros(paths.shape)

    read = float(model.input_bytes[starts[0]])
    if source == MEMORY:
        input_s[:, 0] = network.off_chip_latency_s(read * split.samples, memory_hops[:, 0])
        off_chip_j[:, 0] += _off_chip_j(tables, read * model.batch, memory_hops[:, 0])
    else:
        input_s[:, 0] = network.package_latency_s(read * split.samples, network.hops[source, paths[:, 0]])
        package_j[:, 0] += network.package_energy_j(read * model.batch, network.hops[source, paths[:, 0]])
    if paths.shape[1] > 1:
        handed_on = model.input_bytes[ends[:-1]]
        hops = network.hops[paths[:, :-1], paths[:, 1:]]
        output_s[:, :-1] = network.package_latency_s(handed_on * split.samples, hops)
        package_j[:, :-1] += network.package_energy_j(handed_on * model.batch, hops)
    if ends[-1] == model.layers:
        output_s[:, -1] = network.off_chip_latency_s(model.output_bytes * split.samples, memory_hops[:, -1])
        off_chip_j[:, -1] += _off_chip_j(tables, model.output_bytes * model.batch, memory_hops[:, -1])
    return _MovingCosts(input_s, weights_s, output_s, package_j, off_chip_j)


def _add_waiting(
    moved: _MovingCosts, model: ModelTables, segments: tuple[IntArray, IntArray], waiting: TransferWaits
) -> None:
    """Add the time that the transfers, shape `paths x segments`, wait for those of other models."""
    samples, (starts, ends) = model.split.samples, segments
    moved.input_s[:, 0] += float(model.input_bytes[starts[0]]) * samples * waiting.input[0]
    moved.weights_s[:] += model.segment_weight_bytes(starts, ends) * waiting.weights
    moved.output_s[:, :-1] += model.input_bytes[ends[:-1]] * samples * waiting.output[:-1]
    moved.output_s[:, -1] += model.output_bytes * samples * waiting.output[-1]


def steady_latency_s(
    tables: ScenarioTables, input_s: FloatArray, weights_s: FloatArray, compute_s: FloatArray, output_s: FloatArray
) -> FloatArray:
    """Return the lat(sg) of every mini-batch after the first: without the weights if they are loaded once per window.

    Seconds. Arguments and result are of the same shape, with segments along the last axis.
    """
    if tables.params.weight_loading == "every_mini_batch":
        return input_s + weights_s + compute_s + output_s
    return input_s + compute_s + output_s


def _off_chip_j(tables: ScenarioTables, size_bytes: FloatArray | float, hops: IntArray) -> FloatArray:
    network = tables.package_model
    return network.package_energy_j(size_bytes, hops) + network.memory_energy_j(size_bytes)


def _sum_in_order(values: FloatArray) -> FloatArray:
    """Sum over the last axis, added up one by one so that the result never depends on the memory layout.

    Shape `... x n` becomes shape `...`.
    """
    total = values[..., 0].copy()
    for k in range(1, values.shape[-1]):
        total = total + values[..., k]
    return total


@dataclass(frozen=True)
class PlacementScore:
    """The share of one placement in the score of a schedule."""

    latency_s: float
    energy_j: float
    segment_busy_s: tuple[float, ...]
    buffer_excess_bytes: float
    link_bytes: FloatArray


class Scorer:
    """Scores complete schedules on one package variant; placements and windows seen before are looked up."""

    def __init__(self, tables: ScenarioTables) -> None:
        self.tables = tables
        self._placements: dict[tuple[Placement, int], PlacementScore] = {}
        self._windows: dict[tuple[Window, tuple[int, ...]], tuple[PlacementScore, ...]] = {}

    def window(self, window: Window, location: Sequence[int]) -> tuple[PlacementScore, ...]:
        """Return the score of every placement of a window; `location` holds where each model's activations lie when it starts."""
        alone = tuple(self._placement(p, location[p.model]) for p in window)
        if self.tables.params.contention == "none" or len(window) == 1:
            return alone
        key = (window, tuple(location[p.model] for p in window))
        scores = self._windows.get(key)
        if scores is None:
            waiting = waiting_of(self.tables, window, location)
            scores = tuple(
                self._delayed(placement, location[placement.model], own, score)
                for placement, own, score in zip(window, waiting, alone, strict=True)
            )
            if len(self._windows) >= _MOST_WINDOWS_KEPT:
                self._windows.clear()
            self._windows[key] = scores
        return scores

    def score(self, schedule: PackageSchedule) -> tuple[float, ...]:
        """Return the values of `COLUMNS`. Lat(tw) = max over models, Lat(Sc) and E(Sc) = sums over windows."""
        location = [MEMORY] * len(self.tables.models)
        latency = energy = busy = excess = peak = 0.0
        for window in schedule.windows:
            scores = self.window(window, location)
            latency += max(s.latency_s for s in scores)
            for s in scores:
                energy += s.energy_j
                busy += sum(s.segment_busy_s)
                excess = max(excess, s.buffer_excess_bytes)
            peak = max(peak, float(_link_sum(scores).max()))
            for p in window:
                location[p.model] = p.path[-1]
        share = busy / (self.tables.chiplets * latency)
        return (latency, energy, latency * energy, excess / 1e6, float(len(schedule.windows)), share, peak)

    def _placement(self, placement: Placement, source: int) -> PlacementScore:
        """Return the score of one placement whose activations lie at `source`, with all links to itself."""
        key = (placement, source)
        score = self._placements.get(key)
        if score is None:
            latency, energy, busy = self._timed(placement, source, None)
            excess = max(need.excess_bytes for need in buffer_needs(self.tables, placement))
            score = PlacementScore(latency, energy, busy, excess, link_bytes(self.tables, placement, source))
            if len(self._placements) >= _MOST_PLACEMENTS_KEPT:
                self._placements.clear()
            self._placements[key] = score
        return score

    def _delayed(
        self, placement: Placement, source: int, waiting: TransferWaits | None, alone: PlacementScore
    ) -> PlacementScore:
        latency, _, busy = self._timed(placement, source, waiting)
        return replace(alone, latency_s=latency, segment_busy_s=busy)

    def _timed(
        self, placement: Placement, source: int, waiting: TransferWaits | None
    ) -> tuple[float, float, tuple[float, ...]]:
        """Return latency, energy and busy time of every segment."""
        model = self.tables.models[placement.model]
        paths = np.array([placement.path])
        costs = placement_costs(self.tables, model, placement.first_layer, placement.cuts, paths, source, waiting)
        steady = steady_latency_s(self.tables, costs.input_s, costs.weights_s, costs.compute_s, costs.output_s)
        busy = costs.first_s + (model.split.rounds - 1) * steady
        return float(costs.latency_s[0]), float(costs.energy_j[0]), tuple(busy[0].tolist())


def _link_sum(scores: Sequence[PlacementScore]) -> FloatArray:
    load = scores[0].link_bytes
    for score in scores[1:]:
        load = load + score.link_bytes
    return load
