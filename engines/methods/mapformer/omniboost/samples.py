"""Training samples of OmniBoost's networks: the mixes that the transformer learns from, mapped to CPU and GPU alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.mapformer.estimator.mixes import Random, drawn_mixes
from engines.methods.mapformer.omniboost.blocks import blocks_of
from engines.methods.mapformer.problem.space import Space, at_even_clocks, even_levels
from engines.simulation.board import Board, Mappings
from engines.simulation.steady_state import steady_state


@dataclass(frozen=True, eq=False)
class BlockSamples:
    """`b` mappings with what the simulator says of them within each of some power limits.

    Attributes:
        blocks: as the network reads them.
        throughput_per_s: mean over the networks of the mix, shape `b x limits`; 0 where nothing meets the limit.
    """

    blocks: npt.NDArray[np.float32]
    throughput_per_s: FloatArray


def drawn_on(space: Space, units: IntArray, random: np.random.Generator, count: int) -> Mappings:
    """Return the random chains on some units, and as many whole networks; all clocks at their highest."""
    found = Mappings.joined(space.drawn(random, count - count // 2), space.crowded(random, count // 2))
    placed = units[random.integers(0, len(units), found.units.shape)]
    keep = np.isin(found.units, units)
    full = np.broadcast_to(space.counts, (count, space.units)).copy()
    mended = space.mended(Mappings(found.ends, np.where(keep, found.units, placed), full), random)
    return Mappings(mended.ends, mended.units, np.where(mended.steps > 0, space.counts, 0))


def block_samples(
    pool: Board, able: IntArray, units: IntArray, limits_w: FloatArray, random: Random, name: str, mixes: int, mappings: int,
    segments: int, most_layers: int,
) -> BlockSamples:  # fmt: skip
    """Return the simulated mappings of the mixes of a stream.

    Args:
        pool: a board with all networks.
        able: numbers of those that may be drawn.
        units: compute units that networks are mapped to.
        limits_w: within each of which clocks are lowered evenly; infinite for the highest clocks.
        random: streams.
        name: name of the stream of mixes.
        mixes: number of mixes.
        mappings: mappings of each mix.
        segments: segments of a network, at most.
        most_layers: largest number of layers of a mix.
    """
    blocks, values = [], []
    for number, (_, board) in enumerate(drawn_mixes(pool, able, random, name, mixes, most_layers)):
        space = Space(board, segments)
        found = drawn_on(space, units, random(name, "omniboost", number), mappings)
        steady = steady_state(board, at_even_clocks(space, found))
        shape = len(found), even_levels(space)
        power = np.where(steady.valid, steady.power_w, np.inf).reshape(shape)
        rates = steady.mean_per_s.reshape(shape)
        values.append(
            np.stack([np.where(power <= limit, rates, 0.0).max(axis=1) for limit in limits_w.tolist()], axis=1)
        )
        blocks.append(blocks_of(board, found, units))
    return BlockSamples(np.concatenate(blocks), np.concatenate(values))
