"""Balanced pipelines: cuts against all cuts, and mappings that can run."""

from itertools import combinations

import numpy as np
import pytest

from engines.methods.mapformer.problem.pipelines import balanced_cuts, pipelined, rebalanced
from engines.methods.mapformer.problem.solo_throughput import highest_pace_per_s
from engines.methods.mapformer.problem.space import Space
from engines.simulation.board import Board, Mappings
from engines.simulation.steady_state import steady_state
from tests.engines.simulation.boards import board, drawn_board, network, unit


def alone(one: Board, cuts: tuple[int, ...], sequence: tuple[int, ...], steps: list[int]) -> float:
    """Frames a second of the first network by the simulator."""
    ends = np.array([[[*cuts, one.networks[0].layers]]])
    return float(steady_state(one, Mappings(ends, np.array([[sequence]]), np.array([steps]))).throughput_per_s[0, 0])


@pytest.mark.parametrize("sequence", [(0, 1), (2, 0, 1), (0, 1, 0)])
def test_balanced_cuts_are_the_best_of_all(sequence: tuple[int, ...]) -> None:
    one = drawn_board(np.random.default_rng(5), networks=1, units=3, layers=8, clocks=2)
    layers = one.networks[0].layers
    for steps in ([1, 2, 2], [2, 1, 1]):
        found = balanced_cuts(one, 0, sequence, np.array([steps]))
        every = [alone(one, cuts, sequence, steps) for cuts in combinations(range(1, layers), len(sequence) - 1)]
        if found is None:
            assert max(every) == 0
        else:
            assert alone(one, tuple(found[0, :-1].tolist()), sequence, steps) == pytest.approx(max(every))


def test_a_pipeline_has_its_units_for_itself() -> None:
    """x makes 200 a second in two halves, while y waits on the third unit."""
    units = [unit("a"), unit("b"), unit("c")]
    one = board(units, network("x", [[0.005] * 3] * 2), network("y", [[0.1] * 3]))
    found = steady_state(one, pipelined(Space(one, 2), np.random.default_rng(0)))
    assert found.valid.all()
    np.testing.assert_allclose(found.throughput_per_s.max(axis=0), [200, 10], rtol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_they_can_run_and_no_network_passes_its_pace(seed: int) -> None:
    random = np.random.default_rng(seed)
    one = drawn_board(random, networks=3, units=3, layers=7, clocks=2)
    space = Space(one, 3)
    made = pipelined(space, random)
    for mapping in (made, *(rebalanced(space, made.take(np.full(5, row)), random) for row in range(3))):
        found = steady_state(one, mapping)
        assert found.valid.all()
        assert (found.throughput_per_s <= highest_pace_per_s(one, 3)).all()


def test_the_pace_of_one_network_by_hand() -> None:
    """Two layers of 10 ms on a, 20 ms on b: the halves take 20 ms at most, all on a as well; a third unit c makes it 10 ms."""
    slow = board([unit("a"), unit("b")], network("x", [[0.01, 0.02]] * 2))
    assert highest_pace_per_s(slow, 2)[0] == pytest.approx(50, rel=1e-5)
    fast = board([unit("a"), unit("b"), unit("c")], network("x", [[0.01, 0.02, 0.01]] * 2))
    assert highest_pace_per_s(fast, 2)[0] == pytest.approx(100, rel=1e-5)
    assert highest_pace_per_s(fast, 1)[0] == pytest.approx(50, rel=1e-5)
