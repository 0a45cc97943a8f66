"""The estimate of a measured row: the same cost model that engines use, summed as the row was measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from engines.cost.calibration_measurements import MeasuredRow
from engines.cost.soc import SocCostModel
from engines.cost.soc_clocks import ClockSettings, clock_settings
from engines.cost.soc_operations import OperationTable, operation_table
from engines.errors import ProblemError
from engines.workloads.network import Network
from hardware.soc import Soc

Networks = Callable[[str], Network]
_IN_UNIT = {"ms": 1e3, "mJ": 1e3, "W": 1.0, "ratio": 1.0}


@dataclass(frozen=True)
class PreparedRow:
    """A row with all that does not change while parameters are fitted.

    Attributes:
        unit_of: index into `units` of each operation.
        units: that the row runs on.
        clocks: the row's setting, and the one that it is relative to.
    """

    row: MeasuredRow
    operations: OperationTable
    units: tuple[str, ...]
    unit_of: tuple[int, ...]
    clocks: ClockSettings

    @property
    def unit_words(self) -> str:
        """The unit, or "mapping"."""
        return self.row.runs_on if isinstance(self.row.runs_on, str) else "mapping"


def prepare(row: MeasuredRow, soc: Soc, networks: Networks) -> PreparedRow:
    """The row with its operations, units and clocks.

    Raises:
        ProblemError: an operation, block, unit or clock that does not exist.
    """
    operations = operation_table(networks(row.workload).operations)
    if row.operations:
        unknown = [name for name in row.operations if name not in operations.names]
        if unknown:
            raise ProblemError(f"rows.{row.name}", unknown[0], f"an operation of {row.workload}")
        operations = operations.take(row.operations)
    assigned = _assigned(row, operations)
    units = tuple(dict.fromkeys(assigned))
    for unit in units:
        if unit not in soc.units:
            raise ProblemError(f"rows.{row.name}", unit, f"one of the units: {', '.join(soc.units)}")
    settings = [row.clocks] if row.relative_to is None else [row.clocks, row.relative_to]
    clocks = clock_settings(soc, settings)
    return PreparedRow(row, operations, units, tuple(units.index(unit) for unit in assigned), clocks)


def estimate(prepared: PreparedRow, model: SocCostModel) -> float:
    """What the model says, in the row's unit.

    Raises:
        NoEstimateError: the calibration does not cover an operation.
    """
    operations, row = prepared.operations, prepared.row
    costs = model.costs(
        operations, prepared.clocks, units=prepared.units, batch=row.batch, partial=len(prepared.units) > 1
    )
    rows, chosen = np.arange(len(operations)), np.array(prepared.unit_of)
    latency, energy = costs.latency_s[rows, chosen].sum(axis=0), costs.energy_j[rows, chosen].sum(axis=0)
    changes = np.flatnonzero(np.diff(chosen))
    if changes.size:
        handed = model.transitions(operations, prepared.clocks, batch=row.batch)
        latency = latency + handed.latency_s[changes].sum(axis=0)
        energy = energy + handed.energy_j[changes].sum(axis=0)
    figures = {"latency": latency, "energy": energy, "power": energy / latency}[row.quantity]
    value = figures[0] / figures[1] if row.relative_to is not None else figures[0]
    return float(value) * _IN_UNIT[row.in_unit]


def _assigned(row: MeasuredRow, operations: OperationTable) -> list[str]:
    if isinstance(row.runs_on, str):
        return [row.runs_on] * len(operations)
    return [_unit_of(row.runs_on, name, row.name) for name in operations.names]


def _unit_of(blocks: Mapping[str, str], name: str, row: str) -> str:
    block = name.partition(".")[0]
    if block not in blocks:
        raise ProblemError(f"rows.{row}.runs_on", block, f"one of the blocks: {', '.join(blocks)}")
    return blocks[block]
