"""Designs and results as Arrow tables, CSV, Parquet; schedules as Chrome traces (open in Perfetto)."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from engines.contract.designs import Designs, table_to_bytes
from engines.contract.quantities import SHARE, Quantity, by_name
from engines.contract.results import (
    Breakdown,
    ChipletGrid,
    Curve,
    Distribution,
    GroundTrack,
    LayerGraph,
    Matrix,
    NetworkPicture,
    Note,
    Result,
    Schedule,
    Sensitivity,
    Series,
    Table,
    Trace,
)
from engines.exchange.csv_cells import as_texts

_PROCESS = 1


def designs_table(designs: Designs, quantities: Iterable[Quantity] = ()) -> pa.Table:
    """Return all columns, the number of each design and its decision as JSON text; units are in the fields' metadata."""
    table = designs.scalars_table().append_column("decision", designs.decisions_table()["decision"])
    table = table.add_column(0, "design", pa.array(np.arange(len(designs))))
    origin = table.column_names.index("origin")
    table = table.set_column(origin, "origin", table["origin"].cast(pa.string()))
    known = by_name(quantities)
    fields = [
        field.with_metadata({"unit": known[field.name].unit, "title": known[field.name].title})
        if field.name in known
        else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields))


def result_table(result: Result) -> pa.Table:
    """Return a result as one flat table: bars of a schedule, placements of a grid, samples of a trace, and so on.

    Raises:
        TypeError: there is no table for a result of that type.
    """
    builder = _TABLES.get(type(result))
    if builder is None:
        names = ", ".join(sorted(cls.__name__ for cls in _TABLES))
        raise TypeError(f"A result to export must be one of {names}. Got {type(result).__name__} instead.")
    return pa.table(builder(result))


def to_csv(table: pa.Table) -> bytes:
    """Return `table` as CSV with a header, UTF-8; text that a spreadsheet would compute gets an apostrophe."""
    from pyarrow import csv

    sink = io.BytesIO()
    csv.write_csv(as_texts(table), sink)
    return sink.getvalue()


def to_parquet(table: pa.Table) -> bytes:
    """Return `table` as Parquet (zstd)."""
    from pyarrow import parquet

    sink = io.BytesIO()
    parquet.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def to_arrow(table: pa.Table) -> bytes:
    """Return `table` as an Arrow IPC stream."""
    return table_to_bytes(table)


# -- Chrome trace -----------------------------------------------------------------------------------------------------


