"""Rows of genes rated for a search, and the evolution or NSGA-II over them, from any generation on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.engine import Context
from engines.contract.limits import minimum_slack
from engines.methods.map_and_conquer.model.scoring import Scores, score
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import columns_of
from engines.methods.map_and_conquer.search.bounds import Bounds, bounds_of
from engines.methods.map_and_conquer.search.evolution import PublishedOperators, TunedOperators
from engines.methods.map_and_conquer.search.genome import Genome
from engines.search.generations import Generations
from engines.search.nsga2 import Operators, Rating

_SETTINGS = 4  # at which even cuts are tried


def genome_of(instance: CutInstance) -> Genome:
    """Return the genome of a problem."""
    return Genome(instance.mappings, len(instance.settings), instance.network.layers, instance.steps)


def least_bounds(instance: CutInstance) -> Bounds:
    """Return what no configuration at any clocks is below."""
    return bounds_of(genome_of(instance), instance.costs, instance.accuracy.base_percent)


def goals(scores: Scores) -> FloatArray:
    """Return latency, energy and accuracy lost, all minimised, shape `B x 3`."""
    return np.column_stack([scores.latency_s, scores.energy_j, -scores.accuracy_percent])


def rate(instance: CutInstance, genome: Genome, genes: IntArray) -> tuple[Rating, Scores]:
    """Return what rows of genes are worth."""
    scores = score(instance.costs, instance.accuracy, genome.population(genes))
    violation = np.maximum(-minimum_slack(instance.allowed, columns_of(scores)), 0.0)
    return Rating(genes, goals(scores), violation), scores


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
