"""A token is a segment, or a unit; what it says is what the board says."""

import numpy as np

from engines.methods.mapformer.estimator.sequence import FEATURES, Sequences, sequences_of
from engines.methods.mapformer.problem.space import Space
from engines.simulation.board import Mappings
from tests.engines.simulation.boards import drawn_board


def test_two_networks_by_hand() -> None:
    board = drawn_board(np.random.default_rng(1), networks=2, units=2, layers=4, clocks=3)
    ends = np.array([[[2, 4], [4, 4]]])
    units = np.array([[[0, 1], [1, 1]]])
    found = sequences_of(board, Mappings(ends, units, np.array([[2, 3]])), 5)
    assert found.count.tolist() == [5]  # three segments and two units
    assert found.unit.tolist() == [[0, 1, 1, 0, 1]] and found.network.tolist() == [[0, 0, 1, 5, 5]]
    rows = board.first_row + np.array([2, 3])
    np.testing.assert_array_equal(found.clock, [rows[[0, 1, 1, 0, 1]]])
    highest = board.first_row + board.step_counts
    alone = [board.time_s[0, highest[0], 2], board.time_s[0, highest[1], 4] - board.time_s[0, highest[1], 2]]
    np.testing.assert_allclose(found.profile[0, :2, 0], np.log(alone), rtol=1e-6)
    np.testing.assert_allclose(found.profile[0, :3, 6], [0.5, 0.5, 1.0])
    np.testing.assert_allclose(found.profile[0, 3:, FEATURES - 1], np.log1p([1, 2]), rtol=1e-6)


def test_the_order_of_what_stands_beside_changes_no_sequence() -> None:
    board = drawn_board(np.random.default_rng(2), networks=3, units=3, layers=6, clocks=3)
    drawn = Space(board, 3).drawn(np.random.default_rng(0), 20)
    together = sequences_of(board, drawn, 3)
    for number in range(20):
        alone = sequences_of(board, drawn.take(np.array([number])), 3)
        np.testing.assert_array_equal(together.take(np.array([number])).profile, alone.profile)
    half = [together.take(np.arange(0, 10)), together.take(np.arange(10, 20))]
    np.testing.assert_array_equal(Sequences.joined(half).count, together.count)
