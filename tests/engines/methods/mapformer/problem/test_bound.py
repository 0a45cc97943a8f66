"""The bound: by hand, and above every mapping."""

import numpy as np
import pytest

from engines.methods.mapformer.problem.bound import throughput_bound
from engines.methods.mapformer.problem.space import Space
from engines.simulation.steady_state import steady_state
from tests.engines.simulation.boards import board, drawn_board, network, unit


def test_one_network_goes_one_way() -> None:
    """10 ms on either of two units: whole on one of them it makes 100 a second, as it has one way; in two halves 200."""
    one = board([unit("a"), unit("b")], network("x", [[0.01, 0.01]]))
    assert throughput_bound(one, 1).mean_per_s == pytest.approx(100.0, rel=1e-3)
    halves = board([unit("a"), unit("b")], network("x", [[0.005, 0.005], [0.005, 0.005]]))
    assert throughput_bound(halves, 2).mean_per_s == pytest.approx(200.0, rel=1e-3)


def test_power_bounds_it_too() -> None:
    """1 W idle, 5 W or 10 W of load at 50 or 100 a second, 0.5 W of the memory: at 9 W half the time at either clock."""
    one = board([unit("a", (1e9, 2e9))], network("x", [[0.01]], clocks=2))
    assert throughput_bound(one, 1, 9.0).mean_per_s == pytest.approx(75.0, rel=1e-3)


def test_a_limit_that_no_mapping_keeps_bounds_it_by_nothing() -> None:
    """Frames always wait, so the unit is always busy."""
    one = board([unit("a")], network("x", [[0.01]]))
    assert throughput_bound(one, 1, 11.4).mean_per_s == 0.0
    assert throughput_bound(one, 1, 0.4).mean_per_s == 0.0


def test_a_rate_bounds_it_too() -> None:
    one = board([unit("a")], network("x", [[0.01]], most_per_s=30.0), network("y", [[0.1]]))
    assert throughput_bound(one, 1).mean_per_s == pytest.approx((30 + 7) / 2, rel=1e-3)


def test_fair_sharing_keeps_a_fast_network_from_having_all() -> None:
    one = board([unit("a")], network("x", [[0.001]]), network("y", [[1.0]]))
    assert throughput_bound(one, 1).mean_per_s == pytest.approx((500 + 0.5) / 2, rel=1e-3)


@pytest.mark.parametrize("seed", range(12))
def test_no_mapping_is_above_it(seed: int) -> None:
    random = np.random.default_rng(seed)
    segments = int(random.integers(1, 4))
    one = drawn_board(
        random, int(random.integers(1, 6)), int(random.integers(1, 5)), int(random.integers(1, 9)), int(random.integers(1, 4)),
    )  # fmt: skip
    space = Space(one, segments)
    mappings = type(space.drawn(random, 1)).joined(space.drawn(random, 2000), space.crowded(random, 2000))
    found = steady_state(one, mappings)
    for limit_w in (np.inf, float(np.median(found.power_w)), float(found.power_w.min())):
        bound = throughput_bound(one, segments, limit_w)
        kept = found.valid & (found.power_w <= limit_w)
        assert found.mean_per_s[kept].max() <= bound.mean_per_s * (1 + 1e-9)
        assert bound.relaxed_per_s <= bound.mean_per_s <= max(bound.relaxed_per_s, 0.0) * 1.001
