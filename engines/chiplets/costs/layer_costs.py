"""Costs of every layer of a schedule: time on its chiplet and energy, each by compute, memory and transfers.

A segment's costs (odema-2024 section 4.3.5) are the sum over its layers; what a segment moves as a whole is given to the
layers that cause it: weights by their bytes, the input to the first layer, the output to the last one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.chiplets.costs.contention import waiting_of
from engines.chiplets.costs.scoring import MEMORY, PlacementCosts, placement_costs
from engines.chiplets.problem.decision import PackageSchedule, Placement
from engines.chiplets.problem.tables import ModelTables, ScenarioTables
from engines.contract.arrays import FloatArray
from engines.contract.results import Breakdown, Result, Table, TableColumn
from engines.cost.package.model import PackageModel

PARTS = ("Compute", "Off-chip memory", "Between chiplets")
COMPUTE, OFF_CHIP, PACKAGE = range(3)


class _LayerRows:
    """Rows under construction, one per layer in the order of windows, models and layers."""

    def __init__(self) -> None:
        self.model: list[str] = []
        self.layer: list[int] = []
        self.window: list[int] = []
        self.chiplet: list[int] = []
        self.seconds: list[FloatArray] = []
        self.joules: list[FloatArray] = []


def layer_results(tables: ScenarioTables, schedule: PackageSchedule) -> tuple[Result, ...]:
    """Return the time and energy by layer as breakdowns, and both as a table.

    Times are how long a layer keeps its chiplet for the whole batch: added up over a chiplet they are its busy time, not the
    latency, since chiplets work at the same time. Energies add up to the design's.
    """
    rows = _LayerRows()
    location = [MEMORY] * len(tables.models)
    for number, window in enumerate(schedule.windows):
        for placement, waiting in zip(window, waiting_of(tables, window, location), strict=True):
            source = location[placement.model]
            paths = np.array([placement.path])
            model = tables.models[placement.model]
            costs = placement_costs(tables, model, placement.first_layer, placement.cuts, paths, source, waiting)
            seconds, joules = _layer_times(tables, placement, costs, source), _layer_energies(tables, placement, source)
            for first, end, chiplet in placement.segments:
                for layer in range(first, end):
                    rows.model.append(model.title)
                    rows.layer.append(layer)
                    rows.window.append(number)
                    rows.chiplet.append(chiplet)
            rows.seconds.append(seconds)
            rows.joules.append(joules)
        for placement in window:
            location[placement.model] = placement.path[-1]
    return _results(rows)


def _layer_times(tables: ScenarioTables, placement: Placement, costs: PlacementCosts, source: int) -> FloatArray:
    """Return the seconds of the whole batch, shape `layers x parts`."""
    model = tables.models[placement.model]
    found = np.zeros((placement.end_layer - placement.first_layer, len(PARTS)))
    rounds = model.split.rounds
    loads = rounds if tables.params.weight_loading == "every_mini_batch" else 1
    last = len(placement.path) - 1
    for k, (first, end, chiplet) in enumerate(placement.segments):
        here = found[first - placement.first_layer : end - placement.first_layer]
        compute = np.diff(model.compute_s[tables.class_of[chiplet], first : end + 1])
        here[:, COMPUTE] = compute * model.split.samples * rounds
        here[:, OFF_CHIP] = float(costs.weights_s[0, k]) * loads * _weight_shares(model, first, end)
        fetched = OFF_CHIP if source == MEMORY else PACKAGE
        here[0, fetched] += float(costs.input_s[0, k]) * rounds
        here[-1, OFF_CHIP if k == last else PACKAGE] += float(costs.output_s[0, k]) * rounds
    return found


def _layer_energies(tables: ScenarioTables, placement: Placement, source: int) -> FloatArray:
    """Return the joules of the whole batch, shape `layers x parts`; off chip includes the hops to the interface."""
    model, network = tables.models[placement.model], tables.package_model
    found = np.zeros((placement.end_layer - placement.first_layer, len(PARTS)))
    loads = model.split.rounds if tables.params.weight_loading == "every_mini_batch" else 1
    for k, (first, end, chiplet) in enumerate(placement.segments):
        here = found[first - placement.first_layer : end - placement.first_layer]
        hops = int(network.memory_hops[chiplet])
        here[:, COMPUTE] = np.diff(model.compute_j[tables.class_of[chiplet], first : end + 1]) * model.batch
        weights = model.layer_weight_bytes(first, end)
        here[:, OFF_CHIP] = _off_chip_j(network, weights, hops) * loads
        if k == 0:
            moved = float(model.input_bytes[first]) * model.batch
            if source == MEMORY:
                here[0, OFF_CHIP] += _off_chip_j(network, moved, hops)
            else:
                here[0, PACKAGE] += network.package_energy_j(moved, int(network.hops[source, chiplet]))
        if k + 1 < len(placement.path):
            moved = float(model.input_bytes[end]) * model.batch
            here[-1, PACKAGE] += network.package_energy_j(moved, int(network.hops[chiplet, placement.path[k + 1]]))
        elif end == model.layers:
            here[-1, OFF_CHIP] += _off_chip_j(network, model.output_bytes * model.batch, hops)
    return found


def _off_chip_j(network: PackageModel, size_bytes: FloatArray | float, hops: int) -> FloatArray:
    return network.package_energy_j(size_bytes, hops) + network.memory_energy_j(size_bytes)


def _weight_shares(model: ModelTables, first: int, end: int) -> FloatArray:
    """Return the share of a segment's weights that each of its layers has, shape `layers`; all 0 where it has none."""
    weights = model.layer_weight_bytes(first, end)
    total = float(weights.sum())
    return weights / total if total else weights


def _results(rows: _LayerRows) -> tuple[Result, ...]:
    seconds, joules = np.concatenate(rows.seconds), np.concatenate(rows.joules)
    names = tuple(
        f"{model} {layer + 1} (C{chiplet})"
        for model, layer, chiplet in zip(rows.model, rows.layer, rows.chiplet, strict=True)
    )
    table = Table(
        name="layers",
        title="Costs by layer",
        table_columns=(
            TableColumn("Model", tuple(rows.model)),
            TableColumn("Layer", tuple(str(layer + 1) for layer in rows.layer)),
            TableColumn("Window", tuple(str(window + 1) for window in rows.window)),
            TableColumn("Chiplet", tuple(f"C{chiplet}" for chiplet in rows.chiplet)),
            *_columns(seconds, "time", "s"),
            *_columns(joules, "energy", "J"),
        ),
    )
    return (
        Breakdown("layer-time", "Time on its chiplet by layer", names, PARTS, seconds, "s"),
        Breakdown("layer-energy", "Energy by layer", names, PARTS, joules, "J"),
        table,
    )


def _columns(values: FloatArray, what: str, unit: str) -> Sequence[TableColumn]:
    return [TableColumn(f"{part} {what}", values[:, position].copy(), unit) for position, part in enumerate(PARTS)]
