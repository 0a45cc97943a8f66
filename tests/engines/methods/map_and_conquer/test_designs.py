"""Designs and their decisions."""

from __future__ import annotations

import numpy as np

from engines.methods.map_and_conquer.decision import encoded
from engines.methods.map_and_conquer.designs import evaluated_designs, scored_designs
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.search.rating import genome_of


def test_decisions_come_back(instance: CutInstance) -> None:
    genome = genome_of(instance)
    population = genome.population(genome.alleles.draw(np.random.default_rng(0), 30))
    again = evaluated_designs(instance, encoded(instance, population))
    stored = scored_designs(instance, population)
    for name, values in stored.columns.items():
        np.testing.assert_array_equal(again.columns[name], values)
