"""Networks that share units, worked by hand, and against the simulation frame by frame."""

import numpy as np
import pytest

from engines.methods.mapformer.problem.space import Space
from engines.simulation.frames import frame_by_frame
from engines.simulation.steady_state import steady_state
from tests.engines.simulation.boards import board, drawn_board, mapping, network, unit


def test_two_networks_and_two_units_by_hand() -> None:
    """x: 10 ms on a; y: 20 ms on a, then 50 ms on b. At a share s of what each needs longest, a is busy for s + 0.4 s: s is 5/7."""
    both = board(
        [unit("a"), unit("b", idle_w=2.0, dynamic_w=4.0)],
        network("x", [[0.01, 1.0], [1e-9, 1.0]]),
        network("y", [[0.02, 1.0], [1.0, 0.05]]),
    )
    found = steady_state(both, mapping([[2, 2], [1, 2]], [[0, 0], [0, 1]], [1, 1]))
    np.testing.assert_allclose(found.throughput_per_s, [[500 / 7, 100 / 7]], rtol=1e-6)
    np.testing.assert_allclose(found.load[0, :2], [1.0, 5 / 7], rtol=1e-6)
    np.testing.assert_allclose(found.power_w, 0.5 + (1 + 10) + (2 + 4 * 5 / 7), rtol=1e-6)
    np.testing.assert_allclose(found.per_j, (600 / 7) / (13.5 + 20 / 7), rtol=1e-6)
    assert found.valid.all()


def test_networks_on_one_unit_share_its_time_by_their_weights() -> None:
    one = board([unit("a")], network("x", [[0.01]]), network("y", [[0.02]], weight=0.5))
    np.testing.assert_allclose(
        steady_state(one, mapping([[1], [1]], [[0], [0]], [1])).throughput_per_s, [[200 / 3, 50 / 3]]
    )


def test_a_rate_leaves_the_rest_to_others() -> None:
    one = board([unit("a")], network("x", [[0.01]]), network("y", [[0.02]], most_per_s=10.0))
    np.testing.assert_allclose(steady_state(one, mapping([[1], [1]], [[0], [0]], [1])).throughput_per_s, [[80.0, 10.0]])
    alone = board([unit("a")], network("x", [[0.01]], most_per_s=25.0))
    found = steady_state(alone, mapping([[1]], [[0]], [1]))
    np.testing.assert_allclose([found.throughput_per_s[0, 0], found.load[0, 0]], [25.0, 0.25])


def test_the_memory_holds_up_what_moves_much() -> None:
    one = board([unit("a")], network("x", [[0.01]], moved_bytes=1e8))
    np.testing.assert_allclose(steady_state(one, mapping([[1]], [[0]], [1])).throughput_per_s, [[10.0]], rtol=1e-6)


def test_a_hand_over_takes_the_unit_that_goes_on() -> None:
    one = board([unit("a"), unit("b")], network("x", [[0.01, 1.0], [1.0, 0.01]], cut_bytes=1e6), cut_s=0.003)
    found = steady_state(one, mapping([[1, 2]], [[0, 1]], [1, 1]))
    np.testing.assert_allclose(found.throughput_per_s, [[1 / 0.015]], rtol=1e-6)


def test_what_is_off_or_cannot_run_it_gives_nothing() -> None:
    one = board([unit("a"), unit("b")], network("x", [[0.01, np.inf]]), network("y", [[0.01, 0.02]]))
    off = steady_state(one, mapping([[1], [1]], [[0], [1]], [1, 0]))
    assert not off.valid[0] and off.throughput_per_s.tolist() == [[100.0, 0.0]]
    unable = steady_state(one, mapping([[1], [1]], [[1], [1]], [1, 1]))
    assert not unable.valid[0] and unable.throughput_per_s[0, 0] == 0


def test_an_empty_segment_is_no_hand_over() -> None:
    one = board([unit("a"), unit("b")], network("x", [[0.01, 0.01], [0.01, 0.01]]), cut_s=0.01)
    plain = steady_state(one, mapping([[2, 2, 2]], [[0, 0, 0]], [1, 1]))
    odd = steady_state(one, mapping([[0, 2, 2]], [[1, 0, 1]], [1, 1]))
    np.testing.assert_array_equal(plain.throughput_per_s, odd.throughput_per_s)


def test_no_mapping_depends_on_others_beside_it() -> None:
    random = np.random.default_rng(4)
    one = drawn_board(random, networks=9, units=4, layers=8, clocks=3)
    mappings = Space(one, 3).drawn(random, 1100)
    together = steady_state(one, mappings)
    for row in (0, 7, 1099):
        alone = steady_state(one, mappings.take(np.array([row])))
        np.testing.assert_array_equal(alone.throughput_per_s[0], together.throughput_per_s[row])
        assert alone.power_w[0] == together.power_w[row]


@pytest.mark.parametrize("seed", range(4))
def test_frame_by_frame_agrees(seed: int) -> None:
    random = np.random.default_rng(seed)
    one = drawn_board(random, networks=3, units=3, layers=6, clocks=2)
    mappings = Space(one, 2).drawn(random, 3)
    steady = steady_state(one, mappings)
    for row in range(len(mappings)):
        judged = frame_by_frame(one, mappings.take(np.array([row])), 150)
        print(f"steady state {steady.throughput_per_s[row].round(2)}, frame by frame {judged.round(2)} frames a second")
        assert abs(judged.mean() / steady.mean_per_s[row] - 1) < 0.05
        np.testing.assert_allclose(judged, steady.throughput_per_s[row], rtol=0.12)
