"""Exact latency/energy fronts of mappings of a chain of blocks to processing units, at one or many clock settings.

A mapping gives every block a unit; both costs add up over blocks and over transitions (odema-2023 eqs. 6 and 7). Dynamic
programming from block to block keeps, per setting and unit of the last block, the partial mappings that no other equals or beats.

Limits are part of the search. With a limit P on average power, a mapping is allowed where E - P T <= 0. That sum is additive too,
so a partial mapping may be dropped for another one with no more T and no more E - P T: the latter two imply no more E. Dropping
by T and E alone would lose allowed mappings. With a limit on transitions, their number is part of the state.

Average power E / T as an objective needs the same sum: with a bound P on the power of all mappings, a partial mapping with no more
T and no more E - P T leads, whatever follows, to no more T, no more E and no more E / T (the largest P is the hardest).

Where blocks read results of earlier blocks than the one before (`UnitCosts.skips`), it is part of the state on which units each
such result lies; the search stays exact. Of more results that wait at the same time than `most_open` the cheapest are left out of
the search; what it finds is then scored in full, and `MappingFront.bound` holds a front that no mapping can beat.

For one network at fixed clocks (a few ms for 34 blocks on 2 units; costs from `engines.cost.soc.model.SocCostModel`, one row a
block):

    costs = UnitCosts(latency_s[:, :, None], energy_j[:, :, None], handover_s[:, None], handover_j[:, None])
    front = FrontSearch(costs, MappingLimits(power_w=12.0)).front([0])
    front.units[front.scores.edp_js.argmin()]  # the mapping of least energy-delay product: place of the unit of every block
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import moocore
import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.mapping.solver.open_results import MOST_OPEN, OpenResults
from engines.mapping.solver.setting_bounds import SettingBounds, settings_within
from engines.mapping.solver.unit_costs import (
    ROUNDING,
    MappingLimits,
    MappingScores,
    Skips,
    UnitCosts,
    handed_over,
    least,
    least_excess,
    least_to_go,
    less_power,
    power_bound_w,
    score,
)
from engines.search.dominance import non_dominated_by_group, thin_dominated_by_group

__all__ = [
    "FrontSearch",
    "MappingFront",
    "MappingLimits",
    "MappingScores",
    "SettingBounds",
    "Skips",
    "UnitCosts",
    "best_with_power",
    "handed_over",
    "least",
    "least_excess",
    "least_to_go",
    "less_power",
    "power_bound_w",
    "score",
    "settings_within",
]

_LEAST_LABELS = 10


@dataclass(frozen=True)
class MappingFront:
    """Non-dominated mappings, by rising latency; of equal ones one. With power as an objective no two are equal in all three.

    Attributes:
        units: place of the unit of every block, shape `k x n`.
        setting: shape `k`.
        scores: objective values, shape `k`.
        labels: partial mappings that were looked at.
        latency_error_s: 0 where the front is exact; else every mapping of the exact front without limits has one here that needs no
            more energy and at most so much more time.
        left_out: results read later that the search had to leave out; 0 where it is exact in that respect.
        bound: where some were left out, latency and energy of a front that no mapping beats, shape `b x 2`.
    """

    units: IntArray
    setting: IntArray
    scores: MappingScores
    labels: int
    latency_error_s: float
    left_out: int = 0
    bound: FloatArray = field(default_factory=lambda: np.empty((0, 2)))


class FrontSearch:
    """The exact front at given settings; what all settings share is prepared once.

    Args:
        costs: costs of blocks and of unit transitions.
        limits: limits on mappings.
        most_labels: partial mappings kept per setting and unit; beyond, the front is thinned and no longer exact. Where results
            wait for later blocks, each of their states keeps an equal share, and at least ten.
        by_power: whether average power is an objective next to latency and energy.
        most_open: results that may wait at the same time for a block that reads them later.

    Attributes:
        power_bound_w: no mapping has more average power, where power is an objective; else infinite.
    """

    def __init__(
        self,
        costs: UnitCosts,
        limits: MappingLimits,
        most_labels: int = 100_000,
        *,
        by_power: bool = False,
        most_open: int = MOST_OPEN,
    ) -> None:
        self._costs, self._limits = costs, limits
        self.power_bound_w = power_bound_w(costs) if by_power else np.inf
        self._open = OpenResults(costs, most_open)
        self._most_labels = most_labels
        allowed = np.isfinite(costs.latency_s[:, :, 0])
        moves = np.ones((costs.blocks - 1, 1))
        self._moves_left = least_to_go(np.where(allowed, 0.0, np.inf)[:, :, None], moves)[:, :, 0]

    def front(self, settings: Sequence[int] | IntArray, known: FloatArray | None = None) -> MappingFront:
        """Return the front over those settings together.

        Args:
            settings: numbers of the settings.
            known: latency and energy of allowed mappings at hand, shape `k x 2`: mappings that one of them equals or beats
                may be left out.
        """
        places = np.asarray(settings, dtype=np.int64)
        labels = _Labels(self._costs, self._limits, places, self._moves_left, known, self.power_bound_w, self._open)
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
        waiting: OpenResults,
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
        self._waiting, self._held = waiting, np.zeros(count, dtype=np.int64)
        self._parents: list[IntArray] = []
        self._chosen: list[npt.NDArray[np.int8]] = []
        self._looked_at, self._error_s = 0, 0.0

    def _known_best(self, known: FloatArray) -> FloatArray:
        """Return latency, rising, and the least second criterion of the known mappings up to it; shape `k x 2` before and after."""
        order = np.argsort(known[:, 0], kind="stable")
        latency, energy = known[order, 0], known[order, 1]
        second = energy - self._power * latency if self._by_power else energy
        return np.column_stack([latency, np.minimum.accumulate(second)])

    def _excess(self, energy: FloatArray, latency: FloatArray) -> FloatArray:
        """Return E - P T in joules, infinite where either is; all of the same shape."""
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
        held = self._held[parent]
        if self._waiting.any:
            held, more_s, more_j = self._waiting.at_block(block, unit, held, self._settings[place])
            latency, energy = latency + more_s, energy + more_j
        keep = np.flatnonzero(self._hopeful(block, unit, place, latency, energy, moves))
        self._looked_at += len(keep)
        self._place, self._unit, self._moves = place[keep], unit[keep], moves[keep]
        self._latency, self._energy, self._held = latency[keep], energy[keep], held[keep]
        self._parents.append(parent[keep])
        self._chosen.append(unit[keep].astype(np.int8))

    def _hopeful(
        self, block: int, unit: IntArray, place: IntArray, latency: FloatArray, energy: FloatArray, moves: IntArray
    ) -> BoolArray:
        limits = self._limits
        least_s, least_j = latency + self._left_s[block, unit, place], energy + self._left_j[block, unit, place]
        hopeful: BoolArray = np.isfinite(least_s) & np.isfinite(least_j)
        hopeful &= least_s <= limits.latency_s * (1 + ROUNDING)
        hopeful &= least_j <= limits.energy_j * (1 + ROUNDING)
        least_second = least_j
        if self._left_excess is not None:
            least_excess = self._excess(energy, latency) + self._left_excess[block, unit, place]
            hopeful &= ~(least_excess > ROUNDING * energy)
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
        if self._waiting.any:
            states, number = np.unique(self._held, return_inverse=True)
            group = group * len(states) + number
            most_labels = max(most_labels // max(len(states), 1), min(most_labels, _LEAST_LABELS))
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
        """Thin groups with more than `most` partial mappings to the one of least energy per step of latency, and the fastest.

        Takes and returns ascending places, shape `k`; `group` and `second` are of all partial mappings.
        """
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
        self._latency, self._energy, self._held = self._latency[keep], self._energy[keep], self._held[keep]
        self._parents[-1], self._chosen[-1] = self._parents[-1][keep], self._chosen[-1][keep]

    def result(self) -> MappingFront:
        """Return the complete mappings that meet all limits, without those that another equals or beats."""
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
        bound = np.empty((0, 2))
        if self._waiting.left_out:
            bound = np.column_stack([self._latency[kept], self._energy[kept]])
        return MappingFront(
            units[best], setting[best], taken, self._looked_at, self._error_s, self._waiting.left_out, bound
        )

    def _best(self, scores: MappingScores, allowed: IntArray) -> IntArray:
        """Return the indices of the non-dominated ones among the allowed mappings (indices, shape `a`)."""
        latency, energy = scores.latency_s[allowed], scores.energy_j[allowed]
        if not self._by_power:
            return non_dominated_by_group(np.zeros(len(allowed), np.int64), latency, energy)
        return best_with_power(latency, energy)


def best_with_power(latency_s: FloatArray, energy_j: FloatArray) -> IntArray:
    """Return the indices of the mappings that no other equals or beats in latency, energy and average power; of equal ones one.

    Latency and energy have shape `k`.
    """
    points = np.column_stack([latency_s, energy_j])
    points = np.column_stack([points, np.divide(energy_j, latency_s, out=np.zeros_like(energy_j), where=latency_s > 0)])
    if not len(points):
        return np.empty(0, np.int64)
    return np.flatnonzero(moocore.is_nondominated(points, keep_weakly=False))
