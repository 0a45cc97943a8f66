"""Designs and their decisions."""

from __future__ import annotations

import numpy as np

from engines.methods.map_and_conquer.decision import decoded, encoded
from engines.methods.map_and_conquer.designs import evaluated
from engines.methods.map_and_conquer.model.scoring import score
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import columns_of
from engines.methods.map_and_conquer.search.rating import genome_of


def test_decisions_come_back(instance: CutInstance) -> None:
    genome = genome_of(instance)
    population = genome.population(genome.alleles.draw(np.random.default_rng(0), 30))
    decisions = encoded(instance, population, instance.settings)
    again = evaluated(instance, [decoded(instance, decision) for decision in decisions])
    for name, values in columns_of(score(instance.costs, instance.accuracy, population)).items():
        np.testing.assert_array_equal(again[name], values)
