"""Outcome of a simulation of many devices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.numeric.ordered_sums import product_in_order

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Switch:
    """A watched device went from one mode to another at `time_s`; indices of modes, -1 = off."""

    device: int
    time_s: float
    before: int
    after: int


@dataclass(frozen=True, eq=False)
class Outcome:
    """Totals of every device, quantiles over all, and a few whole devices.

    `D` devices, `S` modes, `n` kept times, `W` watched devices.

    Attributes:
        time_s: kept times from 0 to the end, n.
        charge_quantiles: charge as a share of the capacity at `QUANTILES`, 5 x n.
        power_quantiles_w: mean power between two kept times, 5 x n - 1.
        watched: indices of the devices kept whole, W.
        watched_charge_shares: W x n.
        watched_power_w: mean power between two kept times, W x n - 1.
        watched_mode_shares: share of that time in every mode, W x n - 1 x S; what is missing to 1 is off.
        switches: of watched devices, at most `MAX_SWITCHES` of each.
        energy_j: spent by each, D.
        end_charge_shares: D.
        minimum_reached_at_s: when each came down to its minimum level; NaN where it never did, D.
        ended_at_s: when each stopped working; NaN where it works at the end, D.
        mode_time_s: D x S.
        switch_counts: changes of mode of each, going off not counted, D.
        over_budget_s: time with more power than the budget, D; 0 without a budget.
    """

    time_s: FloatArray
    charge_quantiles: FloatArray
    power_quantiles_w: FloatArray
    watched: IntArray
    watched_charge_shares: FloatArray
    watched_power_w: FloatArray
    watched_mode_shares: FloatArray
    switches: tuple[Switch, ...]
    energy_j: FloatArray
    end_charge_shares: FloatArray
    minimum_reached_at_s: FloatArray
    ended_at_s: FloatArray
    mode_time_s: FloatArray
    switch_counts: IntArray
    over_budget_s: FloatArray

    def means(self, figures: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Return figure -> its mean over the working time of each device, shape `D`; NaN for a device that never worked."""
        working_s = self.mode_time_s.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return {name: product_in_order(self.mode_time_s, values) / working_s for name, values in figures.items()}

    def life_s(self, step_end_s: float) -> FloatArray:
        """Return the time in s at which each device reached its minimum level or stopped, whichever came first; else `step_end_s`.

        In seconds, shape `D`.
        """
        return np.fmin(np.fmin(self.minimum_reached_at_s, self.ended_at_s), step_end_s)
