"""Exact latency/energy fronts of mappings of a chain of blocks to processing units, at one or many clock settings.

A mapping gives every block a unit; both costs add up over blocks and over changes of unit (odema-2023 eqs. 6 and 7). Dynamic
programming from block to block keeps, per setting and unit of the last block, the partial mappings that no other equals or beats.

Limits are part of the search. With a limit P on average power, a mapping is allowed where E - P T <= 0. That sum is additive too,
so a partial mapping may be dropped for another one with no more T and no more E - P T: the latter two imply no more E. Dropping
by T and E alone would lose allowed mappings. With a limit on changes of unit, their number is part of the state.

Average power E / T as an objective needs the same sum: with a bound P on the power of all mappings, a partial mapping with no more
T and no more E - P T leads, whatever follows, to no more T, no more E and no more E / T (the largest P is the hardest).

For one network at fixed clocks (a few ms for 34 blocks on 2 units; costs from `engines.cost.soc.SocCostModel`, one row a block):

    costs = UnitCosts(latency_s[:, :, None], energy_j[:, :, None], handover_s[:, None], handover_j[:, None])
    front = FrontSearch(costs, MappingLimits(power_w=12.0)).front([0])
    front.units[front.scores.edp_js.argmin()]  # the mapping of least energy-delay product: place of the unit of every block
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import moocore
import numpy as np
import numpy.typing as npt

from engines.search.dominance import non_dominated_by_group, thin_dominated_by_group

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

# Partial sums add up in another order than `score`: bounds leave room for rounding, `score` decides.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class UnitCosts:
    """Costs of `n` blocks on `u` units at `s` settings.

    Attributes:
        latency_s, energy_j: shape `n x u x s`; infinite where a block may not run on a unit.
        handover_s, handover_j: of a change of unit after each block but the last, shape `(n - 1) x s`.
    """

    latency_s: FloatArray
    energy_j: FloatArray
    handover_s: FloatArray
    handover_j: FloatArray

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
    """What a mapping may need at most. `transitions` None: any number of changes of unit."""

    latency_s: float = np.inf
    energy_j: float = np.inf
    power_w: float = np.inf
    transitions: int | None = None

    def allow(self, scores: MappingScores) -> BoolArray:
        """Which of the mappings keep every limit, shape `k`."""
        kept = (scores.latency_s <= self.latency_s) & (scores.energy_j <= self.energy_j)
        if np.isfinite(self.power_w):
            kept &= scores.energy_j <= self.power_w * scores.latency_s
        if self.transitions is not None:
            kept &= scores.transitions <= self.transitions
        return kept


@dataclass(frozen=True)
class MappingScores:
    """Latency, energy and changes of unit of `k` mappings, each of shape `k`."""

    latency_s: FloatArray
    energy_j: FloatArray
    transitions: IntArray

    @property
    def power_w(self) -> FloatArray:
        """Average power E / T; 0 where nothing takes time."""
        return np.divide(self.energy_j, self.latency_s, out=np.zeros_like(self.energy_j), where=self.latency_s > 0)

    @property
    def edp_js(self) -> FloatArray:
        """Energy-delay product."""
        return self.latency_s * self.energy_j


@dataclass(frozen=True)
class MappingFront:
    """Non-dominated mappings, by rising latency; of equal ones one. With power as an objective no two are equal in all three.

    Attributes:
        units: place of the unit of every block, shape `k x n`.
        setting: shape `k`.
        scores: of shape `k`.
        labels: partial mappings that were looked at.
        latency_error_s: 0 where the front is exact; else every mapping of the exact front without limits has one here that needs no
            more energy and at most so much more time.
    """

    units: IntArray
    setting: IntArray
    scores: MappingScores
    labels: int
    latency_error_s: float


def score(costs: UnitCosts, units: IntArray, setting: IntArray) -> MappingScores:
    """Costs of `k` mappings.

    Args:
        costs: of blocks and changes.
        units: shape `k x n`.
        setting: shape `k`.

    Block after block, so that a mapping has the same floating-point sum whatever it is scored with.
    """
    latency, energy = np.zeros(len(units)), np.zeros(len(units))
    transitions = np.zeros(len(units), dtype=np.int64)
    columns = np.ascontiguousarray(units.T)
    for block, unit in enumerate(columns):
        if block:
            changed = unit != columns[block - 1]
            transitions += changed
            latency += np.where(changed, costs.handover_s[block - 1, setting], 0.0)
            energy += np.where(changed, costs.handover_j[block - 1, setting], 0.0)
        latency += costs.latency_s[block, unit, setting]
        energy += costs.energy_j[block, unit, setting]
    return MappingScores(latency, energy, transitions)


def least_to_go(block: FloatArray, handover: FloatArray) -> FloatArray:
    """Least sum over the blocks after each one, by the unit of that one; shape `n x u x ...` like `block`.

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
    """Least sum over all mappings, shape `...`; arguments as `least_to_go`."""
    least_sum: FloatArray = (block[0] + least_to_go(block, handover)[0]).min(axis=0)
    return least_sum


