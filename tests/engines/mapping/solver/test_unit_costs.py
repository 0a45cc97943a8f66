from __future__ import annotations

import numpy as np

from engines.mapping.solver.unit_mapping import MappingLimits, UnitCosts, least, score
from tests.engines.mapping.solver.cases import brute_force, random_costs


def test_scores_do_not_depend_on_what_is_scored_beside() -> None:
    random = np.random.default_rng(3)
    costs = UnitCosts(*random.random((2, 50, 3, 4)), *random.random((2, 49, 4)))
    units, setting = random.integers(3, size=(40, 50)), random.integers(4, size=40)
    together = score(costs, units, setting)
    for number in range(40):
        alone = score(costs, units[[number]], setting[[number]])
        assert alone.latency_s[0] == together.latency_s[number] and alone.energy_j[0] == together.energy_j[number]


def test_least_sum_of_one_cost_is_that_of_brute_force() -> None:
    costs = random_costs(np.random.default_rng(8), 6, 3)
    fastest = brute_force(costs, MappingLimits())[:, 0].min()
    assert least(costs.latency_s, costs.handover_s)[0] == fastest
