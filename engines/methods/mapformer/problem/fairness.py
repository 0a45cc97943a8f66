"""Shares of networks on one board: the rate of each in a mix over the rate that it asks for, or could have alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.mapformer.problem.solo_throughput import highest_pace_per_s
from engines.simulation.board import Board
from engines.simulation.steady_state import Steady


@dataclass(frozen=True, eq=False)
class Fairness:
    """Shares of networks: 1 is the rate that a scenario states, and without one the highest rate alone on the board.

    Attributes:
        full_per_s: rate of share 1, shape `n`.
        least: smallest share that a mapping may have; 0 without a limit.
    """

    full_per_s: FloatArray
    least: float = 0.0

    @staticmethod
    def on(board: Board, segments: int, least: float = 0.0) -> Fairness:
        """Return the shares on a board; alone, a network has all units at their highest clocks and at most so many segments."""
        asked = board.most_per_s
        return Fairness(np.where(np.isfinite(asked), asked, highest_pace_per_s(board, segments)), least)

    def shares(self, steady: Steady) -> FloatArray:
        """Return the share of every network, shape `b x n`; 0 where its mapping cannot run."""
        return np.asarray(steady.throughput_per_s / self.full_per_s)

    def smallest(self, steady: Steady) -> FloatArray:
        """Return the smallest share, shape `b`."""
        return np.asarray(self.shares(steady).min(axis=1))

    def of_networks(self, networks: Sequence[int]) -> Fairness:
        """Return the shares of some of the networks."""
        return Fairness(self.full_per_s[list(networks)], self.least)
