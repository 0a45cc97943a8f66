"""The estimate of a measured row: the same cost model that engines use, summed as the row was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.cost.calibration_measurements import MeasuredRow
from engines.cost.soc import SocCostModel, SocCosts, TransitionCosts
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
        operations: of the whole network; rows of one network share the table.
        chosen: indices of the operations that the row measures.
        units: that the row runs on.
        unit_of: index into `units` of each chosen operation.
        clocks: the row's setting, and the one that it is relative to.
    """

    row: MeasuredRow
    operations: OperationTable
    chosen: npt.NDArray[np.int64]
    units: tuple[str, ...]
    unit_of: npt.NDArray[np.int64]
    clocks: ClockSettings

    @property
    def unit_words(self) -> str:
        """The unit, or "mapping"."""
        return self.row.runs_on if isinstance(self.row.runs_on, str) else "mapping"

    @property
    def setting(self) -> tuple[object, ...]:
        """Rows that are equal in this are computed together."""
        clocks = tuple(tuple(self.clocks.at(index).items()) for index in range(len(self.clocks)))
        return self.row.workload, self.units, self.row.batch, clocks

    @property
    def kinds(self) -> Iterator[tuple[str, str]]:
        """(unit, kind) of every chosen operation that runs."""
        for place, unit in zip(self.chosen, self.unit_of, strict=True):
            if self.operations.runs[place]:
                yield self.units[unit], self.operations.kinds[place]


def prepare_rows(rows: Iterable[MeasuredRow], soc: Soc, networks: Networks) -> list[PreparedRow]:
    """The rows with their operations, units and clocks.

    Raises:
        ProblemError: an operation, block, unit or clock that does not exist.
    """
    tables: dict[str, OperationTable] = {}
    for row in rows:
        if row.workload not in tables:
            tables[row.workload] = operation_table(networks(row.workload).operations)
    return [_prepare(row, tables[row.workload], soc) for row in rows]


def estimates(prepared: Sequence[PreparedRow], model: SocCostModel) -> npt.NDArray[np.float64]:
    """What the model says of each row, in the row's unit.

    Raises:
        NoEstimateError: the calibration does not cover an operation.
    """
    computed: dict[tuple[object, ...], tuple[SocCosts, TransitionCosts]] = {}
    values = np.empty(len(prepared))
    for index, one in enumerate(prepared):
        key = one.setting
        if key not in computed:
            computed[key] = (
                model.costs(
                    one.operations,
                    one.clocks,
                    units=one.units,
                    batch=one.row.batch,
                    partial=True,
                    workload=one.row.workload,
                ),
                model.transitions(one.operations, one.clocks, batch=one.row.batch),
            )
        values[index] = _value(one, model, *computed[key])
    return values


def _prepare(row: MeasuredRow, operations: OperationTable, soc: Soc) -> PreparedRow:
    places = {name: place for place, name in enumerate(operations.names)}
    unknown = [name for name in row.operations if name not in places]
    if unknown:
        raise ProblemError(f"rows.{row.name}", unknown[0], f"an operation of {row.workload}")
    chosen = sorted(places[name] for name in row.operations) if row.operations else range(len(operations))
    assigned = [_unit_of(row, operations.names[place]) for place in chosen]
    units = tuple(dict.fromkeys(assigned))
    for unit in units:
        if unit not in soc.units:
            raise ProblemError(f"rows.{row.name}", unit, f"one of the units: {', '.join(soc.units)}")
    settings = [row.clocks] if row.relative_to is None else [row.clocks, row.relative_to]
    unit_of = np.array([units.index(unit) for unit in assigned], dtype=np.int64)
    return PreparedRow(row, operations, np.array(chosen, dtype=np.int64), units, unit_of, clock_settings(soc, settings))


def _value(one: PreparedRow, model: SocCostModel, costs: SocCosts, handed: TransitionCosts) -> float:
    row = one.row
    latency = costs.latency_s[one.chosen, one.unit_of].sum(axis=0)
    energy = costs.energy_j[one.chosen, one.unit_of].sum(axis=0)
    if not np.isfinite(latency).all():
        for unit, name in enumerate(one.units):
            own = one.operations.take([one.operations.names[place] for place in one.chosen[one.unit_of == unit]])
            model.costs(own, one.clocks, units=[name], batch=row.batch)
    changes = one.chosen[np.flatnonzero(np.diff(one.unit_of))]
    latency = latency + handed.latency_s[changes].sum(axis=0)
    energy = energy + handed.energy_j[changes].sum(axis=0)
    figures = {"latency": latency, "energy": energy, "power": energy / latency}[row.quantity]
    value = figures[0] / figures[1] if row.relative_to is not None else figures[0]
    return float(value) * _IN_UNIT[row.in_unit]


def _unit_of(row: MeasuredRow, name: str) -> str:
    if isinstance(row.runs_on, str):
        return row.runs_on
    block = name.partition(".")[0]
    if block not in row.runs_on:
        raise ProblemError(f"rows.{row.name}.runs_on", block, f"one of the blocks: {', '.join(row.runs_on)}")
    return row.runs_on[block]
