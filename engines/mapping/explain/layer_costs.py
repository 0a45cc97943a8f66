"""Costs of every layer of a mapping on its unit: launches, compute, memory and the transfer before it."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.results import Breakdown, Result
from engines.cost.soc.clocks import ClockSettings
from engines.mapping.problem.instance import Instance
from hardware.soc.summary import unit_title

TIME_PARTS = ("Launch overhead", "Compute-bound work", "Memory-bound work", "Hand-over")


def layer_results(
    instance: Instance, units: IntArray, clocks: ClockSettings, handover_s: FloatArray, handover_j: FloatArray
) -> tuple[Result, ...]:
    """Return the latency and energy by layer as breakdowns; they add up to those of the mapping.

    Args:
        instance: the problem.
        units: units of each block, shape `n`.
        clocks: the one setting that the mapping runs at.
        handover_s: seconds of the transfer before each block, shape `n`.
        handover_j: energy of the transfers in J, shape `n`.
    """
    operations = instance.operations
    block_of = np.searchsorted(instance.starts, np.arange(len(operations)), side="right") - 1
    unit_of = units[block_of]
    times, energy = np.zeros((len(operations), len(TIME_PARTS))), np.zeros((len(operations), 2))
    slug, batch = instance.workload.network.slug, instance.workload.batch
    for number in np.unique(unit_of):
        name, here = instance.units[number], unit_of == number
        parts = instance.model.time_parts_s(operations, clocks, name, batch=batch, workload=slug)
        times[here, :3] = parts[here]
        costs = instance.model.costs(operations, clocks, units=[name], batch=batch, partial=True, workload=slug)
        energy[here, 0] = costs.energy_j[here, 0, 0]
    times[list(instance.starts), 3], energy[list(instance.starts), 1] = handover_s, handover_j
    # A folded operation costs nothing, but a hand-over may stand before one.
    shown = np.flatnonzero(operations.runs | (times[:, 3] > 0))
    names = tuple(f"{operations.names[row]} ({unit_title(instance.units[unit_of[row]])})" for row in shown)
    return (
        Breakdown("layer-latency", "Latency by layer", names, TIME_PARTS, times[shown], "s"),
        Breakdown("layer-energy", "Energy by layer", names, ("Layer", TIME_PARTS[3]), energy[shown], "J"),
    )
