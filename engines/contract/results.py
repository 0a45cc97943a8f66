"""Results: all data that a run can show next to its designs, as frozen dataclasses without drawing code.

Times are seconds, energies joules, sizes bytes; other units stand in a `unit` attribute. Arrays are numpy; every class turns into
JSON and back without loss (`engines.contract.encoding.result_json`), and into Arrow tables for export (`engines.exchange.export`).
Each result has a `name` (unique within the run; a later result replaces an earlier one) and a `title` (shown on pages).
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
    """The base class of all results.

    Attributes:
        role: "progress" for a curve over the run; "proof" for a note on the proven quality of its designs; "document" for a note
            whose text is a file and whose name is the file name; "measured" for measurements on devices during the search; ""
            for all others.
        belongs_to: name of the result next to which pages show it; `HYPERVOLUME` for progress next to the curve of the
            hypervolume, `CATALOGUE` for a document that users can store in the catalogue.
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
    """The layers of a network that a chiplet executes in one time window. Layers count from 0; both ends are included."""

    chiplet: int
    model: str
    stage: int
    stages: int
    first_layer: int
    last_layer: int
    busy_fraction: float


@dataclass(frozen=True)
class LinkLoad:
    """The bytes over one directed link in one time window. Nodes are "C<index>" or "DRAM <side> <row>"."""

    source: str
    target: str
    size_bytes: float


@dataclass(frozen=True)
class GridWindow:
    """One time window of a package: start and duration in seconds, placements of layers and loads of links."""

    title: str
    start_s: float
    duration_s: float
    placements: tuple[Placement, ...]
    links: tuple[LinkLoad, ...]


@dataclass(frozen=True)
class ChipletGrid(Result):
    """The placement of networks and segments on chiplets per time window, with link loads; the order of `models` fixes colours."""

    rows: int
    columns: int
    chiplets: tuple[GridChiplet, ...]
    models: tuple[str, ...]
    windows: tuple[GridWindow, ...]
    memory_nodes: tuple[str, ...] = ()


# -- network ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NetworkNode:
    """A box in the picture of an interconnect: centre and size in steps of the picture, y downwards.

    `kind` selects the tint, as in `Lane`; `details` is the tooltip.
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
    """A directed link, drawn along points in steps of the picture."""

    title: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class NetworkPackets:
    """The packets on the links, ordered by the time of sending. All arrays have shape `n`.

    Attributes:
        start_s, end_s: seconds from the start of the recording until each packet was sent, and until its last flit arrived.
        route: index into `routes` of the picture.
        stream: index into `streams` of the picture.
    """

    start_s: FloatArray
    end_s: FloatArray
    route: IntArray
    stream: IntArray


@dataclass(frozen=True)
class NetworkPicture(Result):
    """Boxes and the links between them, by load, and packets that move along the links.

    Attributes:
        cases: titles of the conditions of the loads; pages show one picture for each.
        loads: share of time that each link is in use, shape `cases x links`.
        packets: packets of each case; () without a recording.
        routes: for each route the indices of its links, in order.
        streams: titles of the data streams of packets.
        shown_s: duration of the recording of packets, in seconds.
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
    """A row of a schedule: a chiplet or compute unit. `kind` selects tint and pattern (dataflow slug, "gpu", "dram", ...)."""

    id: str
    title: str
    kind: str
    busy_fraction: float


@dataclass(frozen=True)
class ScheduleWindow:
    """A named interval of the time axis, in seconds."""

    title: str
    start_s: float
    end_s: float


@dataclass(frozen=True)
class Schedule(Result):
    """A schedule: bars on rows over time. All bar arrays have shape `n`, one entry per bar, by default one sample of one segment.

    Attributes:
        models: names of networks; `bar_model` indexes them, -1 for a bar without a network.
        bar_kind: index into `kinds` ("compute", "transfer", "wait").
        bar_label: index into `labels` (network and layers).
        bar_sample: number of the sample within the batch, -1 if the bar covers all samples.
        bar_words: meaning of a bar that is neither a sample nor a batch ("one bar is one layer").
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
    """A line `y` over the `x` of its trace or curve, shape `n`; `low` and `high` (shape `n` or empty) span a band.

    `links` are ids of the graph's layers that belong to it; pages highlight both together.
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
    """A named interval of time, in seconds."""

    start_s: float
    end_s: float
    title: str