def settings_within(costs: UnitCosts, limits: MappingLimits) -> BoolArray:
    """Which settings may have mappings that keep each limit by itself, shape `s`; those left out have none."""
    kept = least(costs.latency_s, costs.handover_s) <= limits.latency_s * (1 + _ROUNDING)
    kept &= least(costs.energy_j, costs.handover_j) <= limits.energy_j * (1 + _ROUNDING)
    if np.isfinite(limits.power_w):
        kept &= least_excess(costs, limits.power_w) <= _ROUNDING * least(costs.energy_j, costs.handover_j)
    return kept


def least_excess(costs: UnitCosts, power_w: float) -> FloatArray:
    """Least E - P T of any mapping at each setting, shape `s`."""
    reduced = less_power(costs, power_w)
    return least(reduced.energy_j, reduced.handover_j)


def power_bound_w(costs: UnitCosts, steps: int = 16) -> float:
    """No mapping at any setting has more average power; near the largest one. By bisection on max(E - P T) <= 0."""
    able = np.isfinite(costs.latency_s)
    time, energy = np.where(able, costs.latency_s, 0.0), np.where(able, costs.energy_j, 0.0)
    fastest = float(least(costs.latency_s, costs.handover_s).min())
    high = float((energy.max(axis=1).sum(axis=0) + costs.handover_j.sum(axis=0)).max()) / fastest
    low = 0.0

    def is_bound(power_w: float) -> bool:
        room = np.where(able, power_w * time - energy, np.inf)
        return bool((least(room, power_w * costs.handover_s - costs.handover_j) >= 0).all())

    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if is_bound(middle) else (middle, high)
    return high * (1 + _ROUNDING)


def less_power(costs: UnitCosts, power_w: float) -> UnitCosts:
    """Costs with E - P T in the place of E."""
    able = np.isfinite(costs.latency_s)
    excess = np.where(able, costs.energy_j - power_w * np.where(able, costs.latency_s, 0.0), np.inf)
    return UnitCosts(costs.latency_s, excess, costs.handover_s, costs.handover_j - power_w * costs.handover_s)


