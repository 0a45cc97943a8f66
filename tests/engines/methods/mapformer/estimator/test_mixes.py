"""Mixes that are drawn to learn from."""

from functools import partial

import numpy as np

from engines.contract.numeric.random_streams import random_stream
from engines.methods.mapformer.estimator.mixes import Samples, drawn_mixes, simulated_mixes
from tests.engines.simulation.boards import drawn_board

POOL = drawn_board(np.random.default_rng(1), 6, 3, 5, 2)
ABLE = np.array([0, 2, 5])


def test_mixes_have_networks_that_may_be_drawn_each_once() -> None:
    names = {POOL.networks[number].name for number in ABLE}
    sizes = set()
    for _, board in drawn_mixes(POOL, ABLE, partial(random_stream, 1), "mixes", 40, most_layers=100):
        drawn = [network.name for network in board.networks]
        assert set(drawn) <= names and len(set(drawn)) == len(drawn)
        sizes.add(len(drawn))
    assert sizes == {1, 2, 3}


def test_networks_beyond_the_layers_of_a_mix_are_left_out_but_for_the_first() -> None:
    few = int(POOL.layers[ABLE].min())
    for _, board in drawn_mixes(POOL, ABLE, partial(random_stream, 1), "mixes", 20, most_layers=few):
        assert len(board.networks) == 1


def test_mixes_come_by_seed_and_name() -> None:
    def found(seed: int, name: str) -> Samples:
        stream = partial(random_stream, seed)
        return Samples.joined(list(simulated_mixes(POOL, ABLE, stream, name, 3, 7, segments=2, most_layers=100)))

    first, same = found(1, "train"), found(1, "train")
    assert len(first) == 3 * 7 and (first.throughput_per_s > 0).all() and (first.power_w > 0).all()
    np.testing.assert_array_equal(first.throughput_per_s, same.throughput_per_s)
    for other in (found(2, "train"), found(1, "held out")):
        assert not np.array_equal(first.power_w, other.power_w)
