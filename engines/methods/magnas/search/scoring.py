"""Architectures with their mappings as designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.errors import DecisionError
from engines.cost.soc.clocks import ClockSettings
from engines.mapping.designs.decision import decode_clocks, decode_units
from engines.mapping.problem.instance import Instance
from engines.mapping.solver.unit_mapping import MappingScores, UnitCosts, score
from engines.methods.magnas.search.costs import CostTable
from engines.methods.magnas.search.inner_search import best_single, eq_13
from engines.methods.magnas.search.setup import Setup
from engines.supernets.space import Architecture
from engines.supernets.workload import label_of


class Scoring:
    """Makes designs of one search problem."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._other: dict[tuple[float, ...], CostTable] = {}

    def designs(
        self,
        architecture: Architecture,
        accuracy_percent: float,
        units: IntArray,
        setting: IntArray,
        labels: Sequence[str] = (),
    ) -> Designs:
        """Return the designs of one architecture with `k` mappings at settings of the problem."""
        setup = self._setup
        costs = setup.table.costs(architecture)
        columns = self._columns(architecture, accuracy_percent, costs, score(costs, units, setting))
        encoded, names = setup.space.encode(architecture), setup.model.units
        clocks = [{name: hz / 1e6 for name, hz in setup.settings.at(at).items()} for at in setting.tolist()]
        return Designs(
            columns=columns,
            decisions=[
                {"architecture": encoded, "units": [names[unit] for unit in row], "clocks_mhz": at}
                for row, at in zip(units.tolist(), clocks, strict=True)
            ],
            label=list(labels) or [label_of(architecture)] * len(units),
        )

    def evaluated(self, architecture: Architecture, accuracy_percent: float, decision: Mapping[str, Any]) -> Designs:
        """Return the design of a decision, with origin "user".

        Raises:
            DecisionError: it is no mapping of the architecture, or names clocks that do not exist.
        """
        instance = self._setup.instance(architecture)
        units, clocks = decode_units(instance, decision)[None], decode_clocks(instance, decision)
        costs, at = self.costs_at(instance, architecture, clocks)
        columns = self._columns(architecture, accuracy_percent, costs, score(costs, units, np.array([at])))
        encoded = self._setup.space.encode(architecture)
        given = {"units": list(decision["units"]), "clocks_mhz": decision.get("clocks_mhz", {})}
        return Designs(columns, [{"architecture": encoded, **given}])

    def costs_at(self, instance: Instance, architecture: Architecture, clocks: ClockSettings) -> tuple[UnitCosts, int]:
        """Return the costs that hold a setting, and its number there; a setting of the problem gives the very same costs."""
        names = tuple(self._setup.settings.frequencies_hz)
        wanted = tuple(clocks.at(0)[name] for name in names)
        for number in range(len(self._setup.settings)):
            if tuple(self._setup.settings.at(number)[name] for name in names) == wanted:
                return instance.costs, number
        if wanted not in self._other:
            self._other[wanted] = CostTable(self._setup.model, clocks, self._setup.space)
        return self._other[wanted].costs(architecture), 0

    def _columns(
        self, architecture: Architecture, accuracy_percent: float, costs: UnitCosts, scores: MappingScores
    ) -> dict[str, FloatArray]:
        setup, count = self._setup, len(scores.latency_s)
        reference = setup.table.costs(architecture)
        product = eq_13(
            scores, best_single(reference, setup.reference), setup.params.energy_exponent, setup.params.latency_exponent
        )
        return {
            "accuracy_percent": np.full(count, accuracy_percent),
            "latency_s": scores.latency_s,
            "energy_j": scores.energy_j,
            "power_w": scores.energy_j / scores.latency_s,
            "mapping_product": product,
            "transitions": scores.transitions.astype(np.float64),
            "macs": np.full(count, float(setup.table.macs(architecture))),
            "blocks": np.full(count, float(sum(choice.depth for choice in architecture))),
        }


def architecture_of(setup: Setup, decision: Mapping[str, Any]) -> Architecture:
    """Return the architecture of a decision.

    Raises:
        DecisionError: it has none, or one of another space.
    """
    if "architecture" not in decision:
        raise DecisionError("decision", dict(decision), "a mapping with architecture, units and perhaps clocks_mhz")
    return setup.space.decode(decision["architecture"])
