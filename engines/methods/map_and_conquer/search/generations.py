"""One generation after the other until the evaluations are used up, from any generation on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from engines.contract.engine import Context
from engines.methods.map_and_conquer.model.scoring import Scores
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.search.evolution import PublishedOperators, TunedOperators
from engines.methods.map_and_conquer.search.rating import genome_of, rate
from engines.search.nsga2 import Nsga2, Operators, Rated

IntArray = npt.NDArray[np.int64]
_SETTINGS = 4  # at which even cuts are tried


class Generations:
    """The evolution or NSGA-II.

    Attributes:
        evaluations: configurations scored so far.
    """

    def __init__(self, instance: CutInstance, params: MapAndConquerParams, context: Context) -> None:
        self.evaluations = 0
        self.genome = genome_of(instance)
        self._instance, self._params, self._context = instance, params, context
        self._published = params.method == "published"
        self._search = Nsga2(self._operators(), lambda generation: context.random("generation", generation))

    @property
    def generation(self) -> int:
        """Number of the next one."""
        return self._search.generation

    @property
    def population(self) -> IntArray | None:
        """Genes of the parents of the next generation; None before the first."""
        return None if self._search.parents is None else self._search.parents.genes

    def continue_from(self, generation: int, evaluations: int, population: IntArray | None) -> None:
        """Stand where a search stood that was interrupted."""
        self._search.generation, self.evaluations = generation, evaluations
        self._search.parents = None if population is None else self._rate(population)[0]

    def steps(self) -> Iterator[tuple[Rated, Scores]]:
        """Rated configurations of one generation after the other; costs are the three objectives."""
        while self.evaluations < self._params.evaluations and not self._context.stop_requested():
            count = min(self._params.population, self._params.evaluations - self.evaluations)
            rated, scores = self._rate(self._search.ask(count))
            self._search.tell(rated)
            self.evaluations += len(rated.genes)
            yield replace(rated, costs=rated.costs[:, :3]), scores

    def _rate(self, genes: IntArray) -> tuple[Rated, Scores]:
        rated, scores = rate(self._instance, self.genome, genes)
        if self._published:
            rated = replace(rated, costs=np.column_stack([rated.costs, scores.performance_js]))
        return rated, scores

    def _operators(self) -> Operators[Rated]:
        alleles, count = self.genome.alleles, self._params.population
        if self._published:
            return PublishedOperators(alleles, count)
        spread = np.linspace(0, len(self._instance.settings) - 1, _SETTINGS).round()
        known = self.genome.even(np.unique(np.append(spread, self._instance.reference)).astype(np.int64))
        return TunedOperators(alleles, count, known)
