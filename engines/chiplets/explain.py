"""The results of one schedule: grid, time line, energy, windows, remarks. Totals come from the scorer's own numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.chiplets.costs.buffers import buffer_words, segment_table
from engines.chiplets.costs.layer_costs import layer_results
from engines.chiplets.costs.scoring import (
    COLUMNS,
    MEMORY,
    Scorer,
    placement_costs,
)
from engines.chiplets.costs.timeline import build_timeline
from engines.chiplets.costs.traffic import window_link_bytes
from engines.chiplets.deadlines import deadline_table
from engines.chiplets.problem.decision import PackageSchedule
from engines.chiplets.problem.tables import ScenarioTables, mapping_words
from engines.chiplets.windows.departures import departures
from engines.contract.metric_breakdowns import MetricBreakdown
from engines.contract.quantities import SHARE
from engines.contract.results import (
    Breakdown,
    ChipletGrid,
    GridChiplet,
    GridWindow,
    LinkLoad,
    Note,
    Placement,
    Result,
    Table,
    TableColumn,
)
from engines.cost.package.model import memory_node

SCHEDULE_COMPOSED = (
    MetricBreakdown("latency_s", "schedule", "by chiplet", "lanes"),
    MetricBreakdown("latency_s", "schedule", "by model", "models"),
    MetricBreakdown("latency_s", "schedule", "by kind of work", "kinds"),
    MetricBreakdown("energy_j", "energy", "by model", "bars"),
    MetricBreakdown("energy_j", "energy", "by kind of work", "parts"),
    MetricBreakdown("energy_j", "layer-energy", "by layer", "bars"),
)


def explain_schedule(tables: ScenarioTables, schedule: PackageSchedule, scorer: Scorer) -> tuple[Result, ...]:
    """Return grid, tables, breakdowns and notes that explain one design."""
    starts = window_starts_s(tables, schedule, scorer)
    return (
        chiplet_grid(tables, schedule, scorer, starts),
        build_timeline(tables, schedule, scorer, starts),
        energy_breakdown(tables, schedule),
        window_table(tables, schedule, scorer),
        segment_table(tables, schedule),
        totals_table(scorer, schedule),
        *layer_results(tables, schedule),
        *deadline_table(tables, schedule, scorer, starts),
        *remarks(tables, schedule),
    )


def window_starts_s(tables: ScenarioTables, schedule: PackageSchedule, scorer: Scorer) -> list[float]:
    """Return the start of each time window in s, followed by the latency of the schedule, summed as in the scorer."""
    starts = [0.0]
    for w, location in enumerate(locations(tables, schedule)):
        scores = scorer.window(schedule.windows[w], location)
        starts.append(starts[-1] + max(score.latency_s for score in scores))
    return starts


def locations(tables: ScenarioTables, schedule: PackageSchedule) -> list[list[int]]:
    """Return per window: the chiplet that holds each model's activations when it starts, or `MEMORY`."""
    found, current = [], [MEMORY] * len(tables.models)
    for window in schedule.windows:
        found.append(list(current))
        for placement in window:
            current[placement.model] = placement.path[-1]
    return found


def chiplet_grid(
    tables: ScenarioTables, schedule: PackageSchedule, scorer: Scorer, starts: Sequence[float]
) -> ChipletGrid:
    """Return the placement of models and segments on chiplets in every time window, with the bytes over every link."""
    network = tables.package_model
    package = network.package
    windows = []
    for w, location in enumerate(locations(tables, schedule)):
        duration = starts[w + 1] - starts[w]
        load = window_link_bytes(tables, schedule.windows[w], location)
        links = tuple(
            LinkLoad(source, target, float(size))
            for (source, target), size in zip(network.links, load.tolist(), strict=True)
            if size > 0
        )
        placements = tuple(_grid_placements(tables, schedule, scorer, w, location, duration))
        windows.append(GridWindow(f"Window {w + 1}", starts[w], duration, placements, links))
    interfaces = sorted(c.index for c in package.chiplets if package.has_interface(c.index))
    return ChipletGrid(
        name="grid",
        title="Chiplets and links",
        rows=package.rows,
        columns=package.columns,
        chiplets=tuple(
            GridChiplet(c.index, c.row, c.column, c.dataflow, c.processing_elements, package.has_interface(c.index))
            for c in package.chiplets
        ),
        models=tuple(model.title for model in tables.models),
        windows=tuple(windows),
        memory_nodes=tuple(memory_node(package, c) for c in interfaces),
    )


