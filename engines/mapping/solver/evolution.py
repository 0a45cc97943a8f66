"""Heuristic searches over mappings whose costs are at hand: NSGA-II as published, tuned, and random.

For one network (2,000 mappings of 34 blocks take some 50 ms):

    found = search_mappings(costs, "nsga2_published", 2000, 200, np.random.default_rng(0))
    front = found.costs[non_dominated_by_group(...)]  # latency and energy of everything that was scored
"""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import IntArray
from engines.mapping.solver.genetic import MappingOperators, Method
from engines.mapping.solver.unit_mapping import MappingLimits, UnitCosts, score
from engines.search.choice_operators import Alleles
from engines.search.nsga2 import Nsga2, Rating


def search_mappings(
    costs: UnitCosts,
    method: Method,
    evaluations: int,
    population: int,
    random: np.random.Generator,
    limits: MappingLimits | None = None,
) -> Rating:
    """Return every mapping that was scored, in that order; genes end with the number of the setting.

    Args:
        costs: costs of blocks per unit and setting.
        method: "nsga2_published" as in odema-2023 section 4.3.2, "nsga2" with one flip per mapping on average, or "random".
        evaluations: mappings to score.
        population: population of each generation.
        random: all randomness.
        limits: that mappings keep; those that do not count as broken in the number of limits.
    """
    alleles = Alleles.of(np.isfinite(costs.latency_s[:, :, 0]), costs.settings)
    search = Nsga2(MappingOperators(method, alleles, population), lambda generation: random)
    scored: list[Rating] = []
    for left in range(evaluations, 0, -population):
        rated = _rate(costs, search.ask(min(population, left)), limits or MappingLimits())
        search.tell(rated)
        scored.append(rated)
    return Rating.joined(*scored)


def _rate(costs: UnitCosts, genes: IntArray, limits: MappingLimits) -> Rating:
    scores = score(costs, genes[:, :-1], genes[:, -1])
    return Rating(
        genes, np.column_stack([scores.latency_s, scores.energy_j]), (~limits.allow(scores)).astype(np.float64)
    )
