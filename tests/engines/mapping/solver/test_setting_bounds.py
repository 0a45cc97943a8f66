from __future__ import annotations

import numpy as np

from engines.contract.fronts.non_dominated import non_dominated
from engines.mapping.solver.unit_mapping import FrontSearch, SettingBounds, best_with_power, less_power
from tests.engines.mapping.solver.cases import (
    SENSES,
    brute_force,
    every_mapping,
    points_of,
    random_costs,
    random_limits,
)


def test_what_is_known_and_bounds_of_settings_lose_nothing_with_power_as_an_objective() -> None:
    random = np.random.default_rng(6)
    for _ in range(40):
        costs, limits = random_costs(random, 5, 2, 12), random_limits(random, 5)
        search = FrontSearch(costs, limits, by_power=True)
        power_w = search.power_bound_w
        bounds, known = SettingBounds(less_power(costs, power_w)), np.empty((0, 2))
        rest = bounds.order()
        while len(rest := bounds.hopeful(rest, known - power_w * known[:, [0]] * [0.0, 1.0])):
            known = np.concatenate([known, points_of(search.front(rest[:2], known))])
            rest = rest[2:]
        points = np.array(every_mapping(costs, limits)).reshape(-1, 2)
        best = best_with_power(points[:, 0], points[:, 1])
        found = best_with_power(known[:, 0], known[:, 1])
        np.testing.assert_array_equal(np.unique(known[found], axis=0), np.unique(points[best], axis=0))


def test_what_is_known_and_bounds_of_settings_lose_nothing() -> None:
    random = np.random.default_rng(5)
    for _ in range(40):
        costs = random_costs(random, 5, 2, 12)
        limits = random_limits(random, 5)
        search, bounds = FrontSearch(costs, limits), SettingBounds(costs)
        known, skipped, rest = np.empty((0, 2)), 0, bounds.order()
        assert sorted(rest) == list(range(12))
        while len(rest):
            hopeful = bounds.hopeful(rest, known)
            skipped += len(rest) - len(hopeful)
            now, rest = hopeful[:2], hopeful[2:]
            if len(now):
                known = np.concatenate([known, points_of(search.front(now, known))])
        expected = brute_force(costs, limits)
        found = np.unique(known[non_dominated(known, SENSES)], axis=0) if len(known) else known
        np.testing.assert_array_equal(found, expected)
