"""Three accelerators of different dataflows that share a memory (odema-2023 section 5.7.2): costs as in the engine soc-mapping.

Device and network are built-in documents, `three-dataflow-accelerators` and `magnas-pvig-m-products`: PyramidViG-M with GIN, four
blocks in each of four stages, aggregation as a dense product; 34 blocks and 104 layers. Not published, and chosen there: 256
processing elements and 16 elements a cycle per accelerator, clock, energy, and transfers through the shared buffer.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.dataflow import DataflowCostModel
from engines.documents.builtin import get_builtin
from engines.mapping.solver.unit_mapping import UnitCosts
from engines.workloads.loader import load_scenario
from hardware.soc.loader import load_soc

Granularity = Literal["blocks", "layers"]

AS_MAESTRO = "three-dataflow-accelerators"
KEPT = "three-dataflow-accelerators-sums-kept"  # DSA-y keeps partial sums in its array
# MAESTRO's example hardware point, on-chip network 1000 and off-chip 50 elements a cycle, with its off-chip rule.
OFF_CHIP, OFF_CHIP_KEPT = "three-dataflow-accelerators-off-chip", "three-dataflow-accelerators-off-chip-sums-kept"
WORKLOAD = "magnas-pvig-m-products"


@cache
def accelerator_costs(granularity: Granularity, device: str = AS_MAESTRO) -> UnitCosts:
    """Return the costs of every block or layer on DSA-k, DSA-y and DSA-d of a built-in device."""
    soc = load_soc(get_builtin("hardware", device).content)
    network = load_scenario(get_builtin("workload", WORKLOAD).content).models[0].network
    model, clocks = DataflowCostModel(soc, network), highest_clocks(soc)
    table = model.operations
    starts = table.blocks()[1] if granularity == "blocks" else (0, *np.flatnonzero(table.runs).tolist()[1:])
    costs = model.costs(table, clocks, groups=starts)
    handed = model.transitions(table, clocks)
    last = [start - 1 for start in starts[1:]]
    return UnitCosts(costs.latency_s, costs.energy_j, handed.latency_s[last], handed.energy_j[last])
