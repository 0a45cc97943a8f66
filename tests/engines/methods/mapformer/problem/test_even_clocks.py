"""Clocks lowered evenly."""

import numpy as np

from engines.methods.mapformer.problem.even_clocks import at_even_clocks, even_levels
from engines.methods.mapformer.problem.space import Space
from tests.engines.simulation.boards import drawn_board


def test_all_used_units_go_down_together() -> None:
    space = Space(drawn_board(np.random.default_rng(1), 2, 2, 3, 4), 2)
    found = at_even_clocks(space, space.whole(np.array([[0, 0]]), space.counts[None]))
    assert even_levels(space) == 4
    assert found.steps.tolist() == [[4, 0], [3, 0], [2, 0], [1, 0]]
