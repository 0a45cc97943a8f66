"""Simulated mixes that the estimator learns from (karatzas-2024 section 5): networks, mappings, what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.mapformer.estimator.sequence import Sequences, sequences_of
from engines.methods.mapformer.problem.space import Space
from engines.simulation.board import Board, Mappings
from engines.simulation.steady_state import steady_state

Random = Callable[..., np.random.Generator]
_DRAWS = 12  # of which the best is taken, for the mappings that searches look at


@dataclass(frozen=True, eq=False)
class Samples:
    """A set of `b` mappings with their simulated results.

    Attributes:
        sequences: as the estimator reads them.
        throughput_per_s: mean over the networks of the mix, shape `b`.
        power_w: shape `b`.
    """

    sequences: Sequences
    throughput_per_s: FloatArray
    power_w: FloatArray

    def __len__(self) -> int:
        return len(self.power_w)

    @staticmethod
    def joined(parts: list[Samples]) -> Samples:
        """Return the elements of all parts."""
        return Samples(
            Sequences.joined([part.sequences for part in parts]),
            np.concatenate([part.throughput_per_s for part in parts]),
            np.concatenate([part.power_w for part in parts]),
        )


def simulated_mixes(
    pool: Board,
    able: IntArray,
    random: Random,
    name: str,
    mixes: int,
    mappings: int,
    segments: int,
    most_layers: int,
    most_networks: int = 10,
) -> Iterator[Samples]:
    """Yield the mixes one after the other, each with some mappings.

    Args:
        pool: a board with all networks.
        able: numbers of the networks that may be drawn.
        random: streams.
        name: name of the stream, as held-out mixes have one of their own.
        mixes: number of mixes.
        mappings: mappings of each mix.
        segments: segments of a network, at most.
        most_layers: largest number of layers of a mix; further networks are left out.
        most_networks: largest number of networks of a mix.
    """
    for stream, board in drawn_mixes(pool, able, random, name, mixes, most_layers, most_networks):
        found = _mappings(Space(board, segments), stream, mappings)
        steady = steady_state(board, found)
        yield Samples(sequences_of(board, found, most_networks), steady.mean_per_s, steady.power_w)


def drawn_mixes(
    pool: Board, able: IntArray, random: Random, name: str, mixes: int, most_layers: int, most_networks: int = 10
) -> Iterator[tuple[np.random.Generator, Board]]:
    """Yield mixes one after the other, as `simulated_mixes` draws them: what is left of the stream of each, and a board with it."""
    for number in range(mixes):
        stream = random(name, number)
        size = int(stream.integers(1, min(most_networks, len(able)) + 1))
        drawn = stream.choice(able, size, replace=False)
        fits = np.cumsum(pool.layers[drawn]) <= most_layers
        fits[0] = True
        yield stream, _part(pool, drawn[fits])


def _part(pool: Board, numbers: Sequence[int] | IntArray) -> Board:
    networks = tuple(pool.networks[number] for number in numbers)
    return Board(
        pool.units, networks, pool.memory_bytes_per_s, pool.memory_idle_w, pool.memory_dynamic_w, pool.cut_s
    )  # fmt: skip


def _mappings(space: Space, random: np.random.Generator, count: int) -> Mappings:
    """Return a third drawn, a third of whole networks crowded on some units, a third the best of some of both.

    Searches go where mappings are good, which random ones rarely are; the best are those of most inferences per joule for half, and
    of most throughput for the other.
    """
    drawn, crowded = count - 2 * (count // 3), count // 3
    parts = [space.drawn(random, drawn)]
    if crowded:
        both = Mappings.joined(
            space.drawn(random, crowded * _DRAWS // 2), space.crowded(random, crowded * (_DRAWS - _DRAWS // 2))
        )
        steady = steady_state(space.board, both)
        order = random.permutation(len(both)).reshape(crowded, _DRAWS)
        worth = np.where(np.arange(crowded)[:, None] % 2, steady.per_j[order], steady.mean_per_s[order])
        best = order[np.arange(crowded), worth.argmax(axis=1)]
        parts += [space.crowded(random, crowded), both.take(best)]
    return Mappings.joined(*parts)
