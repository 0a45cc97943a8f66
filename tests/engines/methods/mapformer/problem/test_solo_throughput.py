"""How fast a network can go alone, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from engines.methods.mapformer.problem.solo_throughput import _Network, highest_pace_per_s
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


def test_the_fastest_clock_counts() -> None:
    one = board([unit("cpu", [5e8, 1e9])], network("a", [[3.0]], clocks=2))  # 6 s at the lower one
    assert highest_pace_per_s(one, 1) == pytest.approx([1 / 3], rel=1e-6)


def test_every_cut_counts_as_the_smallest() -> None:
    # 0.5 s before the second layer, 4 s before the third.
    three = replace(network("a", [[2.0, 9.0], [9.0, 1.0], [9.0, 1.0]]), cut_bytes=np.array([0.0, 2.5e8, 2e9]))
    assert highest_pace_per_s(board(UNITS, three), 2) == pytest.approx([1 / 2.5], rel=1e-6)


@pytest.mark.parametrize("units", [1, 2, 4])
def test_it_is_above_the_exact_pace_by_less_than_the_last_halving(units: int) -> None:
    # One layer of 1/4 s on the first unit and 9 s on others. With two units the first bracket ends at it, with four the second.
    one = board([unit(name) for name in "abcd"[:units]], network("a", [[0.25, 9.0, 9.0, 9.0][:units]]))
    assert 4.0 <= highest_pace_per_s(one, 1)[0] < 4.0 * (1 + 2**-25 + 1e-8)


@pytest.mark.parametrize(
    ("seconds", "cut_s", "enough"),
    [
        ([[0.1, 9.0], [0.2, 9.0]], 0.0, 0.3),  # 0.1 + 0.2 is more than 0.3 in floating point
        ([[0.1, 9.0], [9.0, 0.3], [0.2, 9.0]], 0.0, 0.3),  # begin and end on one unit
        ([[0.5, 9.0], [9.0, 0.0]], 0.5, 0.5),  # the second unit only reads what the first one wrote
    ],
)
def test_a_time_suffices_that_is_met_exactly(seconds: list[list[float]], cut_s: float, enough: float) -> None:
    found = _Network(board(UNITS, network("a", seconds), cut_s=cut_s), 0, 3)
    assert found._suffices(enough) and not found._suffices(0.99 * enough)


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