@dataclass(frozen=True)
class Trace(Result):
    """Time series on one time axis (seconds, shape `n`) with thresholds, events and bands."""

    time_s: FloatArray
    series: tuple[Series, ...]
    thresholds: tuple[Threshold, ...] = ()
    events: tuple[Event, ...] = ()
    bands: tuple[Band, ...] = ()


@dataclass(frozen=True)
class Curve(Result):
    """Series over any axis `x`, shape `n`; NaN marks missing values of a series."""

    x: FloatArray
    x_title: str
    x_unit: str
    series: tuple[Series, ...]
    x_log: bool = False
    y_log: bool = False


# -- tracks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GroundCircle:
    """A circle on the ground, in metres; `kind` is "obstacle" or "keep out"."""

    title: str
    x_m: float
    y_m: float
    radius_m: float
    kind: str = "obstacle"


@dataclass(frozen=True)
class GroundLine:
    """A line on the ground, in metres, arrays of shape `n`; `kind` is "lane" or "limit". NaN interrupts the line."""

    title: str
    x_m: FloatArray
    y_m: FloatArray
    kind: str = "lane"


@dataclass(frozen=True)
class GroundTrack(Result):
    """The path of a vehicle seen from above; it shares the time cursor of the trace that it `belongs_to`.

    Attributes:
        time_s: time in seconds of every position, shape `n`.
        x_m, y_m: positions in metres, shape `n`.
        heading: angle to the x axis in radians, shape `n`.
        circles, lines: obstacles and lane borders around the path.
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

    In a table whose rows show different quantities, the cells of a column with `row_units` are the units of their rows.
    """

    title: str
    values: tuple[str, ...] | FloatArray
    unit: str = ""
    row_units: bool = False


@dataclass(frozen=True)
class Table(Result):
    """A table: columns of equal length."""

    table_columns: tuple[TableColumn, ...]


@dataclass(frozen=True)
class Matrix(Result):
    """A heat map; `values` has shape `len(row_titles) x len(column_titles)`."""

    row_titles: tuple[str, ...]
    column_titles: tuple[str, ...]
    values: FloatArray
    unit: str
    value_title: str


@dataclass(frozen=True)
class Breakdown(Result):
    """Stacked bars of the parts of a metric; `values` has shape `len(bars) x len(parts)`."""

    bars: tuple[str, ...]
    parts: tuple[str, ...]
    values: FloatArray
    unit: str


@dataclass(frozen=True)
class Distribution(Result):
    """A histogram of samples of one quantity; `values` has shape `n`."""

    values: FloatArray
    unit: str


@dataclass(frozen=True)
class Sensitivity(Result):
    """The sensitivity of one value to its inputs: each input is lowered and raised, one at a time.

    Attributes:
        value_title, unit: title and unit of the value.
        given: the value with unchanged inputs.
        figures, figure_units: titles and units of the `n` inputs, the most influential first.
        figure_low, figure_given, figure_high: lowered, unchanged and raised input, in its unit; shape `n`.
        low, high: the value with the lowered and the raised input, or `given` if the input cannot change; shape `n`.
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
        """The change of the value from the lowered to the raised input, shape `n`, in `unit`."""
        return np.asarray(np.abs(self.high - self.low), dtype=np.float64)


@dataclass(frozen=True)
class LayerNode:
    """A layer of a graph; `group` fixes its colour, `figures` are (title, value, unit) of its metrics.

    An `id` may begin with the label of a bar of the schedule, such as "Prefill/attention"; pages highlight both together.

    If groups are compute units, `kind` is the kind of hardware as in `Lane`; it selects tint and pattern instead of a colour.
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
    """A remark on the numbers of a run; `level` is "info" or "warning"."""

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
