"""Decisions there and back, and what is refused of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.map_and_conquer.decision import decoded, encoded, evaluated
from engines.methods.map_and_conquer.model.scoring import score
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import columns_of
from engines.methods.map_and_conquer.search.generations import genome_of

GOOD: dict[str, Any] = {
    "units": ["gpu", "dla"],
    "partition": [[1, 2, 1, 3], [3, 2, 3, 1]],
    "reuse": [[1, 0, 1, 0]],
}


def test_clocks_left_out_are_the_highest(instance: CutInstance) -> None:
    population, clocks = decoded(instance, GOOD)
    assert clocks.at(0) == instance.settings.at(instance.reference)
    assert population.reuse[0].tolist() == [[True, False, True, False], [False] * 4]


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"units": ["gpu", "gpu"]}, "decision.units", "different units"),
        ({"units": ["gpu", "cpu"]}, "decision.units.1", "gpu, dla"),
        ({"partition": [[1, 2, 1, 4], [3, 2, 3, 1]]}, "decision.partition", "4 of a layer in all"),
        ({"partition": [[1, 2, 1], [3, 2, 3]]}, "decision.partition", "one for each layer"),
        ({"reuse": [[1, 0, 2, 0]]}, "decision.reuse", "from 0 to 1"),
        ({"clocks_mhz": {"gpu": 7}}, "decision.clocks_mhz.gpu", "within 3 %"),
        ({"clocks_mhz": "fast"}, "decision.clocks_mhz", "a mapping"),
        ({"speed": 1}, "decision.speed", "one of the keys units, clocks_mhz, partition, reuse"),
    ],
)
def test_what_is_no_decision_is_named(instance: CutInstance, change: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(DecisionError, match=words) as refused:
        decoded(instance, {**GOOD, **change})
    assert refused.value.field == field


def test_decisions_come_back(instance: CutInstance) -> None:
    genome = genome_of(instance)
    population = genome.population(genome.alleles.draw(np.random.default_rng(0), 30))
    decisions = encoded(instance, population, instance.settings)
    again = evaluated(instance, [decoded(instance, decision) for decision in decisions])
    for name, values in columns_of(score(instance.costs, instance.accuracy, population)).items():
        np.testing.assert_array_equal(again[name], values)
