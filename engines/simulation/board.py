"""A board on which several networks run at once: what its units cost at every clock, and mappings of the networks to them.

Every network is a chain of layers, cut into segments; each segment has a unit, each unit a clock or is off. Frames follow each
other through the segments as in a pipeline. `engines.simulation.steady_state` says how fast that goes, `engines.simulation.frames`
lets single frames through.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.engine import require


@dataclass(frozen=True, eq=False)
class BoardUnit:
    """One unit.

    Attributes:
        name: name on pages.
        clocks_hz: ascending; step 0 of a mapping is off, step k the k-th of them.
        idle_w: while it is on.
        dynamic_w: additional power at full load, at each clock.
    """

    name: str
    clocks_hz: tuple[float, ...]
    idle_w: float
    dynamic_w: FloatArray


@dataclass(frozen=True, eq=False)
class BoardNetwork:
    """One network, of `l` layers; times, bytes and energies are of one frame.

    Attributes:
        name: name on pages.
        latency_s: of every layer, on each unit at each of its clocks: arrays of shape `l x clocks`, infinite where the unit cannot
            run it.
        moved_bytes: moved in bytes of every layer to and from memory, shape `l`.
        cut_bytes: what goes from one unit to another where the chain is cut before a layer, shape `l`; the first counts for
            nothing.
        most_per_s: frames that come in; infinite where frames always wait.
        weight: weight of two networks that wait for a unit, one of twice the weight continues twice as fast.
    """

    name: str
    latency_s: tuple[FloatArray, ...]
    moved_bytes: FloatArray
    cut_bytes: FloatArray
    most_per_s: float = np.inf
    weight: float = 1.0

    @property
    def layers(self) -> int:
        """How many."""
        return len(self.moved_bytes)


@dataclass(frozen=True, eq=False)
class Mappings:
    """`b` mappings of `n` networks to `u` units.

    Attributes:
        ends: layer after the last of each segment, ascending, shape `b x n x s`; the last segments may be empty.
        units: units of each segment, shape `b x n x s`.
        steps: steps of each unit's clock, 0 for off, shape `b x u`.
    """

    ends: IntArray
    units: IntArray
    steps: IntArray

    def __len__(self) -> int:
        return len(self.steps)

    def take(self, rows: IntArray | BoolArray) -> Mappings:
        """Return the mappings at `rows`."""
        return Mappings(self.ends[rows], self.units[rows], self.steps[rows])

    def repeated(self, count: int) -> Mappings:
        """Return each of them so many times, one after the other."""
        return Mappings(*(np.repeat(each, count, axis=0) for each in (self.ends, self.units, self.steps)))

    @staticmethod
    def joined(*parts: Mappings) -> Mappings:
        """Return the elements of all parts, in order."""
        ends, units, steps = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("ends", "units", "steps")
        )
        return Mappings(ends, units, steps)


@dataclass(frozen=True, eq=False)
class Board:
    """Units, the memory that they share, and the networks that run there.

    Attributes:
        memory_bytes_per_s: bandwidth.
        memory_idle_w, memory_dynamic_w: power of the memory, and what full load adds.
        cut_s: fixed time of a transfer from one unit to another.
    """

    units: tuple[BoardUnit, ...]
    networks: tuple[BoardNetwork, ...]
    memory_bytes_per_s: float
    memory_idle_w: float
    memory_dynamic_w: float
    cut_s: float

    def __post_init__(self) -> None:
        require(len(self.networks) > 0, "networks", 0, "a list of at least one network")
        for network in self.networks:
            lacking = np.flatnonzero(np.isinf(np.stack([each.min(axis=1) for each in network.latency_s])).all(axis=0))
            accepted = "layers that at least one unit runs"
            require(not len(lacking), f"networks.{network.name}", f"layer {lacking[:1]} on no unit", accepted)

    @property
    def resources(self) -> int:
        """Units and the memory, which is the last."""
        return len(self.units) + 1

    @cached_property
    def layers(self) -> IntArray:
        """Return the number of layers of each network, shape `n`."""
        return np.array([network.layers for network in self.networks], dtype=np.int64)

    @cached_property
    def first_row(self) -> IntArray:
        """Where the clocks of each unit begin among the rows of `time_s`, its step 0 included, shape `u`."""
        counts = [len(unit.clocks_hz) + 1 for unit in self.units]
        return np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)

    @cached_property
    def rows(self) -> int:
        """Clocks of all units together, with off."""
        return sum(len(unit.clocks_hz) + 1 for unit in self.units)

    @cached_property
    def time_s(self) -> FloatArray:
        """Time of the first k layers of a network at each clock of each unit, shape `n x rows x (longest + 1)`.

        Layers that the unit cannot run count nothing: `reach` tells of them. Infinite where the unit is off.
        """
        table = np.zeros((len(self.networks), self.rows, int(self.layers.max()) + 1))
        for number, network in enumerate(self.networks):
            for unit, row in enumerate(self.first_row.tolist()):
                steps = np.where(np.isfinite(network.latency_s[unit]), network.latency_s[unit], 0.0).T
                table[number, row + 1 : row + 1 + len(steps), 1 : network.layers + 1] = steps.cumsum(axis=1)
        return table

    @cached_property
    def reach(self) -> IntArray:
        """First layer from k on that a unit cannot run, shape `n x u x (longest + 1)`; the number of layers where it runs all."""
        table = np.zeros((len(self.networks), len(self.units), int(self.layers.max()) + 1), dtype=np.int64)
        for number, network in enumerate(self.networks):
            for unit in range(len(self.units)):
                ends = np.where(np.isinf(network.latency_s[unit][:, -1]), np.arange(network.layers), network.layers)
                table[number, unit, : network.layers] = np.minimum.accumulate(ends[::-1])[::-1]
                table[number, unit, network.layers :] = network.layers
        return table

    @cached_property
    def hand_over_s(self) -> FloatArray:
        """Return what a cut before a layer takes of the unit that continues, shape `n x (longest + 1)`: written and read again."""
        return self.cut_s + 2 * self.cut_bytes / self.memory_bytes_per_s

    @cached_property
    def cut_bytes(self) -> FloatArray:
        """Return the bytes at each cut of `networks`, side by side, shape `n x (longest + 1)`."""
        table = np.zeros((len(self.networks), int(self.layers.max()) + 1))
        for number, network in enumerate(self.networks):
            table[number, : network.layers] = network.cut_bytes
        return table

    @cached_property
    def memory_s(self) -> FloatArray:
        """Return what a frame of each network takes of the memory, transfers apart, shape `n`."""
        return np.array([network.moved_bytes.sum() for network in self.networks]) / self.memory_bytes_per_s

    @cached_property
    def weights(self) -> FloatArray:
        """Return the weights of `networks`, shape `n`."""
        return np.array([network.weight for network in self.networks])

    @cached_property
    def most_per_s(self) -> FloatArray:
        """Return the highest throughput of `networks`, shape `n`."""
        return np.array([network.most_per_s for network in self.networks])

    @cached_property
    def idle_w(self) -> FloatArray:
        """Return the idle power of every row of `time_s`: 0 where the unit is off."""
        return np.concatenate([[0.0, *[unit.idle_w] * len(unit.clocks_hz)] for unit in self.units])

    @cached_property
    def dynamic_w(self) -> FloatArray:
        """Return the dynamic power of every row of `time_s`."""
        return np.concatenate([[0.0, *unit.dynamic_w] for unit in self.units])

    @cached_property
    def step_counts(self) -> IntArray:
        """Clocks of each unit, off not counted, shape `u`."""
        return np.array([len(unit.clocks_hz) for unit in self.units], dtype=np.int64)

    def rows_of(self, steps: IntArray) -> IntArray:
        """Return the steps of clocks as rows of `time_s`, shape `b x u`."""
        return self.first_row + steps
