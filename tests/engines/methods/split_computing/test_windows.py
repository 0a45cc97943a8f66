"""Windows are drawn by the names that key them, and beliefs are calibrated."""

import numpy as np
import pytest

from engines.methods.split_computing.instance import instance_of
from engines.methods.split_computing.scenes import Scenes
from engines.methods.split_computing.windows import Windows, drawn_windows, states
from engines.running.context import LocalContext
from tests.engines.methods.split_computing.problems import control_problem

INSTANCE = instance_of(control_problem())


def drawn(*names: str, count: int = 100) -> Windows:
    context = LocalContext(control_problem())
    return drawn_windows(
        INSTANCE.system, INSTANCE.channel, INSTANCE.queue, Scenes(0.5, 0.5), context.random, count, *names
    )


def test_a_name_has_its_own_luck() -> None:
    one, same, other = drawn("a"), drawn("a"), drawn("b")
    assert np.array_equal(one.bits_per_s, same.bits_per_s) and not np.array_equal(one.bits_per_s, other.bits_per_s)
    assert len(one) == 100 and one.latency_s.shape == one.missed.shape == one.energy_j.shape


def test_of_windows_with_a_belief_that_share_is_robust() -> None:
    windows = drawn("calibrated", count=50_000)
    for low in (0.2, 0.5, 0.8):
        own = (windows.belief >= low) & (windows.belief < low + 0.1)
        assert windows.robust[own].mean() == pytest.approx(windows.belief[own].mean(), abs=0.03)
    assert (windows.quality[windows.robust] >= 0.5).all() and (windows.quality[~windows.robust] <= 0.5).all()


def test_of_what_is_only_seen_nothing_else_is_known() -> None:
    seen = states(INSTANCE.system, np.full(2, 8e6), np.full(2, 0.01), np.array([0.1, 0.9]))
    assert np.isnan(seen.quality).all() and not seen.robust.any()
    assert seen.latency_s.shape[1] == 2
