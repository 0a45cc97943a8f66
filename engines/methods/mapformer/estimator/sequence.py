"""Mappings as the sequences that the estimator reads: layer, unit and clock (karatzas-2024 section 4.1, listing 1).

The publication has a token for every layer. Layers of a segment share unit and clock, and a frame goes through them one after the
other, so their profiles are summed here and a token is a segment: 30 tokens in place of 2,000 for ten networks. Every unit has a
token of its own besides, which is where a clock of OFF is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.simulation.board import Board, Mappings

Single = npt.NDArray[np.float32]
FEATURES = 9
_LEAST_S = 1e-7  # of a time in logarithms


@dataclass(frozen=True, eq=False)
class Sequences:
    """`b` mappings as sequences of `t` tokens, those that count first.

    Attributes:
        profile: profile of the layers of each token, shape `b x t x FEATURES`.
        unit: number of its unit, shape `b x t`.
        clock: row of its clock among the clocks of all units with OFF (`Board.rows_of`), shape `b x t`.
        network: number of its network in the mix; that of a unit's own token is the number of networks at most, shape `b x t`.
        count: tokens that count, shape `b`.
    """

    profile: Single
    unit: npt.NDArray[np.int16]
    clock: npt.NDArray[np.int16]
    network: npt.NDArray[np.int16]
    count: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.count)

    def take(self, rows: IntArray) -> Sequences:
        """Return the sequences at `rows`, shortened to the longest of them."""
        longest = int(self.count[rows].max(initial=1))
        return Sequences(
            self.profile[rows, :longest], self.unit[rows, :longest], self.clock[rows, :longest],
            self.network[rows, :longest], self.count[rows],
        )  # fmt: skip

    @staticmethod
    def joined(parts: list[Sequences]) -> Sequences:
        """Return all of them, in order, as long as the longest."""
        longest = max(part.unit.shape[1] for part in parts)

        def column(name: str) -> npt.NDArray[Any]:
            found = [getattr(part, name) for part in parts]
            more = [((0, 0), (0, longest - each.shape[1]), *[(0, 0)] * (each.ndim - 2)) for each in found]
            return np.concatenate([np.pad(each, rest) for each, rest in zip(found, more, strict=True)])

        return Sequences(
            column("profile"), column("unit"), column("clock"), column("network"),
            np.concatenate([part.count for part in parts]),
        )  # fmt: skip


def sequences_of(board: Board, mappings: Mappings, own: int) -> Sequences:
    """Return the sequences of mappings.

    Args:
        board: with the networks of the mix.
        mappings: tidied, every unit on that is used.
        own: the network's number that tokens of units have.
    """
    segments, works = _segments(board, mappings)
    units, networks = mappings.units.shape[2] * mappings.units.shape[1], mappings.units.shape[1]
    count, amount = len(mappings), len(board.units)
    unit = np.concatenate([mappings.units.reshape(count, units), _spread(np.arange(amount), count)], axis=1)
    number = np.repeat(np.arange(networks), mappings.units.shape[2])
    network = np.concatenate([_spread(number, count), np.full((count, amount), own)], axis=1)
    clock = np.take_along_axis(board.rows_of(mappings.steps), unit, axis=1)
    profile = np.concatenate([segments, _units(board, mappings, works)], axis=1)
    counts = np.concatenate([works.reshape(count, units), np.ones((count, amount), dtype=bool)], axis=1)
    order = np.argsort(~counts, axis=1, kind="stable")
    longest = int(counts.sum(axis=1).max(initial=1))
    found = [np.take_along_axis(each, order, axis=1)[:, :longest].astype(np.int16) for each in (unit, clock, network)]
    rows = np.arange(count)[:, None]
    return Sequences(
        profile[rows, order[:, :longest]].astype(np.float32), found[0], found[1], found[2],
        counts.sum(axis=1).astype(np.int16),
    )  # fmt: skip


def _spread(values: IntArray, count: int) -> IntArray:
    return np.broadcast_to(values, (count, len(values)))


def _segments(board: Board, mappings: Mappings) -> tuple[FloatArray, BoolArray]:
    """Return the profile of every segment, shape `b x (n s) x FEATURES`, and which are not empty, shape `b x n x s`.

    Times are those that the segment takes alone on its unit at the highest and at the lowest clock.
    """
    ends = mappings.ends
    start = np.concatenate([np.zeros_like(ends[:, :, :1]), ends[:, :, :-1]], axis=2)
    works = ends > start
    number = np.arange(len(board.networks))[None, :, None]
    times = []
    for step in (board.step_counts, np.ones_like(board.step_counts)):
        row = (board.first_row + step)[mappings.units]
        times.append(board.time_s[number, row, ends] - board.time_s[number, row, start])
    first = np.concatenate([np.ones_like(works[:, :, :1]), np.zeros_like(works[:, :, 1:])], axis=2)
    handed = np.where(works & ~first, board.hand_over_s[number, start], 0.0)
    moved = _moved_s(board)
    memory = moved[number, ends] - moved[number, start]
    alone = np.broadcast_to(np.where(works, times[0] + handed, 0.0).sum(axis=2, keepdims=True), ends.shape)
    layers = board.layers[None, :, None]
    logs = [_log(each) for each in (*times, handed, memory, alone)]
    whole = np.broadcast_to(_log(board.memory_s)[None, :, None], ends.shape)
    rest = [(ends - start) / layers, np.log1p(ends - start), np.zeros(ends.shape)]
    stacked = np.stack([*logs, whole, *rest], axis=-1)
    return stacked.reshape(len(mappings), -1, FEATURES), works


def _units(board: Board, mappings: Mappings, works: BoolArray) -> FloatArray:
    """Return the profile of each unit's own token: how many segments it has, shape `b x u x FEATURES`."""
    found = np.zeros((len(mappings), len(board.units), FEATURES))
    for unit in range(len(board.units)):
        found[:, unit, -1] = np.log1p(((mappings.units == unit) & works).sum(axis=(1, 2)))
    return found


def _moved_s(board: Board) -> FloatArray:
    """Return the seconds of the memory that the first k layers of each network take, shape `n x (longest + 1)`."""
    table = np.zeros((len(board.networks), int(board.layers.max()) + 1))
    for number, network in enumerate(board.networks):
        table[number, 1 : network.layers + 1] = network.moved_bytes.cumsum()
        table[number, network.layers + 1 :] = table[number, network.layers]
    return table / board.memory_bytes_per_s


def _log(seconds: FloatArray) -> FloatArray:
    return np.asarray(np.log(np.maximum(seconds, _LEAST_S)))
