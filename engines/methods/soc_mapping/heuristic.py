"""NSGA-II and random search: generations of mappings until the evaluations are used up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from engines.contract.engine import Context
from engines.mapping.designs.scoring import columns_of
from engines.mapping.problem.instance import Instance
from engines.mapping.solver.genetic import Alleles, Rated, published_children, survivors, tuned_children
from engines.mapping.solver.unit_mapping import score
from engines.methods.soc_mapping.params import Method, SocMappingParams

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

_MAKE_CHILDREN: Mapping[Method, Callable[[Rated, Alleles, np.random.Generator, int], IntArray]] = {
    "nsga2_published": published_children,
    "nsga2": tuned_children,
}


class HeuristicSearch:
    """Generations.

    Attributes:
        population: genes of the parents of the next generation, shape `k x (n + 1)`; None before the first, and for random search.
        generation: number of the next generation.
        evaluations: mappings scored so far.
    """

    def __init__(self, instance: Instance, params: SocMappingParams, context: Context) -> None:
        self.population: IntArray | None = None
        self.generation = self.evaluations = 0
        self._instance, self._params, self._context = instance, params, context
        self._alleles = Alleles.of(instance.allowed, len(instance.settings))

    def generations(self) -> Iterator[Rated]:
        """Rated mappings of one generation after the other."""
        while self.evaluations < self._params.evaluations and not self._context.stop_requested():
            genes = self._next()
            rated = self._rate(genes)
            self.generation += 1
            self.evaluations += len(genes)
            if self._params.method != "random":
                self._select(rated)
            yield rated

    def _next(self) -> IntArray:
        random = self._context.random("generation", self.generation)
        count = min(self._params.population, self._params.evaluations - self.evaluations)
        if self.population is None:
            genes = self._alleles.draw(random, count)
            return self._with_single_units(genes) if self.generation == 0 else genes
        return _MAKE_CHILDREN[self._params.method](self._rate(self.population), self._alleles, random, count)

    def _with_single_units(self, genes: IntArray) -> IntArray:
        if not self._params.seed_standalone or self._params.method == "random":
            return genes
        whole = np.flatnonzero(self._instance.allowed.all(axis=0))[: len(genes)]
        genes[: len(whole), :-1] = whole[:, None]
        genes[: len(whole), -1] = self._instance.reference
        return genes

    def _rate(self, genes: IntArray) -> Rated:
        units, setting = genes[:, :-1], genes[:, -1]
        columns = columns_of(self._instance, units, score(self._instance.costs, units, setting))
        names = ("latency_s", "energy_j", "power_w") if self._instance.by_power else ("latency_s", "energy_j")
        costs = np.column_stack([columns[name] for name in names])
        return Rated(genes, costs, np.maximum(-columns["limit_slack"], 0.0))

    def _select(self, children: Rated) -> None:
        if self.population is None:
            self.population = children.genes
            return
        parents = self._rate(self.population)
        merged = Rated(*(np.concatenate([getattr(parents, n), getattr(children, n)]) for n in _FIELDS))
        self.population = merged.genes[survivors(merged, self._params.population)]


_FIELDS = ("genes", "costs", "violation")
