"""All on the GPU, and random mappings: as many as asked for, the same again for a seed."""

import numpy as np

from engines.methods.mapformer.managers.reference import RandomManager, WholeGpuManager
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import board, drawn_board, network, unit


def test_every_network_is_whole_on_the_gpu_at_each_of_its_clocks() -> None:
    units = [unit("cpu", (1e9, 2e9)), unit("gpu", (1e9, 2e9, 3e9))]
    networks = [network(name, [[2.0, 1.0], [2.0, 1.0]], 3) for name in ("a", "b")]
    manager = WholeGpuManager(task(board(units, *networks)))
    found = manager.round(0, {})
    assert manager.rounds == 1
    assert found.mappings.steps.tolist() == [[0, 3], [0, 2], [0, 1]]
    assert (found.mappings.units[:, :, 0] == 1).all() and (found.mappings.ends == 2).all()
    # Two networks of 2 s each share the unit: 4 s for a frame of both; at a third of the clock three times that.
    np.testing.assert_allclose(found.steady.mean_per_s, [1 / 4, 1 / 6, 1 / 12], rtol=1e-6)


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
