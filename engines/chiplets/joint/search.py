"""Exact search jointly over windows: a lower bound of the whole schedule, and a search that closes the gap.

Windows depend on each other only through where models end: it changes the cost of fetching activations in the next window
and, with the published root rule, where models may start. Left out, every window becomes a problem of its own (models start
anywhere that some schedule could allow, activations are already there), whose bounds add up. Which search closes the gap
depends on the objective: `slopes` solves weighted sums, which suffices for products and weighted sums, `best_first` takes any
objective that rises with latency and energy.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from engines.chiplets.joint.best_first import FrontSearch
from engines.chiplets.joint.fronts import relaxed_fronts, sum_of
from engines.chiplets.joint.journal import Journal
from engines.chiplets.joint.slope_search import SlopeSearch
from engines.chiplets.joint.slopes import QUASI_CONCAVE, HullSearch, slope_at
from engines.chiplets.joint.steps import Best, JointWindows
from engines.chiplets.problem.decision import PackageSchedule
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.paths import MOST_CHIPLETS_FOR_ALL_PATHS
from engines.chiplets.windows.reconfig import LayerRange
from engines.chiplets.windows.resumable import finished

Windows = Sequence[Sequence[LayerRange]]


@dataclass(frozen=True)
class JointResult:
    """The result of the search over all windows together.

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
    """Return a bound: no schedule with these windows has less of the objective; for packages of any size."""
    return sum_of(relaxed_fronts(tables, windows, goal)).least(goal)


def search_jointly(
    tables: ScenarioTables,
    windows: Windows,
    goal: Goal,
    known: float,
    budget: int,
    between: Callable[[], None] = lambda: None,
) -> JointResult:
    """Return the best schedule over all windows together.

    Args:
        tables: the problem.
        windows: layers of each model per window.
        goal: objective to minimise.
        known: objective of the best known schedule.
        budget: states after which no further partial schedule is extended; each extension counts for some itself.
        between: called before every search of a window; may raise to stop.
    """
    return finished(search_in_steps(tables, windows, goal, known, budget, between, Journal()))


def search_in_steps(
    tables: ScenarioTables,
    windows: Windows,
    goal: Goal,
    known: float,
    budget: int,
    between: Callable[[], None],
    journal: Journal,
) -> Generator[None, None, JointResult]:
    """Yield `search_jointly` with a pause after every search of a window.

    Args: as of `search_jointly`, and
        journal: journal of what was found so far; a search that begins with the entries of another continues where that was.
    """
    fronts = relaxed_fronts(tables, windows, goal)
    whole = sum_of(fronts)
    space = JointWindows(tables, windows, goal)
    best = Best(goal, known)
    slopes = SlopeSearch(
        space, lambda w, slope: float(slope(fronts[w].latency_s, fronts[w].energy_j).min()), budget, between, journal
    )
    all_paths = tables.chiplets <= MOST_CHIPLETS_FOR_ALL_PATHS
    if all_paths and goal.name in QUASI_CONCAVE:
        hull = HullSearch(slopes, best, float(whole.latency_s.min()), float(whole.energy_j.min()))
        yield from hull.run()
        return _result(best, hull.bound, slopes.states, slopes.extended)
    # Near the optimum every window is best by the same exchange of seconds for joules, not by its own objective.
    best.take((yield from slopes.walk(slope_at(goal, *whole.lowest(goal)))))
    if not all_paths:  # more than can be looked at
        return _result(best, whole.least(goal), slopes.states, 0)
    search = FrontSearch(space, fronts, best, budget, between, journal)
    bound = yield from search.run()
    return _result(best, bound, slopes.states + search.states, search.extended)


def _result(best: Best, bound: float, states: int, extended: int) -> JointResult:
    proven = best.is_proven_by(bound)
    found = None if best.schedule is None else PackageSchedule(best.schedule.windows)
    return JointResult(found, best.value if proven else min(bound, best.value), proven, states, extended)
