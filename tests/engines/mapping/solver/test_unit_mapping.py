from collections import deque

import numpy as np
import pytest

from engines.contract.fronts.non_dominated import non_dominated
from engines.mapping.solver.unit_mapping import (
    FrontSearch,
    MappingLimits,
    UnitCosts,
    score,
)
from engines.search.indicators import hypervolume
from tests.engines.mapping.solver.cases import (
    SENSES,
    brute_force,
    every_mapping,
    points_of,
    random_costs,
    random_limits,
)
from tests.support.sampling import seeds


@pytest.mark.parametrize("seed", range(200))
def test_it_equals_brute_force_with_any_limits(seed: int) -> None:
    random = np.random.default_rng(seed)
    blocks, units, settings = int(random.integers(2, 8)), int(random.integers(1, 4)), int(random.integers(1, 3))
    costs = random_costs(random, blocks, units, settings)
    limits = random_limits(random, blocks)
    front = FrontSearch(costs, limits).front(range(settings))
    np.testing.assert_array_equal(points_of(front), brute_force(costs, limits))
    assert front.latency_error_s == 0
    again = score(costs, front.units, front.setting)
    np.testing.assert_array_equal(again.latency_s, front.scores.latency_s)
    assert limits.allow(again).all()


@pytest.mark.parametrize("seed", range(100))
def test_with_power_as_an_objective_it_equals_brute_force(seed: int) -> None:
    random = np.random.default_rng(1000 + seed)
    blocks, units, settings = int(random.integers(2, 8)), int(random.integers(1, 4)), int(random.integers(1, 3))
    costs = random_costs(random, blocks, units, settings)
    limits = random_limits(random, blocks)
    search = FrontSearch(costs, limits, by_power=True)
    points = np.array(every_mapping(costs, limits)).reshape(-1, 2)
    power = points[:, 1] / points[:, 0]
    assert (power <= search.power_bound_w).all()
    expected = np.unique(points[non_dominated(np.column_stack([points, power]), ("minimise",) * 3)], axis=0)
    found = points_of(search.front(range(settings)))
    np.testing.assert_array_equal(np.unique(found, axis=0), expected)
    assert len(found) == len(expected)


def label_correcting(costs: UnitCosts, most_changes: int) -> np.ndarray:
    """The front by another algorithm: a queue of labels over nodes (block, unit, changes), put right as better ones come.

    Plain tuples and a queue, nothing shared with the search under test (Vincke 1974; Guerriero and Musmanno 2001).
    """
    bags: dict[tuple[int, int, int], list[tuple[float, float]]] = {}
    queue: deque[tuple[int, int, int, float, float]] = deque()

    def offer(block: int, unit: int, changes: int, time: float, joules: float) -> None:
        bag = bags.setdefault((block, unit, changes), [])
        if not np.isfinite(time) or any(t <= time and j <= joules for t, j in bag):
            return
        bag[:] = [(t, j) for t, j in bag if not (time <= t and joules <= j)] + [(time, joules)]
        queue.append((block, unit, changes, time, joules))

    for unit in range(costs.units):
        offer(0, unit, 0, costs.latency_s[0, unit, 0], costs.energy_j[0, unit, 0])
    while queue:
        block, unit, changes, time, joules = queue.pop() if len(queue) % 2 else queue.popleft()
        if block + 1 == costs.blocks or (time, joules) not in bags[block, unit, changes]:
            continue
        for following in range(costs.units):
            moved = following != unit
            if changes + moved > most_changes:
                continue
            offer(
                block + 1, following, changes + moved,
                time + costs.latency_s[block + 1, following, 0] + moved * costs.handover_s[block, 0],
                joules + costs.energy_j[block + 1, following, 0] + moved * costs.handover_j[block, 0],
            )  # fmt: skip
    points = np.array([p for (block, _, _), bag in bags.items() if block + 1 == costs.blocks for p in bag])
    points = points.reshape(-1, 2)
    return np.unique(points[non_dominated(points, SENSES)], axis=0)


@pytest.mark.parametrize("seed", seeds(30, at_every_change=10))
def test_it_equals_an_independent_label_correcting_search(seed: int) -> None:
    """Larger than brute force can do: up to 40 blocks on 3 units."""
    random = np.random.default_rng(500 + seed)
    costs = random_costs(random, int(random.integers(10, 41)), int(random.integers(2, 4)))
    most = int(random.integers(0, 6)) if seed % 2 else costs.blocks
    limits = MappingLimits(transitions=most if seed % 2 else None)
    front = FrontSearch(costs, limits).front([0])
    np.testing.assert_array_equal(points_of(front), label_correcting(costs, most))


def test_dominance_by_latency_and_energy_alone_would_lose_the_mapping_of_low_power() -> None:
    """The second unit is slower and needs more, and yet is the only one whose power is low enough."""
    latency, energy = np.array([[1.0, 2.0], [1.0, np.inf]]), np.array([[10.0, 11.0], [1.0, np.inf]])
    free = np.zeros((1, 1))
    costs = UnitCosts(latency[:, :, None], energy[:, :, None], free, free)
    without = FrontSearch(costs, MappingLimits()).front([0])
    np.testing.assert_array_equal(without.units, [[0, 0]])
    assert without.scores.energy_j[0] / without.scores.latency_s[0] > 4
    within = FrontSearch(costs, MappingLimits(power_w=4.0)).front([0])
    np.testing.assert_array_equal(within.units, [[1, 0]])


def test_a_thinned_front_says_how_far_it_may_be_off_and_keeps_that() -> None:
    random = np.random.default_rng(11)
    latency, energy = random.uniform(0.5, 1.5, (60, 2, 1)), random.uniform(0.5, 1.5, (60, 2, 1))
    costs = UnitCosts(latency, energy, np.full((59, 1), 0.05), np.full((59, 1), 0.05))
    exact = FrontSearch(costs, MappingLimits()).front([0])
    thin = FrontSearch(costs, MappingLimits(), most_labels=150).front([0])
    assert exact.latency_error_s == 0 < thin.latency_error_s and thin.labels < exact.labels
    for time, joules in points_of(exact):
        no_more_energy = thin.scores.energy_j <= joules * (1 + 1e-12)
        assert thin.scores.latency_s[no_more_energy].min() <= time + thin.latency_error_s
    corner = points_of(exact).max(axis=0) * 1.1
    share = hypervolume(points_of(thin), SENSES, corner) / hypervolume(points_of(exact), SENSES, corner)
    assert 0.999 <= share <= 1


def test_nothing_is_found_where_limits_cannot_be_met() -> None:
    costs = random_costs(np.random.default_rng(0), 4, 2)
    front = FrontSearch(costs, MappingLimits(latency_s=0.5)).front([0])
    assert len(front.setting) == 0
