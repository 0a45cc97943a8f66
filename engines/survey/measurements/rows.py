"""Rows of public measurements: read from the tables that ship with the product, or from a file with the same columns.

A row that no estimate stands beside keeps the reason: another unit ran it, it is not of one inference, its value is faster than the
published peak allows, or the zoo has no such network at that input size.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from engines.contract.errors import ProblemError
from engines.cost.measured_files.bounds import check_zoo_bound
from engines.cost.measured_files.value import MeasuredValue, RefusedValueError
from engines.survey.measurements.devices import device_boards, device_name
from engines.survey.measurements.networks import zoo_network
from hardware.bits import bit_widths
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.model import Soc

DATA = Path(__file__).parent / "data"
COLUMNS = (
    "source", "device", "soc", "unit", "runtime", "precision", "model", "model_slug", "input", "batch", "metric", "value",
    "unit_of_value", "accuracy", "accuracy_metric", "peak_memory_mb", "notes", "path_in_source", "snapshot_commit",
)  # fmt: skip
Quantity = Literal["latency", "throughput", "energy", "power"]
# Metric -> quantity, the unit that goes with it, and the factor to seconds, inferences per second, joules or watts.
_METRICS: Mapping[str, tuple[Quantity, str, float]] = {
    "latency_ms": ("latency", "ms", 1e-3),
    "throughput_fps": ("throughput", "1/s", 1.0),
    "energy_uj": ("energy", "uJ", 1e-6),
    "power_w": ("power", "W", 1.0),
}
_LANGUAGE = ("ttft_ms", "decode_tokens_per_s", "prefill_tokens_per_s")
_ELSEWHERE = re.compile(r"layers total=(\d+)[^;]* (cpu|gpu)=(\d+)")
_MOST_BYTES = 64 * 2**20
_MOST_BATCH = 4096


@dataclass(frozen=True)
class MeasuredRow:
    """One published value.

    Attributes:
        number: number of the line in its file; the line of names is 1.
        devices: slugs of the boards of the catalogue; () where no document has the device.
        device: slug under which rows of one device stand together; two products of one chip differ.
        measured_on: the device as its source calls it.
        network: slug in the zoo; "" where the zoo has none.
        model, input_size: as the source writes them.
        model_slug: model slug of the network over all sources.
        runtime, precision, unit: as the source writes them.
        batch: inferences at a time.
        quantity: measured quantity.
        value: in seconds, inferences per second, joules or watts.
        source, where: repository with its snapshot, and the file in it.
        licence, date: licence and date of the repository, and day of the snapshot; "" where a file does not say.
        note: conditions, and versions of the runtime.
        reason: why no estimate stands beside the row; "" where one can.
        ground: why the network is that of the zoo.
    """

    number: int
    devices: tuple[str, ...]
    device: str
    measured_on: str
    network: str
    model: str
    input_size: str
    model_slug: str
    runtime: str
    precision: str
    unit: str
    batch: int
    quantity: Quantity
    value: float
    source: str
    where: str
    licence: str
    date: str
    note: str
    reason: str = ""
    ground: str = ""

    @property
    def seconds(self) -> float:
        """Seconds per inference: the latency, or the interval between results of a throughput; joules of an energy."""
        return 1 / self.value if self.quantity == "throughput" else self.value

    @property
    def key(self) -> tuple[str, ...]:
        """The fields that identify the row; rows with equal keys are duplicates."""
        own = (self.source, self.measured_on, self.unit, self.runtime, self.precision, self.model, self.input_size)
        return (*own, str(self.batch), self.quantity, self.where)

    @property
    def digest(self) -> str:
        """A hash of the fields that tell the row from others in every file, without its value: 12 hexadecimal digits."""
        own = (
            self.measured_on,
            self.unit,
            self.runtime,
            self.precision,
            self.model,
            self.input_size,
            self.batch,
            self.quantity,
        )
        return hashlib.sha256("|".join(map(str, own)).lower().encode()).hexdigest()[:12]


@cache
def measured_tables() -> Mapping[str, Mapping[str, str]]:
    """Return name -> title, repository, date and licence of every table that ships with the product."""
    content: dict[str, Any] = yaml.safe_load((DATA / "sources.yaml").read_text(encoding="utf-8"))["sources"]
    return {name: {key: str(value) for key, value in entry.items()} for name, entry in content.items()}


@cache
def table_rows(name: str) -> tuple[MeasuredRow, ...]:
    """Return the rows of a table that ships with the product, in order; read once per process."""
    with gzip.open(DATA / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        return rows_of(csv.DictReader(file), measured_tables()[name])


@cache
def all_measured_rows() -> tuple[MeasuredRow, ...]:
    """Return all rows that ship with the product, in the order of their tables."""
    return tuple(row for name in measured_tables() for row in table_rows(name))


def measured_rows(device: str | None = None) -> tuple[MeasuredRow, ...]:
    """Return the rows of a board of the catalogue, in the order of their tables; all rows without one.

    Args:
        device: slug of the board.
    """
    rows = all_measured_rows()
    return rows if device is None else tuple(row for row in rows if device in row.devices)


def read_rows(path: Path) -> tuple[MeasuredRow, ...]:
    """Return the rows of a file with the columns of the tables.

    Raises:
        ProblemError: no such file, no text, too large, or without one of the columns.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ProblemError("file", path.stat().st_size, f"a file of at most {_MOST_BYTES} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ProblemError("file", str(path), "a readable CSV file in UTF-8") from error
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        lacking = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        if lacking:
            accepted = f"a CSV file with the columns {', '.join(COLUMNS)}"
            raise ProblemError("file", f"no column {lacking[0]}", accepted)
        return rows_of(reader, {})
    except csv.Error as error:
        raise ProblemError("file", str(error), "a CSV file") from error


def rows_of(lines: Iterable[Mapping[str, str | None]], entry: Mapping[str, str]) -> tuple[MeasuredRow, ...]:
    """Return the rows of a table.

    Args:
        lines: column -> text of each.
        entry: date and licence of the table, where they are known.
    """
    seen: dict[tuple[str, ...], int] = {}
    found = []
    for number, line in enumerate(lines, 2):
        row = _row(number, {name: (line.get(name) or "").strip() for name in COLUMNS}, entry)
        first = seen.setdefault(row.key, number)
        if first != number and not row.reason:
            row = replace(row, reason=f"The row repeats row {first}.")
        found.append(row)
    return tuple(found)


def _row(number: int, line: Mapping[str, str], entry: Mapping[str, str]) -> MeasuredRow:
    match = zoo_network(line["source"], line["model"], line["model_slug"], line["input"], line["notes"])
    quantity, in_unit, factor = _METRICS.get(line["metric"], ("latency", "", 1.0))
    value, batch = _number(line["value"]), _number(line["batch"])
    row = MeasuredRow(
        number=number,
        devices=device_boards(line["device"], line["soc"]),
        device=device_name(line["device"], line["soc"]),
        measured_on=line["device"],
        network=match.slug,
        model=line["model"],
        input_size=line["input"],
        model_slug=line["model_slug"],
        runtime=line["runtime"],
        precision=line["precision"],
        unit=line["unit"],
        batch=int(batch) if 1 <= batch <= _MOST_BATCH and batch.is_integer() else 0,
        quantity=quantity,
        value=value * factor,
        source=f"{line['source']}@{line['snapshot_commit']}" if line["snapshot_commit"] else line["source"],
        where=line["path_in_source"],
        licence=entry.get("licence", ""),
        date=entry.get("date", ""),
        note=line["notes"],
        ground=match.words if match.slug else "",
    )
    return replace(row, reason=_unit_reason(line, in_unit) or _value_reason(row, line) or _reason(row, match.words))


def _number(text: str) -> float:
    """Return a finite number; 0 where the text is none."""
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) else 0.0


