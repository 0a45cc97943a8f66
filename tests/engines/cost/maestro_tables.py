"""The rows of `tests/data/maestro` as arrays, for tests and for `benchmarks/bench_cost.py`."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engines.cost.dataflow import ArrayFigures, LayerCosts, LayerShapes, mapping_costs

DATA = Path(__file__).parents[2] / "data" / "maestro"
COMPARABLE = ("stride_1.csv", "strided.csv")
DIMENSIONS = ("k", "c", "r", "s", "y", "x", "stride")
PRINTED_DIGITS = 1e-7  # MAESTRO prints energies with two decimals; the smallest here is 1e5


@dataclass(frozen=True)
class Rows:
    """Rows of one table."""

    rows: tuple[dict[str, str], ...]

    @classmethod
    def read(cls, *names: str) -> Rows:
        found: list[dict[str, str]] = []
        for name in names:
            with (DATA / name).open() as file:
                found += csv.DictReader(line for line in file if not line.startswith("#"))
        return cls(tuple(found))

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, **values: str) -> Rows:
        """The rows with these values."""
        return Rows(tuple(row for row in self.rows if all(row[name] == value for name, value in values.items())))

    def reals(self, name: str) -> np.ndarray:
        return np.array([float(row[name]) for row in self.rows])

    def whole(self, name: str) -> np.ndarray:
        return np.array([int(row[name]) for row in self.rows], dtype=np.int64)

    @property
    def shapes(self) -> LayerShapes:
        ones = np.ones(len(self), dtype=np.int64)
        dimensions = {name: self.whole(name) for name in DIMENSIONS}
        return LayerShapes(**dimensions, depthwise=self.whole("depthwise") == 1, copies=ones)

    def costs(self, mapping: str) -> LayerCosts:
        """What the model says of these rows, all of one mapping."""
        off_chip = "off_chip_bandwidth_elements_per_cycle"
        array = ArrayFigures(
            self.whole("processing_elements"),
            self.reals("noc_bandwidth_elements_per_cycle"),
            self.reals("noc_hop_latency_cycles"),
            off_chip_bandwidth_elements_per_cycle=self.reals(off_chip) if off_chip in self.rows[0] else None,
        )
        return mapping_costs(mapping, self.shapes, array)

    def errors(self, mapping: str) -> tuple[np.ndarray, np.ndarray]:
        """(cycles, energy) of the model over MAESTRO's, minus 1; energies within the printed digits count as equal."""
        costs = self.costs(mapping)
        energy = costs.energy_macs / self.reals("energy_macs") - 1
        return costs.cycles / self.reals("cycles") - 1, np.where(np.abs(energy) < PRINTED_DIGITS, 0.0, energy)
