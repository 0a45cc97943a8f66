"""The evolution or NSGA-II over configurations, from any generation on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.engine import Context
from engines.methods.map_and_conquer.model.scoring import Scores
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.search.evolution import PublishedOperators, TunedOperators
from engines.methods.map_and_conquer.search.rating import genome_of, rate
from engines.search.generations import Generations
from engines.search.nsga2 import Operators, Rating

_SETTINGS = 4  # at which even cuts are tried


class CutGenerations(Generations[Rating]):
    """Generations of configurations; for the published evolution costs have a fourth column, P."""

    def __init__(self, instance: CutInstance, params: MapAndConquerParams, context: Context) -> None:
        self.genome = genome_of(instance)
        self._instance, self._published = instance, params.method == "published"
        super().__init__(
            self._operators_of(params.population),
            params.population,
            params.evaluations,
            lambda generation: context.random("generation", generation),
        )

    def rate(self, genes: IntArray) -> tuple[Rating, Scores]:
        """Return the rating of rows of genes, shape `k x genes`."""
        rated, scores = rate(self._instance, self.genome, genes)
        if self._published:
            rated = replace(rated, costs=np.column_stack([rated.costs, scores.performance_js]))
        return rated, scores

    def _operators_of(self, population: int) -> Operators[Rating]:
        alleles = self.genome.alleles
        if self._published:
            return PublishedOperators(alleles, population)
        spread = np.linspace(0, len(self._instance.settings) - 1, _SETTINGS).round()
        known = self.genome.even(np.unique(np.append(spread, self._instance.reference)).astype(np.int64))
        return TunedOperators(alleles, population, known)
