"""Heuristic searches over mappings whose costs are at hand: NSGA-II as published, tuned, and random.

For one network (2,000 mappings of 34 blocks take some 50 ms):

    found = search_mappings(costs, "published", 2000, 200, np.random.default_rng(0))
    front = found.costs[non_dominated_by_group(...)]  # latency and energy of everything that was scored
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from engines.mapping.solver.genetic import Alleles, IntArray, Rated, published_children, survivors, tuned_children
from engines.mapping.solver.unit_mapping import MappingLimits, UnitCosts, score

Method = Literal["published", "tuned", "random"]
_MAKE_CHILDREN = {"published": published_children, "tuned": tuned_children}


def search_mappings(
    costs: UnitCosts,
    method: Method,
    evaluations: int,
    population: int,
    random: np.random.Generator,
    limits: MappingLimits | None = None,
) -> Rated:
    """Every mapping that was scored, in that order; genes end with the number of the setting.

    Args:
        costs: of blocks, units and settings.
        method: "published" as in odema-2023 section 4.3.2, "tuned" with one flip per mapping on average, or "random".
        evaluations: mappings to score.
        population: of each generation.
        random: all randomness.
        limits: that mappings keep; those that do not count as broken in the number of limits.
    """
    alleles = Alleles.of(np.isfinite(costs.latency_s[:, :, 0]), costs.settings)
    limits = limits or MappingLimits()
    parents: Rated | None = None
    scored: list[Rated] = []
    left = evaluations
    while left > 0:
        count = min(population, left)
        if parents is None or method == "random":
            genes = alleles.draw(random, count)
        else:
            genes = _MAKE_CHILDREN[method](parents, alleles, random, count)
        rated = _rate(costs, genes, limits)
        scored.append(rated)
        left -= count
        if method != "random":
            merged = rated if parents is None else joined([parents, rated])
            parents = _take(merged, survivors(merged, population))
    return joined(scored)


def joined(parts: list[Rated]) -> Rated:
    """All of them, in order."""
    return Rated(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("genes", "costs", "violation")))


def _rate(costs: UnitCosts, genes: IntArray, limits: MappingLimits) -> Rated:
    scores = score(costs, genes[:, :-1], genes[:, -1])
    return Rated(
        genes, np.column_stack([scores.latency_s, scores.energy_j]), (~limits.allow(scores)).astype(np.float64)
    )


def _take(rated: Rated, rows: IntArray) -> Rated:
    return Rated(rated.genes[rows], rated.costs[rows], rated.violation[rows])
