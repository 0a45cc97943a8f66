"""The best schedule over all windows for any objective that rises with latency and energy: best first, bounded by fronts.

The fronts of the relaxed windows, added up, bound every schedule. A partial schedule is bounded by its latency and energy
plus the fronts of the windows to come. The one with the least bound is extended by all mappings of the next window that can
matter, kept apart by where models end. When no partial schedule is left below the best complete one, that is optimal; when
the budget ends first, the least bound left is the bound.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np

from engines.chiplets.joint.fronts import Front, sum_of, sums_of_rests
from engines.chiplets.joint.journal import Entry, Extension, Journal, extension_of
from engines.chiplets.joint.steps import Best, JointWindows, PartialSchedule
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.chains import TOLERANCE, ExactSearch, window_options
from engines.chiplets.windows.options import WindowOption
from engines.contract.arrays import FloatArray
from engines.search.dominance import non_dominated_by_group

_LEAST_AT_ONCE = 100_000  # labels or partial choices of one step that are always allowed
_STATES_PER_SEARCH = 5_000  # what setting up the search of a window costs, in states


@dataclass(frozen=True)
class OffsetValue:
    """The objective of a whole schedule from one of its windows, the others at least at one of the points of a front."""

    goal: Goal
    others: Front

    def __call__(self, latency_s: FloatArray, energy_j: FloatArray) -> FloatArray:
        """Return the rising in both, as the goal is; all of the same shape."""
        least: FloatArray | None = None
        for more_s, more_j in zip(self.others.latency_s.tolist(), self.others.energy_j.tolist(), strict=True):
            value = self.goal.value(latency_s + more_s, energy_j + more_j)
            least = value if least is None else np.minimum(least, value)
        assert least is not None  # fronts of others have at least one point
        return least


class FrontSearch:
    """The search.

    Args:
        space: the windows.
        fronts: what no mapping of each window is better than.
        best: known at first.
        budget: states after which no further partial schedule is extended; each extension counts for some itself.
        between: called before every search of a window; may raise to stop.
        journal: journal of what was found so far.
    """

    def __init__(
        self,
        space: JointWindows,
        fronts: Sequence[Front],
        best: Best,
        budget: int,
        between: Callable[[], None],
        journal: Journal,
    ) -> None:
        self.best = best
        self.states = self.extended = 0
        self._space, self._budget, self._between, self._journal = space, budget, between, journal
        self._goal = best.goal
        self._most = max(_LEAST_AT_ONCE, budget // 4)
        self._fronts = list(fronts)
        self._rest = sums_of_rests(fronts)
        self._seen: dict[object, list[tuple[float, float]]] = {}

    def run(self) -> Generator[None, None, float]:
        """Search, with a pause after every search of a window; of equal bounds the longest partial schedule goes first.

        Returns:
            The lower bound of all schedules.
        """
        yield from self._bound_windows()
        heap: list[tuple[float, int, int, PartialSchedule]] = [
            (self._rest[0].least(self._goal), 0, 0, self._space.nothing)
        ]
        number = 0
        floor = np.inf  # least bound of what had to be left out
        while heap and not self.best.is_proven_by(heap[0][0]) and not self._exhausted:
            _, _, _, partial = heapq.heappop(heap)
            known = self._journal.known()
            found = self._extend(partial) if known is None else extension_of(known)
            self.extended += 1
            self.states += found.states
            if found.options is None:
                floor = min(floor, self._bound(partial))
            kept: list[WindowOption] = []
            for option in found.options or ():
                child = partial.followed_by(option)
                bound = self._bound(child)
                if len(child.windows) == len(self._space.windows):
                    self.best.take(child)
                elif not self.best.is_proven_by(bound) and self._is_new(child):
                    number += 1
                    heapq.heappush(heap, (bound, -len(child.windows), number, child))
                else:
                    continue
                kept.append(option)
            if known is None:
                self._journal.note(found.entry(kept))
            yield
        return min(floor, heap[0][0] if heap else np.inf)

    @property
    def _exhausted(self) -> bool:
        return self.states + self.extended * _STATES_PER_SEARCH >= self._budget

    @property
    def _ceiling(self) -> float:
        return self.best.value * (1 + TOLERANCE)

    def _bound_windows(self) -> Generator[None, None, None]:
        """Replace the fronts by those over real paths, or by ideal points on them where there are too many mappings."""
        for w in range(len(self._space.windows)):
            known = self._journal.known()
            found = self._bound_window(w) if known is None else known
            self.states += found["states"]
            if found["front"] is not None:
                self._fronts[w] = Front(*(np.frombuffer(values) for values in found["front"]))
            if known is None:
                self._journal.note(found)
            yield
        self._rest = sums_of_rests(self._fronts)

    def _bound_window(self, w: int) -> Entry:
        """Return the front of a window as bytes, None where the one before stays; and the states of its search."""
        self._between()
        problem = self._space.relaxed_problem(w)
        others = sum_of(self._fronts[:w] + self._fronts[w + 1 :]).coarse()
        search = ExactSearch(problem, OffsetValue(self._goal, others))
        found = search.all_below(self._ceiling, self._most)
        choice = search.ideal_choices(self._ceiling, self._most) if found is None else found[1]
        if not problem.all_paths or choice is None or not len(choice.latency_s):
            return {"front": None, "states": int(search.states)}
        keep = non_dominated_by_group(np.zeros(len(choice.latency_s), np.int64), choice.latency_s, choice.energy_j)
        front = [values[keep].tobytes() for values in (choice.latency_s, choice.energy_j)]
        return {"front": front, "states": int(search.states)}

    def _bound(self, partial: PartialSchedule) -> float:
        return self._rest[len(partial.windows)].least(self._goal, partial.latency_s, partial.energy_j)

    def _is_new(self, partial: PartialSchedule) -> bool:
        """Return whether no partial schedule in the same situation is as good in both."""
        known = self._seen.setdefault(self._space.situation(partial), [])
        if any(latency <= partial.latency_s and energy <= partial.energy_j for latency, energy in known):
            return False
        known.append((partial.latency_s, partial.energy_j))
        return True

    def _extend(self, partial: PartialSchedule) -> Extension:
        """Return all mappings of the next window that can matter."""
        self._between()
        last = self._space.is_last(partial)
        problem = self._space.problem_after(partial, by_end=not last)
        if not problem.possible:
            return Extension((), 0)
        done = Front(np.array([partial.latency_s]), np.array([partial.energy_j]))
        after = self._rest[len(partial.windows) + 1].plus(done).coarse()
        search = ExactSearch(problem, OffsetValue(self._goal, after))
        found = search.all_below(self._ceiling, self._most)
        if found is None or not problem.all_paths:
            return Extension(None, search.states)
        offers, choice = found
        keep = np.arange(len(choice.latency_s))
        if last and len(keep):
            value = self._goal.value(choice.latency_s + partial.latency_s, choice.energy_j + partial.energy_j)
            keep = np.array([int(value.argmin())])
        return Extension(window_options(offers, choice, keep.tolist()), search.states)