class FrontSearch:
    """The exact front at given settings; what all settings share is prepared once.

    Args:
        costs: of blocks and changes.
        limits: that mappings keep.
        most_labels: partial mappings kept per setting and unit; beyond, the front is thinned and no longer exact.
        by_power: whether average power is an objective beside latency and energy.

    Attributes:
        power_bound_w: no mapping has more average power, where power is an objective; else infinite.
    """

    def __init__(
        self, costs: UnitCosts, limits: MappingLimits, most_labels: int = 100_000, *, by_power: bool = False
    ) -> None:
        self._costs, self._limits, self._most_labels = costs, limits, most_labels
        self.power_bound_w = power_bound_w(costs) if by_power else np.inf
        allowed = np.isfinite(costs.latency_s[:, :, 0])
        moves = np.ones((costs.blocks - 1, 1))
        self._moves_left = least_to_go(np.where(allowed, 0.0, np.inf)[:, :, None], moves)[:, :, 0]

    def front(self, settings: Sequence[int] | IntArray, known: FloatArray | None = None) -> MappingFront:
        """The front over those settings together.

        Args:
            settings: numbers of the settings.
            known: latency and energy of allowed mappings at hand, shape `k x 2`: mappings that one of them equals or beats
                may be left out.
        """
        places = np.asarray(settings, dtype=np.int64)
        labels = _Labels(self._costs, self._limits, places, self._moves_left, known, self.power_bound_w)
        for _ in range(self._costs.blocks):
            labels.extend()
            labels.prune(self._most_labels)
        return labels.result()