def chrome_trace(schedule: Schedule, package: str = "", metadata: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the schedule as a Chrome trace: one process (the package), one thread per lane, times in microseconds.

    Times are whole nanoseconds, as Perfetto keeps them: it cuts the rest off, and slices that touch would overlap by one.

    Args:
        schedule: schedule to export.
        package: name of the process; the schedule's title by default.
        metadata: shown as the trace's own facts (problem hash, engine, version).
    """
    events = [_name_event("process_name", 0, package or schedule.title), *_thread_events(schedule)]
    events += [_window_event(window.title, window.start_s, window.end_s) for window in schedule.windows]
    events += [_bar_event(schedule, index) for index in range(len(schedule.bar_lane))]
    events += _dependency_events(schedule)
    return {"traceEvents": events, "displayTimeUnit": "ns", "otherData": dict(metadata or {})}


def _name_event(kind: str, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": _PROCESS, "tid": thread, "args": {"name": name}}


def _thread_events(schedule: Schedule) -> list[dict[str, Any]]:
    titles = ["Windows", *(lane.title for lane in schedule.lanes)]
    events = []
    for thread, title in enumerate(titles):
        events.append(_name_event("thread_name", thread, title))
        events.append(
            {"ph": "M", "name": "thread_sort_index", "pid": _PROCESS, "tid": thread, "args": {"sort_index": thread}}
        )
    return events


def _nanoseconds(time_s: float) -> int:
    """Return the rounded twice: an end of 5.5 ns and the next start of 5.499999999 ns are one time and must stay one."""
    return round(round(float(time_s) * 1e9, 3))


def _microseconds(nanoseconds: int) -> float:
    """Return the microseconds that are these nanoseconds again once they are multiplied by 1000 and cut off."""
    value = nanoseconds / 1e3
    return value if int(value * 1e3) == nanoseconds else math.nextafter(value, math.inf)


def _span(name: str, category: str, thread: int, start_s: float, end_s: float, args: dict[str, Any]) -> dict[str, Any]:
    start, end = _nanoseconds(start_s), _nanoseconds(end_s)
    span = {
        "ph": "X",
        "name": name,
        "cat": category,
        "pid": _PROCESS,
        "tid": thread,
        "ts": _microseconds(start),
        "dur": _microseconds(max(0, end - start)),
    }
    return span | {"args": args}


def _window_event(title: str, start_s: float, end_s: float) -> dict[str, Any]:
    return _span(title, "window", 0, start_s, end_s, {})


def _bar_event(schedule: Schedule, index: int) -> dict[str, Any]:
    model, window, sample = (int(a[index]) for a in (schedule.bar_model, schedule.bar_window, schedule.bar_sample))
    args: dict[str, Any] = {}
    if model >= 0:
        args["model"] = schedule.models[model]
    if 0 <= window < len(schedule.windows):
        args["window"] = schedule.windows[window].title
    if sample >= 0:
        args["sample"] = sample
    return _span(
        schedule.labels[int(schedule.bar_label[index])],
        schedule.kinds[int(schedule.bar_kind[index])],
        int(schedule.bar_lane[index]) + 1,
        schedule.bar_start_s[index],
        schedule.bar_end_s[index],
        args,
    )


def _dependency_events(schedule: Schedule) -> list[dict[str, Any]]:
    """Yield arrows: pairs of flow events with one id, in the last nanosecond of the first bar and at the start of the second.

    At its very end a bar is over, and readers would let the arrow begin at the one that follows.
    """
    events = []
    for number, (first, second) in enumerate(zip(schedule.dependency_from, schedule.dependency_to, strict=True)):
        common = {"name": "dependency", "cat": "dependency", "id": number, "pid": _PROCESS}
        begin, end = _nanoseconds(schedule.bar_start_s[first]), _nanoseconds(schedule.bar_end_s[first])
        leaves, arrives = max(begin, end - 1), _nanoseconds(schedule.bar_start_s[second])
        events.append(common | {"ph": "s", "tid": int(schedule.bar_lane[first]) + 1, "ts": _microseconds(leaves)})
        lane = int(schedule.bar_lane[second]) + 1
        events.append(common | {"ph": "f", "bp": "e", "tid": lane, "ts": _microseconds(arrives)})
    return events


# -- tables of results ------------------------------------------------------------------------------------------------

Columns = dict[str, Any]


def _schedule_columns(result: Schedule) -> Columns:
    def named(names: tuple[str, ...], indices: Any) -> list[str]:
        return [names[i] if 0 <= i < len(names) else "" for i in indices.tolist()]

    return {
        "lane": named(tuple(lane.title for lane in result.lanes), result.bar_lane),
        "start_s": result.bar_start_s,
        "end_s": result.bar_end_s,
        "kind": named(result.kinds, result.bar_kind),
        "model": named(result.models, result.bar_model),
        "label": named(result.labels, result.bar_label),
        "window": named(tuple(window.title for window in result.windows), result.bar_window),
        "sample": result.bar_sample,
    }


def _grid_columns(result: ChipletGrid) -> Columns:
    rows = [(window, placement) for window in result.windows for placement in window.placements]
    columns: Columns = {
        "window": [window.title for window, _ in rows],
        "window_start_s": pa.array([window.start_s for window, _ in rows], pa.float64()),
        "window_duration_s": pa.array([window.duration_s for window, _ in rows], pa.float64()),
    }
    for name in ("chiplet", "stage", "stages", "first_layer", "last_layer"):
        columns[name] = pa.array([getattr(placement, name) for _, placement in rows], pa.int64())
    columns["model"] = [placement.model for _, placement in rows]
    columns["busy_fraction"] = pa.array([placement.busy_fraction for _, placement in rows], pa.float64())
    return columns


def _series_columns(series: Iterable[Series]) -> Columns:
    columns: Columns = {}
    for one in series:
        name = f"{one.title} [{one.unit}]" if one.unit else one.title
        columns[_free(columns, name)] = one.y
        if len(one.low):
            columns[_free(columns, f"{name} low")] = one.low
            columns[_free(columns, f"{name} high")] = one.high
    return columns


def _free(columns: Columns, name: str) -> str:
    """Return `name`, or with a number behind it where two series share a title."""
    found, number = name, 2
    while found in columns:
        found, number = f"{name} ({number})", number + 1
    return found


def _table_columns(result: Table) -> Columns:
    columns: Columns = {}
    for column in result.table_columns:
        name = f"{column.title} [{column.unit}]" if column.unit else column.title
        columns[_free(columns, name)] = column.values if isinstance(column.values, np.ndarray) else list(column.values)
    return columns


def _matrix_columns(rows: tuple[str, ...], columns: tuple[str, ...], values: Any, unit: str) -> Columns:
    return {
        "row": [row for row in rows for _ in columns],
        "column": [column for _ in rows for column in columns],
        "value": np.asarray(values, dtype=np.float64).ravel(),
        "unit": [unit] * (len(rows) * len(columns)),
    }


def _layer_columns(result: LayerGraph) -> Columns:
    columns: Columns = {
        "id": [node.id for node in result.nodes],
        "title": [node.title for node in result.nodes],
        "group": [node.group for node in result.nodes],
    }
    for title, unit in dict.fromkeys((title, unit) for node in result.nodes for title, _, unit in node.figures):
        found = [next((v for t, v, u in node.figures if (t, u) == (title, unit)), None) for node in result.nodes]
        columns[_free(columns, f"{title} [{unit}]" if unit else title)] = pa.array(found, pa.float64())
    return columns


_TABLES: Mapping[type[Result], Callable[[Any], Columns]] = {
    Schedule: _schedule_columns,
    ChipletGrid: _grid_columns,
    NetworkPicture: lambda result: _matrix_columns(
        result.cases, tuple(link.title for link in result.links), result.loads, SHARE
    ),
    Trace: lambda result: {"time_s": result.time_s, **_series_columns(result.series)},
    GroundTrack: lambda result: {
        "time_s": result.time_s,
        "x_m": result.x_m,
        "y_m": result.y_m,
        "heading_rad": result.heading,
    },
    Curve: lambda result: {
        f"{result.x_title} [{result.x_unit}]" if result.x_unit else result.x_title: result.x,
        **_series_columns(result.series),
    },
    Table: _table_columns,
    Matrix: lambda result: _matrix_columns(result.row_titles, result.column_titles, result.values, result.unit),
    Breakdown: lambda result: _matrix_columns(result.bars, result.parts, result.values, result.unit),
    Distribution: lambda result: {f"value [{result.unit}]" if result.unit else "value": result.values},
    Sensitivity: lambda result: {
        "figure": list(result.figures),
        "unit": list(result.figure_units),
        "less": result.figure_low,
        "given": result.figure_given,
        "more": result.figure_high,
        f"{result.value_title} with less [{result.unit}]": result.low,
        f"{result.value_title} with more [{result.unit}]": result.high,
    },
    LayerGraph: _layer_columns,
    Note: lambda result: {"level": [result.level], "text": [result.text]},
}
