"""A backbone with its candidate exits: their positions, costs and accuracies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.cost.soc.operations import OperationTable
from engines.methods.hadas.exits import Positions, exit_table
from engines.methods.hadas.pricing import PartPrices
from engines.methods.hadas.spaces import Subnet
from engines.search.ends.correctness import Correctness
from engines.search.ends.costs import EndCosts
from engines.search.ends.exit_rules import RuledEnds


@dataclass(frozen=True, eq=False)
class Backbone:
    """A network of `n` ends, its own the last.

    Attributes:
        title: title on pages.
        subnet: the point of the space; None for a network that was given.
        table: table of its operations.
        positions: positions of the candidate exits.
        classes: outputs of each exit.
        exit_channels: channels of each exit's convolution.
        macs: multiply-accumulates without exits.
        work: share of them up to each end, shape `n`.
        correctness: who is right at which end.
        ruled: the same under rules that can run; None where how sure exits are was not measured.
    """

    title: str
    subnet: Subnet | None
    table: OperationTable
    positions: Positions
    classes: int
    exit_channels: int
    macs: float
    work: FloatArray
    correctness: Correctness
    ruled: RuledEnds | None = None

    @property
    def ends(self) -> int:
        """How many, the network's own among them."""
        return len(self.positions.starts)

    def costs(self, prices: PartPrices) -> tuple[EndCosts, EndCosts]:
        """Return the latency and energy of the parts and of the exits at all settings of the prices.

        Raises:
            NoEstimateError: names an operation that no estimate covers.
        """
        trunk = prices.price(self.table, self.positions.starts)
        own = np.zeros((1, len(prices.settings)))
        each = [
            prices.price(exit_table(shape, self.classes, self.exit_channels), (0,)) for shape in self.positions.shapes
        ]
        heads = [np.concatenate([*(priced[cost] for priced in each), own]) for cost in range(2)]
        return EndCosts(trunk[0], heads[0]), EndCosts(trunk[1], heads[1])


def work_up_to(table: OperationTable, starts: tuple[int, ...]) -> FloatArray:
    """Return the share of the multiply-accumulates up to each end, shape `n`; by operations where there are none."""
    each = np.where(table.runs, table.macs, 0.0)
    if not each.any():
        each = table.runs.astype(np.float64)
    return np.asarray(np.cumsum(np.add.reduceat(each, np.array(starts))) / each.sum())
