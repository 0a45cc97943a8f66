"""How fast networks that share the units of a board go in steady state, and what the board draws: thousands of mappings at once.

A frame of network n takes d[n, r] seconds of resource r: of a unit for the layers of its segments there and for handing over what
they read, of the memory for all bytes that move. Let D[n] = max over r of d[n, r], the pace of the network alone being 1 / D[n].

Networks on the same unit share its time equally, by their weights. Where they are on several, this holds for the resource that each
needs longest, its dominant one: shares grow together until a resource is full, networks that need it stop, the others continue
(progressive filling of dominant shares, Ghodsi et al., NSDI 2011). There is exactly one such state, whatever the mapping; were
every unit shared equally by itself, there could be several. Frames of a network that were begun are
enough to hide the length of its pipeline.

    sum over n of t[n] d[n, r] <= 1 for every resource r
    P = memory idle + memory dynamic x load + sum over units that are on of idle + dynamic(clock) x load

Lines of code below have mappings as the last axis, where numpy is fastest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.simulation.board import Board, Mappings

_PIECE = 1024
_FULL = 1e-12


@dataclass(frozen=True, eq=False)
class Steady:
    """`b` mappings in steady state.

    Attributes:
        throughput_per_s: frames of every network, shape `b x n`; 0 where its mapping cannot run.
        load: busy share of every unit, and of the memory at last, shape `b x (u + 1)`.
        power_w: shape `b`.
        valid: whether every segment has a unit that is on and runs its layers, shape `b`.
    """

    throughput_per_s: FloatArray
    load: FloatArray
    power_w: FloatArray
    valid: BoolArray

    @property
    def mean_per_s(self) -> FloatArray:
        """Mean throughput of the networks (karatzas-2024 section 5.2), shape `b`."""
        return np.asarray(self.throughput_per_s.mean(axis=1))

    @property
    def per_j(self) -> FloatArray:
        """Inferences per joule, which the paper calls inferences per watt, shape `b`."""
        return np.asarray(self.throughput_per_s.sum(axis=1) / self.power_w)


def steady_state(board: Board, mappings: Mappings) -> Steady:
    """Return the throughput and power of every mapping."""
    pieces = [
        _piece(board, mappings.take(np.arange(begin, min(begin + _PIECE, len(mappings)))))
        for begin in range(0, max(len(mappings), 1), _PIECE)
    ]
    found = (np.concatenate([getattr(piece, name) for piece in pieces]) for name in Steady.__dataclass_fields__)
    return Steady(*found)


def demands(board: Board, mappings: Mappings) -> tuple[FloatArray, BoolArray]:
    """Return seconds that a frame takes of every resource, shape `(u + 1) x n x b`, and which networks can run, shape `n x b`."""
    networks, count = len(board.networks), len(mappings)
    length = board.time_s.shape[2]
    ends = np.ascontiguousarray(mappings.ends.transpose(2, 1, 0))
    units = np.ascontiguousarray(mappings.units.transpose(2, 1, 0))
    rows = np.ascontiguousarray(board.rows_of(mappings.steps).T)
    number, column = np.arange(networks)[:, None], np.arange(count)
    time_s, reach, hand_over_s = board.time_s.ravel(), board.reach.ravel(), board.hand_over_s.ravel()
    cut_bytes = board.cut_bytes.ravel()
    found = np.zeros((board.resources, networks, count))
    found[-1] = board.memory_s[:, None]
    able = np.ones((networks, count), dtype=bool)
    off = mappings.steps.T == 0
    start = np.zeros((networks, count), dtype=np.int64)
    before: IntArray = np.full((networks, count), -1)
    for end, unit in zip(ends, units, strict=True):
        place = (number * board.rows + rows[unit, column]) * length
        seconds = time_s[place + end] - time_s[place + start]
        works = end > start
        able &= ~works | ((reach[(number * len(board.units) + unit) * length + start] >= end) & ~off[unit, column])
        cut = works & (unit != before) & (before >= 0)
        at = number * length + start
        seconds += np.where(cut, hand_over_s[at], 0.0)
        found[-1] += np.where(cut, (2 / board.memory_bytes_per_s) * cut_bytes[at], 0.0)
        for resource in range(len(board.units)):
            found[resource] += np.where(unit == resource, seconds, 0.0)
        start, before = end, np.where(works, unit, before)
    return found, able


def filled(
    demand_s: FloatArray, able: BoolArray, weights: FloatArray, most_per_s: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the frames per second of every network, shape `n x b`, and the load of every resource, shape `r x b`.

    Args:
        demand_s: shape `r x n x b`.
        able: mask of the participants, shape `n x b`.
        weights: weights of the networks, shape `n`.
        most_per_s: likewise.
    """
    pace = weights[:, None] / demand_s.max(axis=0)
    growth = demand_s * pace
    active, limit = able.copy(), most_per_s[:, None] / pace
    level = np.zeros(active.shape)
    now, load = np.zeros(active.shape[1]), np.zeros((len(demand_s), active.shape[1]))
    limited = bool(np.isfinite(most_per_s).any())
    needs = growth > 0
    while active.any():
        slope = _over_networks(growth, active)
        with np.errstate(divide="ignore", invalid="ignore"):
            room = np.where(slope > 0, (1.0 - load) / slope, np.inf)
        step = room.min(axis=0)
        if limited:
            step = np.minimum(step, np.where(active, limit - now, np.inf).min(axis=0))
        going = active.any(axis=0)
        step = np.where(going, np.maximum(step, 0.0), 0.0)
        now = now + step
        load = load + slope * step
        level = np.where(active, now, level)
        full = load >= 1.0 - _FULL
        held = (needs & full[:, None, :]).any(axis=0)
        if limited:
            held |= now >= limit * (1 - _FULL)
        active &= ~held
    return level * pace, np.minimum(load, 1.0)


def _over_networks(growth: FloatArray, active: BoolArray) -> FloatArray:
    """Sum over those that are active, shape `r x b`: one after the other, so that no mapping's figures depend on others."""
    total = np.zeros((len(growth), growth.shape[2]))
    for number, takes_part in enumerate(active):
        total += np.where(takes_part, growth[:, number], 0.0)
    return total


def _piece(board: Board, mappings: Mappings) -> Steady:
    demand_s, able = demands(board, mappings)
    throughput, load = filled(demand_s, able, board.weights, board.most_per_s)
    rows = board.rows_of(mappings.steps).T
    power = board.memory_idle_w + board.memory_dynamic_w * load[-1]
    for unit, row in enumerate(rows):
        power = power + board.idle_w[row] + board.dynamic_w[row] * load[unit]
    return Steady(np.ascontiguousarray(throughput.T), np.ascontiguousarray(load.T), power, np.asarray(able.all(axis=0)))
