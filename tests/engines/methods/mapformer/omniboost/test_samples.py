"""What the networks learn from."""

import numpy as np

from engines.methods.mapformer.omniboost.samples import block_samples, drawn_on
from engines.methods.mapformer.problem.space import Space
from engines.simulation.steady_state import steady_state
from tests.engines.simulation.boards import drawn_board


def random(*names: str | int) -> np.random.Generator:
    return np.random.default_rng([sum(str(name).encode()) for name in names])


def test_mappings_stay_on_their_units_at_the_highest_clocks() -> None:
    space = Space(drawn_board(np.random.default_rng(1), 3, 3, 6, 4), 2)
    found = drawn_on(space, np.array([0, 1]), random("x"), 40)
    assert set(np.unique(found.units)) == {0, 1} and set(np.unique(found.steps[:, :2])) <= {0, 4}
    assert not found.steps[:, 2].any() and steady_state(space.board, found).valid.all()


def test_less_power_is_less_throughput_and_too_little_none() -> None:
    pool = drawn_board(np.random.default_rng(1), 5, 3, 6, 4)
    limits = np.array([np.inf, 8.0, 0.1])
    found = block_samples(pool, np.arange(5), np.array([0, 1]), limits, random, "training", 4, 6, 2, 100)
    free, some, none = found.throughput_per_s.T
    assert found.blocks.shape[:2] == (24, 2) and (free >= some).all() and (some > 0).any() and not none.any()
