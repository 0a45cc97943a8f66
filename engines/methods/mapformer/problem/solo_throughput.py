"""How fast a network can go alone: no way through the board is faster, at any clocks.

A way has at most some segments, one after the other on units that differ from the one before. Time T of a frame suffices where
segments, each as long as T allows, reach the end. This leaves out the bytes of all cuts but the smallest; and in ways that
come back to a unit after more than one other that its time is shared, which only makes the pace higher; so it bounds every mapping.
"""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.simulation.board import Board

_HALVINGS = 24
_ROUNDING = 1e-9
_AGES_S = 1e9


def highest_pace_per_s(board: Board, segments: int) -> FloatArray:
    """Return the frames per second that no way of each network passes, shape `n`."""
    return np.array([_Network(board, number, segments).pace_per_s() for number in range(len(board.networks))])


class _Network:
    """One network on all units at their fastest clocks."""

    def __init__(self, board: Board, number: int, segments: int) -> None:
        network = board.networks[number]
        self._layers, self._segments, self._units = network.layers, segments, range(len(board.units))
        fastest = [each.min(axis=1) for each in network.latency_s]
        self._sums = [np.concatenate([[0.0], np.where(np.isinf(each), 0.0, each).cumsum()]) for each in fastest]
        self._reach = board.reach[number]
        self._cut_s = float(board.hand_over_s[number, 1 : network.layers].min()) if network.layers > 1 else 0.0
        self._memory_s = float(board.memory_s[number])
        self._least_s = float(np.min(fastest, axis=0).sum()) / len(board.units)

    def pace_per_s(self) -> float:
        """Return the time by halving between one that no mapping undercuts and one that suffices."""
        low = max(self._least_s, self._memory_s)
        high = 2 * low
        while not self._suffices(high) and high < _AGES_S:
            low, high = high, 2 * high
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._suffices(middle) else (middle, high)
        return (1 + _ROUNDING) / low

    def _suffices(self, seconds: float) -> bool:
        """Return whether some way needs its busiest unit for at most so long."""
        return any(self._goes_on(unit, self._furthest(unit, 0, seconds), seconds, 1, unit) for unit in self._units)

    def _goes_on(self, before: int, at: int, seconds: float, used: int, first: int) -> bool:
        if at >= self._layers:
            return True
        if used == self._segments or seconds < self._cut_s:
            return False
        for unit in self._units:
            if unit == before:
                continue
            if unit == first and used == 2:
                if self._comes_back(first, before, at, seconds):
                    return True
                if used + 1 == self._segments:
                    continue
            if self._goes_on(unit, self._furthest(unit, at, seconds - self._cut_s), seconds, used + 1, first):
                return True
        return False

    def _comes_back(self, outer: int, inner: int, most: int, seconds: float) -> bool:
        """Return whether one unit has the begin and the end, another what is between them."""
        start: IntArray = np.arange(self._furthest(outer, 0, seconds) + 1)
        sums, reach = self._sums[inner], self._reach[inner]
        end = np.searchsorted(sums, (sums[start] + seconds - self._cut_s) * (1 + _ROUNDING), side="right") - 1
        end = np.minimum(np.minimum(end, reach[start]), self._layers)
        own = self._sums[outer]
        rest = own[start] + own[-1] - own[end] + self._cut_s
        return bool(((rest <= seconds * (1 + _ROUNDING)) & (self._reach[outer][end] >= self._layers)).any())

    def _furthest(self, unit: int, start: int, seconds: float) -> int:
        sums = self._sums[unit]
        end = int(np.searchsorted(sums, (sums[start] + seconds) * (1 + _ROUNDING), side="right")) - 1
        return min(end, int(self._reach[unit, start]), self._layers)
