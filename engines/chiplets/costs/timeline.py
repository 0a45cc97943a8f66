"""The time line of a schedule: one block per mini-batch and segment, with its transfers.

Blocks start as early as the block before on the same chiplet and the same mini-batch on the chiplet before allow. They
end no later than the window, whose length is the formula of the chosen reading; where weights are loaded once, the formula
counts the longest first blocks one after the other and a pipeline may finish a little earlier.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.chiplets.costs.contention import waiting_of
from engines.chiplets.costs.scoring import MEMORY, PlacementCosts, Scorer, placement_costs
from engines.chiplets.problem.decision import PackageSchedule, Placement
from engines.chiplets.problem.tables import ModelTables, ScenarioTables
from engines.contract.results import Lane, Schedule, ScheduleWindow
from engines.contract.schedules import Bar, busy_shares, schedule_of

KINDS = ("compute", "transfer", "off-chip transfer")
COMPUTE, TRANSFER, OFF_CHIP = range(3)


class _Bars:
    """Bars under construction, and which waits for which."""

    def __init__(self) -> None:
        self.rows: list[Bar] = []
        self.dependencies: list[tuple[int, int]] = []

    def add(self, bar: Bar) -> int:
        """Add a bar; returns its number."""
        self.rows.append(bar)
        return len(self.rows) - 1


def build_timeline(
    tables: ScenarioTables, schedule: PackageSchedule, scorer: Scorer, starts: Sequence[float]
) -> Schedule:
    """Build the timeline: lanes are chiplets; `starts` are the starts of the windows and last the end of the schedule."""
    bars = _Bars()
    location = [MEMORY] * len(tables.models)
    last_bar: dict[int, int] = {}
    for w, window in enumerate(schedule.windows):
        for placement, waiting in zip(window, waiting_of(tables, window, location), strict=True):
            source = location[placement.model]
            paths = np.array([placement.path])
            costs = placement_costs(
                tables, tables.models[placement.model], placement.first_layer, placement.cuts, paths, source, waiting
            )
            first, last = _add_placement(tables, placement, costs, source, (w, starts[w]), bars)
            if placement.model in last_bar:
                bars.dependencies.append((last_bar[placement.model], first))
            last_bar[placement.model] = last
            location[placement.model] = placement.path[-1]
    return _to_schedule(tables, bars, starts)


def _add_placement(
    tables: ScenarioTables,
    placement: Placement,
    costs: PlacementCosts,
    source: int,
    window: tuple[int, float],
    bars: _Bars,
) -> tuple[int, int]:
    """Add all blocks of one model in one window; returns its first and its last bar."""
    model = tables.models[placement.model]
    pipelined = tables.params.latency_reading != "pipelined_maximum"
    free_at = [window[1]] * len(placement.path)
    first_bar = len(bars.rows)
    for mini_batch in range(model.split.rounds):
        ready, handed_on = window[1], -1
        for k in range(len(placement.path)):
            start = max(free_at[k], ready)
            block = _block(tables, costs, k, mini_batch, source)
            numbers = _add_block(placement, model, (k, mini_batch), start, block, window[0], bars)
            free_at[k] = start + sum(seconds for seconds, _, _ in block)
            if handed_on >= 0:
                bars.dependencies.append((handed_on, numbers[0]))
            handed_on = numbers[-1]
            if pipelined:
                ready = free_at[k]
    return first_bar, len(bars.rows) - 1


def _block(
    tables: ScenarioTables, costs: PlacementCosts, k: int, mini_batch: int, source: int
) -> list[tuple[float, int, str]]:
    """Return (seconds, kind, words) of the parts of one block in order; parts that take no time are left out."""
    loads = mini_batch == 0 or tables.params.weight_loading == "every_mini_batch"
    last = k == costs.compute_s.shape[1] - 1
    parts = [
        (float(costs.input_s[0, k]), OFF_CHIP if source == MEMORY else TRANSFER, "input"),
        (float(costs.weights_s[0, k]) if loads else 0.0, OFF_CHIP, "weights"),
        (float(costs.compute_s[0, k]), COMPUTE, ""),
        (float(costs.output_s[0, k]), OFF_CHIP if last else TRANSFER, "output"),
    ]
    return [part for part in parts if part[0] > 0]


def _add_block(
    placement: Placement,
    model: ModelTables,
    at: tuple[int, int],
    start_s: float,
    block: list[tuple[float, int, str]],
    window: int,
    bars: _Bars,
) -> list[int]:
    k, mini_batch = at
    first, end, chiplet = placement.segments[k]
    layers = f"layer {first}" if end - first == 1 else f"layers {first}-{end - 1}"
    sample = mini_batch * model.split.samples if model.split.rounds > 1 or model.batch == 1 else -1
    numbers = []
    for seconds, kind, words in block:
        label = f"{model.title} {layers}" + (f", {words}" if words else "")
        bar = Bar(chiplet, start_s, start_s + seconds, label, kind, placement.model, window, sample)
        numbers.append(bars.add(bar))
        start_s += seconds
    return numbers


def _to_schedule(tables: ScenarioTables, bars: _Bars, starts: Sequence[float]) -> Schedule:
    busy = busy_shares(bars.rows, tables.chiplets, starts[-1]).tolist()
    lanes = [
        Lane(f"C{c.index}", f"C{c.index}", c.dataflow, busy[c.index]) for c in tables.package_model.package.chiplets
    ]
    windows = [ScheduleWindow(f"Window {w + 1}", starts[w], starts[w + 1]) for w in range(len(starts) - 1)]
    return schedule_of(bars.rows, lanes, windows, [m.title for m in tables.models], KINDS, bars.dependencies)
