"""Responses of the site as pandas DataFrames; `frame.attrs["columns"]` describes the columns."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from paretoscope_client.errors import MissingPackageError

if TYPE_CHECKING:
    import pandas as pd

INDEX = "design"
DECISION = "decision"


def optional(module: str, extra: str) -> Any:
    """Import and return a module of an optional package.

    Raises:
        MissingPackageError: the package is missing; the message says how to install it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        words = f"This needs the package {name}, which is not installed: pip install 'paretoscope-client[{extra}]'."
        raise MissingPackageError(words) from error


def of_arrow(data: bytes) -> pd.DataFrame:
    """Return the designs of an Arrow file, indexed by their numbers.

    Args:
        data: content of `runs/<id>/designs.arrow`. Undefined values become NaN; decisions become mappings.
    """
    optional("pandas", "pandas")
    table = optional("pyarrow", "pandas").ipc.open_file(data).read_all()
    frame = table.to_pandas().set_index(INDEX)
    if DECISION in frame:
        frame[DECISION] = [json.loads(text) for text in frame[DECISION]]
    frame.attrs["columns"] = {
        field.name: {key.decode(): value.decode() for key, value in field.metadata.items()}
        for field in table.schema
        if field.metadata
    }
    return frame


def of_columns(pages: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the designs of column-wise responses, indexed by their numbers.

    Args:
        pages: one or more responses of `runs/<id>/front/`. Undefined values become NaN.
    """
    pandas = optional("pandas", "pandas")
    first = pages[0]
    parts: dict[str, list[Any]] = {
        column["name"]: [value for page in pages for value in page["columns"][place]["values"]]
        for place, column in enumerate(first["columns"])
    }
    texts = {name: [each for page in pages for each in page[name]] for name in _FACTS if name in first}
    numbers = [each for page in pages for each in page[INDEX]] if INDEX in first else None
    index = None if numbers is None else pandas.Index(numbers, name=INDEX, dtype="int64")
    columns = {name: pandas.array(values, dtype="float64") for name, values in _with_nan(parts).items()}
    frame = pandas.DataFrame({**columns, **texts}, index=index)
    frame.attrs["columns"] = {
        column["name"]: {key: value for key, value in column.items() if key not in ("name", "values")}
        for column in first["columns"]
    }
    return frame


_FACTS = ("found_at_evaluation", "origin", "label", "feasible", "broken", DECISION)


def _with_nan(columns: Mapping[str, Sequence[float | None]]) -> dict[str, list[float]]:
    return {name: [float("nan") if value is None else value for value in values] for name, values in columns.items()}


def of_table(table: Mapping[str, Any], value: str = "median") -> pd.DataFrame:
    """Return the table of a study: one row per place on its row axes, one column per value of the axis across.

    Args:
        table: response of `studies/<id>/table/`.
        value: value of a cell over its runs: "median", "min", "max", or "values" for the number of runs with a value.
    """
    pandas = optional("pandas", "pandas")
    axes, across = table["row_axes"], table["column_axis"]
    rows = [[cell[value] for cell in row["cells"]] for row in table["rows"]]
    keys = [tuple(_plain(part) for part in row["key"]) for row in table["rows"]]
    index = pandas.MultiIndex.from_tuples(keys, names=axes) if len(axes) > 1 else None
    if len(axes) == 1:
        index = pandas.Index([key[0] for key in keys], name=axes[0])
    columns = pandas.Index([_plain(each) for each in table["columns"]], name=across or None)
    frame = pandas.DataFrame(rows, index=index, columns=columns, dtype="float64")
    frame.attrs["quantity"] = table["quantity"]
    return frame


def of_survey(answer: Mapping[str, Any], devices: Sequence[str] = ()) -> pd.DataFrame:
    """Return a survey, indexed by device name, with the metrics of the best mapping of each device.

    Args:
        answer: response of `workloads/<slug>/survey/`; its other entries go to `frame.attrs`.
        devices: names of the devices to return, in this order; all by default.

    Raises:
        ValueError: the survey has no such device.
    """
    pandas = optional("pandas", "pandas")
    rows = {row["name"]: row for row in answer["devices"]}
    unknown = [name for name in devices if name not in rows]
    if unknown:
        raise ValueError(f"The survey has no device {', '.join(unknown)}. It has {', '.join(sorted(rows))}.")
    frame = pandas.DataFrame([_values(rows[name]) for name in devices or rows]).set_index("name")
    frame.attrs = {name: value for name, value in answer.items() if name != "devices"}
    return frame


def _values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a survey row as flat values; `mapping` is the compute unit of each part, `source` the basis of the estimate."""
    priced = row.get("priced") or {}
    best = priced.get("best") or {}
    named = {"mapping": best.get("words"), "source": priced.get("words")} if priced else {}
    found = {
        name: value
        for level in (row, priced, best)
        for name, value in level.items()
        if not isinstance(value, list | dict) and name not in ("words", "priced")
    }
    missing = {name: float("nan") for name in ("latency_s", "energy_j") if found.get(name) is None}
    return {**found, **named, **missing}


def _plain(value: Any) -> Any:
    """Return a value that a pandas index accepts: lists and mappings become JSON text."""
    return json.dumps(value) if isinstance(value, list | dict) else value
