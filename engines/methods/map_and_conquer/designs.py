"""Scored configurations as designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.cost.soc.clocks import ClockSettings
from engines.methods.map_and_conquer.decision import decoded, encoded
from engines.methods.map_and_conquer.model.scoring import Population, Scores, score
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import columns_of


def searched_designs(instance: CutInstance, population: Population, scores: Scores) -> Designs:
    """Return the designs that a search evaluated, with their decisions."""
    return Designs(columns_of(scores), encoded(instance, population))


def scored_designs(instance: CutInstance, population: Population, labels: Sequence[str] = ()) -> Designs:
    """Return a population at settings of the instance, scored here."""
    scores = score(instance.costs, instance.accuracy, population)
    designs = searched_designs(instance, population, scores)
    return Designs(designs.columns, designs.decisions, label=labels)


def evaluated_designs(instance: CutInstance, decisions: Sequence[Mapping[str, Any]]) -> Designs:
    """Return the decisions scored at their own clocks, those with as many stages at once.

    Raises:
        DecisionError: a decision does not describe a configuration.
    """
    read = [decoded(instance, decision) for decision in decisions]
    rows = np.array([[clocks.at(0)[name] for name in clocks.frequencies_hz] for _, clocks in read])
    distinct, setting = np.unique(rows, axis=0, return_inverse=True)
    names = read[0][1].frequencies_hz
    costs = instance.costs_at(ClockSettings({name: distinct[:, at].copy() for at, name in enumerate(names)}))
    stages = np.array([population.units.shape[1] for population, _ in read])
    columns: dict[str, FloatArray] = {}
    for count in np.unique(stages):
        at = np.flatnonzero(stages == count)
        joined = Population.joined([replace(read[row][0], setting=setting.ravel()[[row]]) for row in at.tolist()])
        for name, values in columns_of(score(costs, instance.accuracy, joined)).items():
            columns.setdefault(name, np.empty(len(read)))[at] = values
    return Designs(columns, decisions)


def whole_networks(instance: CutInstance) -> tuple[Population, tuple[str, ...]]:
    """Return the network that is not cut, on each unit that can run it, at the highest of the clocks.

    And the names of the units.
    """
    able = np.array(instance.highest.able, dtype=np.int64)
    shape = (len(able), 1, instance.network.layers)
    population = Population(
        units=able[:, None],
        setting=np.full(len(able), instance.reference),
        partition=np.full(shape, instance.steps),
        reuse=np.zeros(shape, dtype=bool),
    )
    return population, tuple(instance.units[number] for number in able)
