from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.mapping.solver.unit_costs import (
    ROUNDING,
    MappingLimits,
    MappingScores,
    Skips,
    UnitCosts,
    handed_over,
    least,
    least_excess,
    least_to_go,
    less_power,
    power_bound_w,
    score,
)
from tests.engines.mapping.solver.cases import brute_force, random_costs

MORE = 1 + 1e-15


def costs_of(*tables: Any) -> UnitCosts:
    """Seconds and joules of blocks on units, then of changes after blocks, at one setting."""
    blocks_s, blocks_j, changes_s, changes_j = (np.array(each, dtype=np.float64)[..., None] for each in tables)
    return UnitCosts(blocks_s, blocks_j, changes_s, changes_j)


def skips_of(readers: tuple[int, ...], seconds: float, joules: float) -> Skips:
    """The result of block 0, which later blocks read."""
    return Skips((0,), (readers,), (False,), np.array([[seconds]]), np.array([[joules]]))


THREE = costs_of([[1, 2], [3, 4], [5, 6]], [[10, 20], [30, 40], [50, 60]], [0.5, 0.25], [7, 8])


def scores_of(seconds: list[float], joules: list[float], transitions: list[int]) -> MappingScores:
    return MappingScores(np.array(seconds), np.array(joules), np.array(transitions))


def test_scores_do_not_depend_on_what_is_scored_beside() -> None:
    random = np.random.default_rng(3)
    costs = UnitCosts(*random.random((2, 50, 3, 4)), *random.random((2, 49, 4)))
    units, setting = random.integers(3, size=(40, 50)), random.integers(4, size=40)
    together = score(costs, units, setting)
    for number in range(40):
        alone = score(costs, units[[number]], setting[[number]])
        assert alone.latency_s[0] == together.latency_s[number] and alone.energy_j[0] == together.energy_j[number]


def test_blocks_and_changes_add_up() -> None:
    found = score(THREE, np.array([[0, 1, 1], [1, 1, 0], [0, 1, 0]]), np.zeros(3, np.int64))
    assert found.latency_s.tolist() == [1 + 0.5 + 4 + 6, 2 + 4 + 0.25 + 5, 1 + 0.5 + 4 + 0.25 + 5]
    assert found.energy_j.tolist() == [10 + 7 + 40 + 60, 20 + 40 + 8 + 50, 10 + 7 + 40 + 8 + 50]
    assert found.transitions.tolist() == [1, 1, 2]
    assert [each.tolist() for each in handed_over(THREE, np.array([0, 1, 1]), 0)] == [[0, 0.5, 0], [0, 7, 0]]


# Changes cost 1 s and 10 J; the result of block 0, which blocks 2 and 3 read, 0.5 s and 4 J wherever it does not lie.
@pytest.mark.parametrize(
    ("units", "read_next", "changes", "fetched"),
    [
        ([2, 0, 2, 2], False, [0, 1, 1, 0], [0, 0, 0, 0]),  # at home
        ([0, 1, 1, 1], False, [0, 1, 0, 0], [0, 0, 1, 0]),  # the second reader finds it
        ([0, 1, 0, 2], False, [0, 1, 1, 1], [0, 0, 0, 1]),
        ([0, 1, 1, 0], False, [0, 1, 0, 1], [0, 0, 1, 0]),  # it lies at home still
        ([0, 1, 1, 2], False, [0, 1, 0, 1], [0, 0, 1, 1]),
        ([0, 1, 1, 1], True, [0, 1, 0, 0], [0, 0, 0, 0]),  # handed over with the change of unit
        ([0, 1, 0, 1], True, [0, 1, 1, 1], [0, 0, 0, 0]),
        ([0, 1, 2, 1], True, [0, 1, 1, 1], [0, 0, 1, 0]),
    ],
)
def test_a_result_is_fetched_once_to_every_unit(
    units: list[int], read_next: bool, changes: list[int], fetched: list[int]
) -> None:
    nothing = np.zeros((4, 3))
    skips = replace(skips_of((2, 3), 0.5, 4.0), read_next=(read_next,))
    costs = replace(costs_of(nothing, nothing, np.ones(3), np.full(3, 10.0)), skips=skips)
    seconds, joules = handed_over(costs, np.array(units), 0)
    assert seconds.tolist() == [change + 0.5 * fetch for change, fetch in zip(changes, fetched, strict=True)]
    assert joules.tolist() == [10 * change + 4 * fetch for change, fetch in zip(changes, fetched, strict=True)]
    whole = score(costs, np.array([units]), np.array([0]))
    assert (whole.latency_s[0], whole.energy_j[0]) == (seconds.sum(), joules.sum())


