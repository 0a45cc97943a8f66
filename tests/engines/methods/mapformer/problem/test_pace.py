"""How fast a network can go alone, by hand."""

import numpy as np
import pytest

from engines.methods.mapformer.problem.pace import highest_pace_per_s
from engines.methods.mapformer.problem.space import Space
from engines.simulation.steady_state import steady_state
from tests.engines.simulation.boards import board, drawn_board, network, unit

UNITS = [unit("cpu"), unit("gpu")]


@pytest.mark.parametrize(("segments", "seconds"), [(1, 4.0), (2, 1.5)])
def test_a_cut_lets_two_units_work_at_once(segments: int, seconds: float) -> None:
    # 1 s and 3 s on one unit, 3 s and 1 s on the other; the unit that goes on reads the hand-over for half a second.
    one = board(UNITS, network("a", [[1.0, 3.0], [3.0, 1.0]]), cut_s=0.5)
    assert highest_pace_per_s(one, segments) == pytest.approx([1 / seconds], rel=1e-6)


def test_a_layer_that_one_unit_cannot_run_goes_to_the_other() -> None:
    one = board(UNITS, network("a", [[5.0, 1.0], [5.0, np.inf]]))
    assert highest_pace_per_s(one, 1) == pytest.approx([1 / 10], rel=1e-6)
    assert highest_pace_per_s(one, 2) == pytest.approx([1 / 5], rel=1e-6)


def test_memory_bounds_it_too() -> None:
    one = board(UNITS, network("a", [[0.1, 0.1]], moved_bytes=2e9), bytes_per_s=1e9)
    assert highest_pace_per_s(one, 2) == pytest.approx([1 / 2], rel=1e-6)


def test_no_mapping_passes_it() -> None:
    drawn = drawn_board(np.random.default_rng(3), 1, 2, 5, 1)
    every = Space(drawn, 3).all()
    assert steady_state(drawn, every).throughput_per_s.max() <= highest_pace_per_s(drawn, 3)[0]


@pytest.mark.parametrize("units", [2, 3])
@pytest.mark.parametrize("segments", [2, 3])
def test_where_all_cuts_cost_the_same_it_is_the_pace_of_the_best_mapping(units: int, segments: int) -> None:
    for seed in range(8):
        latency_s = np.random.default_rng(seed).integers(1, 9, (5, units)).astype(float)
        latency_s[seed % 5, seed % units] = np.inf
        one = board([unit(name) for name in "abc"[:units]], network("x", latency_s.tolist()), cut_s=0.25)
        every = steady_state(one, Space(one, segments).all())
        best = every.throughput_per_s[every.valid].max()
        assert highest_pace_per_s(one, segments)[0] == pytest.approx(best, rel=1e-6)
