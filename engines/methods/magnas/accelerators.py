"""Three accelerators of different dataflows that share a memory (odema-2023 section 5.7.2), by the dataflow cost model.

The network is PyramidViG-M with GIN, four blocks in each of four stages. As in the paper aggregation is a dense product of the
adjacency matrix and the features (MAESTRO knows no sparse ones), combination another; neighbours are not searched for. That gives
34 blocks and 104 layers.

Not published, and chosen here: 256 processing elements and 16 elements a cycle per accelerator, and hand-overs: the result is
written and read again through the shared buffer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import numpy as np

from engines.cost.dataflow import ArrayFigures, mapping_costs, shapes_of
from engines.methods.magnas.reproduction_runs import DEPTHS, PYRAMID_M_CHANNELS
from engines.search.unit_mapping import UnitCosts
from engines.workloads.loader import load_scenario
from engines.workloads.network import Layer
from engines.workloads.vision_graph import pyramid_operations

Granularity = Literal["blocks", "layers"]

ARRAY = ArrayFigures(256, 16.0)
KEPT = "ykp_os_kept"
AS_MAESTRO = "ykp_os"


def accelerators(output_stationary: str = AS_MAESTRO) -> tuple[str, ...]:
    """Mappings of DSA-k, DSA-y and DSA-d."""
    return ("kcp_ws", output_stationary, "dpt")


@cache
def accelerator_costs(granularity: Granularity, output_stationary: str = AS_MAESTRO) -> UnitCosts:
    """Costs on DSA-k, DSA-y and DSA-d; latency in cycles, energy in units of one multiply-accumulate."""
    layers = _layers()
    shapes = shapes_of(layers)
    found = [mapping_costs(mapping, shapes, ARRAY) for mapping in accelerators(output_stationary)]
    starts = _block_starts(layers) if granularity == "blocks" else list(range(len(layers)))
    cycles = np.add.reduceat(np.stack([costs.cycles for costs in found], axis=1), starts, axis=0)
    energy = np.add.reduceat(np.stack([costs.energy_macs for costs in found], axis=1), starts, axis=0)
    last = [start - 1 for start in starts[1:]]
    moved = 2.0 * np.array([layers[row].output_elements for row in last])[:, None]
    per_access = float(np.asarray(ARRAY.level2_access_energy_macs))
    bandwidth = float(np.asarray(ARRAY.bandwidth_elements_per_cycle))
    return UnitCosts(cycles[:, :, None], energy[:, :, None], moved / bandwidth, moved * per_access)


def _block_starts(layers: Sequence[Layer]) -> list[int]:
    """First layer of every block; a reduction between stages belongs to the block before."""
    names = [layer.name.partition(".")[0] for layer in layers]
    return [
        row
        for row, name in enumerate(names)
        if row == 0 or (name != names[row - 1] and not name.startswith("reduce") and name != "")
    ]


@cache
def _layers() -> tuple[Layer, ...]:
    content: dict[str, Any] = {
        "schema": "network/1", "slug": "magnas-figure-9", "title": "PyramidViG-M of products", "short_title": "PViG-M",
        "source": "odema-2023 sections 5.1.5 and 5.7.2",
        "operations": _as_products(pyramid_operations(DEPTHS, PYRAMID_M_CHANNELS, "gin")),
    }  # fmt: skip
    return load_scenario(content).models[0].network.layers


def _as_products(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for row in rows:
        name, _, part = row["name"].partition(".")
        if part == "knn.products":  # nodes x candidates by candidates x channels instead of the distances
            found.append({"name": f"{name}.aggregate", "kind": "matmul", "k": row["c"], "c": row["k"], "y": row["y"]})
        elif part == "combine.conv":
            found.append({"name": row["name"], "kind": "gemm", "k": row["k"], "c": row["c"], "y": row["y"]})
        elif not part.startswith("knn."):
            found.append(row)
    return found
