"""Mappings that leave a network on the processor as that network: threads are chosen where it is measured."""

from __future__ import annotations

import numpy as np

from engines.contract.designs import Decision
from engines.contract.errors import DecisionError
from engines.contract.runnable import Measurable, Runnable, RunnablePiece
from engines.mapping.designs.decision import decode_units
from engines.mapping.problem.instance import Instance
from hardware.soc.summary import unit_title

MEASURABLE = Measurable(
    "latency_s",
    "The whole network in fp32 with random weights, for mappings that use processors only. It runs one "
    "sample at the clocks of the machine; you choose the number of threads next to the device.",
)


def runnable_mapping(instance: Instance, decision: Decision) -> Runnable:
    """Return one piece: the network.

    Raises:
        DecisionError: a block is on another kind of unit, or several samples go together.
    """
    units = [instance.units[unit] for unit in np.unique(decode_units(instance, decision)).tolist()]
    for name in units:
        unit = instance.soc.units[name]
        if unit.kind != "cpu":
            got = f"blocks on {unit_title(name)}"
            raise DecisionError(
                "decision.units",
                got,
                "a CPU for every block",
                reason="A measurement runs the whole network on one CPU.",
            )
    if instance.workload.batch != 1:
        raise DecisionError(
            "inputs.workload.batch", instance.workload.batch, "1", reason="A measurement runs one sample."
        )
    network = instance.workload.network
    return Runnable((RunnablePiece("The network", 1.0, network.operations, network.slug),))
