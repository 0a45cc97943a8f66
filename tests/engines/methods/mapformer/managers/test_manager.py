"""What all managers share."""

import numpy as np

from engines.methods.mapformer.managers.manager import kept, restored, worth
from engines.simulation.steady_state import steady_state
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import board, drawn_board, mapping, network, unit


def test_beyond_the_limit_a_mapping_is_worth_less_than_any_within() -> None:
    one = board([unit("cpu")], network("a", [[0.1]]))
    steady = steady_state(one, mapping([[1]], [[0]], [1]))
    # 10 frames a second: 1 W idle and 10 W dynamic of the unit, 0.5 W of the memory, which has next to nothing to do.
    found = worth(steady, np.array([np.inf, 11.0]))
    np.testing.assert_allclose(found, [[10.0], [-11.5]], rtol=1e-6)


def test_mappings_come_back_as_they_were_kept() -> None:
    asked = task(drawn_board(np.random.default_rng(1), 3, 2, 5, 4))
    drawn = asked.space.drawn(np.random.default_rng(2), 20)
    again = restored(kept(drawn))
    for name in ("ends", "units", "steps"):
        np.testing.assert_array_equal(getattr(again, name), getattr(drawn, name))
        assert getattr(again, name).dtype == np.int64


def test_units_are_found_by_kind() -> None:
    asked = task(drawn_board(np.random.default_rng(1), 1, 4, 3, 2))
    assert asked.units_of("npu") == [2, 3]
    assert asked.units_of("cpu", "gpu") == [0, 1]
