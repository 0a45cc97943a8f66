"""Fixed-step simulation of many devices at once.

Every device takes a mode at the begin of each step, by its policy: by the level of its surroundings, the bin of its charge and,
where the policy says so, the mode before. It spends power x step, and what going to another mode takes; the mode of the first
step is free. The charge falls in a straight line within a step; the policy sees it at the next step. Energy is conserved: what
is spent is what the charge lost.

All steps of a block are done at once for all devices: charge only falls, so a block is computed as if no charge came down to
an edge, and what follows a crossing is computed again for the devices that met one. That gives what a loop over steps gives.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.contract.engine import require
from engines.contract.integer_format import counted
from engines.simulation.counters import Block, Counter
from engines.simulation.fleet import Fleet, IntArray, Modes, Policy, Surroundings
from engines.simulation.outcome import Outcome

_CELLS_PER_BLOCK = 200_000
_LARGEST_STEPS = 10_000_000


@dataclass(frozen=True)
class Clock:
    """Steps of a simulation.

    Attributes:
        step_s: above 0.
        steps: number of steps, T.
        kept: largest number of times in traces, including the first and the last.
    """

    step_s: float
    steps: int
    kept: int = 721

    def __post_init__(self) -> None:
        require(self.step_s > 0, "clock.step_s", self.step_s, "a time above 0, in s")
        require(
            0 < self.steps <= _LARGEST_STEPS, "clock.steps", self.steps, f"from 1 to {counted(_LARGEST_STEPS)} steps"
        )
        require(self.kept >= 2, "clock.kept", self.kept, "at least 2, for start and end")

    @property
    def stride(self) -> int:
        """Steps from one kept time to the next."""
        return -(-self.steps // (self.kept - 1))

    @property
    def bounds(self) -> npt.NDArray[np.int64]:
        """Steps at whose beginning the kept times lie, ascending, shape `kept + 1`."""
        return np.append(np.arange(0, self.steps, self.stride, dtype=np.int64), self.steps)


def simulate(
    fleet: Fleet,
    modes: Modes,
    policy: Policy,
    surroundings: Surroundings,
    clock: Clock,
    watched: tuple[int, ...] = (0,),
) -> Outcome:
    """Return the modes and the energy of the devices over time.

    Args:
        fleet: devices and batteries.
        modes: modes of a device.
        policy: selection of modes over time.
        surroundings: levels and budgets, for at least `clock.steps` steps.
        clock: the steps.
        watched: devices that are kept whole.

    Raises:
        ProblemError: the parts do not fit each other.
    """
    policy.check(len(modes.names), surroundings.levels)
    indices = np.asarray(watched, np.int64)
    require(
        bool(np.all((indices >= 0) & (indices < len(fleet)))), "watched", watched, f"indices of {len(fleet)} devices"
    )
    kernel = _Kernel(fleet, modes, policy, clock.step_s)
    counter = Counter(fleet, modes, clock.step_s, clock.stride, clock.bounds, indices)
    size = max(1, _CELLS_PER_BLOCK // len(fleet) // clock.stride) * clock.stride
    for first in range(0, clock.steps, size):
        last = min(first + size, clock.steps)
        block = kernel.advance(surroundings.levels_in(first, last), first)
        counter.add(block, surroundings.budgets_w_in(first, last))
    return counter.outcome()


class _Kernel:
    """Charge and mode of all devices between two blocks. The mode after the last one is off."""

    def __init__(self, fleet: Fleet, modes: Modes, policy: Policy, step_s: float) -> None:
        self.devices, self.off = len(fleet), len(modes.names)
        # The lowest edge is where a device ends. Bins of the policy that lie below it are never used.
        above = policy.charge_edges > fleet.end_share
        edges = np.concatenate(([fleet.end_share], policy.charge_edges[above]))
        self.edges_j = edges[None, :] * fleet.capacities_j[:, None]
        self.table = _with_off(policy.table[:, int((~above).sum()) :].astype(np.int16), self.off)
        self.step_j = np.append(modes.powers_w, 0.0) * step_s
        self.factors = fleet.power_factors
        self.switch_j = None if modes.switch_j is None else np.pad(modes.switch_j, (0, 1))
        self.energy = fleet.charge_shares * fleet.capacities_j
        self.mode: IntArray = np.full(self.devices, policy.first_mode, np.int16)
        self.started = False

    def advance(self, levels: IntArray, first: int) -> Block:
        """Return the steps from `first` on, as many as there are levels (`D x n` or `1 x n`)."""
        levels = np.broadcast_to(levels, (self.devices, levels.shape[1]))
        modes, spent = self._step_by_step(levels) if self.table.ndim == 3 else self._at_once(levels)
        unbounded = np.subtract(self.energy[:, None], spent, out=spent)
        block = Block(first, self.mode if self.started else modes[:, 0], modes, self.energy, unbounded)
        # In the step in which a device ends it cannot spend more than there was.
        self.energy = np.minimum(self.energy, np.maximum(unbounded[:, -1], self.edges_j[:, 0]))
        self.mode, self.started = modes[:, -1].copy(), True
        return block

    def _at_once(self, levels: IntArray) -> tuple[IntArray, FloatArray]:
        """Return the modes and energy spent since the begin of the block, both `D x n`, redone behind crossings of edges."""
        rows = np.arange(self.devices)
        bins = (self.energy[:, None] > self.edges_j).sum(axis=1)
        modes = self.table[levels, bins[:, None]]
        spent = self._spent(modes, rows)
        while rows.size:
            rows = rows[bins[rows] > 0]
            lower_j = self.edges_j[rows, bins[rows] - 1]
            # Charge only falls: whether an edge was met shows at the end of the block.
            rows = rows[self.energy[rows] - spent[rows, -1] <= lower_j]
            below = self.energy[rows, None] - spent[rows] <= self.edges_j[rows, bins[rows] - 1][:, None]
            at = below.argmax(axis=1)
            bins[rows] = ((self.energy[rows] - spent[rows, at])[:, None] > self.edges_j[rows]).sum(axis=1)
            behind = np.arange(levels.shape[1])[None, :] > at[:, None]
            modes[rows] = np.where(behind, self.table[levels[rows], bins[rows][:, None]], modes[rows])
            spent[rows] = self._spent(modes[rows], rows)
        return modes, spent

    def _step_by_step(self, levels: IntArray) -> tuple[IntArray, FloatArray]:
        """Return the same where the mode before matters: a loop over the steps, all devices at once."""
        modes, spent = np.empty(levels.shape[::-1], np.int16), np.empty(levels.shape[::-1])
        left, before, every = self.energy, self.mode, np.arange(self.devices)
        bins = (left[:, None] > self.edges_j).sum(axis=1)
        lower_j = self.edges_j[every, np.maximum(bins - 1, 0)]
        for step in range(levels.shape[1]):
            met = np.flatnonzero(left <= lower_j)
            if met.size:  # few steps have one
                bins[met] = (left[met, None] > self.edges_j[met]).sum(axis=1)
                lower_j[met] = np.where(bins[met], self.edges_j[met, np.maximum(bins[met] - 1, 0)], -np.inf)
            now = self.table[levels[:, step], bins, before]
            left = left - self.step_j[now] * self.factors
            if self.switch_j is not None and (step or self.started):
                left -= self.switch_j[before, now]
            modes[step], spent[step], before = now, left, now
        return modes.T, self.energy[:, None] - spent.T

    def _spent(self, modes: IntArray, rows: npt.NDArray[np.int64]) -> FloatArray:
        step_j = self.step_j[modes]
        step_j *= self.factors[rows, None]
        if self.switch_j is not None:
            before = self.mode[rows, None] if self.started else modes[:, :1]
            step_j += self.switch_j[np.concatenate((before, modes[:, :-1]), axis=1), modes]
        return np.cumsum(step_j, axis=1, out=step_j)


def _with_off(table: IntArray, off: int) -> IntArray:
    """Return a table with a lowest bin of charge in which the device is off."""
    if table.ndim == 3:  # the row of the mode off is only asked for in the lowest bin
        table = np.concatenate((table, table[:, :, :1]), axis=2)
    return np.concatenate((np.full_like(table[:, :1], off), table), axis=1)
