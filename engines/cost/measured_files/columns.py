"""The reader of tables of measured values: assignment of columns to fields, and each row as a value or a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted, many
from engines.cost.measured_files.value import (
    METRICS,
    MOST_VALUES,
    STATED,
    MeasuredFile,
    MeasuredValue,
    RefusedValue,
    RefusedValueError,
    batch_of,
    in_metric,
    precision_of,
)
from engines.tables.cells import Texts
from engines.tables.table import Table
from hardware.units import split_unit

FIELDS = (*STATED, "metric", "value", "unit_of_value", "statistic", "source", "licence")
_MOST_COLUMNS = 60
_SAMPLE_ROWS = 5
# Heads that people write, without regard to capitals, blanks and hyphens -> field.
_HEADS: Mapping[str, str] = {
    name: field
    for field, names in {
        "device": "device board device_name target soc",
        "network": "network model model_name workload net_name",
        "unit": "unit compute_unit primary_compute_unit processor",
        "runtime": "runtime framework backend engine",
        "runtime_version": "runtime_version version sdk",
        "precision": "precision bits dtype quantization data_type",
        "batch": "batch batch_size",
        "measured_on": "measured_on date measured",
        "metric": "metric",
        "value": "value",
        "unit_of_value": "unit_of_value units value_unit",
        "statistic": "statistic",
        "source": "source url reference",
        "licence": "licence license",
    }.items()
    for name in names.split()
}
# Begins of a column's name whose values count, where the table has no column "value".
_VALUES = ("latency", "inference_time", "time", "throughput", "fps", "energy")


def read_table(data: bytes, name: str, mapping: Mapping[str, str] | None, stated: Mapping[str, str]) -> MeasuredFile:
    """Return the rows of a table as values.

    Args:
        data: the file.
        name: name in messages.
        mapping: field of `FIELDS` -> head of its column; None: guessed from the heads.
        stated: `unit_of_value` of all rows, where the table does not say it.

    Raises:
        ProblemError: it is no table, a mapped column is missing, or no column has the values.
    """
    table = Table(data, name, _MOST_COLUMNS)
    heads = list(table.head)
    chosen = guess(heads) if mapping is None else {field: head for field, head in mapping.items() if head}
    for field, head in chosen.items():
        if field not in FIELDS:
            raise ProblemError(f"mapping.{field}", head, f"a field out of {', '.join(FIELDS)}")
        if head not in heads:
            raise ProblemError(f"mapping.{field}", head, f"a column of the table: {', '.join(heads)[:300]}")
    texts = table.read({column: Texts() for column in range(len(heads))})
    columns = [[words[code] for code in codes] for words, codes in (texts[each] for each in range(len(heads)))]
    rows = len(columns[0])
    if rows > MOST_VALUES:
        raise ProblemError("file", many(rows, "row"), f"a file of at most {counted(MOST_VALUES)} rows")
    read = MeasuredFile("Table", columns=heads, mapping=chosen)
    read.sample = [[column[row] for column in columns] for row in range(min(rows, _SAMPLE_ROWS))]
    if "value" not in chosen:
        if mapping is None:
            return read  # the person is asked which column it is
        raise ProblemError("mapping.value", "", f"the column of the measured values, out of {', '.join(heads)[:300]}")
    places = {field: heads.index(head) for field, head in chosen.items()}
    for row in range(rows):
        cells = {field: columns[column][row] for field, column in places.items()}
        place = f"row {row + 1}"
        try:
            read.values.append(_value(place, cells, chosen["value"], stated))
        except RefusedValueError as error:
            what = " ".join(filter(None, (cells.get("network", ""), cells["value"])))
            read.refused.append(RefusedValue(place, what[:120], str(error)))
    return read


def guess(heads: list[str]) -> dict[str, str]:
    """Return field -> column by the names of the columns; a column whose name has a unit of time, rate or energy is the value."""
    found: dict[str, str] = {}
    plain = {head: "_".join(head.lower().replace("-", " ").split()) for head in heads}
    for head, name in plain.items():
        if (field := _HEADS.get(name)) and field not in found:
            found[field] = head
    if "value" not in found:
        value = next(
            (head for head, name in plain.items() if name.startswith(_VALUES) and head not in found.values()), ""
        )
        found |= {"value": value} if value else {}
    return found


def _value(place: str, cells: Mapping[str, str], head: str, stated: Mapping[str, str]) -> MeasuredValue:
    """Return the value of a row.

    Raises:
        RefusedValueError: the row has no usable value; the message is the reason.
    """
    texts: dict[str, Any] = {
        field: text for field, text in cells.items() if field in MeasuredValue.__dataclass_fields__
    }
    metric, unit_in_metric = _metric(cells.get("metric", ""))
    symbol = cells.get("unit_of_value") or stated.get("unit_of_value") or unit_in_metric or _unit_in(head)
    try:
        number = float(cells["value"])
    except ValueError as error:
        raise RefusedValueError(
            f"The value must be a number with a decimal point. Got {cells['value'][:60]}."
        ) from error
    texts["metric"], texts["value"] = in_metric(number, symbol, metric)
    texts["unit"] = texts.get("unit", "").lower()
    texts["batch"] = batch_of(texts.get("batch", ""))
    texts["precision"] = precision_of(texts.get("precision", ""), texts["unit"])
    return MeasuredValue(place, **texts)


def _metric(text: str) -> tuple[str, str]:
    """Return metric and unit of the name of a metric ("latency_ms"); empty of an empty name.

    Raises:
        RefusedValueError: it is not of a whole network.
    """
    name = text.strip().lower()
    if not name:
        return "", ""
    found = next((metric for metric in METRICS if name.startswith(metric)), "")
    if not found:
        words = ", ".join(METRICS)
        raise RefusedValueError(f"The metric must be {words} of a whole network. Got {text[:60]}.")
    return found, _unit_in(name)


def _unit_in(name: str) -> str:
    """Return the unit in the name of a column or metric: "ms" of "latency_ms", "fps" of "FPS"; "" where there is none."""
    found = split_unit(name)
    lower = name.strip().lower()
    return found[1].symbol if found else "fps" if lower in ("fps", "throughput") or lower.endswith("per_s") else ""
