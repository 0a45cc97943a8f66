"""The decision of a design: which unit has which stage, at which clocks, how every layer is cut, and what is reused.

{"units": [unit of each stage], "clocks_mhz": {unit or "memory": MHz}, "partition": [[steps of each layer] of each stage],
"reuse": [[0 or 1 of each layer] of each stage but the last]}. Clocks that are left out are the highest. One stage alone is the
whole network on one unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.errors import DecisionError
from engines.cost.soc.clocks import ClockSettings
from engines.cost.soc.decided_clocks import clocks_mhz, decided_clocks
from engines.methods.map_and_conquer.model.scoring import Population, Scores, score
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import columns_of
from engines.search.strategies import Columns

Configuration = tuple[Population, ClockSettings]  # a population of one, at the only setting of the clocks next to it
_KEYS = ("units", "clocks_mhz", "partition", "reuse")


def encoded(instance: CutInstance, population: Population, settings: ClockSettings) -> list[dict[str, Any]]:
    """Return the decisions of a population at some of the settings."""
    clocks = {setting: clocks_mhz(settings, setting) for setting in np.unique(population.setting).tolist()}
    return [
        {
            "units": [instance.units[unit] for unit in units],
            "clocks_mhz": clocks[setting],
            "partition": partition,
            "reuse": reuse[:-1],
        }
        for units, setting, partition, reuse in zip(
            population.units.tolist(),
            population.setting.tolist(),
            population.partition.tolist(),
            population.reuse.astype(int).tolist(),
            strict=True,
        )
    ]


def decoded(instance: CutInstance, decision: Mapping[str, Any]) -> Configuration:
    """Return the configuration of a decision.

    Raises:
        DecisionError: the decision does not describe a configuration of the instance.
    """
    for key in decision:
        if key not in _KEYS:
            raise DecisionError(f"decision.{key}", decision[key], f"one of the keys {', '.join(_KEYS)}")
    units = _units(instance, decision.get("units"))
    layers = instance.network.layers
    partition = _matrix(decision, "partition", len(units), layers, instance.steps)
    reuse = _matrix(decision, "reuse", len(units) - 1, layers, 1)
    if (partition < 1).any() or (partition.sum(axis=0) != instance.steps).any():
        accepted = f"at least one step of every layer for each stage, {instance.steps} of a layer in all"
        raise DecisionError("decision.partition", partition.tolist(), accepted)
    if len(units) > 1 and partition.max() > instance.steps - instance.stages + 1:
        accepted = f"at most {instance.steps - instance.stages + 1} steps for a stage where there are several"
        raise DecisionError("decision.partition", int(partition.max()), accepted)
    handed = np.concatenate([reuse.astype(bool), np.zeros((1, layers), dtype=bool)])
    population = Population(np.array([units]), np.zeros(1, np.int64), partition[None], handed[None])
    usual = clocks_mhz(instance.settings, instance.reference)
    return population, decided_clocks(instance.pricing.model.soc, decision.get("clocks_mhz", {}), usual)


def _units(instance: CutInstance, given: Any) -> list[int]:
    able = {instance.units[number]: number for number in instance.highest.able}
    accepted = f"a list of 1 to {instance.stages} different units out of: {', '.join(able)}"
    if not isinstance(given, list | tuple) or not 1 <= len(given) <= instance.stages or len(set(given)) != len(given):
        raise DecisionError("decision.units", given, accepted)
    for number, unit in enumerate(given):
        if unit not in able:
            why = instance.highest.reasons.get(unit)
            raise DecisionError(
                f"decision.units.{number}", unit, accepted, reason=f"It cannot run there: {why}." if why else ""
            )
    return [able[unit] for unit in given]


def _matrix(decision: Mapping[str, Any], name: str, rows: int, columns: int, most: int) -> IntArray:
    accepted = f"{rows} rows (one for each stage) of {columns} whole numbers from 0 to {most}, one for each layer"
    given = decision.get(name, [] if not rows else None)
    good = isinstance(given, list | tuple) and len(given) == rows
    good = good and all(isinstance(row, list | tuple) and len(row) == columns for row in given)
    if not good or not all(type(value) is int and 0 <= value <= most for row in given for value in row):
        raise DecisionError(f"decision.{name}", given, accepted)
    return np.array(given, dtype=np.int64).reshape(rows, columns)


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
