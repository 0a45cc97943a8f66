"""Networks and a device as a board: layers priced by the cost model, power from the device's document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import require
from engines.cost.soc.clocks import ClockSettings, highest_clocks
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import OperationTable
from engines.cost.soc_networks import fused_table, layer_starts
from engines.simulation.board import Board, BoardNetwork, BoardUnit
from engines.workloads.network import Operation, ScenarioModel
from hardware.soc.model import Soc

CUT_S = 1e-4  # assumed: a hand-over beside its bytes


def board_of(
    soc: Soc, model: SocCostModel, models: Sequence[ScenarioModel], steps_hz: Mapping[str, Sequence[float]]
) -> Board:
    """Return the board with all units that the cost model covers, each of several of a kind by itself.

    Args:
        soc: the device, with power of every unit and of its memory.
        model: prices layers.
        models: networks that run at the same time.
        steps_hz: unit of the device -> clocks that it may have.

    Raises:
        ProblemError: power is not known, or a layer runs on no unit.
    """
    accepted = "a device whose document has the power of every unit and of its memory (units.*.power, memory.power)"
    ways = ["Add these values to a copy of the device."]
    dark = [name for name in model.units if soc.units[name].power is None]
    require(
        not dark,
        "inputs.hardware",
        f"{soc.slug} without units.{dark[0] if dark else ''}.power",
        accepted,
        remedies=ways,
    )
    memory = soc.memory
    assert memory is not None  # the cost model asked
    require(memory.power is not None, "inputs.hardware", f"{soc.slug} without memory.power", accepted, remedies=ways)
    assert memory.power is not None
    names = [name for name in model.units if steps_hz.get(name)]
    units = [unit for name in names for unit in _units(soc, name, steps_hz[name])]
    networks = [_network(model, each, steps_hz, names, soc) for each in models]
    return Board(
        tuple(units), tuple(networks), memory.bandwidth_bytes_per_s(), memory.power.idle_w, memory.power.dynamic_w, CUT_S
    )  # fmt: skip


def _units(soc: Soc, name: str, steps_hz: Sequence[float]) -> list[BoardUnit]:
    unit = soc.units[name]
    power, highest = unit.power, unit.frequencies_hz[-1]
    assert power is not None  # asked above
    dynamic = np.array([power.watts(hz / highest) - power.idle_w for hz in steps_hz])
    titles = [name] if unit.count == 1 else [f"{name}-{number}" for number in range(1, unit.count + 1)]
    return [BoardUnit(title, tuple(steps_hz), power.idle_w, dynamic) for title in titles]


def _network(
    model: SocCostModel,
    workload: ScenarioModel,
    steps_hz: Mapping[str, Sequence[float]],
    names: Sequence[str],
    soc: Soc,
) -> BoardNetwork:
    """Divide the costs of a batch by its size, for the costs of one frame."""
    table, batch, slug = fused_table(workload.network), workload.batch, workload.network.slug
    starts = layer_starts(table)
    latency: list[FloatArray] = []
    reasons: dict[str, str] = {}
    for name in names:
        clocks = _clocks(soc, name, steps_hz[name])
        costs = model.costs(table, clocks, units=[name], batch=batch, groups=starts, partial=True, workload=slug)
        latency += [costs.latency_s[:, 0] / batch] * soc.units[name].count
        reasons |= {why: why for why in costs.reasons.values()}
    able = np.isfinite(np.stack([each[:, -1] for each in latency])).any(axis=0)
    got = f"{slug}: {'; '.join(list(reasons)[:3])}"
    require(
        bool(able.all()),
        "inputs.calibration",
        got,
        "a calibration that covers every operation on at least one unit",
        remedies=["Measure the device and calibrate it.", "Choose another device."],
    )
    bits = model.bits
    elements = (table.activation_elements * bits.activation_bytes, table.weight_elements / batch * bits.weight_bytes)
    size = np.where(table.runs, elements[0] + elements[1], 0.0)
    return BoardNetwork(
        name=slug,
        latency_s=tuple(latency),
        moved_bytes=np.add.reduceat(size, np.array(starts)),
        cut_bytes=_cut_bytes(workload.network.operations, table, starts) * bits.activation_bytes,
        most_per_s=np.inf if workload.rate_fps is None else workload.rate_fps,
        weight=1.0 if workload.priority is None else 1.0 / workload.priority,
    )


def _clocks(soc: Soc, name: str, steps_hz: Sequence[float]) -> ClockSettings:
    """Return the clocks of one unit, all else at its highest: launches are paced as at the highest clock of the CPU."""
    top = highest_clocks(soc).frequencies_hz
    return ClockSettings(
        {each: np.array(steps_hz) if each == name else np.full(len(steps_hz), hz[0]) for each, hz in top.items()}
    )


def _cut_bytes(operations: Sequence[Operation], table: OperationTable, starts: Sequence[int]) -> FloatArray:
    """Return the elements alive before each layer: results made before it that it or a later one reads, shape `l`."""
    last = np.arange(len(operations)) + 1
    for number, operation in enumerate(operations):
        for source in operation.sources:
            last[source] = max(last[source], number)
    change = np.zeros(len(operations) + 2)
    np.add.at(change, np.arange(len(operations)) + 1, table.output_elements)
    np.add.at(change, np.minimum(last, len(operations)) + 1, -table.output_elements)
    return np.asarray(np.cumsum(change)[np.array(starts)])