class _Labels:
    """Partial mappings of one search; `parents` and `chosen` tell how each came about."""

    def __init__(
        self,
        costs: UnitCosts,
        limits: MappingLimits,
        settings: IntArray,
        moves_left: FloatArray,
        known: FloatArray | None,
        power_bound_w: float,
    ) -> None:
        self._costs, self._limits, self._settings, self._moves_left = costs, limits, settings, moves_left
        self._block_s, self._block_j = costs.latency_s[:, :, settings], costs.energy_j[:, :, settings]
        self._change_s, self._change_j = costs.handover_s[:, settings], costs.handover_j[:, settings]
        self._left_s = least_to_go(self._block_s, self._change_s)
        self._left_j = least_to_go(self._block_j, self._change_j)
        self._by_power = bool(np.isfinite(power_bound_w))
        power = min(limits.power_w, power_bound_w)  # a limit above the bound is no limit
        self._power = power if np.isfinite(power) else 0.0
        excess = self._excess(self._block_j, self._block_s)
        self._left_excess = least_to_go(excess, self._excess(self._change_j, self._change_s)) if self._power else None
        self._known = None if known is None or not len(known) else self._known_best(known)
        count = len(settings)
        self._place = np.arange(count)
        self._unit = np.full(count, -1)
        self._latency, self._energy = np.zeros(count), np.zeros(count)
        self._moves = np.zeros(count, dtype=np.int64)
        self._parents: list[IntArray] = []
        self._chosen: list[npt.NDArray[np.int8]] = []
        self._looked_at, self._error_s = 0, 0.0

    def _known_best(self, known: FloatArray) -> FloatArray:
        """Latency, rising, and the least second criterion of the known mappings up to it."""
        order = np.argsort(known[:, 0])
        latency, energy = known[order, 0], known[order, 1]
        second = energy - self._power * latency if self._by_power else energy
        return np.column_stack([latency, np.minimum.accumulate(second)])

    def _excess(self, energy: FloatArray, latency: FloatArray) -> FloatArray:
        """E - P T, infinite where either is."""
        if not self._power:
            return energy
        return np.where(np.isfinite(energy), energy - self._power * np.where(np.isfinite(latency), latency, 0), np.inf)

    def extend(self) -> None:
        """Give the next block every unit, as far as limits can still be kept and something better may come of it."""
        block, units = len(self._parents), self._costs.units
        parent = np.repeat(np.arange(len(self._place)), units)
        unit = np.tile(np.arange(units), len(self._place))
        place = self._place[parent]
        latency = self._latency[parent] + self._block_s[block, unit, place]
        energy = self._energy[parent] + self._block_j[block, unit, place]
        moves = self._moves[parent]
        if block:
            changed = unit != self._unit[parent]
            latency += np.where(changed, self._change_s[block - 1, place], 0.0)
            energy += np.where(changed, self._change_j[block - 1, place], 0.0)
            moves = moves + changed
        keep = np.flatnonzero(self._hopeful(block, unit, place, latency, energy, moves))
        self._looked_at += len(keep)
        self._place, self._unit, self._moves = place[keep], unit[keep], moves[keep]
        self._latency, self._energy = latency[keep], energy[keep]
        self._parents.append(parent[keep])
        self._chosen.append(unit[keep].astype(np.int8))

    def _hopeful(
        self, block: int, unit: IntArray, place: IntArray, latency: FloatArray, energy: FloatArray, moves: IntArray
    ) -> BoolArray:
        limits = self._limits
        least_s, least_j = latency + self._left_s[block, unit, place], energy + self._left_j[block, unit, place]
        hopeful: BoolArray = np.isfinite(least_s) & np.isfinite(least_j)
        hopeful &= least_s <= limits.latency_s * (1 + _ROUNDING)
        hopeful &= least_j <= limits.energy_j * (1 + _ROUNDING)
        least_second = least_j
        if self._left_excess is not None:
            least_excess = self._excess(energy, latency) + self._left_excess[block, unit, place]
            hopeful &= ~(least_excess > _ROUNDING * energy)
            least_second = least_excess if self._by_power else least_j
        if limits.transitions is not None:
            hopeful &= moves + self._moves_left[block, unit] <= limits.transitions
        if self._known is not None:
            # The last known mapping that is no slower has the least energy of those.
            at = np.searchsorted(self._known[:, 0], least_s, side="right") - 1
            hopeful &= ~((at >= 0) & (self._known[np.maximum(at, 0), 1] <= least_second))
        return hopeful

    def prune(self, most_labels: int) -> None:
        """Drop what another partial mapping equals or beats, then thin what is still too much."""
        group = self._place * self._costs.units + self._unit
        second = self._excess(self._energy, self._latency)
        if self._limits.transitions is None:
            keep = non_dominated_by_group(group, self._latency, second)
        else:
            own = group * (self._limits.transitions + 1) + self._moves
            keep = np.sort(non_dominated_by_group(own, self._latency, second))
            thinner = thin_dominated_by_group(
                group[keep], self._latency[keep], second[keep], self._moves[keep].astype(np.float64)
            )
            keep = keep[thinner]
            group = own
        self._take(self._thinned(np.sort(keep), group, second, most_labels))

    def _thinned(self, keep: IntArray, group: IntArray, second: FloatArray, most: int) -> IntArray:
        """Of groups with more than `most` partial mappings the one of least energy per step of latency, and the fastest."""
        if len(keep) <= most:
            return keep
        order = keep[np.lexsort((self._latency[keep], group[keep]))]
        starts = np.flatnonzero(np.concatenate([[True], group[order][1:] != group[order][:-1]]))
        sizes = np.diff(np.append(starts, len(order)))
        if sizes.max() <= most:
            return keep
        number = np.repeat(np.arange(len(sizes)), sizes)
        lowest = self._latency[order][starts][number]
        highest = self._latency[order][np.append(starts[1:], len(order)) - 1][number]
        width = (highest - lowest) / most
        crowded = sizes[number] > most
        step = np.where(crowded, np.floor((self._latency[order] - lowest) / np.where(width > 0, width, 1.0)), 0)
        # Within a group energy falls as latency rises: the last of a step needs least.
        last = np.append((number[1:] != number[:-1]) | (step[1:] != step[:-1]), True)
        first = np.zeros(len(order), dtype=bool)
        first[starts] = True
        self._error_s += float(width[crowded].max())
        return np.sort(order[last | first | ~crowded])

    def _take(self, keep: IntArray) -> None:
        self._place, self._unit, self._moves = self._place[keep], self._unit[keep], self._moves[keep]
        self._latency, self._energy = self._latency[keep], self._energy[keep]
        self._parents[-1], self._chosen[-1] = self._parents[-1][keep], self._chosen[-1][keep]

    def result(self) -> MappingFront:
        """The complete mappings that keep all limits, without those that another equals or beats."""
        everything = np.zeros(len(self._place), dtype=np.int64)
        if self._power:
            kept = np.arange(len(self._place))
        else:
            kept = np.sort(non_dominated_by_group(everything, self._latency, self._energy))
        units, index = np.empty((len(kept), self._costs.blocks), dtype=np.int64), kept
        for block in range(self._costs.blocks - 1, -1, -1):
            units[:, block] = self._chosen[block][index]
            index = self._parents[block][index]
        setting = self._settings[self._place[kept]]
        scores = score(self._costs, units, setting)
        allowed = np.flatnonzero(self._limits.allow(scores))
        best = allowed[self._best(scores, allowed)]
        best = best[np.argsort(scores.latency_s[best], kind="stable")]
        taken = MappingScores(scores.latency_s[best], scores.energy_j[best], scores.transitions[best])
        return MappingFront(units[best], setting[best], taken, self._looked_at, self._error_s)

    def _best(self, scores: MappingScores, allowed: IntArray) -> IntArray:
        """Which of the allowed mappings no other equals or beats."""
        latency, energy = scores.latency_s[allowed], scores.energy_j[allowed]
        if not self._by_power:
            return non_dominated_by_group(np.zeros(len(allowed), np.int64), latency, energy)
        return best_with_power(latency, energy)


