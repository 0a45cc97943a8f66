"""The bound for all mappings: a linear programme in which every network may divide its frames among mappings at will.

A way w of network n sends one frame through segments on units, each layer at a clock of its unit; it takes a[w, r] seconds of
resource r, b[w] joules, and s[w] seconds of all resources together.

    max (1/N) sum of t[w]                                over rates t[w] >= 0
    sum of t[w] a[w, r] <= 1                             for every unit and the memory
    memory idle + sum of t[w] b[w] <= P                  where power is limited
    sum over the ways of n of t[w] <= pace[n]            no faster than its best way alone, nor than its rate
    sum over the ways of n of t[w] s[w] >= share[n]      where it has no rate

The pace holds as a mapping has one way for each network (`engines.methods.mapformer.problem.solo_throughput`): without it the
fastest network would run on every unit at once. The last line holds because waiting networks share units fairly
(`engines.simulation.steady_state`): a network gets at least its weight over the sum of weights of its dominant resource. What
is left out only makes mappings worse: that a network has one way, that a unit has one clock, that it draws idle power while it
waits. So every mapping is a solution, and the optimum bounds them all.

There are far too many ways to list: they are found by columns (Dantzig and Wolfe 1960), the best way at given prices by going
through the layers once. Each round gives a bound by Lagrange, as no network passes its pace; the least of them counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.numeric.ordered_sums import product_in_order
from engines.methods.mapformer.problem.solo_throughput import highest_pace_per_s
from engines.simulation.board import Board

_TOLERANCE = 1e-4
_MOST_ROUNDS = 200
_ROUNDING = 1e-9
_PENALTY = 1e3  # of a share that is not reached, in the highest rate of any network: more than any price
_FAR = 1e30


@dataclass(frozen=True)
class ThroughputBound:
    """The bound.

    Attributes:
        mean_per_s: no mapping has a higher mean throughput; 0 where no mapping keeps the power limit.
        relaxed_per_s: what the programme reaches; the bound is at most a ten-thousandth above, if rounds were enough.
        prices: dual prices of a second of each unit, of the memory, and of a joule, shape `u + 2`.
    """

    mean_per_s: float
    relaxed_per_s: float
    prices: FloatArray


def throughput_bound(board: Board, segments: int, power_limit_w: float = np.inf) -> ThroughputBound:
    """Return the bound over all mappings with at most so many segments of a network, at all clocks, within a power limit."""
    spare_w = power_limit_w - board.memory_idle_w
    if spare_w <= 0:
        return ThroughputBound(0.0, 0.0, np.zeros(board.resources + 1))
    ways = _Ways(board, segments)
    master = _Master(board, spare_w, ways.most_per_s)
    prices, shares, caps = np.append(np.ones(board.resources), float(np.isfinite(spare_w))), *np.zeros((2, ways.count))
    best = ThroughputBound(np.inf, 0.0, prices)
    for number in range(_MOST_ROUNDS):
        if number:
            value, prices, shares, caps = master.solved()
        use = ways.best(prices, shares)
        seconds = use[:, :-1].sum(axis=1)
        profit = 1 / ways.count - product_in_order(use, prices) - caps + shares * seconds
        if number:
            bound = (1 + _ROUNDING) * master.dual_value(prices, shares, caps) + float(
                product_in_order(ways.most_per_s, np.maximum(profit, 0.0))
            )
            bound = max(bound, value, 0.0)
            if bound < best.mean_per_s:
                best = ThroughputBound(bound, value, prices)
            if best.mean_per_s <= max(value, 0.0) * (1 + _TOLERANCE):
                return ThroughputBound(best.mean_per_s, value, prices)
        for network in np.flatnonzero(profit > 0).tolist() if number else range(ways.count):
            master.add(network, use[network], float(seconds[network]))
    return best


class _Master:
    """The programme over the ways that are known."""

    def __init__(self, board: Board, spare_w: float, most_per_s: FloatArray) -> None:
        self._count, self._resources = len(board.networks), board.resources
        self._limited = np.isfinite(spare_w)
        self._free = np.flatnonzero(np.isinf(board.most_per_s))
        share = board.weights / board.weights.sum()
        self._right = np.concatenate(
            [
                np.ones(board.resources),
                [spare_w] if self._limited else [],
                most_per_s,
                -share[self._free],
            ]
        )
        self._columns = [
            np.concatenate([np.zeros(len(self._right) - len(self._free)), -row]) for row in np.eye(len(self._free))
        ]
        self._profits = [-_PENALTY * float(most_per_s.max())] * len(self._free)

    def add(self, network: int, use: FloatArray, seconds: float) -> None:
        """Add one more column."""
        own, free = (np.arange(self._count) == network).astype(float), (self._free == network) * -seconds
        taken = use if self._limited else use[:-1]
        self._columns.append(np.concatenate([taken, own, free]))
        self._profits.append(1 / self._count)

    def solved(self) -> tuple[float, FloatArray, FloatArray, FloatArray]:
        """Return the value, and the prices of resources and joules, of shares, and of rates by network."""
        matrix = np.stack(self._columns, axis=1)
        found = linprog(-np.array(self._profits), A_ub=matrix, b_ub=self._right, method="highs-ds")
        duals = np.maximum(-found.ineqlin.marginals, 0.0)
        prices, shares, caps = np.zeros(self._resources + 1), np.zeros(self._count), np.zeros(self._count)
        rows = self._resources + int(self._limited)
        prices[:rows], caps = duals[:rows], duals[rows : rows + self._count]
        shares[self._free] = duals[rows + self._count :]
        return -float(found.fun), prices, shares, caps

    def dual_value(self, prices: FloatArray, shares: FloatArray, caps: FloatArray) -> float:
        """Return the dual value of resources, rates and shares at these prices."""
        rows = self._resources + int(self._limited)
        return float(product_in_order(self._right, np.concatenate([prices[:rows], caps, shares[self._free]])))


class _Ways:
    """The best way of every network at given prices, all networks at once.

    Attributes:
        count: number of networks.
        most_per_s: no network is faster, shape `n`.
    """

    def __init__(self, board: Board, segments: int) -> None:
        self.count = len(board.networks)
        self._units, self._segments = len(board.units), segments
        longest = int(board.layers.max())
        counts = board.step_counts
        self._first: IntArray = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
        self._watts = np.concatenate([unit.idle_w + unit.dynamic_w for unit in board.units])
        self._unit = np.repeat(np.arange(self._units), counts)
        self._latency_s = np.zeros((longest, self.count, len(self._unit)))
        for number, network in enumerate(board.networks):
            self._latency_s[: network.layers, number] = np.concatenate(network.latency_s, axis=1)
        self._cut_s = board.hand_over_s.T[:longest]
        self._cut_memory_s = 2 * board.cut_bytes.T[:longest] / board.memory_bytes_per_s
        self._memory_s, self._memory_w = board.memory_s, board.memory_dynamic_w
        self._unable = np.isinf(self._latency_s)
        self._latency_s[self._unable] = 0.0
        self.most_per_s = np.minimum(highest_pace_per_s(board, segments), board.most_per_s)

    def best(self, prices: FloatArray, shares: FloatArray) -> FloatArray:
        """Return the demand of a frame on units, memory and energy under the most profitable mapping, shape `n x (u + 2)`."""
        rate = prices[self._unit] + prices[-1] * self._watts - shares[:, None]
        cost = np.where(self._unable, _FAR, self._latency_s * rate)
        clock = self._per_unit(cost)
        unit_cost = np.take_along_axis(cost, clock, axis=2)
        unit_s = np.take_along_axis(self._latency_s, clock, axis=2)
        cut_cost, cut_clock = self._cuts(rate, prices, shares)
        shape = (self.count, self._segments, self._units)
        value, use = np.full(shape, _FAR), np.zeros((*shape, self._units + 2))
        eye = np.eye(self._units + 2)[: self._units]
        numbers = np.arange(self.count)[:, None]
        for layer in range(len(unit_cost)):
            if not layer:
                value[:, 0] = 0.0
            elif self._segments > 1:
                value, use = self._moved(value, use, layer, cut_cost[layer], cut_clock, numbers)
            value = np.minimum(value + unit_cost[layer][:, None], _FAR)
            seconds, watts = unit_s[layer], self._watts[clock[layer]]
            step = eye[None] * seconds[..., None]
            step[..., -1] = seconds * watts
            use = use + step[:, None]
        at = value.reshape(self.count, -1).argmin(axis=1)
        found = use.reshape(self.count, -1, self._units + 2)[np.arange(self.count), at]
        found[:, -2] += self._memory_s
        found[:, -1] += found[:, -2] * self._memory_w
        return np.asarray(found)

    def _moved(
        self,
        value: FloatArray,
        use: FloatArray,
        layer: int,
        cut_cost: FloatArray,
        cut_clock: IntArray,
        numbers: IntArray,
    ) -> tuple[FloatArray, FloatArray]:
        """Choose before a layer: continue, or come from the best place of one segment less."""
        source = value[:, :-1].argmin(axis=2)
        moved = np.take_along_axis(value[:, :-1], source[..., None], axis=2) + cut_cost[:, None]
        better = moved < value[:, 1:]
        if not better.any():
            return value, use
        came = np.take_along_axis(use[:, :-1], source[..., None, None], axis=2)
        seconds = self._cut_s[layer][:, None]
        extra = np.zeros((self.count, self._units, self._units + 2))
        extra[:, np.arange(self._units), np.arange(self._units)] = seconds
        extra[..., -2] = self._cut_memory_s[layer][:, None]
        extra[..., -1] = seconds * self._watts[cut_clock]
        value, use = value.copy(), use.copy()
        value[:, 1:] = np.where(better, moved, value[:, 1:])
        use[:, 1:] = np.where(better[..., None], came + extra[:, None], use[:, 1:])
        return value, use

    def _cuts(self, rate: FloatArray, prices: FloatArray, shares: FloatArray) -> tuple[FloatArray, IntArray]:
        """Return the cost of a transfer before every layer for the receiving unit, shape `l x n x u`, and its clock, `n x u`."""
        clock = self._per_unit(rate[None])[0]
        each = np.take_along_axis(rate, clock, axis=1)
        memory = self._cut_memory_s * (prices[-2] + prices[-1] * self._memory_w - shares)
        return self._cut_s[..., None] * each + memory[..., None], clock

    def _per_unit(self, cost: FloatArray) -> IntArray:
        """Return the place of the cheapest clock of each unit, shape `... x u`."""
        ends = [*self._first[1:].tolist(), cost.shape[2]]
        parts = [
            cost[:, :, begin:end].argmin(axis=2) + begin for begin, end in zip(self._first.tolist(), ends, strict=True)
        ]
        return np.stack(parts, axis=2)
