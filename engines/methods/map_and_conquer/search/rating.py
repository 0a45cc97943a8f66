"""Rows of genes rated for a search: objectives that are all minimised, and by how much limits are broken."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.limits import minimum_slack
from engines.methods.map_and_conquer.model.scoring import Scores, score
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import columns_of
from engines.methods.map_and_conquer.search.bounds import Bounds, bounds_of
from engines.methods.map_and_conquer.search.genome import Genome
from engines.search.nsga2 import Rating


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
    """Return the rating of rows of genes."""
    scores = score(instance.costs, instance.accuracy, genome.population(genes))
    violation = np.maximum(-minimum_slack(instance.allowed, columns_of(scores)), 0.0)
    return Rating(genes, goals(scores), violation), scores
