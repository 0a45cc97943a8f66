"""Networks with branches: results that later blocks read."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from engines.contract.fronts.non_dominated import non_dominated
from engines.mapping.solver.unit_mapping import FrontSearch, MappingLimits, Skips, UnitCosts, score
from tests.engines.mapping.solver.cases import SENSES, points_of, random_costs, random_limits


def with_skips(costs: UnitCosts, random: np.random.Generator, count: int) -> UnitCosts:
    """The same with results that random later blocks read."""
    rows = []
    for _ in range(count):
        producer = int(random.integers(0, costs.blocks - 2))
        later = np.flatnonzero(random.random(costs.blocks - producer - 2) < 0.4) + producer + 2
        readers = tuple(int(block) for block in later) or (costs.blocks - 1,)
        rows.append((producer, readers, bool(random.random() < 0.5)))
    rows.sort()
    handover = random.integers(0, 5, (2, count, costs.settings)).astype(float)
    producers, readers, read_next = (tuple(column) for column in zip(*rows, strict=True))
    return replace(costs, skips=Skips(producers, readers, read_next, handover[0], handover[1]))


def cost_by_hand(costs: UnitCosts, units: tuple[int, ...]) -> tuple[float, float, int]:
    """Every result is followed by itself: where it lies, and what reading it elsewhere costs."""
    time = float(sum(costs.latency_s[block, unit, 0] for block, unit in enumerate(units)))
    joules = float(sum(costs.energy_j[block, unit, 0] for block, unit in enumerate(units)))
    changes = 0
    for block in range(1, costs.blocks):
        if units[block] != units[block - 1]:
            changes += 1
            time += costs.handover_s[block - 1, 0]
            joules += costs.handover_j[block - 1, 0]
    skips = costs.skips
    assert skips is not None
    for row, producer in enumerate(skips.producer):
        places = {units[producer]}
        if skips.read_next[row]:
            places.add(units[producer + 1])  # paid for with the change of unit
        for reader in skips.readers[row]:
            if units[reader] not in places:
                places.add(units[reader])
                time += skips.handover_s[row, 0]
                joules += skips.handover_j[row, 0]
    return time, joules, changes


def every_point(costs: UnitCosts, limits: MappingLimits) -> np.ndarray:
    found = []
    for units in product(range(costs.units), repeat=costs.blocks):
        time, joules, changes = cost_by_hand(costs, units)
        if not np.isfinite(time) or time > limits.latency_s or joules > limits.energy_j:
            continue
        if np.isfinite(limits.power_w) and joules > limits.power_w * time:
            continue
        if limits.transitions is None or changes <= limits.transitions:
            found.append((time, joules))
    points = np.array(found).reshape(-1, 2)
    return np.unique(points[non_dominated(points, SENSES)], axis=0)


@pytest.mark.parametrize("seed", range(120))
def test_with_branches_it_equals_brute_force(seed: int) -> None:
    random = np.random.default_rng(2000 + seed)
    blocks = int(random.integers(3, 8))
    costs = with_skips(random_costs(random, blocks, int(random.integers(2, 4))), random, int(random.integers(1, 4)))
    limits = random_limits(random, blocks)
    front = FrontSearch(costs, limits).front([0])
    assert front.left_out == 0 and not len(front.bound)
    np.testing.assert_array_equal(points_of(front), every_point(costs, limits))
    units = random.integers(costs.units, size=(20, blocks))
    scored = score(costs, units, np.zeros(20, np.int64))
    by_hand = [cost_by_hand(costs, tuple(row)) for row in units.tolist()]
    np.testing.assert_array_equal(np.column_stack([scored.latency_s, scored.energy_j]), np.array(by_hand)[:, :2])


@pytest.mark.parametrize("seed", range(30))
def test_of_too_many_that_wait_some_are_left_out_and_a_bound_is_given(seed: int) -> None:
    random = np.random.default_rng(3000 + seed)
    costs = with_skips(random_costs(random, 7, 2), random, 5)
    front = FrontSearch(costs, MappingLimits(), most_open=1).front([0])
    exact = every_point(costs, MappingLimits())
    assert front.left_out or len(points_of(front)) == len(exact)
    for point in points_of(front):  # found mappings are real ones
        assert (exact <= point).all(axis=1).any()
    if front.left_out:
        for point in exact:  # and no mapping is better than the bound
            assert (front.bound <= point).all(axis=1).any()


def test_with_power_as_an_objective_the_bound_on_power_counts_hand_overs_of_skips() -> None:
    random = np.random.default_rng(5)
    for _ in range(20):
        costs = with_skips(random_costs(random, 5, 2), random, 2)
        bound = FrontSearch(costs, MappingLimits(), by_power=True).power_bound_w
        for units in product(range(2), repeat=5):
            time, joules, _ = cost_by_hand(costs, units)
            assert not np.isfinite(time) or joules <= bound * time


def test_a_residual_makes_it_dear_to_leave_a_unit_and_come_back() -> None:
    """Three blocks; the last reads the first's result: only then two hand-overs by the way of the middle block are three."""
    latency = np.array([[1.0, 9.0], [3.0, 1.0], [1.0, 9.0]])[:, :, None]
    chain = UnitCosts(latency, latency, np.full((2, 1), 0.9), np.full((2, 1), 0.9))
    assert FrontSearch(chain, MappingLimits()).front([0]).units.tolist() == [[0, 1, 0]]
    one = np.full((1, 1), 0.9)
    away = np.array([[9.0, 1.0], [3.0, 1.0], [1.0, 9.0]])[:, :, None]
    branch = UnitCosts(away, away, np.full((2, 1), 0.9), np.full((2, 1), 0.9), Skips((0,), ((2,),), (True,), one, one))
    found = FrontSearch(branch, MappingLimits()).front([0])
    assert found.units.tolist() == [[1, 1, 0]] and found.scores.latency_s[0] == pytest.approx(1 + 1 + 0.9 + 1 + 0.9)
