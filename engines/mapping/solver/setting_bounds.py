"""Which clock settings can be left out of a search: bounds from sums that dynamic programming gives for all settings at once."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.mapping.solver.unit_costs import ROUNDING, MappingLimits, UnitCosts, least, least_excess
from engines.search.dominance import non_dominated_by_group


def settings_within(costs: UnitCosts, limits: MappingLimits) -> BoolArray:
    """Return a mask of the DVFS settings that may have mappings within each single limit, shape `s`; others have none."""
    kept = least(costs.latency_s, costs.handover_s) <= limits.latency_s * (1 + ROUNDING)
    kept &= least(costs.energy_j, costs.handover_j) <= limits.energy_j * (1 + ROUNDING)
    if np.isfinite(limits.power_w):
        kept &= least_excess(costs, limits.power_w) <= ROUNDING * least(costs.energy_j, costs.handover_j)
    return kept


class SettingBounds:
    """Lower bounds per setting, by which whole settings are ruled out.

    All mappings at a setting lie where T, E and T + w E, for a few w, are at least their least values, which dynamic programming
    gives for all settings at once. Nothing there can be new if no corner of the known front lies in that region.

    Args:
        costs: costs of blocks and of unit transitions.
        weights: number of weights w, evenly spaced in their logarithm over a range of slopes.
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
        """Return all settings, shape `settings`, those first that promise most at some slope, slopes taking turns.

        Of equal ones the last.

        In a grid of clocks the last is the one of the highest: where a clock makes no difference to the estimate, it stays highest.
        """
        later = -np.arange(len(self._least_s))
        ranks = [np.lexsort((later, values)) for values in (self._least_s, self._least_j, *self._least_sums)]
        turns = np.stack(ranks, axis=1).ravel()
        _, first = np.unique(turns, return_index=True)
        return np.asarray(turns[np.sort(first)])

    def hopeful(self, settings: IntArray, known: FloatArray) -> IntArray:
        """Return the settings that may add to the known front (latency and energy, shape `k x 2`)."""
        if not len(known):
            return settings
        front = known[non_dominated_by_group(np.zeros(len(known), np.int64), known[:, 0], known[:, 1])]
        front = front[np.argsort(front[:, 0], kind="stable")]
        corner_s, corner_j = np.append(front[:, 0], np.inf), np.append(np.inf, front[:, 1])
        room = (corner_s > self._least_s[settings, None]) & (corner_j > self._least_j[settings, None])
        for weight, sums in zip(self._weights, self._least_sums, strict=True):
            corner = corner_s + weight * corner_j
            room &= corner + ROUNDING * np.abs(corner) > sums[settings, None]
        return settings[room.any(axis=1)]
