"""Exact mapping of a chain of layers to chains of units, for two objectives.

A chain of layers 0..L-1 is cut into n segments that go to the units of a *unit chain* in order, at the costs of
`engines.chiplets.solver.chain_costs`. Latency is the sum of the segments' `added_s` plus the largest `peak_s`, energy the sum of
`energy_j`: this covers pipelines that fill and drain (added: first mini-batch; peak: all further ones), pipelines read as
their slowest segment, and chains end to end.

The search extends partial mappings (labels) segment by segment. A label is dropped if its best completion, each criterion
by itself, is above a ceiling that the caller knows to be reachable, or if another label of the same chain and position is
as good in sum, maximum and energy. Both lose nothing, so that what remains holds every optimum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from engines.chiplets.solver.chain_costs import CRITERIA, ChainCosts, Remainders, UnitChains
from engines.contract.arrays import FloatArray, IntArray
from engines.search.dominance import non_dominated_by_group, thin_dominated_by_group

Value = Callable[[FloatArray, FloatArray], FloatArray]

_LABELS_AT_ONCE = 100_000  # arrays of so many stay in the cache


@dataclass(frozen=True)
class Target:
    """The target of a mapping: the ceiling, and the least that the rest of the system adds to each chain.

    Attributes:
        value: objective from latency and energy, rising in both.
        ceiling: mappings above it are of no use.
        floor_s, offset_j: latency that the whole has anyway and energy that comes on top, shape `S`.
    """

    value: Value
    ceiling: float
    floor_s: FloatArray
    offset_j: FloatArray

    def bound(self, chain: IntArray, latency_s: FloatArray, energy_j: FloatArray) -> FloatArray:
        """Return the objective that mappings on `chain` lead to at least; arguments and result of the same shape."""
        return self.value(np.maximum(latency_s, self.floor_s[chain]), energy_j + self.offset_j[chain])


@dataclass(frozen=True)
class ChainMappings:
    """`n` complete mappings.

    Attributes:
        chain: position of each, shape `n`.
        ends: exclusive ends of the segments, shape `n x segments`, -1 after the last.
        latency_s, energy_j: shape `n`.
        expanded: number of labels made.
    """

    chain: IntArray
    ends: IntArray
    latency_s: FloatArray
    energy_j: FloatArray
    expanded: int

    def cuts(self, mapping: int) -> tuple[int, ...]:
        """Return the exclusive ends of the segments of one mapping."""
        return tuple(end for end in self.ends[mapping].tolist() if end >= 0)


@dataclass(frozen=True)
class _Labels:
    chain: IntArray
    end: IntArray
    added_s: FloatArray
    peak_s: FloatArray
    energy_j: FloatArray
    parent: IntArray

    def take(self, chosen: IntArray) -> _Labels:
        return _Labels(
            self.chain[chosen], self.end[chosen], self.added_s[chosen], self.peak_s[chosen], self.energy_j[chosen],
            self.parent[chosen],
        )  # fmt: skip


def map_chains(
    costs: ChainCosts,
    chains: UnitChains,
    left: Remainders,
    target: Target,
    chosen: IntArray,
    labels_per_position: int | None = None,
    most_labels: int | None = None,
) -> ChainMappings | None:
    """Return the mappings on the `chosen` chains, shape `m`, that may matter below the ceiling.

    Args:
        costs, chains, left: the problem.
        costs: costs of all segments.
        chains: the unit chains.
        left: `remainders` of both.
        target: workload and device of the mappings.
        chosen: chains to map.
        labels_per_position: a heuristic instead: keep only so many labels per chain and position, the best by their bound.
        most_labels: give up where a step might make more labels than this.

    Returns:
        Per chain all mappings that are non-dominated where latencies below `floor_s` count as equal, and whose bound is not
        above the ceiling. None where it gave up.
    """
    history: list[_Labels] = []
    complete: list[tuple[int, IntArray]] = []
    labels = _start(costs, chains, chosen)
    expanded = len(labels.chain)
    for taken in range(1, int(chains.length[chosen].max(initial=1)) + 1):
        if taken > 1:
            if most_labels is not None and int((costs.layers - labels.end).sum()) > most_labels:
                return None
            labels, made = _grow(labels, costs, chains, left, target, taken)
            expanded += made
        labels = labels.take(_worth_keeping(labels, left, target, taken, labels_per_position))
        history.append(labels)
        done = np.flatnonzero((chains.length[labels.chain] == taken) & (labels.end == costs.layers))
        complete.append((taken - 1, done))
    return _finish(history, complete, target, expanded)


def _start(costs: ChainCosts, chains: UnitChains, chosen: IntArray) -> _Labels:
    layers = costs.layers
    low = np.where(chains.length[chosen] == 1, layers, 1)
    row, end = _ranges(low, layers - chains.length[chosen] + 1)
    chain = chosen[row]
    start = chains.start[chain]
    return _Labels(
        chain, end, costs.start_added_s[start, end], costs.start_peak_s[start, end], costs.start_energy_j[start, end],
        np.full(len(chain), -1, np.int64),
    )  # fmt: skip


def _grow(
    labels: _Labels, costs: ChainCosts, chains: UnitChains, left: Remainders, target: Target, taken: int
) -> tuple[_Labels, int]:
    """Return every label with every possible segment on the unit number `taken` (from 2 on), as far as its bound keeps the ceiling.

    The last unit takes all that is left. Returns how many were made, too: many more than are kept, so that they are made in
    blocks.
    """
    open_ones = np.flatnonzero(chains.length[labels.chain] >= taken)
    made = np.cumsum(costs.layers - labels.end[open_ones])
    cuts = np.searchsorted(made, np.arange(_LABELS_AT_ONCE, int(made[-1]) if len(made) else 0, _LABELS_AT_ONCE))
    parts, expanded = [], 0
    for block in np.split(open_ones, np.unique(cuts)):
        part = _extend(labels, block, costs, chains, taken)
        expanded += len(part.chain)
        parts.append(part.take(np.flatnonzero(_bound(part, left, target, taken)[0] <= target.ceiling)))
    return _Labels(
        *(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(_Labels))
    ), expanded


def _extend(labels: _Labels, parents: IntArray, costs: ChainCosts, chains: UnitChains, taken: int) -> _Labels:
    """Return the labels number `parents`, shape `p`, with every possible segment on the unit number `taken`."""
    layers = costs.layers
    length = chains.length[labels.chain[parents]]
    low = np.where(length == taken, layers, labels.end[parents] + 1)
    row, end = _ranges(low, layers - (length - taken))
    parent = parents[row]
    old = labels.take(parent)
    kind = chains.kinds[old.chain, taken - 2]
    return _Labels(
        old.chain,
        end,
        old.added_s + costs.added_s[kind, old.end, end],
        np.maximum(old.peak_s, costs.peak_s[kind, old.end, end]),
        old.energy_j + costs.energy_j[kind, old.end, end],
        parent,
    )


def _ranges(low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
    """Return (row, value) of all values low..high of every row, shape `sum(high - low + 1)` each.

    `low` and `high` have shape `rows`.
    """
    counts = np.maximum(high - low + 1, 0)
    row = np.repeat(np.arange(len(low)), counts)
    value = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + low[row]
    return row, value


def _bound(labels: _Labels, left: Remainders, target: Target, taken: int) -> tuple[FloatArray, FloatArray]:
    """Return the objective that labels lead to at least, and the largest `peak_s` that they do; shape `labels` each."""
    node = left.node[labels.chain, taken - 1]
    peak = np.maximum(labels.peak_s, left.peak_s[node, labels.end])
    latency = labels.added_s + left.added_s[node, labels.end] + peak
    return target.bound(labels.chain, latency, labels.energy_j + left.energy_j[node, labels.end]), peak


def _worth_keeping(
    labels: _Labels, left: Remainders, target: Target, taken: int, labels_per_position: int | None
) -> IntArray:
    bound, peak = _bound(labels, left, target, taken)
    keep = np.flatnonzero(bound <= target.ceiling)
    position = labels.chain[keep] * (left.added_s.shape[1] + 1) + labels.end[keep]
    # A maximum below what the rest adds anyway cannot matter any more: such labels compare equal in it.
    keep = keep[thin_dominated_by_group(position, labels.energy_j[keep], labels.added_s[keep], peak[keep])]
    if labels_per_position is None:
        return keep
    position = labels.chain[keep] * (left.added_s.shape[1] + 1) + labels.end[keep]
    order = np.lexsort((bound[keep], position))
    first = np.concatenate([[True], position[order][1:] != position[order][:-1]])
    rank = np.arange(len(order)) - np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))
    return np.sort(keep[order[rank < labels_per_position]])


def _finish(
    history: Sequence[_Labels], complete: Sequence[tuple[int, IntArray]], target: Target, expanded: int
) -> ChainMappings:
    level = np.concatenate([np.full(len(done), at, np.int64) for at, done in complete])
    index = np.concatenate([done for _, done in complete])
    parts = [history[at].take(done) for at, done in complete]
    chain = np.concatenate([part.chain for part in parts])
    latency = np.concatenate([part.added_s + part.peak_s for part in parts])
    energy = np.concatenate([part.energy_j for part in parts])
    keep = np.sort(non_dominated_by_group(chain, np.maximum(latency, target.floor_s[chain]), energy))
    return ChainMappings(chain[keep], _ends(history, level[keep], index[keep]), latency[keep], energy[keep], expanded)


def _ends(history: Sequence[_Labels], level: IntArray, index: IntArray) -> IntArray:
    """Return the ends of the segments of labels, shape `labels x levels`, from each label back to its first parent.

    -1 after the last.
    """
    ends = np.full((len(level), len(history)), -1, np.int64)
    index = index.copy()
    for at in range(len(history) - 1, -1, -1):
        rows = np.flatnonzero(level >= at)
        ends[rows, at] = history[at].end[index[rows]]
        index[rows] = history[at].parent[index[rows]]
    return ends


def greedy_mappings(costs: ChainCosts, chains: UnitChains, left: Remainders) -> ChainMappings:
    """Return the feasible mappings at hand: on every chain the best by each criterion alone. Cheap; gives a first ceiling."""
    count, longest = left.node.shape
    parts: list[tuple[IntArray, FloatArray, FloatArray]] = []
    for name in CRITERIA:
        table = getattr(left, name)
        start = getattr(costs, f"start_{name}")[chains.start]
        joined = (
            np.maximum(start, table[left.node[:, 0]]) if name == "peak_s" else start + table[left.node[:, 0]]
        )  # shape S x (L + 1)
        end = joined.argmin(axis=1)
        added, peak = costs.start_added_s[chains.start, end], costs.start_peak_s[chains.start, end]
        energy = costs.start_energy_j[chains.start, end]
        cuts = [end]
        for taken in range(2, longest + 1):
            more = chains.length >= taken
            kind = np.where(more, chains.kinds[:, taken - 2], 0)
            own = getattr(costs, name)[kind, end]
            rest = table[left.node[:, taken - 1]]
            following = (np.maximum(own, rest) if name == "peak_s" else own + rest).argmin(axis=1)
            added = np.where(more, added + costs.added_s[kind, end, following], added)
            peak = np.where(more, np.maximum(peak, costs.peak_s[kind, end, following]), peak)
            energy = np.where(more, energy + costs.energy_j[kind, end, following], energy)
            end = np.where(more, following, end)
            cuts.append(end)
        parts.append((np.stack(cuts, axis=1), added + peak, energy))
    all_cuts = np.concatenate([cuts for cuts, _, _ in parts])
    latency, joules = (np.concatenate([part[i] for part in parts]) for i in (1, 2))
    possible = np.flatnonzero(np.isfinite(latency) & np.isfinite(joules))
    chain = possible % count
    used = np.arange(longest)[None, :] < chains.length[chain][:, None]
    ends = np.where(used, all_cuts[possible], -1)
    return ChainMappings(chain, ends, latency[possible], joules[possible], len(possible))
