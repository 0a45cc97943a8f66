"""NSGA-II and random search: generations of mappings until the evaluations are used up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from engines.contract.engine import Context
from engines.mapping.designs.scoring import columns_of
from engines.mapping.problem.instance import Instance
from engines.mapping.solver.genetic import Alleles, MappingOperators
from engines.mapping.solver.unit_mapping import score
from engines.methods.soc_mapping.params import SocMappingParams
from engines.search.nsga2 import Nsga2, Rated

IntArray = npt.NDArray[np.int64]


class HeuristicSearch:
    """Generations.

    Attributes:
        evaluations: mappings scored so far.
    """

    def __init__(self, instance: Instance, params: SocMappingParams, context: Context) -> None:
        assert params.method != "exact"
        self.evaluations = 0
        self._instance, self._params, self._context = instance, params, context
        alleles = Alleles.of(instance.allowed, len(instance.settings))
        known = _single_units(instance) if params.seed_standalone else None
        operators = MappingOperators(params.method, alleles, params.population, known)
        self._search = Nsga2(operators, lambda generation: context.random("generation", generation))

    @property
    def generation(self) -> int:
        """Number of the next one."""
        return self._search.generation

    @property
    def population(self) -> IntArray | None:
        """Genes of the parents of the next generation, shape `k x (n + 1)`; None before the first."""
        return None if self._search.parents is None else self._search.parents.genes

    def continue_from(self, generation: int, evaluations: int, population: IntArray | None) -> None:
        """Stand where a search stood that was interrupted."""
        self._search.generation, self.evaluations = generation, evaluations
        self._search.parents = None if population is None else self._rate(population)

    def generations(self) -> Iterator[Rated]:
        """Rated mappings of one generation after the other."""
        while self.evaluations < self._params.evaluations and not self._context.stop_requested():
            rated = self._rate(
                self._search.ask(min(self._params.population, self._params.evaluations - self.evaluations))
            )
            self._search.tell(rated)
            self.evaluations += len(rated.genes)
            yield rated

    def _rate(self, genes: IntArray) -> Rated:
        units, setting = genes[:, :-1], genes[:, -1]
        columns = columns_of(self._instance, units, score(self._instance.costs, units, setting))
        names = ("latency_s", "energy_j", "power_w") if self._instance.by_power else ("latency_s", "energy_j")
        costs = np.column_stack([columns[name] for name in names])
        return Rated(genes, costs, np.maximum(-columns["limit_slack"], 0.0))


def _single_units(instance: Instance) -> IntArray:
    """The mapping to each unit that may have all blocks, at the highest clocks, shape `k x (n + 1)`."""
    whole = np.flatnonzero(instance.allowed.all(axis=0))
    units = np.repeat(whole[:, None], len(instance.blocks), axis=1)
    return np.column_stack([units, np.full(len(whole), instance.reference)])
