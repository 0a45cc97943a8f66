"""Costs from a table: one row per layer and compute unit, from another tool or from measurements."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np

from engines.contract.errors import ProblemError
from engines.cost.estimators.protocol import (
    ComputeUnit,
    CostEstimator,
    LayerEstimates,
    array_of,
    layer_names,
    listed,
)
from engines.workloads.network import Network

FIELD = "params.cost_table"
KEYS = ("network", "layer", "unit")
NEEDED, OPTIONAL = ("latency_s", "energy_j"), ("buffer_bytes", "off_chip_bytes")
_HEAD = ",".join((*KEYS, *NEEDED))
_MOST_TABLES = 8

Row = tuple[float, ...]
Key = tuple[str, ...]


class TableEstimator(CostEstimator):
    """A table of costs: CSV with the columns network, layer, unit, latency_s and energy_j."""

    name = "table"
    title = "Table of costs"
    words = "a table of costs by layer and compute unit"

    def estimate(self, graph: Network, unit: ComputeUnit, mapping: str | None = None) -> LayerEstimates:
        """Return the rows of the table for the layers of `graph` on `unit`; `mapping` is ignored.

        Raises:
            ProblemError: the table cannot be read, or lacks layers, which the error names.
        """
        array, names = array_of(unit), layer_names(graph)
        rows = read_costs(self.table)
        missing = [name for name in names if (graph.slug, name, array.name) not in rows]
        if missing:
            raise ProblemError(
                FIELD,
                f"no rows for {listed(missing)}",
                f"a table with a row for every layer of {graph.slug} on {array.name}",
                remedies=["Add these rows.", "Choose another cost model."],
            )
        values = np.array([rows[graph.slug, name, array.name] for name in names]).reshape(len(names), -1)
        latency_s, energy_j, buffer_bytes, off_chip_bytes = values.T
        return LayerEstimates(names, latency_s * array.clock_hz, latency_s, energy_j, buffer_bytes, off_chip_bytes)


@lru_cache(_MOST_TABLES)
def read_costs(text: str) -> Mapping[Key, Row]:
    """Return (network, layer, unit) -> latency in s, energy in J, bytes of the buffer and off chip (NaN where not stated).

    Raises:
        ProblemError: a cell is invalid; the error names line and column.
    """
    reader = csv.DictReader(io.StringIO(text.strip()), skipinitialspace=True)
    head = reader.fieldnames or []
    lacking = [name for name in (*KEYS, *NEEDED) if name not in head]
    if lacking:
        reason = f"The table lacks {listed(lacking)}."
        raise ProblemError(FIELD, ",".join(head), f"CSV that begins with {_HEAD}", reason=reason)
    found: dict[Key, Row] = {}
    for row in reader:
        key = tuple((row[name] or "").strip() for name in KEYS)
        if key in found:
            raise ProblemError(FIELD, ", ".join(key), "one row per network, layer and unit", line=reader.line_num)
        found[key] = tuple(_number(row, name, reader.line_num) for name in (*NEEDED, *OPTIONAL))
    return found


def write_costs(networks: Iterable[tuple[Network, str, LayerEstimates]]) -> str:
    """Return a table for `read_costs` of estimates, each with its network and the name of its compute unit."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*KEYS, *NEEDED, *OPTIONAL))
    for network, unit, costs in networks:
        columns = (getattr(costs, name).tolist() for name in (*NEEDED, *OPTIONAL))
        for name, *values in zip(costs.layers, *columns, strict=True):
            writer.writerow((network.slug, name, unit, *("" if math.isnan(value) else repr(value) for value in values)))
    return text.getvalue()


def _number(row: Mapping[str, str | None], name: str, line: int) -> float:
    text = (row.get(name) or "").strip()
    if not text and name in OPTIONAL:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise ProblemError(f"{FIELD}.{name}", text, "a number from 0 on", line=line)
    return value
