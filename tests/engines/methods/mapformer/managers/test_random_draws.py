"""Random mappings: as many as asked for, the same again for a seed."""

import numpy as np

from engines.methods.mapformer.managers.random_draws import RandomManager
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import drawn_board

BOARD = drawn_board(np.random.default_rng(1), 2, 2, 4, 3)


def test_rounds_add_up_to_the_evaluations() -> None:
    manager = RandomManager(task(BOARD, evaluations=4500))
    assert [len(manager.round(number, {}).mappings) for number in range(manager.rounds)] == [2000, 2000, 500]


def test_a_round_depends_on_seed_and_number_alone() -> None:
    first, same, other = (RandomManager(task(BOARD, evaluations=100, seed=seed)).round(0, {}) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.steady.mean_per_s, same.steady.mean_per_s)
    assert not np.array_equal(first.mappings.units, other.mappings.units)
    long = RandomManager(task(BOARD, evaluations=4000, seed=1))
    assert not np.array_equal(long.round(0, {}).mappings.units, long.round(1, {}).mappings.units)
