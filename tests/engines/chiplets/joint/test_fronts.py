from __future__ import annotations

import numpy as np
import pytest

from engines.chiplets.joint.fronts import Front, sum_of, sums_of_rests
from engines.chiplets.problem.objectives import Goal


def front(*points: tuple[float, float]) -> Front:
    latency, energy = zip(*points, strict=True)
    return Front(np.array(latency), np.array(energy))


def points_of(found: Front) -> list[tuple[float, float]]:
    return sorted(zip(found.latency_s.tolist(), found.energy_j.tolist(), strict=True))


def test_sums_of_two_fronts_are_without_the_dominated() -> None:
    # (1, 5) + (2, 4) = (3, 9) and (4, 1) + (1, 8) = (5, 9): the second is no better in anything.
    found = front((1.0, 5.0), (4.0, 1.0)).plus(front((1.0, 8.0), (2.0, 4.0)))
    assert points_of(found) == [(2.0, 13.0), (3.0, 9.0), (6.0, 5.0)]


def test_a_sum_of_none_is_nothing_and_rests_begin_at_each_window() -> None:
    windows = [front((1.0, 2.0)), front((3.0, 4.0)), front((5.0, 6.0))]
    assert [points_of(each) for each in sums_of_rests(windows)] == [
        [(9.0, 12.0)],
        [(8.0, 10.0)],
        [(5.0, 6.0)],
        [(0.0, 0.0)],
    ]
    assert points_of(sum_of(windows)) == [(9.0, 12.0)]


def test_a_coarse_front_bounds_every_point_from_below() -> None:
    generator = np.random.default_rng(3)
    latency = np.sort(generator.uniform(1, 9, 40))
    whole = Front(latency, np.sort(generator.uniform(1, 9, 40))[::-1])
    coarse = whole.coarse()
    assert len(coarse.latency_s) == 6
    below = (coarse.latency_s[:, None] <= whole.latency_s) & (coarse.energy_j[:, None] <= whole.energy_j)
    assert below.any(axis=0).all()


def test_the_least_of_an_empty_front_is_infinite() -> None:
    goal = Goal("edp")
    assert front((2.0, 6.0), (3.0, 3.0)).least(goal, 1.0, 1.0) == 16.0
    assert front((2.0, 6.0), (3.0, 3.0)).lowest(goal) == (3.0, 3.0)
    assert Front(np.empty(0), np.empty(0)).least(goal) == pytest.approx(np.inf)