def _unit_reason(line: Mapping[str, str], in_unit: str) -> str:
    if line["metric"] in _LANGUAGE:
        return "The row is of a language model, which has a survey of its own."
    if not in_unit:
        return f"The metric {line['metric'] or 'without a name'} must be one of {', '.join(_METRICS)}."
    if line["unit_of_value"] != in_unit:
        return f"The unit of {line['metric']} must be {in_unit}. Got {line['unit_of_value'] or 'none'} instead."
    return ""


def _value_reason(row: MeasuredRow, line: Mapping[str, str]) -> str:
    if not row.value > 0:
        return f"The value must be a number above 0. Got {line['value'] or 'none'} instead."
    if not row.batch:
        return f"The batch must be a whole number from 1 to {_MOST_BATCH}. Got {line['batch'] or 'none'} instead."
    return "The source states no precision." if not row.precision else ""


def _reason(row: MeasuredRow, no_network: str) -> str:
    """Return why no estimate stands beside a row whose value is sound; "" where one can."""
    if row.quantity == "power":
        return "A power is not of one inference."
    if row.batch > 1 and row.quantity != "throughput":
        return f"The {row.quantity} is of a batch of {row.batch}, not of one inference."
    if " together" in row.unit or "," in row.unit.replace(", one core", ""):
        return f"Several units ran at once: {row.unit}."
    if row.unit == "NPU" and (elsewhere := _ELSEWHERE.search(row.note)):
        return f"{elsewhere[3]} of {elsewhere[1]} layers ran on the {elsewhere[2].upper()}; the costs are those of the NPU."
    if row.unit in ("CPU", "GPU") and not _own_unit(row):
        return f"The network ran on the {row.unit}; the runtime is meant for the NPU."
    return no_network if not row.network else _bound_reason(row)


def _own_unit(row: MeasuredRow) -> bool:
    """Return whether the processor that ran a row is what its board runs networks on: no board with an NPU."""
    return any(all(unit.kind != "npu" for unit in _board(slug).units.values()) for slug in row.devices)


def _bound_reason(row: MeasuredRow) -> str:
    """Return the bound that a value is faster than on every board that it may be of; "" where it keeps to one, or none is known."""
    reasons = [_bound_reason_on(slug, row) for slug in row.devices]
    return reasons[0] if reasons and all(reasons) else ""


def _bound_reason_on(slug: str, row: MeasuredRow) -> str:
    """Return the bound of one board; "" where the value keeps to it, or none is known."""
    unit, bits = row.unit.partition(",")[0].lower(), bits_name(row.precision)
    value = MeasuredValue("", row.quantity, row.value, slug, row.network, unit, precision=bits, batch=row.batch)
    try:
        check_zoo_bound(value, _board(slug))
    except RefusedValueError as error:
        return str(error)
    return ""


def bits_name(precision: str) -> str:
    """Return the bits that a source's word for a precision means: "float" is fp16 on accelerators, mixed ones are their first."""
    name = {"float": "fp16", "w8a8": "int8", "w16a16": "int16", "w4": "w4a16"}.get(precision, precision).partition(
        "_mixed"
    )[0]
    try:
        bit_widths(name)
    except ValueError:
        return "fp16"
    return name


@cache
def _board(slug: str) -> Soc:
    return load_soc(builtin_socs()[slug], slug)