def _grid_placements(
    tables: ScenarioTables,
    schedule: PackageSchedule,
    scorer: Scorer,
    w: int,
    location: Sequence[int],
    duration_s: float,
) -> list[Placement]:
    found = []
    scores = scorer.window(schedule.windows[w], location)
    for placement, score in zip(schedule.windows[w], scores, strict=True):
        busy = score.segment_busy_s
        for stage, (first, end, chiplet) in enumerate(placement.segments):
            title = tables.models[placement.model].title
            share = min(busy[stage] / duration_s, 1.0)
            found.append(Placement(chiplet, title, stage, len(placement.path), first, end - 1, share))
    return found


def energy_breakdown(tables: ScenarioTables, schedule: PackageSchedule) -> Breakdown:
    """Return the energy of each model: compute, transfers between chiplets, off-chip transfers with their hops to the interface."""
    values = np.zeros((len(tables.models), 3))
    for w, location in enumerate(locations(tables, schedule)):
        for p in schedule.windows[w]:
            costs = placement_costs(
                tables, tables.models[p.model], p.first_layer, p.cuts, np.array([p.path]), location[p.model]
            )
            values[p.model] += [costs.compute_j.sum(), costs.package_j.sum(), costs.off_chip_j.sum()]
    return Breakdown(
        name="energy",
        title="Energy by model",
        bars=tuple(model.title for model in tables.models),
        parts=("Compute", "Between chiplets", "Off-chip"),
        values=values,
        unit="J",
    )


def window_table(tables: ScenarioTables, schedule: PackageSchedule, scorer: Scorer) -> Table:
    """Return the latency of every window and of every model in it, with its layers and chiplets (as Table 4.3 of odema-2024)."""
    count = len(schedule.windows)
    latency = np.full((len(tables.models), count), np.nan)
    layers, chiplets, energy = np.zeros(count), np.zeros(count), np.zeros(count)
    for w, location in enumerate(locations(tables, schedule)):
        for p, score in zip(schedule.windows[w], scorer.window(schedule.windows[w], location), strict=True):
            latency[p.model, w] = score.latency_s
            layers[w] += p.end_layer - p.first_layer
            chiplets[w] += len(p.path)
            energy[w] += score.energy_j
    return Table(
        name="windows",
        title="Windows",
        table_columns=(
            TableColumn("Window", tuple(f"Window {w + 1}" for w in range(count))),
            TableColumn("Latency", np.nanmax(latency, axis=0), "s"),
            TableColumn("Energy", energy, "J"),
            TableColumn("Layers", layers),
            TableColumn("Chiplets", chiplets),
            *(TableColumn(model.title, latency[m], "s") for m, model in enumerate(tables.models)),
        ),
    )


def totals_table(scorer: Scorer, schedule: PackageSchedule) -> Table:
    """Return the figures of the design, equal to what `evaluate` gives."""
    titles = ("Latency", "Energy", "Energy-delay product", "Buffer excess", "Windows", "Chiplets busy", "Busiest link")
    units = ("s", "J", "J·s", "MB", "", SHARE, "B")
    values = scorer.score(schedule)
    return Table(
        name="totals",
        title="Totals",
        table_columns=(
            TableColumn("Quantity", titles),
            TableColumn("Name", COLUMNS),
            TableColumn("Value", np.array(values)),
            TableColumn("Unit", units, row_units=True),
        ),
    )


def remarks(tables: ScenarioTables, schedule: PackageSchedule) -> list[Note]:
    """Return the notes on costs and assumptions that a reader of the results needs."""
    found = []
    if words := buffer_words(tables, schedule):
        found.append(Note("buffer", "Buffer", words, "warning"))
    if outside := departures(tables, schedule):
        text = (
            f"This schedule is outside of the model that proofs and bounds of the run hold for: {'; '.join(outside)}."
        )
        found.append(Note("stated-model", "Stated model", text, "warning"))
    reading = {
        "fill_drain": "Pipelines fill and drain: the sum of all segments for the first mini-batch, then the slowest one per "
        "further mini-batch.",
        "pipelined_maximum": "A pipeline takes as long as its slowest segment; filling and draining is not counted.",
        "end_to_end": "The segments of a model run one after the other.",
    }[tables.params.latency_reading]
    found.append(Note("reading", "Latency", reading))
    if tables.params.contention != "none":
        text = (
            "Transfers wait for the traffic of the other models of their window; bars of transfers include the waiting."
        )
        found.append(Note("contention", "Traffic conflicts", text))
    if "shi-diannao" in {chiplet.dataflow for chiplet in tables.package_model.package.chiplets}:
        text = f"Shi-diannao chiplets run the mapping {mapping_words(tables.params)}."
        found.append(Note("mapping", "Mapping", text))
    return found
