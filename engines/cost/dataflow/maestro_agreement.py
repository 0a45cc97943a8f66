"""Agreement of the dataflow cost model with tables of MAESTRO's outputs (columns as in `tests/data/maestro`)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.cost.dataflow.model import MAPPINGS, ArrayFigures, LayerCosts, LayerShapes, mapping_costs

# Without an off-chip limit: MAESTRO charges the whole first working set at every step where there is one.
COMPARABLE = ("stride_1.csv", "strided.csv")
DIMENSIONS = ("k", "c", "r", "s", "y", "x", "stride")
PRINTED_DIGITS = 1e-7  # MAESTRO prints energies with two decimals; the smallest of the tables is 1e5


@dataclass(frozen=True)
class MaestroRows:
    """The rows of tables of MAESTRO's outputs."""

    rows: tuple[dict[str, str], ...]

    @classmethod
    def read(cls, *paths: Path) -> Self:
        """Return the rows of those files; lines that begin with # are comments.

        Raises:
            FileNotFoundError: one of them is not there.
        """
        found: list[dict[str, str]] = []
        for path in paths:
            with path.open(encoding="utf-8") as file:
                found += csv.DictReader(line for line in file if not line.startswith("#"))
        return cls(tuple(found))

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, **values: str) -> Self:
        """Return the rows whose columns have these values."""
        return type(self)(tuple(row for row in self.rows if all(row[name] == value for name, value in values.items())))

    def reals(self, name: str) -> FloatArray:
        """Return a column of numbers, shape `rows`."""
        return np.array([float(row[name]) for row in self.rows])

    def whole(self, name: str) -> IntArray:
        """Return a column of whole numbers, shape `rows`."""
        return np.array([int(row[name]) for row in self.rows], dtype=np.int64)

    @property
    def shapes(self) -> LayerShapes:
        """The dimensions of the layers in the rows."""
        ones = np.ones(len(self), dtype=np.int64)
        dimensions = {name: self.whole(name) for name in DIMENSIONS}
        return LayerShapes(**dimensions, depthwise=self.whole("depthwise") == 1, copies=ones)

    def costs(self, mapping: str) -> LayerCosts:
        """Return the model's costs of these rows under a mapping."""
        off_chip = "off_chip_bandwidth_elements_per_cycle"
        array = ArrayFigures(
            self.whole("processing_elements"),
            self.reals("noc_bandwidth_elements_per_cycle"),
            self.reals("noc_hop_latency_cycles"),
            off_chip_bandwidth_elements_per_cycle=self.reals(off_chip) if off_chip in self.rows[0] else None,
        )
        return mapping_costs(mapping, self.shapes, array)

    def errors(self, mapping: str) -> tuple[FloatArray, FloatArray]:
        """Return (cycles, energy) of the model over MAESTRO's, minus 1; energies within the printed digits count as equal."""
        costs = self.costs(mapping)
        energy = costs.energy_macs / self.reals("energy_macs") - 1
        return costs.cycles / self.reals("cycles") - 1, np.where(np.abs(energy) < PRINTED_DIGITS, 0.0, energy)


@dataclass(frozen=True)
class MappingAgreement:
    """The agreement of one mapping at one stride.

    Attributes:
        cycles_exact, energy_exact: rows that are equal.
        worst: largest relative error of either.
        worst_row: network and layer of that row; empty where all are exact.
    """

    mapping: str
    stride: str
    rows: int
    cycles_exact: int
    energy_exact: int
    worst: float
    worst_row: str


def agreement(rows: MaestroRows) -> Iterator[MappingAgreement]:
    """Yield every mapping that is checked against MAESTRO, by stride."""
    for name in (name for name, mapping in MAPPINGS.items() if mapping.checked):
        for stride in sorted({row["stride"] for row in rows.where(mapping=name).rows}):
            some = rows.where(mapping=name, stride=stride)
            cycles, energy = some.errors(name)
            larger = np.maximum(np.abs(cycles), np.abs(energy))
            worst = int(np.argmax(larger))
            words = f"{some.rows[worst]['network']} {some.rows[worst]['layer']}" if larger[worst] else ""
            yield MappingAgreement(
                mapping=name,
                stride=stride,
                rows=len(some),
                cycles_exact=int(np.count_nonzero(cycles == 0)),
                energy_exact=int(np.count_nonzero(energy == 0)),
                worst=float(larger[worst]),
                worst_row=words,
            )
