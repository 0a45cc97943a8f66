"""One pass of the search for the least weighted sum: best first through the windows, nothing above a ceiling.

A weighted sum adds up window by window, so that every window has a least value of its own once its ties to the others are
left out (`JointWindows.relaxed_problem`). A window then has room for what the ceiling leaves above the others' least values.
What its models offer within that room is worked out once per model and situation, and shared by all partial schedules.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np

from engines.chiplets.joint.journal import Extension, Journal, extension_of
from engines.chiplets.joint.steps import JointWindows, PartialSchedule
from engines.chiplets.solver.chain_mapping import map_chains
from engines.chiplets.solver.disjoint_sets import Choice, LeastElsewhere, joined_tags, least_of_others
from engines.chiplets.windows.chains import (
    TOLERANCE,
    ExactSearch,
    ModelProblem,
    Offer,
    choose,
    offer_of,
    wanted,
    window_options,
)
from engines.chiplets.windows.options import WindowOption
from engines.contract.arrays import FloatArray, IntArray

_MOST_AT_ONCE = 12_000_000  # labels or partial choices of one step


@dataclass(frozen=True)
class Slope:
    """A weighted sum; weights are not negative, one is positive."""

    per_s: float
    per_j: float

    def __call__(self, latency_s: FloatArray, energy_j: FloatArray) -> FloatArray:
        """Return the sum, of the same shape as both.

        A weight of zero must not meet an infinite value, which represents what cannot be.
        """
        if self.per_j == 0:
            return self.per_s * latency_s
        return self.per_j * energy_j if self.per_s == 0 else self.per_s * latency_s + self.per_j * energy_j

    def one(self, latency_s: float, energy_j: float) -> float:
        """Return `sum_of` for a single point."""
        return float(self(np.array([latency_s]), np.array([energy_j]))[0])


@dataclass(frozen=True)
class Least:
    """The least weighted sum: a lower bound, a schedule with that value where one was found, and whether room was lacking."""

    bound: float
    schedule: PartialSchedule | None
    too_many: bool = False


class SlopePass:
    """Looks for the least weighted sum below a ceiling.

    Args:
        space: the windows.
        slope: the weights.
        least_of_windows: lower bound of what each time window adds.
        ceiling: largest value; mappings above it are left out.
        between: called before every search of a window; may raise to stop.
        journal: journal of what was found so far.
    """

    def __init__(
        self,
        space: JointWindows,
        slope: Slope,
        least_of_windows: Sequence[float],
        ceiling: float,
        between: Callable[[], None],
        journal: Journal,
    ) -> None:
        self.states = self.extended = 0
        self._space, self._slope, self._ceiling, self._between = space, slope, ceiling, between
        self._journal = journal
        count = len(least_of_windows)
        self._rest = [sum(least_of_windows[w:]) for w in range(count + 1)]
        self._room = [ceiling * (1 + TOLERANCE) - sum(least_of_windows[:w]) - self._rest[w + 1] for w in range(count)]
        self._elsewhere: dict[int, list[LeastElsewhere]] = {}
        self._offers: dict[str, Offer | None] = {}
        self._made: dict[str, None] = {}  # whose states count already

    def run(self, exhausted: Callable[[SlopePass], bool]) -> Generator[None, None, Least]:
        """Yield the least value if it is not above the ceiling; else the ceiling, or less where something had to be left out.

        It pauses after every extension.
        """
        first = self._space.nothing
        heap: list[tuple[float, int, int, PartialSchedule]] = [(self._rest[0], 0, 0, first)]
        reached: dict[object, float] = {}
        bound, number, too_many = self._ceiling, 0, False  # the bound is of what is not on the heap
        while heap and heap[0][0] <= bound:
            value, _, _, partial = heapq.heappop(heap)
            if len(partial.windows) == len(self._space.windows):
                return Least(value, partial)
            if value > reached.get(self._space.situation(partial), np.inf):
                continue
            if exhausted(self):
                return Least(min(bound, value), None)
            known = self._journal.known()
            found = self._extension(partial) if known is None else self._again(extension_of(known))
            self.extended += 1
            if found.options is None:
                bound, too_many = min(bound, value), True
            after = self._rest[len(partial.windows) + 1]
            kept: list[WindowOption] = []
            for option in found.options or ():
                child = partial.followed_by(option)
                least = self._slope.one(child.latency_s, child.energy_j) + after
                situation = self._space.situation(child)
                if least < reached.get(situation, np.inf):
                    reached[situation] = least
                    number += 1
                    heapq.heappush(heap, (least, -len(child.windows), number, child))
                    kept.append(option)
            if known is None:
                self._journal.note(found.entry(kept))
            yield
        return Least(bound, None, too_many)

    def _again(self, known: Extension) -> Extension:
        """Count what an earlier search found as this one would have."""
        self.states += known.states
        self._made.update(dict.fromkeys(known.made))
        return known

    def _extension(self, partial: PartialSchedule) -> Extension:
        """Return the result of `_extend` with its compute time."""
        states, made = self.states, len(self._made)
        options = self._extend(partial)
        return Extension(options, self.states - states, tuple(self._made)[made:])

    def _extend(self, partial: PartialSchedule) -> list[WindowOption] | None:
        """Return the best mapping of the next window for every situation after it, up to the ceiling; None if they are too many."""
        self._between()
        w = len(partial.windows)
        problem = self._space.problem_after(partial, by_end=not self._space.is_last(partial))
        if not problem.possible:
            return []
        if not problem.all_paths:
            return None
        offers = [self._offer(w, number, model) for number, model in enumerate(problem.models)]
        known = [offer for offer in offers if offer is not None]
        if len(known) < len(offers):
            return None
        done = self._slope.one(partial.latency_s, partial.energy_j)
        room = self._ceiling * (1 + TOLERANCE) - done - self._rest[w + 1]
        choice = choose(known, problem.chiplets, self._slope, room, _MOST_AT_ONCE)
        self.states += choice.states
        if not choice.complete:
            return None
        if not len(choice.latency_s):
            return []
        chosen = _cheapest_by_end(known, choice, self._slope(choice.latency_s, choice.energy_j))
        return window_options(known, choice, chosen.tolist())

    def _offer(self, w: int, number: int, model: ModelProblem) -> Offer | None:
        """Return the options of a model within the slack of its window; None if there are too many."""
        name = self._space.name_of(model)
        if name not in self._offers:
            others = least_of_others(self._least_elsewhere(w), number, model.mask)
            target, chosen = wanted(model, self._slope, self._room[w], others)
            found = map_chains(model.costs, model.chains, model.left, target, chosen, most_labels=_MOST_AT_ONCE)
            self._count(name, 0 if found is None else found.expanded)
            self._offers[name] = None if found is None else offer_of(model, found, self._space.tables.chiplets)
        return self._offers[name]

    def _least_elsewhere(self, w: int) -> list[LeastElsewhere]:
        """Return a lower bound of the cost that each model of a window adds, for any earlier places of the models."""
        if w not in self._elsewhere:
            self._between()
            search = ExactSearch(self._space.relaxed_problem(w), self._slope)
            self._elsewhere[w] = search.least_below(self._room[w], _MOST_AT_ONCE)
            self._count(f"window {w}", search.states)
        return self._elsewhere[w]

    def _count(self, name: str, states: int) -> None:
        """Count the states of what is shared, once: a search that continues works it out again."""
        if name not in self._made:
            self._made[name] = None
            self.states += states


def _cheapest_by_end(offers: Sequence[Offer], choice: Choice, value: FloatArray) -> IntArray:
    """Return the choice with the least value for every different set of tags."""
    tag = np.zeros(len(value), np.int64)
    for number, offer in enumerate(offers):
        own = offer.options.tag
        assert own is not None  # windows give every option a tag
        tag = joined_tags(tag, own[choice.picks[:, number]])
    order = np.lexsort((value, tag))
    return np.asarray(order[np.concatenate([[True], tag[order][1:] != tag[order][:-1]])])
