"""Scored configurations as designs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.cost.soc.clocks import ClockSettings
from engines.methods.map_and_conquer.decision import Configuration, encoded
from engines.methods.map_and_conquer.model.scoring import Population, Scores, score
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import columns_of
from engines.search.strategies import Columns


def searched_designs(instance: CutInstance, population: Population, scores: Scores) -> Designs:
    """Return the designs that a search evaluated, with their decisions."""
    return Designs(columns_of(scores), encoded(instance, population, instance.settings))


def evaluated(instance: CutInstance, designs: Sequence[Configuration]) -> Columns:
    """Return the columns of configurations at their own clocks; those with as many stages are scored at once."""
    rows = np.array([list(clocks.at(0).values()) for _, clocks in designs])
    distinct, setting = np.unique(rows, axis=0, return_inverse=True)
    names = designs[0][1].frequencies_hz
    costs = instance.costs_at(ClockSettings({name: distinct[:, at].copy() for at, name in enumerate(names)}))
    stages = np.array([population.units.shape[1] for population, _ in designs])
    columns: dict[str, FloatArray] = {}
    for count in np.unique(stages):
        at = np.flatnonzero(stages == count)
        joined = Population.joined([replace(designs[row][0], setting=setting.ravel()[[row]]) for row in at.tolist()])
        for name, values in columns_of(score(costs, instance.accuracy, joined)).items():
            columns.setdefault(name, np.empty(len(designs)))[at] = values
    return columns


def whole_networks(instance: CutInstance) -> dict[str, Configuration]:
    """Return unit -> the network that is not cut, on each unit that can run it, at the highest of the clocks."""
    shape = (1, 1, instance.network.layers)
    whole, nothing = np.full(shape, instance.steps), np.zeros(shape, dtype=bool)
    return {
        instance.units[unit]: (
            Population(np.array([[unit]]), np.zeros(1, np.int64), whole, nothing),
            instance.highest_clocks,
        )
        for unit in instance.highest.able
    }
