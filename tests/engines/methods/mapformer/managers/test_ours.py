"""Our search against brute force, written apart from it."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from engines.methods.mapformer.managers.ours import OurManager
from engines.simulation.board import Board, Mappings
from engines.simulation.steady_state import steady_state
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import drawn_board

UNITS, CLOCKS = 2, 2


def brute_force(board: Board, limit_w: float, layers: int) -> float:
    """Every unit for every layer of two networks, every clock, or off."""
    chains = product(product(range(UNITS), repeat=layers), repeat=2)
    rows = [(*pair, steps) for pair in chains for steps in product(range(CLOCKS + 1), repeat=UNITS)]
    units = np.array([row[:2] for row in rows])
    ends = np.broadcast_to(np.arange(1, layers + 1), units.shape).copy()
    found = steady_state(board, Mappings(ends, units, np.array([row[2] for row in rows])))
    return float(found.mean_per_s[found.valid & (found.power_w <= limit_w)].max())


def searched(manager: OurManager, limit_w: float) -> float:
    """The best that the manager finds."""
    best, state = 0.0, dict[str, Any]()
    for number in range(manager.rounds):
        tried = manager.round(number, state)
        state = dict(tried.state)
        kept = tried.steady.valid & (tried.steady.power_w <= limit_w)
        best = max(best, float(tried.steady.mean_per_s[kept].max(initial=0.0)))
    return best


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("limit_w", [np.inf, 12.0])
def test_it_equals_brute_force(seed: int, limit_w: float) -> None:
    """2 networks x 4 blocks x 2 units x 2 clocks."""
    board = drawn_board(np.random.default_rng(seed), networks=2, units=UNITS, layers=4, clocks=CLOCKS)
    manager = OurManager(task(board, 4, limit_w, 20_000))
    assert manager.exact
    assert searched(manager, limit_w) == pytest.approx(brute_force(board, limit_w, 4), rel=1e-12)


def test_it_keeps_the_fairest_and_a_limit_on_fairness_guides_it() -> None:
    """More mappings than evaluations; the fairest of all is known from a run that keeps to no limit."""
    board = drawn_board(np.random.default_rng(0), networks=3, units=3, layers=6, clocks=2)
    fairest, _ = fair_and_fast(OurManager(task(board, 4, 20.0, 8000)), 0.0)
    assert fairest > 0
    asked = 0.9 * fairest
    _, fast = fair_and_fast(OurManager(task(board, 4, 20.0, 8000)), asked)
    _, guided = fair_and_fast(OurManager(task(board, 4, 20.0, 8000, least_share=asked)), asked)
    assert guided >= fast > 0


def fair_and_fast(manager: OurManager, least: float) -> tuple[float, float]:
    """Return the best fairness within 20 W, and the best mean throughput from a fairness on."""
    fairest, fast, state = 0.0, 0.0, dict[str, Any]()
    assert not manager.exact
    for number in range(manager.rounds):
        tried = manager.round(number, state)
        state = dict(tried.state)
        keeps = tried.steady.valid & (tried.steady.power_w <= 20.0)
        smallest = manager.task.fairness.smallest(tried.steady)
        fairest = max(fairest, float(smallest[keeps].max(initial=0.0)))
        fast = max(fast, float(tried.steady.mean_per_s[keeps & (smallest >= least)].max(initial=0.0)))
    return fairest, fast


@pytest.mark.parametrize("seed", range(2))
def test_what_it_does_not_go_through_it_finds_as_well(seed: int) -> None:
    """2 networks x 6 blocks: more mappings than evaluations."""
    board = drawn_board(np.random.default_rng(seed), networks=2, units=UNITS, layers=6, clocks=CLOCKS)
    manager = OurManager(task(board, 6, 12.0, 12_000))
    assert not manager.exact
    assert searched(manager, 12.0) == pytest.approx(brute_force(board, 12.0, 6), rel=1e-12)
