"""Results: everything a run can show, as frozen data without any drawing.

Times are seconds, energies joules, sizes bytes; other units stand in a `unit` attribute. Arrays are numpy; every class turns into
JSON and back without loss (`engines.contract.encoding.result_json`), and into Arrow tables for export (`engines.exchange.export`).
Each result has a `name` (unique within the run, replaces an earlier one) and a `title` (what people read).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray, IntArray

ResultRole = Literal["", "progress", "proof", "document", "measured"]
HYPERVOLUME = "hypervolume"
CATALOGUE = "catalogue"


@dataclass(frozen=True)
class Result:
    """Base of all results.

    Attributes:
        role: "progress" of a curve that tells how the run came along, "proof" of a note on how good its designs are for certain,
            "document" of a note whose text is a file of several lines, its name being the file's, "measured" of what machines told
            of the run's designs while it searched; "" of all else.
        belongs_to: name of the result that it stands next to. Progress that stands next to the hypervolume over evaluations says
            `HYPERVOLUME`, a document that the catalogue takes says `CATALOGUE`.
    """

    name: str
    title: str
    role: ResultRole = field(default="", kw_only=True)
    belongs_to: str = field(default="", kw_only=True)


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


# -- network ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NetworkNode:
    """A box of a network's picture: its middle and its size in steps of the picture, y downwards.

    `kind` selects the tint, as of a `Lane`; `details` is what is told beyond the name.
    """

    name: str
    details: str
    x: float
    y: float
    width: float
    height: float
    kind: str


@dataclass(frozen=True)
class NetworkLink:
    """A directed link along points, in steps of the picture."""

    title: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class NetworkPackets:
    """Packets on their way, in the order in which they set out. All arrays have shape `n`.

    Attributes:
        start_s, end_s: when each was made, and when its last part arrived, from the beginning of what is shown.
        route: indexes the picture's `routes`.
        stream: indexes its `streams`.
    """

    start_s: FloatArray
    end_s: FloatArray
    route: IntArray
    stream: IntArray


@dataclass(frozen=True)
class NetworkPicture(Result):
    """Boxes and the links between them, by load, and packets that move along the links.

    Attributes:
        cases: what the loads were found under, each a picture.
        loads: share of time that each link is in use, shape `cases x links`.
        packets: packets of each case; () where none were recorded.
        routes: the links that packets take, one after the other.
        streams: what packets belong to.
        shown_s: how long the packets were recorded for.
    """

    nodes: tuple[NetworkNode, ...]
    links: tuple[NetworkLink, ...]
    cases: tuple[str, ...]
    loads: FloatArray
    packets: tuple[NetworkPackets, ...] = ()
    routes: tuple[tuple[int, ...], ...] = ()
    streams: tuple[str, ...] = ()
    shown_s: float = 0.0


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
        bar_words: what one bar represents where it is no sample and no batch ("one bar is one layer").
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
    """`y` over the `x` of its trace or curve, shape `n`; `low`/`high` (shape `n` or empty) span a band.

    `links` are ids of layers of a graph that it shows: pages mark both together.
    """

    title: str
    y: FloatArray
    unit: str
    low: FloatArray = field(default_factory=lambda: np.empty(0))
    high: FloatArray = field(default_factory=lambda: np.empty(0))
    style: str = "line"
    links: tuple[str, ...] = ()


@dataclass(frozen=True)
class Threshold:
    """A horizontal limit in `unit`."""

    title: str
    value: float
    unit: str


@dataclass(frozen=True)
class Event:
    """An event at `time_s`."""

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
    """Series over any axis; a series of points has NaN where it has none."""

    x: FloatArray
    x_title: str
    x_unit: str
    series: tuple[Series, ...]
    x_log: bool = False
    y_log: bool = False


# -- tracks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GroundCircle:
    """Something round on the ground: `kind` is "obstacle" or "keep out"."""

    title: str
    x_m: float
    y_m: float
    radius_m: float
    kind: str = "obstacle"


@dataclass(frozen=True)
class GroundLine:
    """A line on the ground, arrays of shape `n`; `kind` is "lane" or "limit". NaN parts it."""

    title: str
    x_m: FloatArray
    y_m: FloatArray
    kind: str = "lane"


@dataclass(frozen=True)
class GroundTrack(Result):
    """Where a vehicle drives, from above; a trace that it `belongs_to` shares its cursor.

    Attributes:
        time_s: time in seconds of every position, shape `n`.
        x_m, y_m: positions, shape `n`.
        heading: radians from the x axis, shape `n`.
        circles, lines: what it passes.
    """

    time_s: FloatArray
    x_m: FloatArray
    y_m: FloatArray
    heading: FloatArray
    circles: tuple[GroundCircle, ...] = ()
    lines: tuple[GroundLine, ...] = ()


# -- tables and the rest ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableColumn:
    """A column of a `Table`: `values` are numbers (NaN = missing) or strings.

    Where rows are of different quantities, the cells of a column with `row_units` are the units of the numbers in their rows.
    """

    title: str
    values: tuple[str, ...] | FloatArray
    unit: str = ""
    row_units: bool = False


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
class Sensitivity(Result):
    """The sensitivity of one value: the value with less and with more of each figure that it rests on, one at a time.

    Attributes:
        value_title, unit: of the value.
        given: the value with every figure as it is.
        figures, figure_units: what is changed, `n` each, the one that matters most first.
        figure_low, figure_given, figure_high: less of it, as it is, and more of it, in its unit; shape `n`.
        low, high: the value with less and with more of each, or as given where the figure cannot be that; shape `n`.
    """

    value_title: str
    unit: str
    given: float
    figures: tuple[str, ...]
    figure_units: tuple[str, ...]
    figure_low: FloatArray
    figure_given: FloatArray
    figure_high: FloatArray
    low: FloatArray
    high: FloatArray

    @property
    def swing(self) -> FloatArray:
        """By how much each figure moves the value, shape `n`."""
        return np.asarray(np.abs(self.high - self.low), dtype=np.float64)


@dataclass(frozen=True)
class LayerNode:
    """A layer of a graph; `group` fixes the colour, `figures` are (title, value, unit).

    An `id` may be a path that begins with the label of a bar of the schedule, as in "Prefill/attention": pages mark both together.

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
    for cls in (
        ChipletGrid,
        NetworkPicture,
        Schedule,
        Trace,
        GroundTrack,
        Curve,
        Table,
        Matrix,
        Breakdown,
        Distribution,
        Sensitivity,
        LayerGraph,
        Note,
    )
}
