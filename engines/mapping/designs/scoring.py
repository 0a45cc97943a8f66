"""Numbers of mappings as columns of designs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.designs import Decision, Designs
from engines.contract.limits import LIMIT_SLACK, minimum_slack
from engines.cost.soc.clocks import ClockSettings
from engines.mapping.designs.decision import decode_clocks, decode_units, encode
from engines.mapping.problem.instance import Instance
from engines.mapping.problem.limits import allowed_of
from engines.mapping.solver.unit_mapping import MappingScores, UnitCosts, score


def mapped_designs(instance: Instance, units: IntArray, setting: IntArray, labels: Sequence[str] = ()) -> Designs:
    """Return the designs of `k` mappings, `units` of shape `k x n`, at settings of the instance, shape `k`."""
    decisions = [encode(instance, row, int(at)) for row, at in zip(units, setting, strict=True)]
    columns = columns_of(instance, units, score(instance.costs, units, setting))
    return Designs(columns, decisions, label=labels)


def evaluated(instance: Instance, decisions: Sequence[Decision]) -> dict[str, FloatArray]:
    """Return the columns of decisions whose settings may have costs of their own; those of the same costs are scored together."""
    known = _Settings(instance)
    units = [decode_units(instance, decision) for decision in decisions]
    found = [known.find(decode_clocks(instance, decision)) for decision in decisions]
    columns = columns_of(instance, np.empty((0, len(instance.blocks)), np.int64), _NOTHING)
    columns = {name: np.empty(len(units)) for name in columns}
    groups: dict[int, list[int]] = {}
    for number, (costs, _) in enumerate(found):
        groups.setdefault(id(costs), []).append(number)
    for numbers in groups.values():
        rows, places = np.array([units[each] for each in numbers]), np.array([found[each][1] for each in numbers])
        part = columns_of(instance, rows, score(found[numbers[0]][0], rows, places))
        for name, values in part.items():
            columns[name][numbers] = values
    return columns


def costs_of(instance: Instance, clocks: ClockSettings) -> tuple[UnitCosts, int]:
    """Return the costs that hold a setting, and its number there."""
    return _Settings(instance).find(clocks)


class _Settings:
    """Finds settings among those of the instance, so that a stored design gets the very same costs again."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        rows = np.column_stack([instance.settings.frequencies_hz[name] for name in instance.settings.frequencies_hz])
        self._places = {tuple(row): number for number, row in enumerate(rows.tolist())}

    def find(self, clocks: ClockSettings) -> tuple[UnitCosts, int]:
        """Return costs, and the number of the setting in them."""
        names = self._instance.settings.frequencies_hz
        place = self._places.get(tuple(clocks.at(0)[name] for name in names))
        if place is not None:
            return self._instance.costs, place
        return self._instance.costs_at(clocks), 0


def columns_of(instance: Instance, units: IntArray, scores: MappingScores) -> dict[str, FloatArray]:
    """Return all quantities of `k` mappings, shape `k` each."""
    latency, energy = scores.latency_s, scores.energy_j
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.where(latency > 0, energy / latency, 0.0)
    barred = ~instance.allowed[np.arange(units.shape[1]), units]
    found = {
        "latency_s": latency,
        "energy_j": energy,
        "power_w": power,
        "edp_js": latency * energy,
        "transitions": scores.transitions.astype(np.float64),
    }
    room = np.minimum(minimum_slack(allowed_of(instance.limits), found), _broken(barred.mean(axis=1)))
    return {**found, LIMIT_SLACK.name: room}


def _broken(share: FloatArray) -> FloatArray:
    return np.where(share > 0, -share, 1.0)


_NOTHING = MappingScores(np.empty(0), np.empty(0), np.empty(0, np.int64))
