"""Traffic in a window, by link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engines.chiplets.problem.decision import Placement, Window
from engines.chiplets.problem.tables import ScenarioTables
from engines.contract.arrays import FloatArray

MEMORY = -1  # where activations lie that no chiplet holds


@dataclass(frozen=True)
class Transfer:
    """Bytes that one segment moves for the whole batch: `links` index `PackageModel.links`."""

    segment: int
    kind: Literal["input", "weights", "output"]
    size_bytes: float
    links: tuple[int, ...]


def transfers(tables: ScenarioTables, placement: Placement, source: int) -> list[Transfer]:
    """Return everything that a placement moves: kinds "input", "weights" and "output"; nothing between a chiplet and itself."""
    network, model = tables.package_model, tables.models[placement.model]
    loads = model.split.rounds if tables.params.weight_loading == "every_mini_batch" else 1
    found = []
    for k, (first, end, chiplet) in enumerate(placement.segments):
        if k == 0:
            route = network.read_links[chiplet] if source == MEMORY else network.route_links(source, chiplet)
            found.append(Transfer(k, "input", float(model.input_bytes[first]) * model.batch, route))
        weights = float(model.segment_weight_bytes(first, end))
        found.append(Transfer(k, "weights", weights * loads, network.read_links[chiplet]))
        if k + 1 < len(placement.path):
            route = network.route_links(chiplet, placement.path[k + 1])
            found.append(Transfer(k, "output", float(model.input_bytes[end]) * model.batch, route))
        elif end == model.layers:
            found.append(Transfer(k, "output", model.output_bytes * model.batch, network.write_links[chiplet]))
    return [transfer for transfer in found if transfer.links and transfer.size_bytes > 0]


def link_bytes(tables: ScenarioTables, placement: Placement, source: int) -> FloatArray:
    """Return the bytes over each of `PackageModel.links`, shape `links`."""
    load = np.zeros(len(tables.package_model.links))
    for transfer in transfers(tables, placement, source):
        for link in transfer.links:
            load[link] += transfer.size_bytes
    return load


def window_link_bytes(tables: ScenarioTables, window: Window, location: Sequence[int]) -> FloatArray:
    """Return the bytes over each link in one window, shape `links`.

    `location` holds where each model's activations lie when it starts.
    """
    load = np.zeros(len(tables.package_model.links))
    for placement in window:
        load = load + link_bytes(tables, placement, location[placement.model])
    return load
