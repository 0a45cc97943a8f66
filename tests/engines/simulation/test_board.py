"""Tables of a board."""

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from tests.engines.simulation.boards import board, mapping, network, unit


def test_times_of_the_first_layers_at_every_clock() -> None:
    one = board([unit("a", (1e9, 2e9)), unit("b")], network("n", [[1.0, 4.0], [2.0, 4.0]], clocks=1))
    two = board([unit("a", (1e9, 2e9))], network("n", [[1.0], [2.0]], clocks=2))
    assert one.rows == 5 and one.first_row.tolist() == [0, 3]
    np.testing.assert_allclose(two.time_s[0], [[0, 0, 0], [0, 2, 6], [0, 1, 3]])


def test_reach_is_the_first_layer_that_a_unit_cannot_run() -> None:
    one = board([unit("a"), unit("b")], network("n", [[1.0, 1.0], [1.0, np.inf], [1.0, 1.0]]))
    assert one.reach[0].tolist() == [[3, 3, 3, 3], [1, 1, 3, 3]]


def test_a_layer_that_no_unit_runs_is_refused() -> None:
    with pytest.raises(ProblemError, match="n"):
        board([unit("a")], network("n", [[np.inf]]))


def test_mappings_join_and_repeat() -> None:
    one, other = mapping([[1, 2]], [[0, 1]], [1, 1]), mapping([[2, 2]], [[1, 1]], [0, 1])
    joined = type(one).joined(one, other)
    assert len(joined) == 2 and joined.take(np.array([1])).units.tolist() == other.units.tolist()
    assert joined.repeated(2).steps.tolist() == [[1, 1], [1, 1], [0, 1], [0, 1]]
