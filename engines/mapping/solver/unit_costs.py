"""Costs of mappings of blocks to units at clock settings: per block, per change of unit, per result that is read later; limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.numeric.ordered_sums import product_in_order

# Partial sums add up in another order than `score`: bounds leave room for rounding, `score` decides.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Skips:
    """Results of blocks that later blocks read, not only the next one: `m` of them.

    A result lies where it was made. A block that reads it on another unit has it handed over, once per unit: a second reader there
    finds it.

    Attributes:
        producer: block that makes each, ascending.
        readers: blocks that read each, ascending, the next block after the producer left out.
        read_next: whether the next block reads it, too; that transfer is part of `UnitCosts.handover_s`.
        handover_s, handover_j: shape `m x s`.
    """

    producer: tuple[int, ...]
    readers: tuple[tuple[int, ...], ...]
    read_next: tuple[bool, ...]
    handover_s: FloatArray
    handover_j: FloatArray

    def take(self, rows: Sequence[int]) -> Skips:
        """Return the skips at the given indices."""
        return Skips(
            tuple(self.producer[row] for row in rows),
            tuple(self.readers[row] for row in rows),
            tuple(self.read_next[row] for row in rows),
            self.handover_s[list(rows)],
            self.handover_j[list(rows)],
        )


@dataclass(frozen=True)
class UnitCosts:
    """Costs of `n` blocks on `u` units at `s` settings.

    Attributes:
        latency_s, energy_j: shape `n x u x s`; infinite where a block may not run on a unit.
        handover_s, handover_j: of a change of unit after each block but the last, shape `(n - 1) x s`: what the next block reads.
        skips: results that later blocks read; None for a chain.
    """

    latency_s: FloatArray
    energy_j: FloatArray
    handover_s: FloatArray
    handover_j: FloatArray
    skips: Skips | None = None

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return int(self.latency_s.shape[0])

    @property
    def units(self) -> int:
        """Number of units."""
        return int(self.latency_s.shape[1])

    @property
    def settings(self) -> int:
        """Number of settings."""
        return int(self.latency_s.shape[2])


@dataclass(frozen=True)
class MappingLimits:
    """The limits of a mapping. `transitions` None: any number of transitions."""

    latency_s: float = np.inf
    energy_j: float = np.inf
    power_w: float = np.inf
    transitions: int | None = None

    def allow(self, scores: MappingScores) -> BoolArray:
        """Return a mask of the mappings that meet every limit, shape `k`."""
        kept = (scores.latency_s <= self.latency_s) & (scores.energy_j <= self.energy_j)
        if np.isfinite(self.power_w):
            kept &= scores.energy_j <= self.power_w * scores.latency_s
        if self.transitions is not None:
            kept &= scores.transitions <= self.transitions
        return kept


@dataclass(frozen=True)
class MappingScores:
    """Latency, energy and transitions of `k` mappings, each of shape `k`."""

    latency_s: FloatArray
    energy_j: FloatArray
    transitions: IntArray

    @property
    def power_w(self) -> FloatArray:
        """Average power E / T in watts, shape `k`; 0 where nothing takes time."""
        return np.divide(self.energy_j, self.latency_s, out=np.zeros_like(self.energy_j), where=self.latency_s > 0)

    @property
    def edp_js(self) -> FloatArray:
        """Energy-delay product, shape `k`."""
        return self.latency_s * self.energy_j


def score(costs: UnitCosts, units: IntArray, setting: IntArray) -> MappingScores:
    """Return the costs of `k` mappings.

    Args:
        costs: costs of blocks and of unit transitions.
        units: shape `k x n`.
        setting: shape `k`.

    Block after block, so that a mapping has the same floating-point sum whatever it is scored with.
    """
    skips = costs.skips
    # Bits of the units where each result lies that is still to be read.
    lies = np.zeros((0 if skips is None else len(skips.producer), len(units)), dtype=np.int64)
    latency, energy = np.zeros(len(units)), np.zeros(len(units))
    transitions = np.zeros(len(units), dtype=np.int64)
    columns = np.ascontiguousarray(units.T)
    for block, unit in enumerate(columns):
        if block:
            changed = unit != columns[block - 1]
            transitions += changed
            latency += np.where(changed, costs.handover_s[block - 1, setting], 0.0)
            energy += np.where(changed, costs.handover_j[block - 1, setting], 0.0)
        if skips is not None:
            latency, energy = _hand_over(skips, lies, block, unit, setting, latency, energy)
        latency += costs.latency_s[block, unit, setting]
        energy += costs.energy_j[block, unit, setting]
    return MappingScores(latency, energy, transitions)


def handed_over(costs: UnitCosts, units: IntArray, setting: int) -> tuple[FloatArray, FloatArray]:
    """Return the time and energy of the transfers to each block of one mapping (shape `n`), in s and J, shape `n` each."""
    latency, energy = np.zeros(costs.blocks), np.zeros(costs.blocks)
    changed = units[1:] != units[:-1]
    latency[1:] = np.where(changed, costs.handover_s[:, setting], 0.0)
    energy[1:] = np.where(changed, costs.handover_j[:, setting], 0.0)
    if costs.skips is None:
        return latency, energy
    lies, at, nothing = np.zeros((len(costs.skips.producer), 1), dtype=np.int64), np.array([setting]), np.zeros(1)
    for block in range(costs.blocks):
        more_s, more_j = _hand_over(costs.skips, lies, block, units[block : block + 1], at, nothing, nothing)
        latency[block] += more_s[0]
        energy[block] += more_j[0]
    return latency, energy


def _hand_over(
    skips: Skips, lies: IntArray, block: int, unit: IntArray, setting: IntArray, latency: FloatArray, energy: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the costs with what the block reads from further back; `lies` is brought up to date."""
    for row, producer in enumerate(skips.producer):
        if producer == block or (producer == block - 1 and skips.read_next[row]):
            lies[row] |= 1 << unit
        elif block in skips.readers[row]:
            away = (lies[row] >> unit) & 1 == 0
            latency = latency + np.where(away, skips.handover_s[row, setting], 0.0)
            energy = energy + np.where(away, skips.handover_j[row, setting], 0.0)
            lies[row] |= 1 << unit
    return latency, energy


