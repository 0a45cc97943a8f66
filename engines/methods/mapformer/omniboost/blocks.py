"""Mappings as the tensors that OmniBoost's network reads: units, blocks of layers, networks of the mix.

The published tensor has a column for each of eleven known networks and a row for each of their layers. Here columns are the
networks of the mix, those whose frames take longest first, and rows are `BLOCKS` equal parts of their layers, so that any network
can be read.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import IntArray
from engines.simulation.board import Board, Mappings

BLOCKS = 32
MOST_NETWORKS = 10
_SHORTEST_S = 1e-5


def blocks_of(board: Board, mappings: Mappings, units: IntArray) -> npt.NDArray[np.float32]:
    """Return the time of every block on the unit that runs it, at the unit's highest clock, 0 on others; in logarithms.

    Args:
        board: with at most `MOST_NETWORKS` networks.
        mappings: `b` of them.
        units: numbers of the units that the network knows, shape `u`.

    Returns:
        Shape `b x u x BLOCKS x MOST_NETWORKS`.
    """
    count, networks, segments = mappings.ends.shape
    borders = np.rint(np.linspace(0.0, 1.0, BLOCKS + 1) * board.layers[:, None]).astype(np.int64)
    start = np.concatenate([np.zeros_like(mappings.ends[:, :, :1]), mappings.ends[:, :, :-1]], axis=2)
    number = np.arange(networks)[None, :, None]
    rows = board.first_row + board.step_counts
    times = np.zeros((count, len(units), BLOCKS, MOST_NETWORKS))
    for place, unit in enumerate(units.tolist()):
        total = np.zeros((count, networks, BLOCKS))
        for segment in range(segments):
            first, last = start[:, :, segment, None], mappings.ends[:, :, segment, None]
            done = board.time_s[number, rows[unit], np.clip(borders, first, last)]
            own = mappings.units[:, :, segment, None] == unit
            total += np.where(own, np.diff(done, axis=2), 0.0)
        times[:, place, :, :networks] = total.transpose(0, 2, 1)
    order = np.argsort(-times.sum(axis=(1, 2)), axis=1, kind="stable")
    times = np.take_along_axis(times, order[:, None, None, :], axis=3)
    return np.log1p(times / _SHORTEST_S).astype(np.float32)
