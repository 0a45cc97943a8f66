"""Data that a training learns from and is measured by, simulated from streams of the problem's seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.engine import Problem
from engines.methods.mapformer.estimator.mixes import Random, Samples, simulated_mixes
from engines.methods.mapformer.estimator.pool import pool_board, pool_models
from engines.methods.mapformer.estimator.shape import EstimatorShape
from engines.methods.mapformer.training.params import TrainEstimatorParams
from engines.simulation.board import Board
from engines.workloads.network import Scenario
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc

HEADS = 8  # karatzas-2024 Table 2


@dataclass(frozen=True, eq=False)
class Source:
    """The board with all networks, and which of them training sees.

    Attributes:
        pool: board with every network.
        costs: source of the layer times, in words.
        seen, unseen: numbers of networks.
    """

    params: TrainEstimatorParams
    pool: Board
    costs: str
    seen: IntArray
    unseen: IntArray
    random: Random = field(repr=False)

    @property
    def shape(self) -> EstimatorShape:
        """Return the shape of the transformer."""
        own = self.params
        return EstimatorShape(
            len(self.pool.units), self.pool.rows, own.most_networks, own.layers, HEADS, own.width, 4 * own.width
        )

    def training(self) -> Iterator[Samples]:
        """Yield the samples of training, one mix at a time."""
        return self._mixes("training", self.seen, self.params.mixes, self.params.mappings)

    def held_out(self) -> Samples:
        """Return the held-out mixes of the same networks."""
        own = self.params
        return Samples.joined(list(self._mixes("held out", self.seen, own.held_out_mixes, own.held_out_mappings)))

    def never_seen(self) -> Samples | None:
        """Return the mixes of networks kept from training alone."""
        own = self.params
        if not len(self.unseen):
            return None
        return Samples.joined(list(self._mixes("unseen", self.unseen, own.held_out_mixes, own.held_out_mappings)))

    def _mixes(self, name: str, able: IntArray, mixes: int, mappings: int) -> Iterator[Samples]:
        own = self.params
        return simulated_mixes(
            self.pool, able, self.random, name, mixes, mappings, own.segments, own.most_layers, own.most_networks
        )


def source_of(problem: Problem[TrainEstimatorParams], random: Random) -> Source:
    """Return the board, and the networks that training sees.

    Raises:
        ProblemError: a device without power, or an operation that no unit runs.
    """
    given = problem.optional("workload", Scenario)
    models = pool_models() if given is None else given.models
    soc, calibration = problem.value("hardware", Soc), problem.optional("calibration", SocCalibration)
    pool, covered = pool_board(soc, calibration, problem.params.unmeasured, models)
    order = random("networks").permutation(len(models))
    kept = problem.params.unseen_networks
    return Source(problem.params, pool, covered.words(), np.sort(order[kept:]), np.sort(order[:kept]), random)
