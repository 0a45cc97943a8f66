"""Results: everything a run can show, as frozen data without any drawing.

Times are seconds, energies joules, sizes bytes; other units stand in a `unit` attribute. Arrays are numpy; every class
turns into JSON and back without loss (`to_json`, `from_json`), and into Arrow tables for export (`engines.export`).
Each result has a `name` (unique within the run, replaces an earlier one) and a `title` (what people read).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Result:
    """Base of all results."""

    name: str
    title: str


# -- chiplet grid -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GridChiplet:
    """One chiplet: `index` is row-major; `dataflow` is a dataflow slug ("nvdla", "shi-diannao", ...)."""

    index: int
    row: int
    column: int
    dataflow: str
    processing_elements: int
    off_chip: bool


@dataclass(frozen=True)
class Placement:
    """Which part of which model a chiplet executes in a window. Layers are 0-based and inclusive."""

    chiplet: int
    model: str
    stage: int
    stages: int
    first_layer: int
    last_layer: int
    busy_fraction: float


@dataclass(frozen=True)
class LinkLoad:
    """Bytes over one directed link in a window. Nodes are "C<index>" or "DRAM <side> <row>"."""

    source: str
    target: str
    size_bytes: float


@dataclass(frozen=True)
class GridWindow:
    """One time window of the package."""

    title: str
    start_s: float
    duration_s: float
    placements: tuple[Placement, ...]
    links: tuple[LinkLoad, ...]


@dataclass(frozen=True)
class ChipletGrid(Result):
    """Where each model and segment sits, per window, with link loads. `models` gives the order that fixes colours."""

    rows: int
    columns: int
    chiplets: tuple[GridChiplet, ...]
    models: tuple[str, ...]
    windows: tuple[GridWindow, ...]
    memory_nodes: tuple[str, ...] = ()


# -- schedule ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lane:
    """A horizontal lane: a chiplet or a compute unit. `kind` selects tint and pattern (dataflow slug, "gpu", "dram", ...)."""

    id: str
    title: str
    kind: str
    busy_fraction: float


@dataclass(frozen=True)
class ScheduleWindow:
    """A named interval of the time axis."""

    title: str
    start_s: float
    end_s: float


@dataclass(frozen=True)
class Schedule(Result):
    """Bars on lanes over time. All bar arrays have shape `n`, one entry per block (one sample of one segment).

    Attributes:
        models: names; `bar_model` indexes them; -1 = belongs to no model.
        bar_kind: indexes `kinds` ("compute", "transfer", "wait").
        bar_label: indexes `labels` (model name and layers).
        bar_sample: sample number within the batch, -1 where the bar covers all.
        bar_words: what one bar stands for where it is no sample and no batch ("one bar is one layer").
        dependency_from, dependency_to: indices of bars, shape `d`: the second waits for the first.
    """

    lanes: tuple[Lane, ...]
    windows: tuple[ScheduleWindow, ...]
    models: tuple[str, ...]
    kinds: tuple[str, ...]
    labels: tuple[str, ...]
    bar_lane: IntArray
    bar_start_s: FloatArray
    bar_end_s: FloatArray
    bar_kind: IntArray
    bar_model: IntArray
    bar_label: IntArray
    bar_window: IntArray
    bar_sample: IntArray
    dependency_from: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    dependency_to: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    bar_words: str = ""


# -- series -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Series:
    """`y` over the `x` of its trace or curve, shape `n`; `low`/`high` (shape `n` or empty) span a band."""

    title: str
    y: FloatArray
    unit: str
    low: FloatArray = field(default_factory=lambda: np.empty(0))
    high: FloatArray = field(default_factory=lambda: np.empty(0))
    style: str = "line"


@dataclass(frozen=True)
class Threshold:
    """A horizontal limit in `unit`."""

    title: str
    value: float
    unit: str


@dataclass(frozen=True)
class Event:
    """Something that happened at `time_s`."""

    time_s: float
    title: str


@dataclass(frozen=True)
class Band:
    """An interval of time with a name."""

    start_s: float
    end_s: float
    title: str


@dataclass(frozen=True)
class Trace(Result):
    """Time series on one axis with limits, events and bands."""

    time_s: FloatArray
    series: tuple[Series, ...]
    thresholds: tuple[Threshold, ...] = ()
    events: tuple[Event, ...] = ()
    bands: tuple[Band, ...] = ()


@dataclass(frozen=True)
class Curve(Result):
    """Series over any axis."""

    x: FloatArray
    x_title: str
    x_unit: str
    series: tuple[Series, ...]
    x_log: bool = False


# -- tables and the rest ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableColumn:
    """A column of a `Table`: `values` are numbers (NaN = missing) or strings."""

    title: str
    values: tuple[str, ...] | FloatArray
    unit: str = ""


@dataclass(frozen=True)
class Table(Result):
    """Columns of equal length."""

    table_columns: tuple[TableColumn, ...]


@dataclass(frozen=True)
class Matrix(Result):
    """Heat map: `values` has shape `len(row_titles) x len(column_titles)`."""

    row_titles: tuple[str, ...]
    column_titles: tuple[str, ...]
    values: FloatArray
    unit: str
    value_title: str


@dataclass(frozen=True)
class Breakdown(Result):
    """Stacked parts: `values` has shape `len(bars) x len(parts)`."""

    bars: tuple[str, ...]
    parts: tuple[str, ...]
    values: FloatArray
    unit: str


@dataclass(frozen=True)
class Distribution(Result):
    """Samples of one quantity, shape `n`."""

    values: FloatArray
    unit: str


@dataclass(frozen=True)
class LayerNode:
    """A layer of a graph; `group` fixes the colour, `figures` are (title, value, unit).

    Where a group is what runs its layers, `kind` is the kind of that hardware, as of a `Lane`: tint and pattern, no colour.
    """

    id: str
    title: str
    group: str = ""
    figures: tuple[tuple[str, float, str], ...] = ()
    kind: str = ""


@dataclass(frozen=True)
class LayerGraph(Result):
    """Layers and directed edges between their ids."""

    nodes: tuple[LayerNode, ...]
    edges: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Note(Result):
    """A remark that belongs to the numbers. `level` is "info" or "warning"."""

    text: str
    level: str = "info"


RESULT_TYPES: Mapping[str, type[Result]] = {
    cls.__name__: cls
    for cls in (ChipletGrid, Schedule, Trace, Curve, Table, Matrix, Breakdown, Distribution, LayerGraph, Note)
}
_PARTS: Mapping[str, type] = {
    cls.__name__: cls
    for cls in (
        GridChiplet, Placement, LinkLoad, GridWindow, Lane, ScheduleWindow, Series, Threshold, Event, Band, TableColumn,
        LayerNode,
    )
}  # fmt: skip


def to_json(value: Any) -> Any:
    """A result (or part of one) as JSON-able data. Arrays keep dtype and shape; NaN and infinity are spelled out."""
    if is_dataclass(value) and not isinstance(value, type):
        return {"type": type(value).__name__} | {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, np.ndarray):
        flat = value.ravel().tolist()
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            flat = [_number_to_json(x) for x in flat]
        return {"array": flat, "dtype": str(value.dtype), "shape": list(value.shape)}
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return _number_to_json(value) if isinstance(value, float) else value


def from_json(data: Any) -> Any:
    """The value that `to_json` was given; lists come back as tuples.

    Raises:
        ValueError: if a type name is not one of the results or their parts.
    """
    if isinstance(data, dict) and "array" in data:
        values = data["array"]
        if data["dtype"].startswith("float"):
            values = [_number_from_json(x) for x in values]
        return np.array(values, dtype=data["dtype"]).reshape(data["shape"])
    if isinstance(data, dict) and "type" in data:
        known = {**RESULT_TYPES, **_PARTS}
        if data["type"] not in known:
            raise ValueError(f"A result's type must be one of {sorted(known)}. Got {data['type']!r} instead.")
        return known[data["type"]](**{key: from_json(value) for key, value in data.items() if key != "type"})
    if isinstance(data, dict) and "number" in data:
        return _number_from_json(data)
    if isinstance(data, list):
        return tuple(from_json(item) for item in data)
    return data


def result_to_bytes(result: Result) -> bytes:
    """A result as compact JSON text in UTF-8."""
    return json.dumps(to_json(result), separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def result_from_bytes(data: bytes) -> Result:
    """The result that `result_to_bytes` was given.

    Raises:
        ValueError: the text is no JSON or no result.
    """
    value = from_json(json.loads(data))
    if not isinstance(value, Result):
        raise ValueError(f"The text must hold a result. Got {type(value).__name__} instead.")
    return value


_SPECIAL = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def _number_to_json(value: float) -> Any:
    return value if np.isfinite(value) else {"number": str(float(value))}


def _number_from_json(value: Any) -> Any:
    return _SPECIAL[value["number"]] if isinstance(value, dict) else value


def equal(left: Any, right: Any) -> bool:
    """Whether two results (or parts) hold the same values; NaN equals NaN."""
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return (
            isinstance(left, np.ndarray)
            and isinstance(right, np.ndarray)
            and left.dtype == right.dtype
            and np.array_equal(left, right, equal_nan=left.dtype.kind == "f")
        )
    if is_dataclass(left) and is_dataclass(right):
        return type(left) is type(right) and all(
            equal(getattr(left, f.name), getattr(right, f.name)) for f in fields(left)
        )
    if isinstance(left, tuple | list) and isinstance(right, tuple | list):
        return len(left) == len(right) and all(equal(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, float) and isinstance(right, float) and left != left:
        return right != right
    return bool(left == right)
