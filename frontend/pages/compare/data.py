"""The content of a comparison: its runs with their designs, the axes they share, the share of work over time. No components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.quantities import Quantity
from engines.contract.results import ChipletGrid, Schedule, Trace
from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import other_version, quantities_of
from frontend.figures.front.front_parts import Cloud
from frontend.figures.front.fronts import FrontSide
from frontend.pages.run.front.choices import may_be_log
from frontend.pages.run.front.picture import shown_numbers
from frontend.pages.run.run_reader import designs_of, explained, grid_of, schedule_of
from frontend.theme import RUNS, RunStyle
from webapp.comparisons.differences import Difference, differing, unlike
from webapp.comparisons.measures import shared_objectives, shared_quantities
from webapp.comparisons.service import Entry
from webapp.runs.models import Run

Scaling = Literal["log", "linear"]
WORK_POINTS = 200
# From so many times the least value on, fronts crowd at one end of a linear axis.
FAR_APART = 5.0


@dataclass(frozen=True)
class Side:
    """One run of the comparison.

    Attributes:
        style: letter, colour, marker, dash.
        designs: all of its designs.
        number: number of the design looked at; None where the run has none.
    """

    run: Run
    style: RunStyle
    designs: RunDesigns
    number: int | None

    def has(self, quantity: Quantity) -> bool:
        """Return whether the run has the quantity, under the same name, unit and sense."""
        own = self.designs.quantity(quantity.name)
        return quantity.name in self.designs.columns and (own.unit, own.sense) == (quantity.unit, quantity.sense)

    def value(self, column: str) -> float:
        """Return the value of the design looked at, NaN where there is none."""
        if self.number is None or column not in self.designs.columns:
            return float("nan")
        return float(self.designs.columns[column][self.number])

    @property
    def words(self) -> str:
        """Return the name of the selected design: its label for a baseline, else its number."""
        if self.number is None:
            return "no design"
        label = self.designs.label_of(self.number) if self.designs.is_baseline[self.number] else ""
        return label or f"Design {self.number:04d}"

    def best(self, column: str) -> float:
        """Return the best value of the column over the designs found that meet every constraint, NaN where there is none."""
        return self._at(column, self.designs.best(column))

    def best_baseline(self, column: str) -> float:
        """Return the best value of the column over the baselines that meet every constraint, NaN where there is none."""
        return self._at(column, self.designs.best_baseline(column) if column in self.designs.columns else None)

    def _at(self, column: str, number: int | None) -> float:
        return float("nan") if number is None else float(self.designs.columns[column][number])


def sides_of(entries: Sequence[Entry]) -> list[Side]:
    """Return the runs with their letters; the design looked at is the chosen one, else the best by the run's own measure."""
    found = []
    for entry, style in zip(entries, RUNS, strict=False):
        designs = designs_of(entry.run)
        number = entry.design if entry.design is not None and entry.design < len(designs) else None
        found.append(Side(entry.run, style, designs, designs.first_choice if number is None else number))
    return found


def common(sides: Sequence[Side]) -> tuple[Quantity, ...]:
    """Return the quantities that at least two of the runs have."""
    return shared_quantities([quantities_of(side.run) for side in sides], min(2, len(sides)))


def unlike_rows(sides: Sequence[Side]) -> list[Difference]:
    """Return the rows of workload, model and cost model that differ between runs, so that no value is marked as better."""
    return unlike(differing([side.run for side in sides]))


def axis_choices(sides: Sequence[Side]) -> tuple[Quantity, ...]:
    """Return the metrics that fronts may be drawn over: those with a value in at least two of the runs that have designs."""
    fewest = min(2, sum(len(side.designs) > 0 for side in sides))
    counts = {quantity: sum(_has_values(side, quantity) for side in sides) for quantity in common(sides)}
    return tuple(quantity for quantity, count in counts.items() if count >= max(1, fewest))


def _has_values(side: Side, quantity: Quantity) -> bool:
    return side.has(quantity) and bool(np.isfinite(side.designs.columns[quantity.name]).any())


def drawn(sides: Sequence[Side], axes: tuple[str, str]) -> list[Side]:
    """Return the runs that have both quantities; others are left out of the picture."""
    known = {quantity.name: quantity for quantity in axis_choices(sides)}
    return [side for side in sides if all(side.has(known[name]) for name in axes)]


