"""The best schedule over all windows for weighted sums of latency and energy.

The least values of the windows without their ties bound every schedule. Passes (`slope_pass`) look for a schedule below a
ceiling just above that bound, which rises until one is found: the first one is optimal.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np

from engines.chiplets.joint.journal import Entry, Journal
from engines.chiplets.joint.slope_pass import Least, Slope, SlopePass
from engines.chiplets.joint.steps import JointWindows, PartialSchedule
from engines.chiplets.windows.chains import ExactSearch, window_options
from engines.chiplets.windows.stored_options import option_from_json, option_to_json

_STATES_PER_SEARCH = 5_000  # what setting up the search of a window costs, in states
_FIRST_SLACK, _MORE_SLACK = 1e-6, 6.0
_MOST_TRIES = 5  # after a pass that had too many mappings


class SlopeSearch:
    """Searches for the least weighted sum along one slope after the other.

    Args:
        space: the windows.
        fallback: per window a lower bound of a weighted sum, for windows with too many paths or mappings to search them all.
        budget: states after which no further partial schedule is extended; each extension counts for some itself.
        between: called before every search of a window; may raise to stop.
        journal: journal of what was found so far.

    Its searches pause after every one of a window.
    """

    def __init__(
        self,
        space: JointWindows,
        fallback: Callable[[int, Slope], float],
        budget: int,
        between: Callable[[], None],
        journal: Journal,
    ) -> None:
        self.states = self.extended = 0
        self._journal = journal
        self._space, self._fallback, self._budget, self._between = space, fallback, budget, between
        self._least: dict[Slope, list[float]] = {}
        self._points: list[list[tuple[float, float]]] = [[] for _ in space.windows]
        self._last_slack = 0.0

    @property
    def exhausted(self) -> bool:
        """Whether the budget is used up."""
        return self._is_too_much(self.states, self.extended)

    def relaxed(self, slope: Slope) -> Generator[None, None, float]:
        """Return a lower bound of the weighted sum over all schedules, from windows without the ties between them."""
        return sum((yield from self._least_of_windows(slope)))

    def least(self, slope: Slope, known: float) -> Generator[None, None, Least]:
        """Return the least weighted sum over all schedules; yield in between, so that the caller can stop.

        Args:
            slope: the weights.
            known: weighted sum of a known schedule; larger ones are not searched.
        """
        below = bound = yield from self.relaxed(slope)
        complete, too_much, slack, tries = 0.0, np.inf, self._slack(known / below - 1), 0
        while tries < _MOST_TRIES:
            ceiling = min(known, below * (1 + slack))
            found = yield from self._pass(slope, ceiling)
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
        """Return the room above the bound to begin with: that of a known schedule if schedules were not far nearer to it before."""
        return known if known <= self._last_slack * _MORE_SLACK else _FIRST_SLACK

    def _pass(self, slope: Slope, ceiling: float) -> Generator[None, None, Least]:
        least = yield from self._least_of_windows(slope)
        states, extended = self.states, self.extended
        one = SlopePass(self._space, slope, least, ceiling, self._between, self._journal)
        found = yield from one.run(lambda now: self._is_too_much(states + now.states, extended + now.extended))
        self.states += one.states
        self.extended += one.extended
        return found

    def _is_too_much(self, states: int, extended: int) -> bool:
        return states + extended * _STATES_PER_SEARCH >= self._budget

    def walk(self, slope: Slope) -> Generator[None, None, PartialSchedule | None]:
        """Yield a schedule window by window, each with the least weighted sum by itself; None at a dead end."""
        partial = self._space.nothing
        for _ in self._space.windows:
            known = self._journal.known()
            found = self._next_window(partial, slope) if known is None else known
            self.states += found["states"]
            if known is None:
                self._journal.note(found)
            yield
            if found["option"] is None:
                return None
            partial = partial.followed_by(option_from_json(found["option"]))
        return partial

    def _next_window(self, partial: PartialSchedule, slope: Slope) -> Entry:
        """Return the best mapping of the window after `partial` and the states of its search.

        None if the models cannot all start.
        """
        self._between()
        problem = self._space.problem_after(partial, by_end=False)
        if not problem.possible:
            return {"option": None, "states": 0}
        search = ExactSearch(problem, slope)
        offers, choice = search.run()
        if not len(choice.latency_s):
            return {"option": None, "states": int(search.states)}
        best = int(slope(choice.latency_s, choice.energy_j).argmin())
        option = window_options(offers, choice, [best])[0]
        return {"option": option_to_json(option), "states": int(search.states)}

    def _least_of_windows(self, slope: Slope) -> Generator[None, None, list[float]]:
        if slope not in self._least:
            least = []
            for w in range(len(self._space.windows)):
                known = self._journal.known()
                found = self._relaxed_window(w, slope) if known is None else known
                self.states += found["states"]
                if found["point"] is not None:
                    self._points[w].append(tuple(found["point"]))
                if known is None:
                    self._journal.note(found)
                yield
                least.append(found["least"])
            self._least[slope] = least
        return self._least[slope]

    def _relaxed_window(self, w: int, slope: Slope) -> Entry:
        """Return the least weighted sum of window `w` without its ties, and the point that has it, None where it is not known.

        What was best along other slopes bounds it from above.
        """
        self._between()
        problem = self._space.relaxed_problem(w)
        if not problem.possible or not problem.all_paths:
            return {"least": float(self._fallback(w, slope)), "point": None, "states": 0}
        search = ExactSearch(problem, slope)
        _, choice = search.run(min((slope.one(*point) for point in self._points[w]), default=np.inf))
        if not choice.complete or not len(choice.latency_s):
            return {"least": float(self._fallback(w, slope)), "point": None, "states": int(search.states)}
        value = slope(choice.latency_s, choice.energy_j)
        best = int(value.argmin())
        point = [float(choice.latency_s[best]), float(choice.energy_j[best])]
        return {"least": float(value[best]), "point": point, "states": int(search.states)}
