"""The genetic algorithm: CPU and GPU alone, and the best stays."""

import numpy as np

from engines.methods.mapformer.managers.genetic import GENERATIONS, POPULATION, GeneticManager
from engines.methods.mapformer.managers.manager import restored
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import drawn_board


def test_the_best_stays_and_no_dla_is_used() -> None:
    board = drawn_board(np.random.default_rng(4), 3, 3, 6, 2)
    manager, state, best = GeneticManager(task(board, segments=3)), {}, 0.0
    assert manager.rounds == GENERATIONS == 20
    for number in range(6):
        found = manager.round(number, state)
        assert len(found.mappings) == 2 * POPULATION  # each at both clocks
        assert set(np.unique(found.mappings.units)) <= {0, 1}
        most = float(found.steady.mean_per_s.max())
        assert most >= best
        best, state = most, dict(found.state)
    assert best > 0 and len(restored(state)) == POPULATION


def test_a_round_goes_on_from_its_state_alone() -> None:
    board = drawn_board(np.random.default_rng(4), 2, 2, 5, 2)
    first = GeneticManager(task(board)).round(0, {})
    one, two = (GeneticManager(task(board)).round(1, first.state) for _ in range(2))
    np.testing.assert_array_equal(one.mappings.ends, two.mappings.ends)
    np.testing.assert_array_equal(one.steady.mean_per_s, two.steady.mean_per_s)
