"""Reads what people measure with: a CSV of layers, logs of tegrastats. Runtimes' profiles: `engines.cost.calibration.profiles`.

Formats:
- CSV with a heading: `layer` (name of an operation, several joined by " + ", or empty for the whole network), `unit`,
  `latency_ms`, and where they were measured `power_w` or `energy_mj`, `batch`, `workload`, and a column `<unit>_mhz` or
  `memory_mhz` for each clock that was set.
- tegrastats: lines with `GR3D_FREQ 99%@1377`, of several clusters `99%@[1300,0]`, on a Thor without load `@[1574,1574,1574]`;
  `EMC_FREQ 20%@2133`; and rails as `GPU 2345/2300`, `VDD_GPU_SOC 2345mW/2300mW`, or with the highest as well
  `VDD_GPU 2345mW/2300mW/9000mW`.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from engines.contract.errors import ProblemError

MAX_BYTES = 5_000_000
MAX_ROWS = 20_000
MAX_FIGURE = 1e9
_CLOCK_COLUMN = re.compile(r"^([a-z0-9-]+)_mhz$")
_FIGURES = ("latency_ms", "power_w", "energy_mj")
_KNOWN_COLUMNS = ("layer", "unit", *_FIGURES, "batch", "workload")
# Columns of other units and names that people have: what to call them, and what to do with their figures.
_MISTAKEN = {
    "latency": "latency_ms, in milliseconds",
    "time_ms": "latency_ms",
    "latency_s": "latency_ms: multiply by 1,000",
    "latency_us": "latency_ms: divide by 1,000",
    "latency_ns": "latency_ms: divide by 1,000,000",
    "power": "power_w, in watts",
    "power_mw": "power_w: divide by 1,000",
    "energy": "energy_mj, in millijoules",
    "energy_j": "energy_mj: multiply by 1,000",
    "energy_uj": "energy_mj: divide by 1,000",
    "network": "workload",
    "model": "workload",
    "device": "unit",
    "name": "layer",
}
_RAIL = re.compile(r"\b([A-Z][A-Z0-9_]*) +(-?\d+)(?:mW)?(?:/-?\d+(?:mW)?){1,2}(?=\s|$)")
# An Orin of the first releases tells its second cluster apart; the oldest boards leave "_FREQ" out.
_CLOCKS = {
    "gpu": re.compile(r"\bGR3D2?(?:_FREQ)? +(?:(\d+)%)?@(\[[^\]]*\]|\d+)"),
    "memory": re.compile(r"\bEMC(?:_FREQ)? +(?:(\d+)%)?@(\[[^\]]*\]|\d+)"),
}


@dataclass(frozen=True)
class LayerMeasurement:
    """One measured line.

    Attributes:
        layers: names of the operations it is of; empty: the whole network.
        unit: compute unit of the measurement; "" if the file does not state it.
        energy_mj: from the line, or latency times its power; None where neither was measured.
        clocks_mhz: clocks in MHz that the line states.
        workload: network that the line names; "" without one.
        line: line of the file, from 1 on.
        deviation: as that of `MeasuredRow`.
        runtime: whose profile it is of, so that its one name is resolved by `engines.cost.calibration.runtime_names`.
        operator: operator of a node of onnxruntime.
    """

    layers: tuple[str, ...]
    unit: str
    latency_ms: float
    energy_mj: float | None = None
    batch: int = 1
    clocks_mhz: Mapping[str, float] = field(default_factory=dict)
    workload: str = ""
    line: int = 0
    deviation: float | None = None
    runtime: Literal["", "tensorrt", "onnxruntime"] = ""
    operator: str = ""


@dataclass(frozen=True)
class PowerLog:
    """Means over a log of tegrastats.

    Attributes:
        rails_w: supply rail -> mean power.
        clocks_mhz: "gpu", "memory" -> mean clock where the log has it, of lines by their load; that of the highest cluster.
    """

    rails_w: Mapping[str, float]
    clocks_mhz: Mapping[str, float]
    samples: int

    def power_w(self, rails: Iterable[str]) -> float:
        """Sum of some rails.

        Raises:
            ProblemError: a rail that the log does not have.
        """
        chosen = list(rails)
        for rail in chosen:
            if rail not in self.rails_w:
                raise ProblemError("rails", rail, f"one of: {', '.join(self.rails_w)}")
        return sum(self.rails_w[rail] for rail in chosen)


def read_csv(text: str) -> list[LayerMeasurement]:
    """Return the lines of a CSV.

    Raises:
        ProblemError: column, line, value got and values accepted.
    """
    check_size(text)
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
    columns = _columns(reader)
    _check_columns(columns)
    rows: list[LayerMeasurement] = []
    try:
        for row in reader:
            number = reader.line_num
            check_count(len(rows) + 1)
            if None in row:
                cells = len(columns) + len(row[None])
                raise ProblemError(f"line {number}", f"{cells} cells", f"{len(columns)} cells, as in the heading")
            rows.append(_csv_row({str(k).strip(): str(v or "").strip() for k, v in row.items()}, number))
    except csv.Error as error:
        raise ProblemError("file", str(error), "a table of plain text with commas") from error
    return some(rows)


def read_tegrastats(text: str) -> PowerLog:
    """Return the mean power of each rail and mean clocks of a log.

    Raises:
        ProblemError: no line of it has a power.
    """
    check_size(text)
    rails: dict[str, list[float]] = {}
    clocks: dict[str, list[tuple[float | None, float]]] = {}
    samples = 0
    for line in text.splitlines():
        powers_w = rails_w(line)
        samples += bool(powers_w)
        for name, power_w in powers_w.items():
            rails.setdefault(name, []).append(power_w)
        for name, pattern in _CLOCKS.items():
            clock = _clock(pattern.findall(line))
            if clock is not None:
                clocks.setdefault(name, []).append(clock)
    if not rails:
        raise ProblemError("tegrastats", f"{len(text.splitlines())} lines", "lines with rails such as GPU 2345/2300")
    means = {name: _mean_clock(values, idle=name != "gpu") for name, values in clocks.items()}
    return PowerLog(
        {name: sum(values) / len(values) for name, values in rails.items()},
        {name: mean for name, mean in means.items() if mean is not None},
        samples,
    )


def rails_w(line: str) -> dict[str, float]:
    """Return the power of each rail in a line of tegrastats."""
    return {
        name: float(milliwatts) / 1e3 for name, milliwatts in _RAIL.findall(line) if name not in ("RAM", "SWAP", "IRAM")
    }


def _clock(found: Sequence[tuple[str, str]]) -> tuple[float | None, float] | None:
    """Load in per cent, where it is told, and MHz of the highest cluster; None where all are off."""
    loads = [float(load) for load, _ in found if load]
    mhz = [float(each) for _, clusters in found for each in re.findall(r"\d+", clusters)]
    return (max(loads, default=None), max(mhz)) if max(mhz, default=0) > 0 else None


def _mean_clock(samples: Sequence[tuple[float | None, float]], *, idle: bool) -> float | None:
    """Return the mean by load; without any load that of all lines, which for `idle` counts where every load is 0 too."""
    loaded = [(load, mhz) for load, mhz in samples if load is not None]
    total = sum(load for load, _ in loaded)
    if total:
        return sum(load * mhz for load, mhz in loaded) / total
    return None if loaded and not idle else sum(mhz for _, mhz in samples) / len(samples)


def _columns(reader: csv.DictReader[str]) -> list[str]:
    try:
        return [str(name).strip() for name in reader.fieldnames or ()]
    except csv.Error as error:
        raise ProblemError("file", str(error), "a table of plain text with commas") from error


def _check_columns(columns: list[str]) -> None:
    """Check that a heading has what is needed, each column once, and nothing that would be passed over."""
    for name in columns:
        if name not in _KNOWN_COLUMNS and not _CLOCK_COLUMN.match(name):
            accepted = f"one of: {', '.join(_KNOWN_COLUMNS)}, or a clock such as gpu_mhz"
            raise ProblemError(f"columns.{name}", name, _MISTAKEN.get(name.lower(), accepted))
        if columns.count(name) > 1:
            raise ProblemError(f"columns.{name}", f"{columns.count(name)} columns {name}", "a column that occurs once")
    for needed in ("layer", "unit", "latency_ms"):
        if needed not in columns:
            raise ProblemError("columns", ", ".join(columns)[:300], f"a heading with {needed}")


def _csv_row(row: Mapping[str, str], number: int) -> LayerMeasurement:
    figures = {name: _figure(row[name], name, number) for name in _FIGURES if row.get(name)}
    if "latency_ms" not in figures:
        raise ProblemError(f"line {number}.latency_ms", row.get("latency_ms", ""), "a number above 0")
    clocks = {
        match[1]: value
        for name, text in row.items()
        if (match := _CLOCK_COLUMN.match(name)) and text and (value := _figure(text, name, number))
    }
    energy = figures.get("energy_mj")
    if energy is None and "power_w" in figures:
        energy = figures["power_w"] * figures["latency_ms"]
    return LayerMeasurement(
        layers=tuple(name for name in (part.strip() for part in row["layer"].split(" + ")) if name),
        unit=row["unit"],
        latency_ms=figures["latency_ms"],
        energy_mj=energy,
        batch=_batch(row.get("batch", ""), number),
        clocks_mhz=clocks,
        workload=row.get("workload", ""),
        line=number,
    )


def _figure(text: str, column: str, number: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= MAX_FIGURE:
        raise ProblemError(f"line {number}.{column}", text, f"a number above 0 and at most {MAX_FIGURE:g}")
    return value


def _batch(text: str, number: int) -> int:
    if not text:
        return 1
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= 65_536:
        raise ProblemError(f"line {number}.batch", text, "a whole number from 1 to 65536")
    return int(text)


def check_size(text: str) -> None:
    """Refuse a file that is too large; raises ProblemError."""
    size = len(text.encode())
    if size > MAX_BYTES:
        raise ProblemError("file", f"{size} bytes", f"a file of at most {MAX_BYTES} bytes")


def check_count(count: int) -> None:
    """Refuse too many rows; raises ProblemError."""
    if count > MAX_ROWS:
        raise ProblemError("file", f"more than {MAX_ROWS} rows", f"a file of at most {MAX_ROWS} rows")


def some(rows: list[LayerMeasurement]) -> list[LayerMeasurement]:
    """Return the rows; raises ProblemError where there are none."""
    if not rows:
        raise ProblemError("file", "no row", "a file with at least one measured row")
    return rows