def usual_axes(sides: Sequence[Side], x: str | None = None, y: str | None = None) -> tuple[str, str] | None:
    """Return the two columns to draw over: those asked for where runs have them, else those that most runs have, objectives first.

    None where no two runs that have designs have two quantities in common.
    """
    names = {quantity.name: quantity for quantity in axis_choices(sides)}
    pursued = [q.name for q in shared_objectives([quantities_of(side.run) for side in sides]) if q.name in names]
    order = [*pursued, *[name for name in names if name not in pursued]]
    firsts = [x] if x in names else order
    having = [side for side in sides if len(side.designs)]
    pairs = [
        (first, second)
        for first in firsts
        for second in ([y] if y in names and y != first else order)
        if second != first
    ]
    counts = [sum(all(_has_values(side, names[name]) for name in pair) for side in having) for pair in pairs]
    return pairs[counts.index(max(counts))] if counts and max(counts) >= min(2, len(having)) else None


def usual_scale(sides: Sequence[Side], axes: tuple[str, str], wanted: str | None = None) -> Scaling:
    """Return the scale of the axes: as requested, else logarithmic if fronts lie far apart."""
    if wanted in ("log", "linear"):
        return "log" if wanted == "log" else "linear"
    possible = logarithmic(sides, axes, "log")
    spans = [_extremes(sides, axes, letter) for letter in possible]
    return "log" if any(high >= FAR_APART * low for low, high in spans) else "linear"


def logarithmic(sides: Sequence[Side], axes: tuple[str, str], scale: Scaling) -> str:
    """Return the logarithmic axes among "x" and "y": the requested ones on which every value is above 0."""
    if scale == "linear":
        return ""
    having = [side.designs for side in drawn(sides, axes) if len(side.designs)]
    return "".join(
        letter
        for letter, name in zip("xy", axes, strict=True)
        if having and all(may_be_log(designs, name) for designs in having)
    )


def _extremes(sides: Sequence[Side], axes: tuple[str, str], letter: str) -> tuple[float, float]:
    """Return the least and largest value on the fronts over one of the two axes."""
    known = {quantity.name: quantity for quantity in axis_choices(sides)}
    clouds = [
        front_side(side, known[axes[0]], known[axes[1]]).cloud for side in drawn(sides, axes) if len(side.designs)
    ]
    values = [(cloud.x_values if letter == "x" else cloud.y_values)[cloud.front] for cloud in clouds]
    together = np.concatenate([np.ones(0), *values])
    return (float(together.min()), float(together.max())) if len(together) else (1.0, 1.0)


def front_side(side: Side, x: Quantity, y: Quantity) -> FrontSide:
    """Return the data of a run that the picture needs."""
    designs = side.designs
    numbers = shown_numbers(designs)
    named = designs.is_baseline[numbers]
    cloud = Cloud(
        x,
        y,
        designs.columns[x.name][numbers],
        designs.columns[y.name][numbers],
        numbers,
        named,
        np.where(named, designs.label[numbers], "").tolist(),
        infeasible=~designs.feasible[numbers],
        hardware=designs.hardware,
    )
    return FrontSide(cloud, side.style, side.number)


# -- schedules --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Strip:
    """Grid, schedule and traces of the design looked at; `problem` says why there are neither grid nor schedule."""

    side: Side
    grid: ChipletGrid | None = None
    schedule: Schedule | None = None
    problem: str = ""
    traces: tuple[Trace, ...] = ()

    @property
    def end_s(self) -> float:
        """When the schedule ends, 0 without one."""
        if self.schedule is None:
            return 0.0
        ends = [window.end_s for window in self.schedule.windows]
        bars = self.schedule.bar_end_s
        return max([*ends, float(bars.max()) if len(bars) else 0.0], default=0.0)


def strip_of(side: Side) -> Strip:
    """Return the explanation of the design by the run's engine."""
    from engines.contract.errors import EngineError

    if side.number is None:
        return Strip(side, problem="This run has no designs.")
    try:
        results = explained(side.run, side.number)
    except (EngineError, LookupError) as error:
        return Strip(side, problem=other_version(side.run) or str(error))
    grid, schedule = grid_of(results), schedule_of(results)
    traces = tuple(result for result in results if isinstance(result, Trace) and len(result.series))
    return Strip(side, grid, schedule, "" if grid or schedule else "This engine has no schedules.", traces)


def work_done(schedule: Schedule, end_s: float) -> list[float]:
    """Return the share of the computing time that lies before each of `WORK_POINTS` + 1 moments from 0 to `end_s`, 0..1."""
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
    """Return for each moment the sum of max(0, moment - since) over all entries of `since`."""
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
    """Return the address of a comparison of these runs and designs; of a kept one where it has a `number`."""
    runs = ",".join(str(entry.run.pk) for entry in entries)
    designs = ",".join("" if entry.design is None else str(entry.design) for entry in entries)
    place = f"/compare/{number}" if number else "/compare"
    return f"{place}?runs={runs}" + (f"&designs={designs}" if designs.strip(",") else "")
