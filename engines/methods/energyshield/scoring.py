"""Designs driven: columns of their episodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import Context
from engines.methods.energyshield.conditions import Conditions
from engines.methods.energyshield.episodes import Choice, Drive, DrivingConditions, Totals
from engines.methods.energyshield.instance import Instance
from engines.methods.energyshield.quantities import BARRIER_ROOM

_TOGETHER = 4000  # episodes of a piece of work
Shared = tuple[DrivingConditions, Conditions]


def drive_piece(shared: Shared, designs: Sequence[Choice]) -> dict[str, FloatArray]:
    """Return the columns of some designs; what processes run."""
    world, conditions = shared
    return columns_of(Drive(world, conditions, designs).run(), len(designs), world)


def columns_of(totals: Totals, designs: int, world: DrivingConditions) -> dict[str, FloatArray]:
    """Return the metrics over the episodes of each design, shape `designs`."""

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


def driven(
    instance: Instance, conditions: Conditions, designs: Sequence[Choice], context: Context
) -> dict[str, FloatArray]:
    """Return every column of designs in the same episodes, in order."""
    size = max(1, _TOGETHER // len(conditions.obstacles_x_m))
    pieces = [designs[first : first + size] for first in range(0, len(designs), size)]
    parts = context.executor.map(drive_piece, (instance.world, conditions), pieces)
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    columns["detector_s"] = np.array([instance.detectors.each[design.detector].latency_s for design in designs])
    for name in ("sigma", "radius_m", "margin_m", "most_windows"):
        columns[name] = np.array([getattr(design, name) for design in designs], np.float64)
    return columns
