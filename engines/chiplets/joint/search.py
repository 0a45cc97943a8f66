"""Exact search jointly over windows: a lower bound of the whole schedule, and a search that closes the gap.

Windows depend on each other only through where models end: it changes the cost of fetching activations in the next window
and, with the published root rule, where models may start. Left out, every window becomes a problem of its own (models start
anywhere that some schedule could allow, activations are already there), whose bounds add up. Which search closes the gap
depends on the objective: `joint_slopes` solves weighted sums, which suffices for products and weighted sums, `joint_fronts`
takes any objective that rises with latency and energy.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from engines.chiplets.joint.best_first import FrontSearch
from engines.chiplets.joint.fronts import Front, relaxed_fronts, sum_of
from engines.chiplets.joint.slope_search import NextWindow, SlopeSearch
from engines.chiplets.joint.slopes import QUASI_CONCAVE, HullSearch, slope_at
from engines.chiplets.joint.steps import Best, JointWindows
from engines.chiplets.problem.decision import PackageSchedule
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.options import WindowOption
from engines.chiplets.windows.paths import MOST_CHIPLETS_FOR_ALL_PATHS
from engines.chiplets.windows.reconfig import LayerRange
from engines.chiplets.windows.resumable import finished

Windows = Sequence[Sequence[LayerRange]]


@dataclass(frozen=True)
class JointResult:
    """What the search over all windows together found.

    Attributes:
        schedule: the best that is better than the one given; None if there is none.
        lower_bound: no schedule with these windows has less of the objective.
        proven: whether the best known schedule is proven optimal.
        states: states that the searches of windows looked at.
        extended: partial schedules that were extended.
    """

    schedule: PackageSchedule | None
    lower_bound: float
    proven: bool
    states: int
    extended: int


def relaxed_bound(tables: ScenarioTables, windows: Windows, goal: Goal) -> float:
    """No schedule with these windows has less of the objective; for packages of any size."""
    return sum_of(relaxed_fronts(tables, windows, goal)).least(goal)


def search_jointly(
    tables: ScenarioTables,
    windows: Windows,
    goal: Goal,
    known: float,
    budget: int,
    between: Callable[[], None] = lambda: None,
) -> JointResult:
    """The best schedule over all windows together.

    Args:
        tables: the problem.
        windows: layers of each model per window.
        goal: what is minimised.
        known: objective of the best known schedule.
        budget: states after which no further partial schedule is extended; each extension counts for some itself.
        between: called before every search of a window; may raise to stop.
    """
    if tables.chiplets > MOST_CHIPLETS_FOR_ALL_PATHS:
        return finished(walk_jointly(tables, windows, goal, known, between))
    fronts = relaxed_fronts(tables, windows, goal)
    whole = sum_of(fronts)
    space = JointWindows(tables, windows, goal)
    slopes = _slopes(space, fronts, budget, between)
    if goal.name in QUASI_CONCAVE:
        hull = HullSearch(slopes, Best(goal, known), float(whole.latency_s.min()), float(whole.energy_j.min()))
        hull.run()
        return _result(hull.best, hull.bound, slopes.states, slopes.extended)
    search = FrontSearch(space, fronts, Best(goal, known), budget, between)
    search.best.take(finished(slopes.walk(slope_at(goal, *whole.lowest(goal)))))
    bound = search.run()
    return _result(search.best, bound, slopes.states + search.states, search.extended)


def walk_jointly(
    tables: ScenarioTables,
    windows: Windows,
    goal: Goal,
    known: float,
    between: Callable[[], None],
    keep: Callable[[NextWindow], tuple[WindowOption | None, int]] = lambda search: search(),
) -> Generator[None, None, JointResult]:
    """`search_jointly` on packages with more paths than can be looked at, with a pause after every window.

    Near the optimum every window is best by the same exchange of seconds for joules, not by its own objective.

    Args: as of `search_jointly`, and
        keep: calls the search of a window, or knows what it gave before.
    """
    fronts = relaxed_fronts(tables, windows, goal)
    whole = sum_of(fronts)
    slopes = _slopes(JointWindows(tables, windows, goal), fronts, 0, between)
    best = Best(goal, known)
    best.take((yield from slopes.walk(slope_at(goal, *whole.lowest(goal)), keep)))
    return _result(best, whole.least(goal), slopes.states, 0)


def _slopes(space: JointWindows, fronts: Sequence[Front], budget: int, between: Callable[[], None]) -> SlopeSearch:
    return SlopeSearch(
        space, lambda w, slope: float(slope(fronts[w].latency_s, fronts[w].energy_j).min()), budget, between
    )


def _result(best: Best, bound: float, states: int, extended: int) -> JointResult:
    proven = best.is_proven_by(bound)
    found = None if best.schedule is None else PackageSchedule(best.schedule.windows)
    return JointResult(found, best.value if proven else min(bound, best.value), proven, states, extended)
