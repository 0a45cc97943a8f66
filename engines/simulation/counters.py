"""Counters of a simulation of many devices: totals of each, times of crossings, kept points of traces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.simulation.fleet import Fleet, IntArray, Modes
from engines.simulation.outcome import QUANTILES, Outcome, Switch

MAX_SWITCHES = 2000


@dataclass(frozen=True, eq=False)
class Block:
    """Consecutive steps of all devices.

    Attributes:
        first: number of the first step.
        before: mode of each device before it, D.
        modes: modes of every step, D x n.
        begin_j: charge at the begin, D.
        unbounded_j: charge at the end of every step if a device could spend more than there is in its last one, D x n.
    """

    first: int
    before: IntArray
    modes: IntArray
    begin_j: FloatArray
    unbounded_j: FloatArray

    @property
    def last(self) -> int:
        """Number of the step after the block."""
        return self.first + int(self.modes.shape[1])


class Counter:
    """Counts blocks of steps, in their order. `D` devices, `S` modes and off."""

    def __init__(
        self,
        fleet: Fleet,
        modes: Modes,
        step_s: float,
        stride: int,
        bounds: npt.NDArray[np.int64],
        watched: npt.NDArray[np.int64],
    ) -> None:
        devices, self.count = len(fleet), len(modes.names) + 1
        self.fleet, self.step_s, self.stride, self.bounds, self.watched = fleet, step_s, stride, bounds, watched
        self.power_w = np.append(modes.powers_w, 0.0)
        self.energy_j = fleet.charge_shares * fleet.capacities_j
        self.start_j = self.energy_j
        self.end_j = fleet.end_share * fleet.capacities_j
        self.minimum_j = fleet.minimum_share * fleet.capacities_j
        self.minimum_at = np.where(self.energy_j <= self.minimum_j, 0.0, np.nan)
        self.ended_at = np.where(self.energy_j <= self.end_j, 0.0, np.nan)
        self.last_mode = np.zeros(devices, np.int64)
        self.mode_steps = np.zeros((devices, self.count))
        self.switch_counts = np.zeros(devices, np.int64)
        self.over_steps = np.zeros(devices)
        self.kept_j = np.empty((devices, bounds.size))
        self.kept_j[:, 0] = self.energy_j
        self.watched_steps = np.zeros((watched.size, bounds.size - 1, self.count))
        self.switches: list[list[Switch]] = [[] for _ in watched]

    def add(self, block: Block, budgets_w: FloatArray | None) -> None:
        """Count a block.

        Args:
            block: the steps after those counted so far.
            budgets_w: power that may be spent in them, D x n or 1 x n.
        """
        devices, off = block.modes.shape[0], self.count - 1
        codes = block.modes + np.arange(devices, dtype=np.int32)[:, None] * self.count
        self.mode_steps += np.bincount(codes.ravel(), minlength=devices * self.count).reshape(devices, self.count)
        changed = block.modes != np.concatenate((block.before[:, None], block.modes[:, :-1]), axis=1)
        self.switch_counts += changed.sum(axis=1)
        self.switch_counts -= (block.modes[:, -1] == off) & (block.before != off)  # ending is no switch
        if budgets_w is not None:
            power = self.power_w[block.modes] * self.fleet.power_factors[:, None]
            self.over_steps += (power > budgets_w * (1 + 1e-12)).sum(axis=1)
        self._note(self.minimum_at, self.minimum_j, block)
        ended, step = self._note(self.ended_at, self.end_j, block)
        self.last_mode[ended] = block.modes[ended, step]
        self._keep(block)
        for row, device in enumerate(self.watched):
            self._note_switches(row, block, np.flatnonzero(changed[device]))
        self.energy_j = self._bounded(block.unbounded_j[:, -1])

    def outcome(self) -> Outcome:
        """Return the counts so far."""
        times = self.bounds.astype(np.float64) * self.step_s
        shares = self.kept_j / self.fleet.capacities_j[:, None]
        power = -np.diff(self.kept_j, axis=1) / np.diff(times)
        steps = np.diff(self.bounds)[None, :, None]
        return Outcome(
            time_s=times,
            charge_quantiles=np.quantile(shares, QUANTILES, axis=0),
            power_quantiles_w=np.quantile(power, QUANTILES, axis=0),
            watched=self.watched,
            watched_charge_shares=shares[self.watched],
            watched_power_w=power[self.watched],
            watched_mode_shares=(self.watched_steps / steps)[:, :, :-1],
            switches=tuple(switch for each in self.switches for switch in each),
            energy_j=self.start_j - self.energy_j,
            end_charge_shares=self.energy_j / self.fleet.capacities_j,
            minimum_reached_at_s=self.minimum_at,
            ended_at_s=self.ended_at,
            mode_time_s=self._mode_times(),
            switch_counts=self.switch_counts,
            over_budget_s=self.over_steps * self.step_s,
        )

    def _bounded(self, unbounded_j: FloatArray) -> FloatArray:
        shape = (-1,) + (1,) * (unbounded_j.ndim - 1)
        return np.minimum(self.start_j.reshape(shape), np.maximum(unbounded_j, self.end_j.reshape(shape)))

    def _mode_times(self) -> FloatArray:
        """Return the time in every mode in seconds, shape `D x modes`.

        Of the step in which a device ends only the part before counts.
        """
        times = self.mode_steps * self.step_s
        ended = np.flatnonzero(self.ended_at > 0)
        rest = np.ceil(self.ended_at[ended] / self.step_s - 1e-9) * self.step_s - self.ended_at[ended]
        times[ended, self.last_mode[ended]] -= rest
        return times[:, :-1]

    def _keep(self, block: Block) -> None:
        kept = np.flatnonzero((self.bounds > block.first) & (self.bounds <= block.last))
        self.kept_j[:, kept] = self._bounded(block.unbounded_j[:, self.bounds[kept] - block.first - 1])
        interval = np.arange(block.first, block.last) // self.stride
        for row, device in enumerate(self.watched):
            np.add.at(self.watched_steps[row], (interval, block.modes[device]), 1)

    def _note_switches(self, row: int, block: Block, steps: npt.NDArray[np.int64]) -> None:
        device, noted, off = int(self.watched[row]), self.switches[row], self.count - 1
        for step in steps[: MAX_SWITCHES - len(noted)]:
            before = int(block.modes[device, step - 1] if step else block.before[device])
            after = int(block.modes[device, step])
            if after != off:
                noted.append(Switch(device, (block.first + int(step)) * self.step_s, before, after))

    def _note(self, times_s: FloatArray, level_j: FloatArray, block: Block) -> tuple[IntArray, IntArray]:
        """Note when the charge first came down to a level, by the straight line within the step; which devices, in which step.

        `times_s` and `level_j` have shape `D`.
        """
        rows = np.flatnonzero(np.isnan(times_s) & (block.unbounded_j[:, -1] <= level_j))
        step = (block.unbounded_j[rows] <= level_j[rows, None]).argmax(axis=1)
        end_j = block.unbounded_j[rows, step]
        begin_j = np.where(step > 0, block.unbounded_j[rows, np.maximum(step - 1, 0)], block.begin_j[rows])
        part = (begin_j - level_j[rows]) / (begin_j - end_j)
        times_s[rows] = (block.first + step + part) * self.step_s
        return rows, step
