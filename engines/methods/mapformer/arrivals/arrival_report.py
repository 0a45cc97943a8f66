"""Report on networks that come and go: traces, a line for each change, and totals."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.quantities import SHARE
from engines.contract.results import Band, Event, Note, Result, Series, Table, TableColumn, Trace
from engines.cost.soc.model import bits_of
from engines.cost.soc_networks import fused_table
from engines.methods.mapformer.arrivals.answers import Placement, answered, part_of
from engines.methods.mapformer.arrivals.board_timeline import BoardTimeline, follow, follow_static, still_s
from engines.methods.mapformer.changes import Changes, changes_of
from engines.methods.mapformer.managers.manager import Task
from engines.methods.mapformer.params import MapFormerParams
from engines.methods.mapformer.problem.bound import throughput_bound
from engines.methods.mapformer.problem.instance import MixInstance


def arrival_results(instance: MixInstance, task: Task, params: MapFormerParams) -> tuple[Result, ...]:
    """Return the results of the changes that the parameters ask for; none without changes."""
    if not params.changes.strip():
        return ()
    changes = changes_of(params.changes, instance.names, instance.power_limit_w)
    count = params.answer_evaluations
    everything = tuple(range(len(instance.names)))
    lowest_w = min(change.power_limit_w for change in changes.each)
    static = answered(task, params.manager, everything, lowest_w, count, len(changes.each))
    still = still_s(task, _weight_bytes(instance), params.migration_s)

    def answer(number: int) -> Placement:
        change = changes.each[number]
        return answered(task, params.manager, change.present, change.power_limit_w, count, number)

    anew = follow(task, changes, answer, params.answer_s, still)
    fixed = follow_static(task, changes, static)
    best = np.array([
        throughput_bound(part_of(task.board, change.present), task.space.segments, change.power_limit_w).mean_per_s
        for change in changes.each
    ])  # fmt: skip
    told = _Timeline(instance, changes, anew, fixed, best)
    return told.note(lowest_w), told.throughput(), told.power(), told.table()


def _weight_bytes(instance: MixInstance) -> FloatArray:
    word = bits_of(instance.covered.calibration.precision).weight_bytes
    tables = [fused_table(model.network) for model in instance.scenario.models]
    return np.array([float(np.where(table.runs, table.weight_elements, 0.0).sum()) * word for table in tables])


class _Timeline:
    """Everything on the times at which anything changes."""

    def __init__(
        self, instance: MixInstance, changes: Changes, anew: BoardTimeline, fixed: BoardTimeline, best: FloatArray
    ) -> None:
        self._instance, self._changes, self._anew, self._fixed, self._best = instance, changes, anew, fixed, best
        self._time_s = np.unique([*anew.time_s, *fixed.time_s, changes.end_s])

    def throughput(self) -> Trace:
        """Return the mapped again, over the bands up to one mapping that never changes and from there to the bound."""
        anew, fixed = (self._at(each, each.mean_per_s) for each in (self._anew, self._fixed))
        starts = [change.time_s for change in self._changes.each]
        bound = self._best[np.searchsorted(starts, self._time_s, side="right") - 1]
        return Trace(
            name="arrivals-throughput",
            title="Mean throughput of the networks that are there",
            time_s=self._time_s,
            series=(
                Series("Mapped again", anew, "1/s", style="step"),
                Series("One mapping throughout", fixed, "1/s", np.zeros_like(fixed), fixed, "step"),
                Series("Best possible (bound)", bound, "1/s", fixed, bound, "step"),
            ),
            events=self._events(),
            bands=self._modes(),
        )

    def power(self) -> Trace:
        """Return the text about the limit, if there is one."""
        limit = np.array(self._at(self._anew, self._anew.limit_w))
        series = [
            Series("Mapped again", self._at(self._anew, self._anew.power_w), "W", style="step"),
            Series("One mapping throughout", self._at(self._fixed, self._fixed.power_w), "W", style="step"),
        ]
        if np.isfinite(limit).any():
            series.append(Series("Limit", np.where(np.isfinite(limit), limit, np.nan), "W", style="step"))
        return Trace(
            name="arrivals-power", title="Power while networks come and go", time_s=self._time_s, series=tuple(series),
            events=self._events(), bands=self._modes(),
        )  # fmt: skip

    def table(self) -> Table:
        """Return the table with one row per change."""
        changes, moves = self._changes.each, {move.change: move for move in self._anew.moves}
        ends = [*(change.time_s for change in changes[1:]), self._changes.end_s]
        last = [self._before(self._anew, end) for end in ends]
        names = self._instance.names
        moved = [
            ", ".join(names[each] for each in moves[number].networks) or "none" if number in moves else "overtaken"
            for number in range(len(changes))
        ]
        return Table(
            name="arrivals",
            title="Effect of each change",
            belongs_to="arrivals-throughput",
            table_columns=(
                TableColumn("At", np.array([change.time_s for change in changes]), "s"),
                TableColumn("Change", tuple(change.words for change in changes)),
                TableColumn("Networks", np.array([float(len(change.present)) for change in changes])),
                TableColumn("Moved or begun", tuple(moved)),
                TableColumn(
                    "Interruption, at most",
                    np.array([moves[row].longest_s if row in moves else np.nan for row in range(len(changes))]), "s",
                ),
                TableColumn("Mean throughput then", np.array([mean for mean, _ in last]), "1/s"),
                TableColumn("Share of the bound", np.array([mean for mean, _ in last]) / self._best, SHARE),
                TableColumn("Power then", np.array([power for _, power in last]), "W"),
            ),
        )  # fmt: skip

    def note(self, lowest_w: float) -> Note:
        """Return the note with means over the whole time."""
        end_s = self._changes.end_s
        bound = mean_over_time(self._best, [each.time_s for each in self._changes.each], end_s)
        words = []
        for title, each in (("Mapped again", self._anew), ("One mapping throughout", self._fixed)):
            seconds = each.seconds(end_s)
            mean = float((np.array(each.mean_per_s) * seconds).sum() / end_s)
            per_j = float((np.array(each.sum_per_s) * seconds).sum() / (np.array(each.power_w) * seconds).sum())
            words.append(
                f"{title}: mean throughput {mean:.4g} inferences per second ({100 * mean / bound:.3g} % of "
                f"the bound), {per_j:.3g} inferences per joule. Above the power limit for "
                f"{each.violated_s(end_s):.3g} s of {end_s:g} s."
            )
        limit = "" if np.isinf(lowest_w) else f", within the lowest limit, {lowest_w:g} W"
        words.append(f"The one mapping is the same manager's, for all networks of the mix{limit}.")
        return Note("arrivals-note", "Networks that come and go", " ".join(words), belongs_to="arrivals-throughput")

    def _at(self, followed: BoardTimeline, values: list[float]) -> FloatArray:
        rows = np.searchsorted(followed.time_s, self._time_s, side="right") - 1
        return np.array(values)[rows]

    def _before(self, followed: BoardTimeline, time_s: float) -> tuple[float, float]:
        row = int(np.searchsorted(followed.time_s, time_s, side="left")) - 1
        return followed.mean_per_s[row], followed.power_w[row]

    def _events(self) -> tuple[Event, ...]:
        return tuple(Event(change.time_s, change.words) for change in self._changes.each[1:])

    def _modes(self) -> tuple[Band, ...]:
        """Return the intervals of a constant power limit."""
        bands: list[Band] = []
        ends = [*(change.time_s for change in self._changes.each[1:]), self._changes.end_s]
        for change, end_s in zip(self._changes.each, ends, strict=True):
            title = "no limit" if np.isinf(change.power_limit_w) else f"{change.power_limit_w:g} W"
            if bands and bands[-1].title == title:
                bands[-1] = Band(bands[-1].start_s, end_s, title)
            else:
                bands.append(Band(change.time_s, end_s, title))
        return tuple(bands)


def mean_over_time(values: FloatArray, times_s: list[float], end_s: float) -> float:
    """Return the mean over time of values that hold from each time to the next."""
    return float((values * np.diff([*times_s, end_s])).sum() / end_s)
