"""The best schedule over all windows for a weighted sum of latency and energy.

A weighted sum adds up window by window, so that every window has a least value of its own once its ties to the others are
left out (`JointWindows.relaxed_problem`). Their sum bounds every schedule. A best-first search goes through the windows in
order; of the partial schedules in the same situation one with the least value suffices. Mappings are listed up to a ceiling
just above the bound, which rises until a schedule is found: the first one is optimal.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.methods.scar.joint_windows import JointWindows, PartialSchedule
from engines.methods.scar.window_problem import TOLERANCE, ExactSearch, Offer, window_options
from engines.search.disjoint_sets import Choice

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

_STATES_PER_SEARCH = 5_000  # what setting up the search of a window costs, in states
_MOST_AT_ONCE = 3_000_000  # labels or partial choices of one step
_FIRST_SLACK, _MORE_SLACK = 1e-6, 6.0
_TAGS = 64


@dataclass(frozen=True)
class Slope:
    """A weighted sum; weights are not negative, one is positive."""

    per_s: float
    per_j: float

    def __call__(self, latency_s: FloatArray, energy_j: FloatArray) -> FloatArray:
        """The sum. A weight of zero must not meet an infinite value, which stands for what cannot be."""
        if self.per_j == 0:
            return self.per_s * latency_s
        return self.per_j * energy_j if self.per_s == 0 else self.per_s * latency_s + self.per_j * energy_j

    def one(self, latency_s: float, energy_j: float) -> float:
        """The same for a single point."""
        return float(self(np.array([latency_s]), np.array([energy_j]))[0])


@dataclass(frozen=True)
class Least:
    """The least weighted sum: a lower bound, and a schedule with that value where one was found."""

    bound: float
    schedule: PartialSchedule | None


class SlopeSearch:
    """Searches for the least weighted sum along one slope after the other.

    Args:
        space: the windows.
        fallback: per window a lower bound of a weighted sum, for windows with too many paths or mappings to search them all.
        budget: states after which no further partial schedule is extended; each extension counts for some itself.
        between: called before every search of a window; may raise to stop.
    """

    def __init__(
        self, space: JointWindows, fallback: Callable[[int, Slope], float], budget: int, between: Callable[[], None]
    ) -> None:
        self.states = self.extended = 0
        self._space, self._fallback, self._budget, self._between = space, fallback, budget, between
        self._least: dict[Slope, list[float]] = {}

    @property
    def exhausted(self) -> bool:
        """Whether the budget is used up."""
        return self.states + self.extended * _STATES_PER_SEARCH >= self._budget

    def relaxed(self, slope: Slope) -> float:
        """No schedule has less; the windows without their ties."""
        return sum(self._least_of_windows(slope))

    def least(self, slope: Slope, known: float) -> Least:
        """The least weighted sum.

        Args:
            slope: the weights.
            known: value of a schedule that is known already: more is not looked for.
        """
        rest = self._least_of_rests(slope)
        slack = _FIRST_SLACK
        while True:
            ceiling = min(known, rest[0] * (1 + slack))
            found = self._least_below(slope, rest, ceiling)
            if found.schedule is not None or found.bound < ceiling or ceiling == known:
                return found
            slack *= _MORE_SLACK

    def walk(self, slope: Slope) -> PartialSchedule | None:
        """A schedule window by window, each with the least weighted sum by itself; None at a dead end."""
        partial = self._space.nothing
        for _ in self._space.windows:
            self._between()
            problem = self._space.problem_after(partial, by_end=False)
            if not problem.possible:
                return None
            search = ExactSearch(problem, slope)
            offers, choice = search.run()
            self.states += search.states
            if not len(choice.latency_s):
                return None  # the models cannot all start where those before ended
            best = int(slope(choice.latency_s, choice.energy_j).argmin())
            partial = partial.followed_by(window_options(offers, choice, [best])[0])
        return partial

    def _least_of_windows(self, slope: Slope) -> list[float]:
        if slope not in self._least:
            self._least[slope] = [self._relaxed_window(w, slope) for w in range(len(self._space.windows))]
        return self._least[slope]

    def _relaxed_window(self, w: int, slope: Slope) -> float:
        self._between()
        problem = self._space.relaxed_problem(w)
        if not problem.possible or not problem.all_paths:
            return self._fallback(w, slope)
        search = ExactSearch(problem, slope)
        _, choice = search.run()
        self.states += search.states
        if not choice.complete or not len(choice.latency_s):
            return self._fallback(w, slope)
        return float(slope(choice.latency_s, choice.energy_j).min())

    def _least_of_rests(self, slope: Slope) -> list[float]:
        """At w what the windows from w on add at least; one entry more than windows."""
        windows = self._least_of_windows(slope)
        return [sum(windows[w:]) for w in range(len(windows) + 1)]

    def _least_below(self, slope: Slope, rest: list[float], ceiling: float) -> Least:
        """The least value if it is not above the ceiling; else the ceiling, or less where something had to be left out."""
        first = self._space.nothing
        heap: list[tuple[float, int, int, PartialSchedule]] = [(rest[0], 0, 0, first)]
        reached = {self._space.situation(first): rest[0]}
        extended: set[object] = set()
        bound = ceiling  # of what is not on the heap
        number = 0
        while heap and heap[0][0] <= bound:
            value, _, _, partial = heapq.heappop(heap)
            if len(partial.windows) == len(self._space.windows):
                return Least(value, partial)
            situation = self._space.situation(partial)
            if situation in extended:
                continue
            if self.exhausted:
                return Least(min(bound, value), None)
            extended.add(situation)
            after = rest[len(partial.windows) + 1]
            children = self._extend(partial, slope, ceiling, after)
            if children is None:
                bound = min(bound, value)
                continue
            for child in children:
                least = slope.one(child.latency_s, child.energy_j) + after
                situation = self._space.situation(child)
                if least < reached.get(situation, np.inf):
                    reached[situation] = least
                    number += 1
                    heapq.heappush(heap, (least, -len(child.windows), number, child))
        return Least(bound, None)

    def _extend(
        self, partial: PartialSchedule, slope: Slope, ceiling: float, after: float
    ) -> list[PartialSchedule] | None:
        """The best mapping of the next window for every situation after it, up to the ceiling; None if they are too many."""
        self._between()
        self.extended += 1
        last = self._space.is_last(partial)
        problem = self._space.problem_after(partial, by_end=not last)
        if not problem.possible:
            return []
        room = ceiling * (1 + TOLERANCE) - slope.one(partial.latency_s, partial.energy_j) - after
        search = ExactSearch(problem, slope)
        found = search.all_below(room, _MOST_AT_ONCE)
        self.states += search.states
        if found is None or not problem.all_paths:
            return None
        offers, choice = found
        if not len(choice.latency_s):
            return []
        chosen = _cheapest_by_end(offers, choice, slope(choice.latency_s, choice.energy_j))
        return [partial.followed_by(option) for option in window_options(offers, choice, chosen.tolist())]


def _cheapest_by_end(offers: Sequence[Offer], choice: Choice, value: FloatArray) -> IntArray:
    """The choice with the least value for every different set of tags."""
    tag = np.zeros(len(value), np.int64)
    for number, offer in enumerate(offers):
        own = offer.options.tag
        assert own is not None  # windows give every option a tag
        tag = tag * _TAGS + own[choice.picks[:, number]]
    order = np.lexsort((value, tag))
    return np.asarray(order[np.concatenate([[True], tag[order][1:] != tag[order][:-1]])])
