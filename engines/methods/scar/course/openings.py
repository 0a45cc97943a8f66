"""How a run begins: the chosen search, and the search over all windows together, for every number of boundaries to try.

The number of window boundaries (`n_splits`) is given or searched within a range. Each number cuts the layers into other
windows, so that what is proven over a range is proven for each of its numbers: the least bound is the bound of them all.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.joint.search import JointResult, relaxed_bound, search_in_steps
from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.decision import PackageSchedule
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.certificates import gap_percent
from engines.chiplets.windows.chains import TOLERANCE
from engines.chiplets.windows.greedy import Trajectory, walk_greedily
from engines.chiplets.windows.options import DeadEndError
from engines.chiplets.windows.reconfig import Cut
from engines.chiplets.windows.resumable import PausingSearch
from engines.contract.results import Note, Result, Table, TableColumn
from engines.methods.scar.pieces import Pieces
from engines.methods.scar.stated_model import stated_model


@dataclass(frozen=True)
class StartingPoint:
    """The start of a run for one number of window boundaries.

    Attributes:
        cut: number of boundaries and the windows that they make.
        trajectory: the schedule window by window.
        joint: what the search over all windows together found below the best schedule known before it, without contention; None
            without one.
        best_schedule: the best with these windows. best: its objective.
        lower_bound: no schedule of the stated model with these windows has less of the objective.
    """

    cut: Cut
    trajectory: Trajectory
    joint: JointResult | None
    best_schedule: PackageSchedule
    best: float
    lower_bound: float


@dataclass(frozen=True)
class Openings:
    """All openings of a run, by rising number of boundaries.

    Attributes:
        elsewhere: no schedule with the numbers of boundaries with which none was found has less of the objective; that none was
            found does not prove that there is none.
    """

    all: tuple[StartingPoint, ...]
    elsewhere: float = np.inf

    @property
    def chosen(self) -> StartingPoint:
        """The one with the best schedule; of equals the one with fewest boundaries."""
        return min(self.all, key=lambda opening: opening.best)

    @property
    def lower_bound(self) -> float:
        """No schedule of the stated model is better."""
        return min(self.elsewhere, *(opening.lower_bound for opening in self.all))

    @property
    def proven(self) -> bool:
        """Whether the chosen schedule is proven optimal for the stated model."""
        return all(self.is_settled(opening) for opening in self.all) and self._is_reached_by(self.elsewhere)

    def is_settled(self, opening: StartingPoint) -> bool:
        """Return whether nothing with those windows is better than the best of all."""
        return self._is_reached_by(opening.lower_bound)

    def _is_reached_by(self, bound: float) -> bool:
        return bound >= self.chosen.best * (1 - TOLERANCE)

    @property
    def states(self) -> int:
        """States that the searches over all windows together looked at."""
        return sum(opening.joint.states for opening in self.all if opening.joint is not None)

    @property
    def extended(self) -> int:
        """Partial schedules that they extended."""
        return sum(opening.joint.extended for opening in self.all if opening.joint is not None)


def find_openings(
    tables: ScenarioTables,
    cuts: Sequence[Cut],
    goal: Goal,
    search: PausingSearch,
    between: Callable[[], None],
    pieces: Pieces,
) -> Generator[None, None, Openings]:
    """Search every cut, with a pause after every piece.

    Cuts in which no schedule was found only count by what none of theirs is better than.

    Args:
        tables: the problem.
        cuts: cuts to search.
        goal: objective to minimise.
        search: how a window is searched, whose results `pieces` keeps.
        between: called before every search of a window; may raise to stop.
        pieces: parts searched so far.

    Raises:
        DeadEndError: none was found in any.
    """
    walked, dead_ends, places = yield from _walked(tables, cuts, goal, search, between, pieces)
    if tables.params.search != "exact":
        found = [
            StartingPoint(cut, path, None, path.schedule, path.value(goal), relaxed_bound(tables, cut.windows, goal))
            for cut, path in walked
        ]
    else:
        found = yield from _searched_jointly(tables, walked, goal, between, pieces)
    best = min(opening.best for opening in found)
    elsewhere = np.inf
    for cut in dead_ends:
        bound = yield from _bound_of(tables, cut, goal, best, between, pieces)
        elsewhere = min(elsewhere, bound)
    openings = Openings(tuple(sorted(found, key=lambda opening: opening.cut.n_splits)), elsewhere)
    for number, (first, end) in places.items():
        if number != openings.chosen.cut.n_splits:
            pieces.keep_best(first, end)
    return openings


def _bound_of(
    tables: ScenarioTables, cut: Cut, goal: Goal, best: float, between: Callable[[], None], pieces: Pieces
) -> Generator[None, None, float]:
    """Return a lower bound of the objective over all schedules with these windows; `best` if it is proven optimal."""
    if tables.params.search != "exact":
        return relaxed_bound(tables, cut.windows, goal)
    joint = yield from _joint(tables, cut, goal, best, between, pieces)
    return joint.lower_bound


def _joint(
    tables: ScenarioTables, cut: Cut, goal: Goal, known: float, between: Callable[[], None], pieces: Pieces
) -> Generator[None, None, JointResult]:
    """Yield the search over all windows together."""
    states = tables.params.joint_states
    return (
        yield from pieces.joint(
            lambda journal: search_in_steps(tables, cut.windows, goal, known, states, between, journal)
        )
    )


def _walked(
    tables: ScenarioTables,
    cuts: Sequence[Cut],
    goal: Goal,
    search: PausingSearch,
    between: Callable[[], None],
    pieces: Pieces,
) -> Generator[None, None, tuple[list[tuple[Cut, Trajectory]], list[Cut], dict[int, tuple[int, int]]]]:
    """Yield cuts in which a schedule was found, with it, the others, and the first piece and the one after the last of each cut.

    Raises:
        DeadEndError: none was found in any.
    """
    found, dead_ends, places = [], [], {}
    dead_end: DeadEndError | None = None
    for cut in cuts:
        first = pieces.position
        try:
            path = yield from walk_greedily(tables, cut.windows, goal, None, between, search)
            found.append((cut, path))
        except DeadEndError as error:
            dead_end = error
            dead_ends.append(cut)
        places[cut.n_splits] = (first, pieces.position)
    if not found and dead_end is not None:
        raise dead_end
    return found, dead_ends, places


def _searched_jointly(
    tables: ScenarioTables,
    walked: Sequence[tuple[Cut, Trajectory]],
    goal: Goal,
    between: Callable[[], None],
    pieces: Pieces,
) -> Generator[None, None, list[StartingPoint]]:
    """Yield the most promising first: what it reaches spares the others most of their search.

    The search over all windows together knows no contention, so that its bounds hold with it, and its schedule is scored again.
    """
    scorer = Scorer(tables)
    known = min(path.value(goal) for _, path in walked)
    found = []
    for cut, path in sorted(walked, key=lambda pair: pair[1].value(goal)):
        joint = yield from _joint(tables, cut, goal, known, between, pieces)
        schedule, value = path.schedule, path.value(goal)
        if joint.schedule is not None:
            latency, energy, *_ = scorer.score(joint.schedule)
            if goal.one(latency, energy) < value:
                schedule, value = joint.schedule, goal.one(latency, energy)
        known = min(known, value)
        found.append(StartingPoint(cut, path, joint, schedule, value, joint.lower_bound))
    return found


def openings_results(openings: Openings, goal: Goal) -> tuple[Result, ...]:
    """Return one row per number of boundaries, and which was chosen; nothing where the number was given."""
    if len(openings.all) < 2:
        return ()
    rows = openings.all
    table = Table(
        name="boundaries",
        title="Numbers of window boundaries",
        table_columns=(
            TableColumn("Boundaries", np.array([float(row.cut.n_splits) for row in rows])),
            TableColumn("Windows", np.array([float(len(row.cut.windows)) for row in rows])),
            TableColumn("Window by window", np.array([row.trajectory.value(goal) for row in rows]), goal.unit),
            TableColumn("Best found", np.array([row.best for row in rows]), goal.unit),
            TableColumn("Lower bound", np.array([row.lower_bound for row in rows]), goal.unit),
            TableColumn(
                "Proven no better than the best of all",
                tuple("yes" if openings.is_settled(row) else "no" for row in rows),
            ),
        ),
    )
    chosen = openings.chosen
    gap = gap_percent(chosen.best, openings.lower_bound)
    text = f"{chosen.cut.n_splits} window boundaries were chosen out of {rows[0].cut.n_splits} to {rows[-1].cut.n_splits}. "
    text += "They are proven best." if openings.proven else f"No other number is more than {gap:.3g} % better."
    text += " A lower bound is of the objective below which nothing was left to search with that number of boundaries."
    return table, Note("boundaries-note", "Window boundaries", text)


def schedule_results(best: float, openings: Openings, goal: Goal, params: ScheduleParams) -> tuple[Result, ...]:
    """Return the best schedule of a run against the lower bound of all schedules of the same stated model."""
    lower_bound, proven = openings.lower_bound, openings.proven
    gap = gap_percent(best, lower_bound)
    counted = params.search == "exact"
    table = Table(
        name="schedule-proof",
        title="Best schedule: objective and lower bound",
        table_columns=(
            TableColumn("Objective", np.array([best]), goal.unit),
            TableColumn("Lower bound", np.array([lower_bound]), goal.unit),
            TableColumn("Gap", np.array([gap]), "%"),
            TableColumn("Proven optimal", ("yes" if proven else "no",)),
            TableColumn("States expanded", np.array([float(openings.states) if counted else np.nan])),
            TableColumn("Partial schedules extended", np.array([float(openings.extended) if counted else np.nan])),
        ),
    )
    text = (
        "The best schedule is proven optimal for the stated model."
        if proven
        else (f"No schedule of the stated model is more than {gap:.3g} % better than the best one found.")
    )
    return table, Note("schedule-proof-note", "Proof over all windows", f"{text} Stated model: {stated_model(params)}.")