@pytest.mark.parametrize(
    ("limits", "scores", "kept"),
    [
        (MappingLimits(), scores_of([1e9], [1e9], [99]), [True]),
        (MappingLimits(latency_s=2), scores_of([2, 2 * MORE], [9, 9], [0, 0]), [True, False]),
        (MappingLimits(energy_j=8), scores_of([9, 9], [8, 8 * MORE], [0, 0]), [True, False]),
        (MappingLimits(power_w=4), scores_of([2, 2], [8, 8 * MORE], [0, 0]), [True, False]),
        (MappingLimits(transitions=3), scores_of([9, 9], [9, 9], [3, 4]), [True, False]),
        (MappingLimits(latency_s=2, power_w=4, transitions=3), scores_of([3, 1, 1], [3, 5, 3], [3, 3, 4]), [False] * 3),
    ],
)
def test_limits_may_be_met_exactly(limits: MappingLimits, scores: MappingScores, kept: list[bool]) -> None:
    assert limits.allow(scores).tolist() == kept


def test_least_sum_of_one_cost_is_that_of_brute_force() -> None:
    costs = random_costs(np.random.default_rng(8), 6, 3)
    fastest = brute_force(costs, MappingLimits())[:, 0].min()
    assert least(costs.latency_s, costs.handover_s)[0] == fastest


def test_least_sums_after_each_block_by_hand() -> None:
    block, handover = np.array([[1.0, 5.0], [4.0, 2.0], [2.0, 9.0]]), np.array([0.5, 3.0])
    # After the second block: 2 on the first unit, or 3 + 2 to come there. After the first: 4 + 2, or 0.5 + 4 + 2 from the second.
    assert least_to_go(block, handover).tolist() == [[6, 6.5], [2, 5], [0, 0]]
    assert least(block, handover) == 1 + 6


def test_less_power_takes_time_at_that_power_from_every_energy() -> None:
    costs = replace(
        costs_of([[1, np.inf], [3, 4]], [[10, np.inf], [30, 40]], [0.5], [7]), skips=skips_of((1,), 0.5, 4.0)
    )
    found = less_power(costs, 2.0)
    assert found.energy_j[..., 0].tolist() == [[8, np.inf], [24, 32]] and found.handover_j.tolist() == [[6]]
    assert found.skips is not None and found.skips.handover_j.tolist() == [[3]]
    assert least_excess(costs, 2.0).tolist() == [8 + 24]


SPREAD = np.where([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], 1.0, np.inf)


# Bisection begins at all energy within the least time of blocks, and ends where it meets the largest power exactly.
@pytest.mark.parametrize(
    ("costs", "most_w"),
    [
        (costs_of([[0.5]], [[1.5]], [], []), 3),
        (costs_of([[1, 4]], [[1, 8]], [], []), 2),  # from 8 W
        (costs_of([[1, 10], [np.inf, 1]], [[1, 9], [np.inf, 1]], [2], [6]), 2),  # from 4 W: (1 + 6 + 1) J in (1 + 2 + 1) s
        # Each of two readers fetches the result in 2 s for 7 J: (2 + 14) J in (4 + 4) s.
        (replace(costs_of(SPREAD, SPREAD / 2, [0] * 3, [0] * 3), skips=skips_of((2, 3), 2.0, 7.0)), 2),
        # 1/16 W at one setting and 1/2 J in 7 s at the other: 9362.3 steps of 0.5 W / 2**16.
        (UnitCosts(*np.array([[[[1, 7], [np.inf] * 2]], [[[1 / 16, 0.5], [np.inf] * 2]]]), *np.zeros((2, 0, 2))), 9363 / 2**17),
    ],
)  # fmt: skip
def test_the_bound_on_power_by_hand(costs: UnitCosts, most_w: float) -> None:
    assert power_bound_w(costs) == most_w * (1 + ROUNDING)


def test_a_result_that_lowers_the_power_is_not_counted_in_the_bound() -> None:
    # 4 W without it; 1 J in 1 s more where the last block is on the other unit.
    costs = replace(costs_of(np.ones((3, 2)), np.full((3, 2), 4.0), [0, 0], [0, 0]), skips=skips_of((2,), 1.0, 1.0))
    assert 4 <= power_bound_w(costs) < 4.001
