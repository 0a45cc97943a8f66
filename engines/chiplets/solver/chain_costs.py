"""Costs of segments of a chain of layers on chains of units, and lower bounds for the layers after a position.

The problem that `engines.chiplets.solver.chain_mapping` solves. Units of the same kind cost the same, so that unit chains are told
apart by their kinds alone; the first unit has kinds of its own because its input comes from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray

CRITERIA = ("added_s", "peak_s", "energy_j")


@dataclass(frozen=True)
class ChainCosts:
    """Costs of the segment a..b-1 at [kind, a, b], shape `K x (L + 1) x (L + 1)`; infinite where b <= a.

    Attributes:
        added_s, peak_s, energy_j: on a unit that is not the first.
        start_added_s, start_peak_s, start_energy_j: of the first segment 0..b-1 at [kind of first unit, b], shape `V x (L + 1)`.
    """

    added_s: FloatArray
    peak_s: FloatArray
    energy_j: FloatArray
    start_added_s: FloatArray
    start_peak_s: FloatArray
    start_energy_j: FloatArray

    @property
    def layers(self) -> int:
        """L."""
        return int(self.added_s.shape[-1]) - 1


@dataclass(frozen=True)
class UnitChains:
    """`S` unit chains of at most `n` units.

    Attributes:
        start: kind of the first unit, shape `S`.
        kinds: kinds of the others, shape `S x (n - 1)`, -1 after the end of a shorter chain.
        length: units of each chain, shape `S`.
    """

    start: IntArray
    kinds: IntArray
    length: IntArray


@dataclass(frozen=True)
class Remainders:
    """Lower bounds for the rest of a chain after a position, each criterion by itself.

    Attributes:
        node: row of the tables below after 1..n units, shape `S x n`.
        added_s, peak_s, energy_j: least sum, maximum and sum for the layers i.. on the units that follow, shape `rows x (L + 1)`.
    """

    node: IntArray
    added_s: FloatArray
    peak_s: FloatArray
    energy_j: FloatArray


def chains_of(rows: Sequence[tuple[int, ...]]) -> UnitChains:
    """Return the unit chains from (kind of first unit, kinds of the others ...) tuples."""
    longest = max((len(row) for row in rows), default=1)
    kinds = np.full((len(rows), longest - 1), -1, np.int64)
    for number, row in enumerate(rows):
        kinds[number, : len(row) - 1] = row[1:]
    return UnitChains(np.array([row[0] for row in rows], np.int64), kinds, np.array([len(r) for r in rows], np.int64))


def remainders(costs: ChainCosts, chains: UnitChains) -> Remainders:
    """Return the tables of all suffixes of all chains, shared where suffixes are equal; `O(suffixes x L^2)`."""
    numbers: dict[tuple[int, ...], int] = {(): 0}
    node = np.zeros((len(chains.start), chains.kinds.shape[1] + 1), np.int64)
    by_length: list[list[tuple[int, ...]]] = [[] for _ in range(chains.kinds.shape[1] + 1)]
    for number, (row, length) in enumerate(zip(chains.kinds.tolist(), chains.length.tolist(), strict=True)):
        for taken in range(length - 1, 0, -1):
            suffix = tuple(row[taken - 1 : length - 1])
            if suffix not in numbers:
                numbers[suffix] = len(numbers)
                by_length[len(suffix)].append(suffix)
            node[number, taken - 1] = numbers[suffix]
    layers = costs.layers
    found = {name: np.full((len(numbers), layers + 1), np.inf) for name in CRITERIA}
    for table in found.values():
        table[0, layers] = 0.0
    for suffixes in by_length[1:]:
        if not suffixes:
            continue
        rows = np.array([numbers[s] for s in suffixes])
        child = np.array([numbers[s[1:]] for s in suffixes])
        kind = np.array([s[0] for s in suffixes])
        for name, table in found.items():
            own = getattr(costs, name)
            # One kind at a time keeps the intermediate array small.
            for k in np.unique(kind):
                of_kind = kind == k
                left = table[child[of_kind]][:, None, :]
                joined = np.maximum(own[k], left) if name == "peak_s" else own[k] + left
                table[rows[of_kind]] = joined.min(axis=-1)
    return Remainders(node, **found)


def ideal_points(costs: ChainCosts, chains: UnitChains, left: Remainders) -> tuple[FloatArray, FloatArray]:
    """Return lower bounds: no mapping on a chain has less latency or less energy, shape `S` each; infinite where none exists."""
    first = left.node[:, 0]
    added = costs.start_added_s[chains.start] + left.added_s[first]
    peak = np.maximum(costs.start_peak_s[chains.start], left.peak_s[first])
    energy = costs.start_energy_j[chains.start] + left.energy_j[first]
    return (added + peak).min(axis=1), energy.min(axis=1)
