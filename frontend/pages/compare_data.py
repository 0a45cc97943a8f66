"""What a comparison shows: its runs with their designs, the table of measures, the share of work done over time. No components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from engines.quantities import Quantity
from engines.results import ChipletGrid, Schedule
from engines.search.indicators import APPROXIMATED_FROM, non_dominated
from frontend.figures.front import Cloud
from frontend.figures.fronts import FrontSide
from frontend.figures.numbers import decimals_for, fixed, scale_of
from frontend.pages.run_data import RunDesigns
from frontend.pages.run_front import shown_numbers
from frontend.pages.run_view import designs_of, explained, grid_of, schedule_of
from frontend.pages.run_words import quantities_of
from frontend.theme import RUNS, RunStyle
from webapp.comparisons.measures import measure, shared_objectives, shared_quantities
from webapp.comparisons.service import Entry
from webapp.runs.models import Run

FloatArray = npt.NDArray[np.float64]
WORK_POINTS = 200
Better = Literal["low", "high", "none"]


@dataclass(frozen=True)
class Side:
    """One run of the comparison.

    Attributes:
        style: letter, colour, marker, dash.
        designs: all of its designs.
        number: of the design looked at; None where the run has none.
    """

    run: Run
    style: RunStyle
    designs: RunDesigns
    number: int | None

    def value(self, column: str) -> float:
        """The value of the design looked at, NaN where there is none."""
        if self.number is None or column not in self.designs.columns:
            return float("nan")
        return float(self.designs.columns[column][self.number])

    def best(self, column: str) -> float:
        """The best value of the column over the designs found, NaN where there is none."""
        at = self.designs.best(column) if column in self.designs.columns and len(self.designs) else None
        return float("nan") if at is None else float(self.designs.columns[column][at])


@dataclass(frozen=True)
class MetricRow:
    """One row of the table: per run a value in one shown unit, and which way is better.

    Attributes:
        group: heading under which it stands.
        unit: as shown; `values` are in it.
    """

    group: str
    title: str
    unit: str
    values: tuple[float, ...]
    better: Better
    help: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The values with equal decimals."""
        decimals = decimals_for(self.values)
        return tuple(fixed(value, decimals) for value in self.values)

    @property
    def best(self) -> frozenset[int]:
        """Positions of the best values as they are shown; none where all read the same or nothing is better."""
        finite = {value: text for value, text in zip(self.values, self.texts, strict=True) if np.isfinite(value)}
        if self.better == "none" or len(set(finite.values())) < 2:
            return frozenset()
        wanted = finite[min(finite) if self.better == "low" else max(finite)]
        return frozenset(at for at, text in enumerate(self.texts) if text == wanted)


def sides_of(entries: Sequence[Entry]) -> list[Side]:
    """The runs with their letters; the design looked at is the chosen one, else the best by the run's own measure."""
    found = []
    for entry, style in zip(entries, RUNS, strict=False):
        designs = designs_of(entry.run)
        number = entry.design if entry.design is not None and entry.design < len(designs) else None
        if number is None and len(designs) and designs.primary in designs.columns:
            number = designs.best(designs.primary)
        found.append(Side(entry.run, style, designs, number))
    return found


def common(sides: Sequence[Side]) -> tuple[Quantity, ...]:
    """The quantities that all runs have."""
    return shared_quantities([quantities_of(side.run) for side in sides])


def axis_choices(sides: Sequence[Side]) -> tuple[Quantity, ...]:
    """What the fronts may be drawn over: shared quantities with a value in every run that has designs."""
    having = [side for side in sides if len(side.designs)]
    return tuple(
        quantity
        for quantity in common(sides)
        if having and all(np.isfinite(side.designs.columns[quantity.name]).any() for side in having)
    )


def usual_axes(sides: Sequence[Side], x: str | None = None, y: str | None = None) -> tuple[str, str] | None:
    """The two columns to draw over: those asked for where all runs have them, else the first shared objectives."""
    names = [quantity.name for quantity in axis_choices(sides)]
    pursued = [q.name for q in shared_objectives([quantities_of(side.run) for side in sides]) if q.name in names]
    order = [*pursued, *[name for name in names if name not in pursued]]
    if len(order) < 2:
        return None
    first = x if x in names else order[0]
    return first, y if y in names and y != first else next(name for name in order if name != first)


def front_side(side: Side, x: Quantity, y: Quantity) -> FrontSide:
    """What the picture needs of a run."""
    designs = side.designs
    numbers = shown_numbers(designs)
    cloud = Cloud(
        x,
        y,
        designs.columns[x.name][numbers],
        designs.columns[y.name][numbers],
        numbers,
        designs.is_baseline[numbers],
        [""] * len(numbers),
    )
    return FrontSide(cloud, side.style, side.number)


def fronts_matrix(side: Side, objectives: Sequence[Quantity]) -> FloatArray:
    """The run's non-dominated designs over the shared objectives, `k x m`."""
    if not len(side.designs) or not objectives:
        return np.empty((0, len(objectives)))
    found = ~side.designs.is_baseline
    values = np.column_stack([side.designs.columns[q.name] for q in objectives])[found]
    return values[non_dominated(values, [q.sense for q in objectives])]


def common_reference(sides: Sequence[Side]) -> dict[str, float]:
    """Column -> value of the reference point that the hypervolumes share; empty without designs."""
    objectives = shared_objectives([quantities_of(side.run) for side in sides])
    found = measure([fronts_matrix(side, objectives) for side in sides], objectives)
    if found.reference is None:
        return {}
    return {q.name: float(value) for q, value in zip(objectives, found.reference, strict=True)}


