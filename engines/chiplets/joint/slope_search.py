"""The best schedule over all windows for weighted sums of latency and energy.

The least values of the windows without their ties bound every schedule. Passes (`slope_pass`) look for a schedule below a
ceiling just above that bound, which rises until one is found: the first one is optimal.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial as bound

import numpy as np

from engines.chiplets.joint.slope_pass import Least, Slope, SlopePass
from engines.chiplets.joint.steps import JointWindows, PartialSchedule
from engines.chiplets.windows.chains import ExactSearch, window_options
from engines.chiplets.windows.options import WindowOption

_STATES_PER_SEARCH = 5_000  # what setting up the search of a window costs, in states
_FIRST_SLACK, _MORE_SLACK = 1e-6, 6.0
_MOST_TRIES = 5  # after a pass that had too many mappings

NextWindow = Callable[[], tuple[WindowOption | None, int]]


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
        self._points: list[list[tuple[float, float]]] = [[] for _ in space.windows]
        self._last_slack = 0.0

    @property
    def exhausted(self) -> bool:
        """Whether the budget is used up."""
        return self._is_too_much(self.states, self.extended)

    def relaxed(self, slope: Slope) -> float:
        """No schedule has less; the windows without their ties."""
        return sum(self._least_of_windows(slope))

    def least(self, slope: Slope, known: float) -> Least:
        """The least weighted sum.

        Args:
            slope: the weights.
            known: value of a schedule that is known already: more is not looked for.
        """
        below = bound = self.relaxed(slope)
        complete, too_much, slack, tries = 0.0, np.inf, self._slack(known / below - 1), 0
        while tries < _MOST_TRIES:
            ceiling = min(known, below * (1 + slack))
            found = self._pass(slope, ceiling)
            bound = max(bound, found.bound)
            if found.schedule is not None:
                self._last_slack = found.bound / below - 1
            if found.schedule is not None or (ceiling == known and not found.too_many) or self.exhausted:
                return Least(bound, found.schedule)
            if found.too_many:
                too_much = slack
            else:
                complete = slack
            tries += np.isfinite(too_much)
            slack = complete * _MORE_SLACK if np.isinf(too_much) else np.sqrt(complete * too_much)
        return Least(bound, None)

    def _slack(self, known: float) -> float:
        """Room above the bound to begin with: that of a known schedule if schedules were not far nearer to it before."""
        return known if known <= self._last_slack * _MORE_SLACK else _FIRST_SLACK

    def _pass(self, slope: Slope, ceiling: float) -> Least:
        states, extended = self.states, self.extended
        one = SlopePass(self._space, slope, self._least_of_windows(slope), ceiling, self._between)
        found = one.run(lambda now: self._is_too_much(states + now.states, extended + now.extended))
        self.states += one.states
        self.extended += one.extended
        return found

    def _is_too_much(self, states: int, extended: int) -> bool:
        return states + extended * _STATES_PER_SEARCH >= self._budget

    def walk(
        self, slope: Slope, keep: Callable[[NextWindow], tuple[WindowOption | None, int]] = lambda search: search()
    ) -> Generator[None, None, PartialSchedule | None]:
        """A schedule window by window, each with the least weighted sum by itself; None at a dead end.

        It pauses after every window; `keep` calls a search, or knows what it gave before.
        """
        partial = self._space.nothing
        for _ in self._space.windows:
            self._between()
            option, states = keep(bound(self._next_window, partial, slope))
            self.states += states
            yield
            if option is None:
                return None
            partial = partial.followed_by(option)
        return partial

    def _next_window(self, partial: PartialSchedule, slope: Slope) -> tuple[WindowOption | None, int]:
        """The best mapping of the window after `partial` and the states of its search; None if the models cannot all start."""
        problem = self._space.problem_after(partial, by_end=False)
        if not problem.possible:
            return None, 0
        search = ExactSearch(problem, slope)
        offers, choice = search.run()
        if not len(choice.latency_s):
            return None, search.states
        best = int(slope(choice.latency_s, choice.energy_j).argmin())
        return window_options(offers, choice, [best])[0], search.states

    def _least_of_windows(self, slope: Slope) -> list[float]:
        if slope not in self._least:
            self._least[slope] = [self._relaxed_window(w, slope) for w in range(len(self._space.windows))]
        return self._least[slope]

    def _relaxed_window(self, w: int, slope: Slope) -> float:
        """The least weighted sum of window `w` without its ties; what was best along other slopes bounds it from above."""
        self._between()
        problem = self._space.relaxed_problem(w)
        if not problem.possible or not problem.all_paths:
            return self._fallback(w, slope)
        search = ExactSearch(problem, slope)
        _, choice = search.run(min((slope.one(*point) for point in self._points[w]), default=np.inf))
        self.states += search.states
        if not choice.complete or not len(choice.latency_s):
            return self._fallback(w, slope)
        value = slope(choice.latency_s, choice.energy_j)
        best = int(value.argmin())
        self._points[w].append((float(choice.latency_s[best]), float(choice.energy_j[best])))
        return float(value[best])
