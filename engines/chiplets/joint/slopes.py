"""The best schedule over all windows for objectives whose optimum lies on a convex hull.

Products of powers and weighted sums of latency and energy are quasi-concave: of all schedules, as points (latency, energy),
the best one is a corner of their convex hull, and therefore best for some weighted sum. Each weighted sum that is solved
(`slope_search`) leaves a half-plane without any schedule, and a schedule on its edge. The objective at the corners of what
is left bounds every schedule; the next slope is that of the objective at the lowest corner. First the windows are taken
without their ties, which is quick and brings the slopes near the optimum; then with them, until no corner is below the best.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from engines.chiplets.joint.slope_pass import Slope
from engines.chiplets.joint.slope_search import SlopeSearch
from engines.chiplets.joint.steps import Best, PartialSchedule
from engines.chiplets.problem.objectives import Goal
from engines.search.half_planes import HalfPlanes

_MOST_SLOPES = 40
_MOST_RELAXED_SLOPES = 8
_SAME_SLOPE = 1e-7
_SAME_RELAXED_SLOPE = 1e-4
_STEP = 1e-4
QUASI_CONCAVE = frozenset({"edp", "latency", "energy", "weighted"})


class HullSearch:
    """Closes in on the best corner.

    Args:
        search: solves weighted sums.
        best: known at first; its goal is one of the kinds in `QUASI_CONCAVE`.
        least_s, least_j: no schedule has less latency or energy.
    """

    def __init__(self, search: SlopeSearch, best: Best, least_s: float, least_j: float) -> None:
        self.best = best
        self._search, self._goal = search, best.goal
        self._left = HalfPlanes(least_s, least_j)
        self._points: list[PartialSchedule] = []

    @property
    def bound(self) -> float:
        """No schedule has less of the objective."""
        return self._goal.one(*self._left.lowest(self._goal.value))

    def run(self) -> Generator[None, None, None]:
        """Solve slopes until the best is proven, or the budget or the slopes are used up; pauses where its search does."""
        yield from self._without_ties()
        for slope in self._slopes(_MOST_SLOPES, _SAME_SLOPE):
            if self._search.exhausted:
                return
            known = min((slope.one(p.latency_s, p.energy_j) for p in self._points), default=float("inf"))
            found = yield from self._search.least(slope, known)
            self._left.add(slope.per_s, slope.per_j, found.bound)
            if found.schedule is not None:
                self._points.append(found.schedule)
                self.best.take(found.schedule)

    def _without_ties(self) -> Generator[None, None, None]:
        for slope in self._slopes(_MOST_RELAXED_SLOPES, _SAME_RELAXED_SLOPE):
            least = yield from self._search.relaxed(slope)
            self._left.add(slope.per_s, slope.per_j, least)

    def _slopes(self, most: int, apart: float) -> Iterator[Slope]:
        """Yield the slope of the goal at the lowest corner, over and over, until the best is proven or slopes repeat."""
        solved: list[Slope] = []
        while not self.best.is_proven_by(self.bound) and len(solved) < most:
            slope = slope_at(self._goal, *self._left.lowest(self._goal.value))
            if any(_is_near(slope, other, apart) for other in solved):
                return
            solved.append(slope)
            yield slope


def slope_at(goal: Goal, latency_s: float, energy_j: float) -> Slope:
    """Return the goal near a point, by central differences."""
    step_s, step_j = latency_s * _STEP, energy_j * _STEP
    per_s = goal.one(latency_s + step_s, energy_j) - goal.one(latency_s - step_s, energy_j)
    per_j = goal.one(latency_s, energy_j + step_j) - goal.one(latency_s, energy_j - step_j)
    return Slope(per_s / (2 * step_s), per_j / (2 * step_j))


def _is_near(slope: Slope, other: Slope, apart: float) -> bool:
    one, two = slope.per_s * other.per_j, slope.per_j * other.per_s
    return abs(one - two) <= apart * (one + two)