def metric_rows(sides: Sequence[Side]) -> list[MetricRow]:
    """Selected designs, best designs, fronts."""
    if not sides:
        return []
    quantities = common(sides)
    chosen = [_row("Selected designs", q, [side.value(q.name) for side in sides]) for q in quantities]
    objectives = shared_objectives([quantities_of(side.run) for side in sides])
    judged = [q for q in quantities if q in objectives or q.name == sides[0].designs.primary]
    best = [_row("Best of the run", q, [side.best(q.name) for side in sides]) for q in judged]
    return [row for row in [*chosen, *best] if np.isfinite(row.values).any()] + _front_rows(sides, objectives)


def _row(group: str, quantity: Quantity, values: Sequence[float]) -> MetricRow:
    shown = scale_of(values, quantity.unit)
    better: Better = {"minimise": "low", "maximise": "high"}.get(quantity.sense, "none")  # type: ignore[assignment]
    scaled = tuple(value * shown.factor for value in values)
    return MetricRow(group, quantity.title, shown.unit, scaled, better, quantity.help)


def _front_rows(sides: Sequence[Side], objectives: Sequence[Quantity]) -> list[MetricRow]:
    if not objectives:
        return []
    fronts = [fronts_matrix(side, objectives) for side in sides]
    found = measure(fronts, objectives)
    names = " and ".join(q.title.lower() for q in objectives)
    volume = scale_of(found.hypervolume, "·".join(sorted(q.unit for q in objectives if q.unit)))
    group = f"Fronts over {names}"
    sizes = tuple(float(len(front)) for front in fronts)
    rows = [
        MetricRow(group, "Designs on the front", "", sizes, "none"),
        MetricRow(
            group, "Hypervolume", volume.unit, tuple(value * volume.factor for value in found.hypervolume), "high",
            "What the front dominates, up to one reference point for all runs: the worst of all fronts and a tenth beyond."
            + (" Approximate, as there are five objectives or more." if len(objectives) >= APPROXIMATED_FROM else ""),
        ),
        MetricRow(
            group, "Covers the others", "%", tuple(100 * value for value in found.covers), "high",
            "Share of the other runs' front designs that some design of this run dominates.",
        ),
        MetricRow(
            group, "Epsilon indicator", "×", found.epsilon, "low",
            "The factor by which this front must get better to cover the best front of all runs; 1 is there already.",
        ),
    ]  # fmt: skip
    return [row for row in rows if np.isfinite(row.values).any()]


# -- schedules --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Strip:
    """Grid and schedule of the design looked at; `problem` says why there are none."""

    side: Side
    grid: ChipletGrid | None = None
    schedule: Schedule | None = None
    problem: str = ""

    @property
    def end_s(self) -> float:
        """When the schedule ends, 0 without one."""
        if self.schedule is None:
            return 0.0
        ends = [window.end_s for window in self.schedule.windows]
        bars = self.schedule.bar_end_s
        return max([*ends, float(bars.max()) if len(bars) else 0.0], default=0.0)


def strip_of(side: Side) -> Strip:
    """What the run's engine says of the design."""
    from engines.errors import EngineError

    if side.number is None:
        return Strip(side, problem="This run has no designs.")
    try:
        results = explained(side.run, side.number)
    except (EngineError, LookupError) as error:
        return Strip(side, problem=str(error))
    grid, schedule = grid_of(results), schedule_of(results)
    return Strip(side, grid, schedule, "" if grid or schedule else "This engine makes no schedules.")


def work_done(schedule: Schedule, end_s: float) -> list[float]:
    """Share of the computing time that lies before each of `WORK_POINTS` + 1 moments from 0 to `end_s`, 0..1."""
    computing = np.flatnonzero(schedule.bar_kind == _kind(schedule, "compute"))
    start, end = schedule.bar_start_s[computing], schedule.bar_end_s[computing]
    total = float((end - start).sum())
    moments = np.linspace(0.0, end_s, WORK_POINTS + 1)
    if not total:
        return [0.0] * len(moments)
    # The amount done is piecewise linear: it rises by the number of bars at work, so two sorted sums give it.
    done = _ramp(moments, start) - _ramp(moments, end)
    return [round(float(share), 4) for share in np.clip(done / total, 0.0, 1.0)]


def _ramp(moments: FloatArray, since: FloatArray) -> FloatArray:
    """For each moment the sum of max(0, moment - since) over all entries of `since`."""
    ordered = np.sort(since)
    before = np.searchsorted(ordered, moments, side="right")
    sums = np.concatenate([[0.0], np.cumsum(ordered)])
    return before * moments - sums[before]


def _kind(schedule: Schedule, name: str) -> int:
    return schedule.kinds.index(name) if name in schedule.kinds else -1


def window_times(strip: Strip) -> list[list[float]]:
    """Start and end of every window, in seconds."""
    return [] if strip.schedule is None else [[w.start_s, w.end_s] for w in strip.schedule.windows]


def address_of(entries: Sequence[Entry], number: int = 0) -> str:
    """The address of a comparison of these runs and designs; of a kept one where it has a `number`."""
    runs = ",".join(str(entry.run.pk) for entry in entries)
    designs = ",".join("" if entry.design is None else str(entry.design) for entry in entries)
    place = f"/compare/{number}" if number else "/compare"
    return f"{place}?runs={runs}" + (f"&designs={designs}" if designs.strip(",") else "")
