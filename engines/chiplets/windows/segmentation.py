"""SEG: the segmentations of each model alone that are worth mapping (heuristic 1), odema-2024 section 4.4.3.

Every set of split points with at most N_i segments is a candidate. Which chiplets will run the segments is not known yet,
so costs are expected ones (eq 4.1). For every number of segments the `top_k` best are found, once by expected costs and
once per class of chiplet, because a chain of equal chiplets wants its cuts where that kind is balanced. SCHED then scores
them on the package and keeps the `top_k` best of all (section 4.4.5: "returns the top performing configuration to the SEG
engine to rank segmentation strategies").

The search is exact: partial segmentations are extended segment by segment and dropped only when a lower bound of what
they can become is above the k-th best complete one. Two passes: a narrow beam finds a first k-th best, the second pass
prunes by it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ModelTables, ScenarioTables
from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.numeric.ordered_sums import product_in_order
from engines.cost.package.model import LatencyReading

_BEAM = 64
_MOST_PARTIALS = 3_000
_TOLERANCE = 1e-12


@dataclass(frozen=True)
class Segmentations:
    """Cuts of the best segmentations, best first; `truncated` if ties made the search keep only a part."""

    cuts: tuple[tuple[int, ...], ...]
    truncated: bool


@dataclass(frozen=True)
class SegmentTables:
    """Expected costs of the segment a..b-1 at [a, b], shape `(L + 1) x (L + 1)`; infinite where b <= a."""

    first_s: FloatArray
    steady_s: FloatArray
    energy_j: FloatArray
    rounds: int
    reading: LatencyReading
    goal: Goal

    def value(self, total_s: FloatArray, steady_s: FloatArray, first_s: FloatArray, energy_j: FloatArray) -> FloatArray:
        """Return the objective from the sum and the maxima over segments; all of the same shape."""
        if self.reading == "pipelined_maximum":
            latency = first_s
        elif self.rounds == 1:
            latency = total_s
        else:
            latency = total_s + (self.rounds - 1) * steady_s
        return self.goal.value(latency, energy_j)


@dataclass(frozen=True)
class _Partials:
    """Partial segmentations: where they end, their sums and maxima, and their cuts (`n x segments`)."""

    end: IntArray
    total_s: FloatArray
    steady_s: FloatArray
    first_s: FloatArray
    energy_j: FloatArray
    cuts: IntArray

    def take(self, chosen: BoolArray | IntArray) -> _Partials:
        return _Partials(
            self.end[chosen], self.total_s[chosen], self.steady_s[chosen], self.first_s[chosen], self.energy_j[chosen],
            self.cuts[chosen],
        )  # fmt: skip


@dataclass(frozen=True)
class _Remainder:
    """Least sum, maximum and energy of layers j.. in exactly r segments, shape `(r + 1) x (L + 1)`; infinite if impossible."""

    total_s: FloatArray
    steady_s: FloatArray
    first_s: FloatArray
    energy_j: FloatArray


def candidate_segmentations(
    tables: ScenarioTables, model: ModelTables, first: int, end: int, most_segments: int, goal: Goal
) -> Segmentations:
    """Return the segmentations of layers `first`..`end`-1 of `model` into 1 to `most_segments` segments, `top_k` of each kind."""
    kinds = len(tables.class_share)
    shares = [tables.class_share] if kinds == 1 else [tables.class_share, *np.eye(kinds)]
    found: dict[tuple[int, ...], None] = {}
    truncated = False
    for share in shares:
        expected = _expected_tables(tables, model, (first, end), share, goal)
        for segments in range(1, min(most_segments, end - first) + 1):
            best = best_segmentations(expected, segments, tables.params.top_k)
            found |= dict.fromkeys(tuple(first + cut for cut in cuts) for cuts in best.cuts)
            truncated |= best.truncated
    return Segmentations(tuple(found), truncated)


def best_segmentations(expected: SegmentTables, segments: int, top_k: int) -> Segmentations:
    """Return the `top_k` best segmentations into exactly `segments` segments; cuts count from the first layer of the tables."""
    remainder = _remainders(expected, segments)
    beam, dropped = _search(expected, remainder, segments, top_k, limit=_BEAM, ceiling=np.inf)
    if not dropped:
        return Segmentations(tuple(cuts for _, cuts in beam), False)
    ceiling = beam[-1][0] * (1 + _TOLERANCE) if len(beam) == top_k else np.inf
    best, truncated = _search(expected, remainder, segments, top_k, limit=_MOST_PARTIALS, ceiling=ceiling)
    return Segmentations(tuple(cuts for _, cuts in best), truncated)


def _expected_tables(
    tables: ScenarioTables, model: ModelTables, layers: tuple[int, int], share: FloatArray, goal: Goal
) -> SegmentTables:
    """Return the expected costs: kinds of chiplets by their `share`, one hop between segments, memory at the mean distance."""
    network, split = tables.package_model, model.split
    first, end = layers
    length = end - first
    hops = float(network.memory_hops.mean())
    places = np.arange(first, end + 1)
    weight = np.maximum(model.segment_weight_bytes(places[:, None], places[None, :]), 0.0)
    read = np.append(model.input_bytes[first:end], 0.0)
    hand_on = np.where(np.arange(length + 1) < length, read, 0.0)
    read_s = np.zeros(length + 1)
    memory_j = np.zeros(length + 1)
    if first == 0:
        read_s[0] = float(network.off_chip_latency_s(read[0] * split.samples, 0))
        memory_j[0] = float(network.memory_energy_j(read[0] * model.batch))
    write_s = np.where(hand_on > 0, network.package_latency_s(hand_on * split.samples, 1), 0.0)
    per_sample_s = product_in_order(share, model.compute_s)[first : end + 1]
    per_sample_j = product_in_order(share, model.compute_j)[first : end + 1]
    steady = (per_sample_s[None, :] - per_sample_s[:, None]) * split.samples + read_s[:, None] + write_s[None, :]
    load_s = network.off_chip_latency_s(weight, 0)
    every_time = tables.params.weight_loading == "every_mini_batch"
    loads = split.rounds if every_time else 1
    energy = (per_sample_j[None, :] - per_sample_j[:, None]) * model.batch + memory_j[:, None]
    energy = energy + network.package_energy_j(hand_on * model.batch, 1)[None, :]
    energy = energy + (network.memory_energy_j(weight) + network.package_energy_j(weight, 1) * hops) * loads
    empty = np.arange(length + 1)[:, None] >= np.arange(length + 1)[None, :]
    first_s = np.where(empty, np.inf, steady + load_s)
    steady_s = first_s if every_time else np.where(empty, np.inf, steady)
    return SegmentTables(
        first_s, steady_s, np.where(empty, np.inf, energy), split.rounds, tables.params.latency_reading, goal
    )


def _remainders(expected: SegmentTables, most_segments: int) -> _Remainder:
    size = expected.first_s.shape[0]
    start = np.full(size, np.inf)
    start[-1] = 0.0
    rows = {name: [start] for name in ("total_s", "steady_s", "first_s", "energy_j")}
    for _ in range(most_segments):
        rows["total_s"].append((expected.first_s + rows["total_s"][-1]).min(axis=1))
        rows["steady_s"].append(np.maximum(expected.steady_s, rows["steady_s"][-1]).min(axis=1))
        rows["first_s"].append(np.maximum(expected.first_s, rows["first_s"][-1]).min(axis=1))
        rows["energy_j"].append((expected.energy_j + rows["energy_j"][-1]).min(axis=1))
    return _Remainder(**{name: np.array(values) for name, values in rows.items()})


def _search(
    expected: SegmentTables, remainder: _Remainder, segments: int, top_k: int, *, limit: int, ceiling: float
) -> tuple[list[tuple[float, tuple[int, ...]]], bool]:
    """Return the `top_k` best (value, cuts), and whether partials beyond `limit` were dropped."""
    length = expected.first_s.shape[0] - 1
    zero = np.zeros(1)
    partials = _Partials(np.zeros(1, np.int64), zero, zero, zero, zero, np.zeros((1, 0), np.int64))
    truncated = False
    for left in range(segments - 1, -1, -1):
        partials = _extend(partials, expected, length - left, last=left == 0)
        bound = _lower_bound(partials, expected, remainder, left)
        keep = np.flatnonzero(bound <= ceiling)
        if len(keep) > limit and left > 0:
            truncated = True
            keep = np.sort(keep[np.argsort(bound[keep], kind="stable")[:limit]])
        partials = partials.take(keep)
    values = expected.value(partials.total_s, partials.steady_s, partials.first_s, partials.energy_j)
    order = np.lexsort((partials.total_s, values))[:top_k]
    return [(float(values[i]), tuple(partials.cuts[i].tolist())) for i in order], truncated


def _extend(partials: _Partials, expected: SegmentTables, latest_end: int, *, last: bool) -> _Partials:
    """Return every partial with every possible next segment; the `last` one takes all layers that are left."""
    counts = np.ones(len(partials.end), np.int64) if last else latest_end - partials.end
    rows = np.repeat(np.arange(len(partials.end)), counts)
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    old = partials.take(rows)
    end = np.full(len(rows), latest_end) if last else old.end + 1 + offsets
    first = expected.first_s[old.end, end]
    return _Partials(
        end=end,
        total_s=old.total_s + first,
        steady_s=np.maximum(old.steady_s, expected.steady_s[old.end, end]),
        first_s=np.maximum(old.first_s, first),
        energy_j=old.energy_j + expected.energy_j[old.end, end],
        cuts=np.concatenate([old.cuts, end[:, None]], axis=1),
    )


def _lower_bound(partials: _Partials, expected: SegmentTables, remainder: _Remainder, left: int) -> FloatArray:
    """Return a bound: no completion of a partial with `left` more segments is better."""
    return expected.value(
        partials.total_s + remainder.total_s[left, partials.end],
        np.maximum(partials.steady_s, remainder.steady_s[left, partials.end]),
        np.maximum(partials.first_s, remainder.first_s[left, partials.end]),
        partials.energy_j + remainder.energy_j[left, partials.end],
    )
