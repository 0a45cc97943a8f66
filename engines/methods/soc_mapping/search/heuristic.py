"""NSGA-II and random search: generations of mappings until the evaluations are used up."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.engine import Context
from engines.mapping.designs.scoring import columns_of
from engines.mapping.problem.instance import Instance
from engines.mapping.solver.genetic import MappingOperators
from engines.mapping.solver.unit_mapping import score
from engines.methods.soc_mapping.params import SocMappingParams
from engines.search.choice_operators import Alleles
from engines.search.generations import Generations
from engines.search.nsga2 import Rating


def heuristic_search(instance: Instance, params: SocMappingParams, context: Context) -> Generations[Rating]:
    """Return the search that the parameters ask for, before its first generation."""
    assert params.method != "exact"
    alleles = Alleles.of(instance.allowed, len(instance.settings))
    known = _single_units(instance) if params.seed_standalone else None
    operators = MappingOperators(params.method, alleles, params.population, known)
    return Generations(
        operators, params.population, params.evaluations, lambda generation: context.random("generation", generation)
    )


def rated_mappings(instance: Instance, genes: IntArray) -> Rating:
    """Return the rating of rows of genes (shape `k x (n + 1)`) by latency and energy, and by power if it is an objective."""
    units, setting = genes[:, :-1], genes[:, -1]
    columns = columns_of(instance, units, score(instance.costs, units, setting))
    names = ("latency_s", "energy_j", "power_w") if instance.by_power else ("latency_s", "energy_j")
    costs = np.column_stack([columns[name] for name in names])
    return Rating(genes, costs, np.maximum(-columns["limit_slack"], 0.0))


def _single_units(instance: Instance) -> IntArray:
    """Return the mapping to each unit that may have all blocks, at the highest clocks, shape `k x (n + 1)`."""
    whole = np.flatnonzero(instance.allowed.all(axis=0))
    units = np.repeat(whole[:, None], len(instance.blocks), axis=1)
    return np.column_stack([units, np.full(len(whole), instance.reference)])
