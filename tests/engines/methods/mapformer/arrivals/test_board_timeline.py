"""A board over time, by hand."""

import numpy as np

from engines.methods.mapformer.arrivals.answers import Placement, answered, nowhere
from engines.methods.mapformer.arrivals.board_timeline import follow, follow_static, still_s
from engines.methods.mapformer.changes import changes_of
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import board, network, unit

ONE = board([unit("a"), unit("b")], network("x", [[0.01, 0.02]]), network("y", [[0.02, 0.1]]))
CHANGES = changes_of("0: +1; 10: +2; 20: -1; 30: end", ("x", "y"), 20.0)


def placed(*units: int) -> Placement:
    """Whole networks on units, at the only clock."""
    ends, networks = np.ones((2, 2), np.int64), tuple(number for number, each in enumerate(units) if each >= 0)
    return Placement(ends, np.repeat(np.array(units)[:, None], 2, axis=1), np.array([1, 1]), networks)


def test_answers_take_time_and_what_moves_stands_still() -> None:
    """x alone on a: 100 a second. y comes: x goes to b, 50 a second, y on a 50. x leaves, y stays where it is."""
    answers = [placed(0, -1), placed(1, 0), placed(-1, 0)]
    found = follow(task(ONE), CHANGES, lambda number: answers[number], 1.0, np.array([0.5, 2.0]))
    assert found.time_s == [0, 1, 1.5, 10, 11, 11.5, 13, 20, 21]
    assert found.sum_per_s == [0, 0, 100, 100, 0, 50, 100, 50, 50]
    assert found.mean_per_s == [0, 0, 100, 50, 0, 25, 50, 50, 50]
    assert [(move.time_s, move.networks, move.longest_s) for move in found.moves] == [
        (1, (0,), 0.5),
        (11, (0, 1), 2.0),
        (21, (), 0.0),
    ]
    assert found.power_w[0] < found.power_w[1] < found.power_w[2] and found.violated_s(30.0) > 0
    assert found.seconds(30.0).sum() == 30


def test_an_answer_that_is_overtaken_is_dropped() -> None:
    found = follow(task(ONE), CHANGES, lambda number: placed(0, 1), 12.0, np.zeros(2))
    assert not found.moves and not any(found.sum_per_s)


def test_one_mapping_throughout() -> None:
    found = follow_static(task(ONE), CHANGES, placed(0, 0))
    np.testing.assert_allclose(found.sum_per_s, [100, 75, 50])
    np.testing.assert_allclose(still_s(task(ONE), np.array([0.0, 1e9]), 0.1), [0.1, 0.1 + 2e9 / ONE.memory_bytes_per_s])


def test_a_manager_answers_for_those_that_are_there() -> None:
    found = answered(task(ONE), "ours", (1,), 20.0, 2000, 3)
    assert found.networks == (1,) and found.units[1].tolist() == [0, 0] and found.steps.tolist() == [1, 0]
    assert found.moved_from(nowhere(task(ONE))) == (1,) and not found.moved_from(found)