def least_to_go(block: FloatArray, handover: FloatArray) -> FloatArray:
    """Return the least sum over the blocks after each one, by the unit of that one; shape `n x u x ...` like `block`.

    Args:
        block: cost of blocks, shape `n x u x ...`, infinite where not allowed.
        handover: cost of a change after a block, shape `(n - 1) x ...`.
    """
    left = np.zeros_like(block)
    for at in range(len(block) - 2, -1, -1):
        following = block[at + 1] + left[at + 1]
        left[at] = np.minimum(following, following.min(axis=0) + handover[at])
    return left


def least(block: FloatArray, handover: FloatArray) -> FloatArray:
    """Return the least sum over all mappings, shape `...`; arguments as `least_to_go`."""
    least_sum: FloatArray = (block[0] + least_to_go(block, handover)[0]).min(axis=0)
    return least_sum


def least_excess(costs: UnitCosts, power_w: float) -> FloatArray:
    """Return the least E - P T of any mapping at each setting, shape `s`."""
    reduced = less_power(costs, power_w)
    return least(reduced.energy_j, reduced.handover_j)


def power_bound_w(costs: UnitCosts, steps: int = 16) -> float:
    """Return an upper bound of the average power of any mapping at any setting, by bisection on max(E - P T) <= 0."""
    able = np.isfinite(costs.latency_s)
    time, energy = np.where(able, costs.latency_s, 0.0), np.where(able, costs.energy_j, 0.0)
    fastest = float(least(costs.latency_s, costs.handover_s).min())
    most = energy.max(axis=1).sum(axis=0) + costs.handover_j.sum(axis=0)
    if costs.skips is not None:
        most = most + product_in_order([len(readers) for readers in costs.skips.readers], costs.skips.handover_j)
    high = float(most.max()) / fastest
    low = 0.0

    def is_bound(power_w: float) -> bool:
        room = least(np.where(able, power_w * time - energy, np.inf), power_w * costs.handover_s - costs.handover_j)
        if costs.skips is not None:
            more = np.maximum(costs.skips.handover_j - power_w * costs.skips.handover_s, 0.0)
            room = room - product_in_order([len(readers) for readers in costs.skips.readers], more)
        return bool((room >= 0).all())

    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if is_bound(middle) else (middle, high)
    return high * (1 + ROUNDING)


def less_power(costs: UnitCosts, power_w: float) -> UnitCosts:
    """Return the costs with E - P T in the place of E."""
    able = np.isfinite(costs.latency_s)
    excess = np.where(able, costs.energy_j - power_w * np.where(able, costs.latency_s, 0.0), np.inf)
    skips = costs.skips
    if skips is not None:
        skips = replace(skips, handover_j=skips.handover_j - power_w * skips.handover_s)
    return UnitCosts(costs.latency_s, excess, costs.handover_s, costs.handover_j - power_w * costs.handover_s, skips)
