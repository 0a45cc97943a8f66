"""The estimate of a measured row: the same cost model that engines use, summed as the row was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from engines.contract.errors import ProblemError
from engines.cost.calibration_measurements import MeasuredRow
from engines.cost.soc import SocCostModel
from engines.cost.soc_clocks import ClockSettings, clock_settings
from engines.cost.soc_operations import OperationTable, operation_table
from engines.workloads.network import Network
from hardware.soc.model import Soc

Networks = Callable[[str], Network]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
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
    chosen: IntArray
    units: tuple[str, ...]
    unit_of: IntArray
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


def estimates(prepared: Sequence[PreparedRow], model: SocCostModel) -> FloatArray:
    """What the model says of each row, in the row's unit, shape `rows`.

    Raises:
        NoEstimateError: the calibration does not cover an operation.
    """
    return RowBatch(prepared).estimate(model)


class RowBatch:
    """Rows that are estimated again and again: those of one setting are sums over one table of costs.

    Args:
        prepared: in the order of the estimates.
    """

    def __init__(self, prepared: Sequence[PreparedRow]) -> None:
        self._prepared = tuple(prepared)
        groups: dict[tuple[object, ...], list[int]] = {}
        for index, one in enumerate(self._prepared):
            groups.setdefault(one.setting, []).append(index)
        self._groups = [_RowGroup(self._prepared, indices) for indices in groups.values()]

    def estimate(self, model: SocCostModel) -> FloatArray:
        """What the model says of each row, in the row's unit, shape `rows`.

        Raises:
            NoEstimateError: the calibration does not cover an operation.
        """
        values = np.empty(len(self._prepared))
        for group in self._groups:
            latency, energy = group.sums(model)
            for index, row_latency, row_energy in zip(group.indices, latency, energy, strict=True):
                values[index] = _value(self._prepared[index], model, row_latency, row_energy)
        return values


class _RowGroup:
    """Rows of one network, one set of units, one batch and the same clocks: sums as products with sparse matrices."""

    def __init__(self, prepared: Sequence[PreparedRow], indices: Sequence[int]) -> None:
        self.indices, self.first = indices, prepared[indices[0]]
        operations, units = len(self.first.operations), len(self.first.units)
        members = [prepared[index] for index in indices]
        self.chosen = _incidence([one.chosen * units + one.unit_of for one in members], operations * units)
        self.handed = _incidence([one.chosen[np.flatnonzero(np.diff(one.unit_of))] for one in members], operations)

    def sums(self, model: SocCostModel) -> tuple[FloatArray, FloatArray]:
        """Latency and energy of each row at each of the clocks, shape `rows x s`."""
        first, batch = self.first, self.first.row.batch
        costs = model.costs(
            first.operations, first.clocks, units=first.units, batch=batch, partial=True, workload=first.row.workload
        )
        settings = len(first.clocks)
        latency = self.chosen @ costs.latency_s.reshape(-1, settings)
        energy = self.chosen @ costs.energy_j.reshape(-1, settings)
        if self.handed.nnz:
            handed = model.transitions(first.operations, first.clocks, batch=batch)
            latency, energy = latency + self.handed @ handed.latency_s, energy + self.handed @ handed.energy_j
        return latency, energy


def _incidence(columns: Sequence[IntArray], width: int) -> Any:
    """Sparse matrix with a 1 in every named column of each row, shape `rows x width`."""
    starts = np.concatenate([[0], np.cumsum([len(each) for each in columns])])
    places = np.concatenate([*columns, np.empty(0, dtype=np.int64)]).astype(np.int64)
    return csr_array((np.ones(len(places)), places, starts), shape=(len(columns), width))


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


def _value(one: PreparedRow, model: SocCostModel, latency: FloatArray, energy: FloatArray) -> float:
    """One row out of its latencies and energies, shape `1` or `2`: at the row's clocks and at those that it is relative to."""
    if not np.isfinite(latency).all():
        _refuse(one, model)
    row = one.row
    figures = {"latency": latency, "energy": energy}.get(row.quantity)
    figures = energy / latency if figures is None else figures
    value = figures[0] / figures[1] if row.relative_to is not None else figures[0]
    return float(value) * _IN_UNIT[row.in_unit]


def _refuse(one: PreparedRow, model: SocCostModel) -> None:
    """Raise what the model says of the operation that it does not cover."""
    for unit, name in enumerate(one.units):
        own = one.operations.take([one.operations.names[place] for place in one.chosen[one.unit_of == unit]])
        model.costs(own, one.clocks, units=[name], batch=one.row.batch)


def _unit_of(row: MeasuredRow, name: str) -> str:
    if isinstance(row.runs_on, str):
        return row.runs_on
    block = name.partition(".")[0]
    if block not in row.runs_on:
        raise ProblemError(f"rows.{row.name}.runs_on", block, f"one of the blocks: {', '.join(row.runs_on)}")
    return row.runs_on[block]
