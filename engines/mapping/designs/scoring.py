"""Numbers of mappings as columns of designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.designs import Designs
from engines.cost.soc_clocks import ClockSettings
from engines.mapping.designs.decision import GOVERNOR, check_keys, decode_clocks, decode_units, encode
from engines.mapping.problem.instance import Instance
from engines.mapping.solver.unit_mapping import MappingLimits, MappingScores, UnitCosts, score

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


def mapped_designs(instance: Instance, units: IntArray, setting: IntArray, labels: Sequence[str] = ()) -> Designs:
    """Designs of `k` mappings, `units` of shape `k x n`, at settings of the instance, shape `k`."""
    decisions = [encode(instance, row, int(at)) for row, at in zip(units, setting, strict=True)]
    columns = columns_of(instance, units, score(instance.costs, units, setting))
    return Designs(columns, decisions, label=labels)


def evaluated_designs(instance: Instance, decisions: Sequence[Mapping[str, Any]]) -> Designs:
    """Designs of decisions, a user's own or stored ones.

    Raises:
        DecisionError: a decision does not describe a mapping of this problem.
    """
    known = _Settings(instance)
    for decision in decisions:
        check_keys(decision)
    units = [decode_units(instance, decision) for decision in decisions]
    settings = [decode_clocks(instance, decision) for decision in decisions]
    parts = [
        columns_of(instance, row[None], score(*known.costs_of(clocks, row)))
        for row, clocks in zip(units, settings, strict=True)
    ]
    names = columns_of(instance, np.empty((0, len(instance.blocks)), np.int64), _NOTHING)
    return Designs(
        columns={name: np.concatenate([part[name] for part in parts]) if parts else np.empty(0) for name in names},
        decisions=[
            {
                "units": list(d["units"]),
                "clocks_mhz": _mhz(clocks) if d.get("clocks_mhz") == GOVERNOR else dict(d.get("clocks_mhz", {})),
            }
            for d, clocks in zip(decisions, settings, strict=True)
        ],
    )


def _mhz(clocks: ClockSettings) -> dict[str, float]:
    return {name: hz / 1e6 for name, hz in clocks.at(0).items()}


def costs_of(instance: Instance, clocks: ClockSettings) -> tuple[UnitCosts, int]:
    """Costs that hold a setting, and its number there."""
    return _Settings(instance).find(clocks)


class _Settings:
    """Finds settings among those of the instance, so that a stored design gets the very same costs again."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        rows = np.column_stack([instance.settings.frequencies_hz[name] for name in instance.settings.frequencies_hz])
        self._places = {tuple(row): number for number, row in enumerate(rows.tolist())}

    def find(self, clocks: ClockSettings) -> tuple[UnitCosts, int]:
        """Costs, and the number of the setting in them."""
        names = self._instance.settings.frequencies_hz
        place = self._places.get(tuple(clocks.at(0)[name] for name in names))
        if place is not None:
            return self._instance.costs, place
        return self._instance.costs_at(clocks), 0

    def costs_of(self, clocks: ClockSettings, units: IntArray) -> tuple[UnitCosts, IntArray, IntArray]:
        """Arguments of `score` for one mapping."""
        costs, place = self.find(clocks)
        return costs, units[None], np.array([place])


def columns_of(instance: Instance, units: IntArray, scores: MappingScores) -> dict[str, FloatArray]:
    """All quantities of `k` mappings."""
    latency, energy = scores.latency_s, scores.energy_j
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.where(latency > 0, energy / latency, 0.0)
    barred = ~instance.allowed[np.arange(units.shape[1]), units]
    return {
        "latency_s": latency,
        "energy_j": energy,
        "power_w": power,
        "edp_js": latency * energy,
        "transitions": scores.transitions.astype(np.float64),
        "limit_slack": np.minimum(_slack(instance.limits, scores), _broken(barred.mean(axis=1))),
    }


def _broken(share: FloatArray) -> FloatArray:
    return np.where(share > 0, -share, 1.0)


def _slack(limits: MappingLimits, scores: MappingScores) -> FloatArray:
    """Least room to a limit as a share of it; below 0 exactly where `MappingLimits.allow` says no."""
    slack = np.ones(len(scores.latency_s))
    if np.isfinite(limits.latency_s):
        slack = np.minimum(slack, (limits.latency_s - scores.latency_s) / limits.latency_s)
    if np.isfinite(limits.energy_j):
        slack = np.minimum(slack, (limits.energy_j - scores.energy_j) / limits.energy_j)
    if np.isfinite(limits.power_w):
        most = limits.power_w * scores.latency_s
        slack = np.minimum(slack, (most - scores.energy_j) / most)
    if limits.transitions is not None:
        slack = np.minimum(slack, (limits.transitions - scores.transitions) / max(limits.transitions, 1))
    return slack


_NOTHING = MappingScores(np.empty(0), np.empty(0), np.empty(0, np.int64))
