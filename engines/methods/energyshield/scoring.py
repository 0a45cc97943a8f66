"""Designs driven: columns of their episodes, and decisions to and fro."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.contract.engine import Context
from engines.contract.errors import DecisionError
from engines.contract.limits import ROOM, least_room
from engines.methods.energyshield.conditions import Conditions
from engines.methods.energyshield.episodes import POLICIES, Choice, Drive, Totals, World
from engines.methods.energyshield.instance import Instance
from engines.methods.energyshield.quantities import BARRIER_ROOM, QUANTITIES

_TOGETHER = 4000  # episodes of a piece of work
Shared = tuple[World, Conditions]


def drive_piece(shared: Shared, designs: Sequence[Choice]) -> dict[str, FloatArray]:
    """Columns of some designs; what processes run."""
    world, conditions = shared
    return columns_of(Drive(world, conditions, designs).run(), len(designs), world)


def columns_of(totals: Totals, designs: int, world: World) -> dict[str, FloatArray]:
    """Over the episodes of each design, shape `designs`."""

    def each(values: FloatArray) -> FloatArray:
        return values.reshape(designs, -1)

    windows = each(totals.windows).sum(axis=1)
    least_h = each(totals.least_h_per_m).min(axis=1)
    return {
        "energy_j": each(totals.energy_j).sum(axis=1) / windows,
        "clearance_m": each(totals.least_clearance_m).min(axis=1),
        "least_barrier": least_h,
        "tracking_m": np.sqrt(each(totals.squared_m2).sum(axis=1) / windows),
        "progress_m_per_second": (each(totals.progress_m) / (each(totals.windows) * world.window_s)).mean(axis=1),
        "violations": (each(totals.least_h_per_m) < 0).sum(axis=1).astype(np.float64),
        "local_fraction": each(totals.local_windows).sum(axis=1) / windows,
        "extra_fraction": each(totals.extra_windows).sum(axis=1) / windows,
        "unproven_fraction": each(totals.unproven).sum(axis=1) / windows,
        "corrected_fraction": each(totals.corrected).sum(axis=1) / windows,
        BARRIER_ROOM.name: least_h,
    }


def driven(instance: Instance, conditions: Conditions, designs: Sequence[Choice], context: Context) -> Designs:
    """Designs in the same episodes, in order."""
    if not designs:
        return Designs.empty(QUANTITIES)
    size = max(1, _TOGETHER // len(conditions.obstacles_x_m))
    pieces = [designs[first : first + size] for first in range(0, len(designs), size)]
    parts = context.executor.map(drive_piece, (instance.world, conditions), pieces)
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    columns["detector_s"] = np.array([instance.detectors.each[design.detector].latency_s for design in designs])
    for name in ("sigma", "radius_m", "margin_m", "most_windows"):
        columns[name] = np.array([getattr(design, name) for design in designs], np.float64)
    columns[ROOM.name] = least_room(instance.allowed, columns)
    return Designs(columns, [encoded(instance, design) for design in designs])


def encoded(instance: Instance, design: Choice) -> dict[str, Any]:
    """A design as a decision."""
    decision: dict[str, Any] = {
        "sigma": design.sigma, "radius_m": design.radius_m, "margin_m": design.margin_m,
        "policy": POLICIES[design.policy], "most_windows": design.most_windows,
        "radio": instance.radios[design.radio].slug, "load": instance.loads[design.load],
    }  # fmt: skip
    clocks = instance.detectors.each[design.detector].clocks_mhz
    return decision | ({"clocks_mhz": dict(clocks)} if clocks else {})


def decoded(instance: Instance, decision: Mapping[str, Any]) -> Choice:
    """The design of a decision.

    Raises:
        DecisionError: it is none of the combinations of the problem.
    """
    values: dict[str, Any] = {}
    slugs = tuple(radio.slug for radio in instance.radios)
    known: Mapping[str, tuple[Any, ...]] = {
        "sigma": instance.choices["sigma"], "radius_m": instance.choices["radius_m"], "margin_m": instance.choices["margin_m"],
        "policy": tuple(POLICIES[int(number)] for number in instance.choices["policy"]),
        "most_windows": tuple(int(cap) for cap in instance.choices["most_windows"]),
        "radio": slugs, "load": instance.loads,
    }  # fmt: skip
    for name, accepted in known.items():
        got = decision.get(name)
        if isinstance(got, bool) or got not in accepted:
            raise DecisionError(f"decision.{name}", got, f"one of: {', '.join(str(value) for value in accepted)}")
        values[name] = got
    clocks = [dict(each.clocks_mhz) for each in instance.detectors.each]
    if decision.get("clocks_mhz", {}) not in clocks:
        raise DecisionError("decision.clocks_mhz", decision.get("clocks_mhz"), f"one of: {clocks}")
    return Choice(
        float(values["sigma"]), float(values["radius_m"]), float(values["margin_m"]), POLICIES.index(values["policy"]),
        int(values["most_windows"]), slugs.index(values["radio"]), instance.loads.index(values["load"]),
        clocks.index(decision.get("clocks_mhz", {})), instance.rule,
    )  # fmt: skip