def best_with_power(latency_s: FloatArray, energy_j: FloatArray) -> IntArray:
    """Indices of the mappings that no other equals or beats in latency, energy and average power; of equal ones one."""
    points = np.column_stack([latency_s, energy_j])
    points = np.column_stack([points, np.divide(energy_j, latency_s, out=np.zeros_like(energy_j), where=latency_s > 0)])
    if not len(points):
        return np.empty(0, np.int64)
    return np.flatnonzero(moocore.is_nondominated(points, keep_weakly=False))


class SettingBounds:
    """Lower bounds per setting, by which whole settings are ruled out.

    All mappings at a setting lie where T, E and T + w E, for a few w, are at least their least values, which dynamic programming
    gives for all settings at once. Nothing there can be new if no corner of the known front lies in that region.

    Args:
        costs: of blocks and changes.
        weights: how many w, spread evenly in their logarithm over a range of slopes.
    """

    _SLOPES = 8.0  # the range: this factor up and down from the slope between the ends of the fronts

    def __init__(self, costs: UnitCosts, weights: int = 7) -> None:
        self._least_s = least(costs.latency_s, costs.handover_s)
        self._least_j = least(costs.energy_j, costs.handover_j)
        # E - P T may stand in the place of E: below 0.
        middle = float(np.median(self._least_s) / max(abs(np.median(self._least_j)), np.finfo(float).tiny))
        self._weights = middle * np.geomspace(1 / self._SLOPES, self._SLOPES, weights)
        self._least_sums = [
            least(costs.latency_s + w * costs.energy_j, costs.handover_s + w * costs.handover_j) for w in self._weights
        ]

    def order(self) -> IntArray:
        """All settings, those first that promise most at some slope, slopes taking turns."""
        ranks = [np.argsort(values, kind="stable") for values in (self._least_s, self._least_j, *self._least_sums)]
        turns = np.stack(ranks, axis=1).ravel()
        _, first = np.unique(turns, return_index=True)
        return np.asarray(turns[np.sort(first)])

    def hopeful(self, settings: IntArray, known: FloatArray) -> IntArray:
        """Those of the settings that may add to the known front (latency and energy, shape `k x 2`)."""
        if not len(known):
            return settings
        front = known[non_dominated_by_group(np.zeros(len(known), np.int64), known[:, 0], known[:, 1])]
        front = front[np.argsort(front[:, 0])]
        corner_s, corner_j = np.append(front[:, 0], np.inf), np.append(np.inf, front[:, 1])
        room = (corner_s > self._least_s[settings, None]) & (corner_j > self._least_j[settings, None])
        for weight, sums in zip(self._weights, self._least_sums, strict=True):
            corner = corner_s + weight * corner_j
            room &= corner + _ROUNDING * np.abs(corner) > sums[settings, None]
        return settings[room.any(axis=1)]
