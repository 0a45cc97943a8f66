"""Exact search jointly over windows: a lower bound of the whole schedule, and a best-first search that closes the gap.

Windows depend on each other only through where models end: it changes the cost of fetching activations in the next window
and, with the published root rule, where models may start. Left out, every window becomes a problem of its own (models start
anywhere that some schedule could allow, activations are already there). The fronts of these relaxed windows, added up, bound
every schedule. The search then goes through the windows in order. A partial schedule stands for the places of all models'
activations; it is bounded by its latency and energy plus the fronts of the windows to come. The one with the least bound is
extended by all mappings of the next window that can matter, kept apart by where models end. When no partial schedule is left
below the best complete one, that is optimal; when the budget ends first, the least bound left is the bound.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.methods.scar.decision import ScarSchedule, Window
from engines.methods.scar.greedy import root_chiplets
from engines.methods.scar.objectives import Goal
from engines.methods.scar.paths import MOST_CHIPLETS_FOR_ALL_PATHS
from engines.methods.scar.provision import free_nodes, provisioned_nodes
from engines.methods.scar.reconfig import LayerRange
from engines.methods.scar.scoring import MEMORY
from engines.methods.scar.segment_costs import ChipletKinds, chiplet_kinds
from engines.methods.scar.tables import ScenarioTables
from engines.methods.scar.window_bounds import relaxed_window_front
from engines.methods.scar.window_options import WindowOption
from engines.methods.scar.window_problem import (
    TOLERANCE,
    ExactSearch,
    WindowProblem,
    build_window_problem,
    window_options,
)
from engines.search.dominance import non_dominated_by_group

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
Windows = Sequence[Sequence[LayerRange]]

_STEPS_OF_FRONT = 6
_SLOPE_STEP = 1e-4
_LEAST_AT_ONCE = 100_000  # labels or partial choices of one step that are always allowed
_STATES_PER_SEARCH = 5_000  # what setting up the search of a window costs, in states


@dataclass(frozen=True)
class Front:
    """Points (latency, energy), one of which is as good as anything that it stands for; shape `n` each."""

    latency_s: FloatArray
    energy_j: FloatArray

    def plus(self, other: Front) -> Front:
        """All sums of one point of each, without the dominated."""
        latency = (self.latency_s[:, None] + other.latency_s[None, :]).ravel()
        energy = (self.energy_j[:, None] + other.energy_j[None, :]).ravel()
        keep = non_dominated_by_group(np.zeros(len(latency), np.int64), latency, energy)
        return Front(latency[keep], energy[keep])

    def coarse(self) -> Front:
        """A few points that bound the front from below."""
        parts = np.array_split(np.argsort(self.latency_s), min(_STEPS_OF_FRONT, len(self.latency_s)))
        return Front(
            np.array([self.latency_s[part].min() for part in parts]),
            np.array([self.energy_j[part].min() for part in parts]),
        )

    def least(self, goal: Goal, latency_s: float = 0.0, energy_j: float = 0.0) -> float:
        """The least objective on top of what is there already; infinite for an empty front."""
        return float(goal.value(self.latency_s + latency_s, self.energy_j + energy_j).min(initial=np.inf))


ZERO = Front(np.zeros(1), np.zeros(1))


@dataclass(frozen=True)
class OffsetValue:
    """The objective of a whole schedule from one of its windows, the others at least at one of the points of a front."""

    goal: Goal
    others: Front

    def __call__(self, latency_s: FloatArray, energy_j: FloatArray) -> FloatArray:
        """Rising in both, as the goal is."""
        least: FloatArray | None = None
        for more_s, more_j in zip(self.others.latency_s.tolist(), self.others.energy_j.tolist(), strict=True):
            value = self.goal.value(latency_s + more_s, energy_j + more_j)
            least = value if least is None else np.minimum(least, value)
        assert least is not None  # fronts of others have at least one point
        return least


@dataclass(frozen=True)
class _Linear:
    """An objective that is a weighted sum."""

    per_s: float
    per_j: float

    def __call__(self, latency_s: FloatArray, energy_j: FloatArray) -> FloatArray:
        # A weight of zero must not meet an infinite value, which stands for what cannot be.
        if self.per_j == 0:
            return self.per_s * latency_s
        return self.per_j * energy_j if self.per_s == 0 else self.per_s * latency_s + self.per_j * energy_j


@dataclass(frozen=True)
class JointResult:
    """What the search over all windows found.

    Attributes:
        schedule: the best that is better than the one given; None if there is none.
        lower_bound: no schedule with these windows has less of the objective.
        proven: whether the best known schedule is proven optimal.
        states: states that the searches of windows looked at.
        extended: partial schedules that were extended.
    """

    schedule: ScarSchedule | None
    lower_bound: float
    proven: bool
    states: int
    extended: int


@dataclass(frozen=True)
class _Partial:
    windows: tuple[Window, ...]
    latency_s: float
    energy_j: float
    location: tuple[int, ...]


def relaxed_fronts(tables: ScenarioTables, windows: Windows, goal: Goal) -> list[Front]:
    """Per window a front that no mapping of it is better than, wherever models were before; milliseconds."""
    kinds = chiplet_kinds(tables)
    fronts = []
    for ranges in windows:
        # A representative of every kind of chiplet has that kind at distance 0: no start is nearer to its activations.
        sources = [(MEMORY,) if r.first == 0 else _representatives(kinds, tables.allowed[r.model]) for r in ranges]
        # Passes of the published search share chiplets by several objectives: its bound must not depend on one of them.
        published = tables.params.search == "greedy"
        nodes = free_nodes(tables, ranges) if published else provisioned_nodes(tables, ranges, goal)
        front = relaxed_window_front(tables, ranges, sources, nodes)
        fronts.append(Front(front.latency_s, front.energy_j))
    return fronts


def _representatives(kinds: ChipletKinds, allowed: frozenset[int]) -> list[int]:
    """One allowed chiplet of every kind that has one."""
    first = {int(kinds.of[chiplet]): chiplet for chiplet in sorted(allowed, reverse=True)}
    return sorted(first.values())


def relaxed_bound(tables: ScenarioTables, windows: Windows, goal: Goal) -> float:
    """No schedule with these windows has less of the objective; for packages of any size."""
    return _sum_of(relaxed_fronts(tables, windows, goal)).least(goal)


def _sum_of(fronts: Sequence[Front]) -> Front:
    total = ZERO
    for front in fronts:
        total = total.plus(front)
    return total


def _sums_of_rests(fronts: Sequence[Front]) -> list[Front]:
    """At w the sum of the fronts from w on; one entry more than windows."""
    return [_sum_of(fronts[w:]) for w in range(len(fronts) + 1)]


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
    return _JointSearch(tables, windows, goal, known, budget, between).run(budget)


class _JointSearch:
    def __init__(
        self,
        tables: ScenarioTables,
        windows: Windows,
        goal: Goal,
        known: float,
        budget: int,
        between: Callable[[], None],
    ) -> None:
        self.states = 0
        self._tables, self._windows, self._goal, self._between = tables, windows, goal, between
        self._best = known
        self._most = max(_LEAST_AT_ONCE, budget // 4)
        self._nodes = [provisioned_nodes(tables, ranges, goal) for ranges in windows]
        self._fronts = relaxed_fronts(tables, windows, goal)
        self._rest = _sums_of_rests(self._fronts)
        self._found: ScarSchedule | None = None
        self._seen: dict[tuple[int, tuple[int, ...]], list[tuple[float, float]]] = {}

    @property
    def _ceiling(self) -> float:
        return self._best * (1 + TOLERANCE)

    def _bound_windows(self) -> None:
        """Replace the fronts by those over real paths, or by ideal points on them where there are too many mappings."""
        everywhere = tuple(range(self._tables.chiplets))
        for w, ranges in enumerate(self._windows):
            self._between()
            location: list[int | None] = [None] * len(self._tables.models)
            for r in ranges:
                location[r.model] = MEMORY if r.first == 0 else None
            roots = everywhere if w else root_chiplets(self._tables, ())
            problem = build_window_problem(self._tables, ranges, location, roots, self._nodes[w])
            others = _sum_of(self._fronts[:w] + self._fronts[w + 1 :]).coarse()
            search = ExactSearch(problem, OffsetValue(self._goal, others))
            found = search.all_below(self._ceiling, self._most)
            choice = search.ideal_choices(self._ceiling, self._most) if found is None else found[1]
            self.states += search.states
            if not problem.all_paths or choice is None or not len(choice.latency_s):
                continue
            keep = non_dominated_by_group(np.zeros(len(choice.latency_s), np.int64), choice.latency_s, choice.energy_j)
            self._fronts[w] = Front(choice.latency_s[keep], choice.energy_j[keep])
        self._rest = _sums_of_rests(self._fronts)

    def run(self, budget: int) -> JointResult:
        """Best-first search; of equal bounds the longest partial schedule goes first."""
        self._along_the_slope()
        if self._tables.chiplets > MOST_CHIPLETS_FOR_ALL_PATHS:
            bound = self._rest[0].least(self._goal)
            proven = bound >= self._best * (1 - TOLERANCE)
            return JointResult(self._found, min(bound, self._best), proven, self.states, 0)
        self._bound_windows()
        self._along_the_slope()
        first = _Partial((), 0.0, 0.0, (MEMORY,) * len(self._tables.models))
        heap: list[tuple[float, int, int, _Partial]] = [(self._rest[0].least(self._goal), 0, 0, first)]
        extended = number = 0
        floor = np.inf  # least bound of what had to be left out
        while (
            heap and heap[0][0] < self._best * (1 - TOLERANCE) and self.states + extended * _STATES_PER_SEARCH < budget
        ):
            _, _, _, partial = heapq.heappop(heap)
            self._between()
            extended += 1
            children, complete = self._extend(partial)
            if not complete:
                floor = min(floor, self._bound(partial))
            for child in children:
                bound = self._bound(child)
                if len(child.windows) == len(self._windows) and bound < self._best * (1 - TOLERANCE):
                    self._best, self._found = bound, ScarSchedule(child.windows)
                elif bound < self._best * (1 - TOLERANCE) and self._is_new(child):
                    number += 1
                    heapq.heappush(heap, (bound, -len(child.windows), number, child))
        left = min(floor, heap[0][0] if heap else np.inf)
        proven = left >= self._best * (1 - TOLERANCE)
        return JointResult(self._found, self._best if proven else left, proven, self.states, extended)

    def _along_the_slope(self) -> None:
        """A schedule window by window, each by the slope of the goal where the bound is reached; kept if it is the best.

        Near the optimum every window is best by the same exchange of seconds for joules, not by its own product.
        """
        whole = self._rest[0]
        at = int(self._goal.value(whole.latency_s, whole.energy_j).argmin())
        slope = _slope(self._goal, float(whole.latency_s[at]), float(whole.energy_j[at]))
        partial = _Partial((), 0.0, 0.0, (MEMORY,) * len(self._tables.models))
        for _ in self._windows:
            self._between()
            problem = self._problem(partial, by_end=False)
            if not problem.possible:
                return
            search = ExactSearch(problem, slope)
            mappings, choice = search.run()
            self.states += search.states
            if not len(choice.latency_s):
                return  # a dead end: the models cannot all start where those before ended
            best = int(slope(choice.latency_s, choice.energy_j).argmin())
            partial = _after(partial, window_options(problem, mappings, choice, [best])[0])
        value = self._goal.one(partial.latency_s, partial.energy_j)
        if value < self._best * (1 - TOLERANCE):
            self._best, self._found = value, ScarSchedule(partial.windows)

    def _problem(self, partial: _Partial, *, by_end: bool) -> WindowProblem:
        """The window that comes after `partial`."""
        w = len(partial.windows)
        roots = root_chiplets(self._tables, partial.windows[-1] if w else ())
        return build_window_problem(
            self._tables, self._windows[w], partial.location, roots, self._nodes[w], by_end=by_end
        )

    def _bound(self, partial: _Partial) -> float:
        return self._rest[len(partial.windows)].least(self._goal, partial.latency_s, partial.energy_j)

    def _is_new(self, partial: _Partial) -> bool:
        """Whether no partial schedule with the models in the same places is as good in both."""
        key = (len(partial.windows), partial.location)
        known = self._seen.setdefault(key, [])
        if any(latency <= partial.latency_s and energy <= partial.energy_j for latency, energy in known):
            return False
        known.append((partial.latency_s, partial.energy_j))
        return True

    def _extend(self, partial: _Partial) -> tuple[list[_Partial], bool]:
        """All mappings of the next window that can matter, and whether none was left out for lack of room."""
        w = len(partial.windows)
        last = w + 1 == len(self._windows)
        problem = self._problem(partial, by_end=not last)
        done = Front(np.array([partial.latency_s]), np.array([partial.energy_j]))
        if not problem.possible:
            return [], True
        search = ExactSearch(problem, OffsetValue(self._goal, self._rest[w + 1].plus(done).coarse()))
        found = search.all_below(self._ceiling, self._most)
        self.states += search.states
        if found is None or not problem.all_paths:
            return [], False
        mappings, choice = found
        keep = np.arange(len(choice.latency_s))
        if last and len(keep):
            value = self._goal.value(choice.latency_s + partial.latency_s, choice.energy_j + partial.energy_j)
            keep = np.array([int(value.argmin())])
        options = window_options(problem, mappings, choice, keep.tolist())
        return [_after(partial, option) for option in options], True


def _after(partial: _Partial, option: WindowOption) -> _Partial:
    """`partial` with one more window."""
    location = list(partial.location)
    for placement in option.window:
        location[placement.model] = placement.path[-1]
    return _Partial(
        (*partial.windows, option.window),
        partial.latency_s + option.latency_s,
        partial.energy_j + option.energy_j,
        tuple(location),
    )


def _slope(goal: Goal, latency_s: float, energy_j: float) -> _Linear:
    """The goal near a point, by central differences."""
    step_s, step_j = latency_s * _SLOPE_STEP, energy_j * _SLOPE_STEP
    per_s = goal.one(latency_s + step_s, energy_j) - goal.one(latency_s - step_s, energy_j)
    per_j = goal.one(latency_s, energy_j + step_j) - goal.one(latency_s, energy_j - step_j)
    return _Linear(per_s / (2 * step_s), per_j / (2 * step_j))
