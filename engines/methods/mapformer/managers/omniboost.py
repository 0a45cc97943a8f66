"""OmniBoost (Karatzas and Anagnostopoulos, DAC 2023) as karatzas-2024 describes it: a CNN that a tree search queries.

Networks are decided about one after the other: whole on CPU or GPU, or the first layers on one and the rest on the other, cut after
an eighth of its layers, two eighths and so on. As published, no network comes back to a unit that it left, and DLAs are unknown.
A mapping is worth what the network tells at the highest clocks; clocks are lowered evenly until the power limit is kept, as
power is no part of it. OmniBoost* asks the network that learnt within the mode of power: what it tells is throughput once clocks
were lowered (section 5.1: "retraining the CNN estimator under different power thresholds").
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.results import Result, Table, TableColumn
from engines.methods.mapformer.managers.manager import Manager, Round, Task, worth
from engines.methods.mapformer.managers.tree_search import DecisionTree
from engines.methods.mapformer.omniboost.blocks import blocks_of
from engines.methods.mapformer.omniboost.shipped_networks import FREE, ShippedNetworks, network_of, shipped_for
from engines.methods.mapformer.problem.space import at_even_clocks
from engines.simulation.board import Mappings
from engines.simulation.steady_state import steady_state

if TYPE_CHECKING:
    from engines.methods.mapformer.omniboost.network import ThroughputNetwork

BUDGET = 500  # ways down the tree; planner default of AndreasKaratzas/omniboost-v1
PER_ROUND = 50
_AT_ONCE = 10  # that the network is asked about together
_EIGHTHS = 8


class OmniBoostManager(Manager):
    """Monte-Carlo tree search over the network."""

    knows_power: ClassVar[bool] = False

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._units = np.array(task.units_of("cpu", "gpu"))
        self._ways = [self._ways_of(network) for network in range(task.space.networks)]
        self._read: ThroughputNetwork | None = None

    @property
    def rounds(self) -> int:
        """Number of rounds; each returns the mapping with the best prediction among those not yet returned."""
        return BUDGET // PER_ROUND

    def round(self, number: int, state: Mapping[str, Any]) -> Round:
        """Go down the tree `PER_ROUND` times."""
        from engines.data.torch_images import pinned

        random, counts = self.task.random("omniboost", number), [len(ways) for ways in self._ways]
        tree = DecisionTree.restored(state) if number else DecisionTree.started(max(counts))
        taken = np.asarray(state["taken"] if number else np.zeros((0, len(counts)), np.int64))
        values = np.asarray(state["values"] if number else np.zeros(0))
        with pinned("cpu"):
            for _ in range(PER_ROUND // _AT_ONCE):
                low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
                ways, paths = [], []
                for _ in range(_AT_ONCE):
                    way, path = tree.descended(counts, low, high, random)
                    tree.credited(path, low)  # until it is known, so that the next ones go elsewhere
                    ways.append(way)
                    paths.append(path)
                told = self._told(self._mappings(ways))
                for path, value in zip(paths, told.tolist(), strict=True):
                    tree.corrected(path, value - low)
                taken, values = np.concatenate([taken, ways]), np.concatenate([values, told])
        handed = np.asarray(state["handed"] if number else [], np.int64)
        known = {tuple(each) for each in taken[handed].tolist()}
        order = np.argsort(-values, kind="stable").tolist()
        new = next((row for row in order if tuple(taken[row].tolist()) not in known), order[0])
        after = {**tree.kept(), "taken": taken.astype(np.int16), "values": values, "handed": np.append(handed, new)}
        return self.tried(at_even_clocks(self.task.space, self._mappings([taken[new].tolist()])), after)

    def results(self, state: Mapping[str, Any]) -> tuple[Result, ...]:
        """Return the network's predictions for the returned mappings, compared with the simulator."""
        values, taken = np.asarray(state["values"]), np.asarray(state["taken"])
        rows = np.asarray(state["handed"]).tolist()
        handed = self._mappings(taken[rows].tolist())
        steady = steady_state(self.task.board, at_even_clocks(self.task.space, handed))
        cap_w = self.task.power_limit_w if self.knows_power else np.inf
        best = worth(steady, np.array([cap_w]))[0].reshape(len(rows), -1).max(axis=1)
        where = "at the highest clocks" if np.isinf(cap_w) else f"within {cap_w:g} W"
        columns = (
            TableColumn("Predicted number", np.arange(1.0, len(rows) + 1)),
            TableColumn("Mean throughput, predicted", values[rows], "1/s"),
            TableColumn(f"Simulated {where}", np.where(best > 0, best, np.nan), "1/s"),
        )
        return (Table("handed-over", "Choice of the manager, predicted and simulated", columns),)

    def _told(self, mappings: Mappings) -> FloatArray:
        if self._read is None:
            shipped = self._shipped()
            self._read = network_of(shipped, shipped.within(self.task.power_limit_w) if self.knows_power else FREE)
        return self._read.told(blocks_of(self.task.board, mappings, self._units))

    def _shipped(self) -> ShippedNetworks:
        found = shipped_for(self.task.device)
        assert found is not None  # refused when the problem was prepared
        return found

    def _mappings(self, ways: list[list[int]]) -> Mappings:
        """Return one way of each network, shape `b x n`, at the highest clocks."""
        space = self.task.space
        ends = np.tile(self.task.board.layers[:, None], (len(ways), 1, space.segments))
        chosen = np.array([[self._ways[network][way] for network, way in enumerate(each)] for each in ways])
        units = np.repeat(chosen[:, :, 2, None], space.segments, axis=2)
        ends[:, :, 0], units[:, :, 0] = chosen[:, :, 0], chosen[:, :, 1]
        return space.tidied(Mappings(ends, units, np.tile(space.counts, (len(ways), 1))))

    def _ways_of(self, network: int) -> list[tuple[int, int, int]]:
        """Cut, unit before it, unit after it; those that the units can run."""
        board, layers = self.task.board, int(self.task.board.layers[network])
        cuts = sorted({round(layers * part / _EIGHTHS) for part in range(1, _EIGHTHS)} - {0, layers})
        ways = [(layers, unit, unit) for unit in self._units.tolist()]
        if self.task.space.segments > 1:
            ways += [
                (cut, first, second)
                for first, second in product(self._units.tolist(), repeat=2)
                for cut in cuts
                if first != second
            ]
        able = [
            (cut, first, second)
            for cut, first, second in ways
            if board.reach[network, first, 0] >= cut and (cut == layers or board.reach[network, second, cut] >= layers)
        ]
        return able or ways[:1]


class OmniBoostPowerManager(OmniBoostManager):
    """OmniBoost*."""

    knows_power = True
