"""Estimates of measured rows by the cost model of the engines, summed in the same way as the row was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.errors import ProblemError
from engines.cost.calibration.measurements import MeasuredRow
from engines.cost.soc.clocks import ClockSettings, clock_settings
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import OperationTable, joined, operation_table
from engines.workloads.network import Network
from hardware.soc.model import Soc

Networks = Callable[[str], Network]
_IN_UNIT = {"ms": 1e3, "mJ": 1e3, "W": 1.0, "ratio": 1.0}


@dataclass(frozen=True)
class PreparedRow:
    """A measured row with all values that stay constant during a fit.

    Attributes:
        operations: operations of the whole network; rows of one network share the table.
        chosen: indices of the operations that the row measures.
        units: compute units of the row.
        unit_of: index into `units` of each chosen operation.
        clocks: clock setting of the row, and the setting that a ratio is relative to.
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
        """The key of rows that are computed together."""
        clocks = tuple(tuple(self.clocks.at(index).items()) for index in range(len(self.clocks)))
        return self.units, self.row.batch, clocks

    @property
    def kinds(self) -> Iterator[tuple[str, str]]:
        """(unit, kind) of every chosen operation that runs."""
        for place, unit in self._running():
            yield self.units[unit], self.operations.kinds[place]

    @property
    def finer_kinds(self) -> Iterator[tuple[str, str]]:
        """Yield `kinds`, distinguished as a processor executes them."""
        for place, unit in self._running():
            yield self.units[unit], self.operations.finer_kinds[place]

    def most_of(self, unit: str, column: str) -> float:
        """Return the highest value of a column of the table among the chosen operations that run on `unit`."""
        values = getattr(self.operations, column)
        return max((float(values[place]) for place, on in self._running() if self.units[on] == unit), default=0.0)

    def _running(self) -> Iterator[tuple[int, int]]:
        """Yield (operation, index of its unit) of every chosen operation that runs."""
        for place, unit in zip(self.chosen, self.unit_of, strict=True):
            if self.operations.runs[place]:
                yield int(place), int(unit)


def prepare_rows(rows: Iterable[MeasuredRow], soc: Soc, networks: Networks) -> list[PreparedRow]:
    """Return the rows with their operations, units and clocks.

    Raises:
        ProblemError: an operation, block, unit or clock that does not exist.
    """
    tables: dict[str, OperationTable] = {}
    for row in rows:
        if row.workload not in tables:
            tables[row.workload] = operation_table(networks(row.workload).operations)
    return [_prepare(row, tables[row.workload], soc) for row in rows]


def estimates(prepared: Sequence[PreparedRow], model: SocCostModel) -> FloatArray:
    """Return the model's estimate of each row, in the row's unit, shape `rows`.

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
        """Return the model's estimate of each row, in the row's unit, shape `rows`.

        Raises:
            NoEstimateError: the calibration does not cover an operation.
        """
        values = np.empty(len(self._prepared))
        for group in self._groups:
            latency, energy = group.sums(model)
            for row in np.flatnonzero(~np.isfinite(latency).all(axis=1)):
                _refuse(self._prepared[group.indices[row]], model)
            values[group.indices] = group.values(latency, energy)
        return values


class _RowGroup:
    """Rows of one set of units, one batch and the same clocks: sums as products with sparse matrices.

    The networks are priced as one table: a fit asks thousands of times, and small tables take as long as large ones.
    """

    def __init__(self, prepared: Sequence[PreparedRow], indices: Sequence[int]) -> None:
        self.indices, self.first = list(indices), prepared[indices[0]]
        members = [prepared[index] for index in indices]
        self.quantities = np.array([one.row.quantity for one in members])
        self.in_unit = np.array([_IN_UNIT[one.row.in_unit] for one in members])
        tables = {one.row.workload: one.operations for one in members}
        starts = dict(zip(tables, np.cumsum([0, *map(len, tables.values())]).tolist(), strict=False))
        self.operations = joined(list(tables.values()))
        self.lengths = {workload: len(table) for workload, table in tables.items()}
        places = [one.chosen + starts[one.row.workload] for one in members]
        operations, units = len(self.operations), len(self.first.units)
        pairs = [place * units + one.unit_of for place, one in zip(places, members, strict=True)]
        changes = [place[np.flatnonzero(np.diff(one.unit_of))] for place, one in zip(places, members, strict=True)]
        self.chosen = _incidence(pairs, operations * units)
        self.handed = _incidence(changes, operations)

    def sums(self, model: SocCostModel) -> tuple[FloatArray, FloatArray]:
        """Return the latency and energy of each row at each of the clocks, shape `rows x s`."""
        first, batch = self.first, self.first.row.batch
        costs = model.costs(self.operations, first.clocks, units=first.units, batch=batch, partial=True)
        settings = len(first.clocks)
        factors = self._factors(model.calibration.scales)
        latency = self.chosen @ (costs.latency_s * factors[0]).reshape(-1, settings)
        energy = self.chosen @ (costs.energy_j * factors[1]).reshape(-1, settings)
        if self.handed.nnz:
            handed = model.transitions(self.operations, first.clocks, batch=batch)
            latency, energy = latency + self.handed @ handed.latency_s, energy + self.handed @ handed.energy_j
        return latency, energy

    def values(self, latency: FloatArray, energy: FloatArray) -> FloatArray:
        """Return rows, in their units, from latencies and energies at their clocks and at the clocks that they are relative to."""
        power = np.divide(energy, latency, out=np.zeros_like(energy), where=(self.quantities == "power")[:, None])
        rows = [self.quantities[:, None] == "latency", self.quantities[:, None] == "energy"]
        figures = np.select(rows, [latency, energy], power)
        one = figures[:, 0] if self.first.row.relative_to is None else figures[:, 0] / figures[:, 1]
        found: FloatArray = one * self.in_unit
        return found

    def _factors(self, scales: Mapping[tuple[str, str], tuple[float, float]]) -> tuple[Any, Any]:
        """Return the factors of latency and energy from measured totals of networks: numbers, or shape `operations x units x 1`."""
        if not scales:
            return 1.0, 1.0
        pairs = [[scales.get((workload, unit), (1.0, 1.0)) for unit in self.first.units] for workload in self.lengths]
        found = np.repeat(np.array(pairs), list(self.lengths.values()), axis=0)
        return found[:, :, :1], found[:, :, 1:]


def _incidence(columns: Sequence[IntArray], width: int) -> Any:
    """Return the sparse matrix with a 1 in every named column of each row, shape `rows x width`."""
    starts = np.concatenate([[0], np.cumsum([len(each) for each in columns])])
    places = np.concatenate([*columns, np.empty(0, dtype=np.int64)]).astype(np.int64)
    from scipy.sparse import csr_array  # on use: it takes 30 MB, and every process knows this module

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
