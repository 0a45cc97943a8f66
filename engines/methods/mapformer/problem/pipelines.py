"""Networks that have units for themselves: balanced cuts of one network over some units, all others on the rest.

The mean throughput of a mix is made by its fastest networks, and these are fastest as pipelines whose stages are equally long. From
mappings drawn at random such balance is many changes away, so a search starts from it.
"""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.mapformer.problem.space import Space
from engines.simulation.board import Board, Mappings

_MOST = 3  # segments of a pipeline
_FASTEST = 3  # networks that get units for themselves
_CUTS = 1200  # ways to cut that are compared
_DRAWN = 24  # clocks and places of the others, for every network and sequence of units
_HIGHEST = 0.4  # of units that stand at their highest clock


def pipelined(space: Space, random: np.random.Generator) -> Mappings:
    """Return each of the fastest networks as a pipeline over every sequence of units, the others whole elsewhere, clocks drawn."""
    found = [
        each
        for network in _fastest(space.board)
        for sequence in _sequences(space)
        if (each := _with_others(space, network, sequence, random)) is not None
    ]
    return Mappings.joined(*found) if found else space.drawn(random, 0)


def rebalanced(space: Space, mappings: Mappings, random: np.random.Generator) -> Mappings:
    """Return the copies of one mapping at different clocks, cuts of one of its fastest networks balanced anew for each."""
    cut = [each for each in _fastest(space.board) if mappings.ends[0, each, 0] < space.board.layers[each]]
    if not cut:
        return mappings
    network = int(random.choice(cut))
    ends, layers = mappings.ends.copy(), int(space.board.layers[network])
    segments = 1 + int((mappings.ends[0, network] < layers).sum())
    sequence = tuple(mappings.units[0, network, :segments].tolist())
    cuts = balanced_cuts(space.board, network, sequence, mappings.steps) if segments <= _MOST else None
    if cuts is None:
        return mappings
    ends[:, network, :segments] = cuts
    return Mappings(ends, mappings.units, mappings.steps)


def balanced_cuts(board: Board, network: int, sequence: tuple[int, ...], steps: IntArray) -> IntArray | None:
    """Return the cuts with which the unit that is busy longest with a frame is busy for the shortest time.

    None where a unit lacks a layer.

    Args:
        board: units and networks.
        network: the network.
        sequence: units of its segments, at most three; all segments have layers.
        steps: steps of the clocks of all units, shape `b x u`; those of the sequence are on.

    Returns:
        The layer after the last of each segment, shape `b x len(sequence)`.
    """
    layers, count = int(board.layers[network]), len(sequence)
    if count > layers:
        return None
    first, second = _places(layers, count)
    starts = [np.zeros_like(first), first, second][:count]
    ends = [*[first, second][: count - 1], np.full_like(first, layers)]
    able = np.ones(len(first), dtype=bool)
    busy = np.zeros((len(board.units), len(steps), len(first)))
    for unit, start, end in zip(sequence, starts, ends, strict=True):
        times = board.time_s[network, board.first_row[unit] + steps[:, unit]]
        busy[unit] += times[:, end] - times[:, start] + np.where(start > 0, board.hand_over_s[network, start], 0.0)
        able &= board.reach[network, unit, start] >= end
    if not able.any():
        return None
    at = np.where(able, busy.max(axis=0), np.inf).argmin(axis=1)
    return np.stack([end[at] for end in ends], axis=1)


def _places(layers: int, count: int) -> tuple[IntArray, IntArray]:
    """Return the layers after the first and the second of so many segments: all pairs, or evenly spread ones."""
    if count < _MOST:
        first = np.arange(1, layers) if count > 1 else np.array([layers])
        return first, np.full_like(first, layers)
    most = int((2 * _CUTS) ** 0.5)
    places = np.unique(np.linspace(1, layers - 1, min(most, layers - 1)).astype(np.int64))
    rows, columns = np.triu_indices(len(places), 1)
    return places[rows], places[columns]


def _fastest(board: Board) -> list[int]:
    """Return the networks by their pace alone on their best unit, the fastest first."""
    pace = [max(_pace(each[:, -1]) for each in network.latency_s) for network in board.networks]
    order = np.argsort(-np.minimum(pace, board.most_per_s), kind="stable")
    return [int(number) for number in order[:_FASTEST]]


def _pace(latency_s: FloatArray) -> float:
    return 0.0 if np.isinf(latency_s).any() else 1 / float(latency_s.sum())


def _sequences(space: Space) -> list[tuple[int, ...]]:
    """Return the sequences of units, neighbours different, one unit at least left to others where there are several."""
    most = min(space.segments, _MOST)
    found = [each for count in range(1, most + 1) for each in product(range(space.units), repeat=count)]
    return [each for each in found if all(a != b for a, b in pairwise(each)) and len(set(each)) < max(space.units, 2)]


def _places_of_others(space: Space, network: int, own: list[int]) -> IntArray:
    """Return units of whole networks, shape `k x n`: all on one unit that is left, where they are fastest, or one of them alone."""
    board = space.board
    rest = [unit for unit in range(space.units) if unit not in own] or own
    able = board.reach[:, :, 0] >= board.layers[:, None]
    pace = np.stack([[_pace(each[:, -1]) for each in one.latency_s] for one in board.networks])
    on = {unit: np.where(able[:, unit], unit, pace.argmax(axis=1)) for unit in rest}
    among = np.array(rest)[pace[:, rest].argmax(axis=1)]
    ways = [*on.values(), np.where(able[np.arange(space.networks), among], among, pace.argmax(axis=1))]
    for second in _fastest(board):
        for alone, crowd in product(rest, repeat=2):
            if second != network and alone != crowd and able[second, alone]:
                ways.append(np.where(np.arange(space.networks) == second, alone, on[crowd]))
    return np.array(ways)


def _with_others(space: Space, network: int, sequence: tuple[int, ...], random: np.random.Generator) -> Mappings | None:
    """Return the pipeline next to the others in one of their places each, at drawn clocks to which it is balanced."""
    ways = _places_of_others(space, network, sorted(set(sequence)))
    drawn = 1 + (random.random((_DRAWN, space.units)) * space.counts).astype(np.int64)
    steps = np.where(random.random(drawn.shape) < _HIGHEST, space.counts, drawn)
    cuts = balanced_cuts(space.board, network, sequence, steps)
    if cuts is None:
        return None
    units = ways[random.integers(0, len(ways), _DRAWN)]
    ends = np.broadcast_to(space.board.layers[:, None], (*units.shape, space.segments)).copy()
    places = np.repeat(units[:, :, None], space.segments, axis=2)
    ends[:, network, : len(sequence)] = cuts
    places[:, network, : len(sequence)], places[:, network, len(sequence) :] = sequence, sequence[-1]
    return space.tidied(Mappings(ends, places, steps))
