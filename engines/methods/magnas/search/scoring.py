"""Architectures with their mappings as designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.errors import DecisionError
from engines.cost.soc.clocks import ClockSettings
from engines.cost.soc.decided_clocks import clocks_mhz
from engines.mapping.designs.decision import decode_clocks, decode_units
from engines.mapping.problem.instance import Instance
from engines.mapping.solver.unit_mapping import UnitCosts, score
from engines.methods.magnas.search.inner_search import best_single, eq_13
from engines.methods.magnas.search.setup import Setup
from engines.supernets.space import Architecture


@dataclass(frozen=True, eq=False)
class ArchitectureDesign:
    """An architecture with its mapping.

    Attributes:
        accuracy_percent: None before it is measured or looked up.
        units: place of the unit of every block, shape `n`.
        costs: costs of the blocks; `setting` is the place of the design's clocks in them.
        clocks_mhz: as its decision has them.
        label: label of the design.
        instance: the architecture as the mapping engine sees it, of a design that a decision describes.
    """

    architecture: Architecture
    accuracy_percent: float | None
    units: IntArray
    costs: UnitCosts
    setting: int
    clocks_mhz: Any
    label: str = ""
    instance: Instance | None = None


def designs_of(
    setup: Setup,
    architecture: Architecture,
    accuracy_percent: float | None,
    units: IntArray,
    setting: IntArray,
    labels: Sequence[str],
) -> list[ArchitectureDesign]:
    """Return designs of one architecture with `k` mappings (shape `k x n`) at settings of the problem (shape `k`)."""
    costs = setup.table.costs(architecture)
    return [
        ArchitectureDesign(architecture, accuracy_percent, row, costs, at, clocks_mhz(setup.settings, at), label)
        for row, at, label in zip(units, setting.tolist(), labels, strict=True)
    ]


def columns_of(setup: Setup, designs: Sequence[ArchitectureDesign]) -> dict[str, FloatArray]:
    """Return the columns of designs whose accuracy is known."""
    parts = [_columns(setup, list(group)) for _, group in groupby(designs, lambda each: id(each.costs))]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _columns(setup: Setup, designs: Sequence[ArchitectureDesign]) -> dict[str, FloatArray]:
    """Return the columns of designs of one architecture."""
    architecture, costs, count = designs[0].architecture, designs[0].costs, len(designs)
    units, setting = np.array([each.units for each in designs]), np.array([each.setting for each in designs])
    scores = score(costs, units, setting)
    best, params = best_single(setup.table.costs(architecture), setup.reference), setup.params
    return {
        "accuracy_percent": np.array([each.accuracy_percent for each in designs], dtype=np.float64),
        "latency_s": scores.latency_s,
        "energy_j": scores.energy_j,
        "power_w": scores.energy_j / scores.latency_s,
        "mapping_product": eq_13(scores, best, params.energy_exponent, params.latency_exponent),
        "transitions": scores.transitions.astype(np.float64),
        "macs": np.full(count, float(setup.table.macs(architecture))),
        "blocks": np.full(count, float(sum(choice.depth for choice in architecture))),
    }


def encode(setup: Setup, design: ArchitectureDesign) -> dict[str, Any]:
    """Return the decision of a design: its architecture, the unit of every block, clocks."""
    units = [setup.model.units[unit] for unit in design.units.tolist()]
    return {"architecture": setup.space.encode(design.architecture), "units": units, "clocks_mhz": design.clocks_mhz}


def decode(setup: Setup, decision: Mapping[str, Any]) -> ArchitectureDesign:
    """Return the design of a decision.

    Raises:
        DecisionError: it is no mapping of an architecture of the space, or names clocks that do not exist.
    """
    architecture = architecture_of(setup, decision)
    instance = setup.instance(architecture)
    units, clocks = decode_units(instance, decision), decode_clocks(instance, decision)
    costs, at = _costs_at(setup, instance, architecture, clocks)
    given = decision.get("clocks_mhz", {})
    return ArchitectureDesign(architecture, None, units, costs, at, given, instance=instance)


def _costs_at(
    setup: Setup, instance: Instance, architecture: Architecture, clocks: ClockSettings
) -> tuple[UnitCosts, int]:
    """Return costs that hold a setting, and its number there; a setting of the problem gives the very same costs."""
    names = tuple(setup.settings.frequencies_hz)
    wanted = [clocks.at(0)[name] for name in names]
    for number in range(len(setup.settings)):
        if [setup.settings.at(number)[name] for name in names] == wanted:
            return instance.costs, number
    return setup.table_at(clocks).costs(architecture), 0


def architecture_of(setup: Setup, decision: Mapping[str, Any]) -> Architecture:
    """Return the architecture of a decision.

    Raises:
        DecisionError: it has none, or one of another space.
    """
    if "architecture" not in decision:
        raise DecisionError("decision", dict(decision), "a mapping with architecture, units and perhaps clocks_mhz")
    return setup.space.decode(decision["architecture"])
