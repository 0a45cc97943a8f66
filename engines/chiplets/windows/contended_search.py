"""Search of a window where models wait for each other's traffic.

With contention a window no longer separates into its models. No mapping is faster than without contention, so the bound of
the search without it holds. Mappings of that search are scored with contention; the thorough search also takes all
mappings that matter without contention up to what the best of those reaches, and then moves one model after the other
to other paths as long as that helps. What is found is proven only where it meets the bound.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace

import numpy as np

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.problem.decision import Window
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.chains import TOLERANCE
from engines.chiplets.windows.exact import mappings_below
from engines.chiplets.windows.options import WindowOption, WindowOptions, WindowProof
from engines.chiplets.windows.paths import paths_of_length
from engines.chiplets.windows.resumable import ResumableSearch, SearchState, WindowArguments

_MOST_STATES = 100_000
_MOST_SCORED = 400
_MOST_PATHS = 60  # other paths of one model that are tried at a time
_MOST_SWEEPS = 3
_NEARER = 0.5  # each further try comes so much nearer to the value without contention
_TRIES = 3


def with_contention(search: ResumableSearch, *, thorough: bool) -> ResumableSearch:
    """Return `search`, followed by what a search with contention needs; `thorough`: look beyond what `search` offers."""

    def contended(problem: WindowArguments, state: SearchState) -> Generator[SearchState, None, WindowOptions]:
        tables, ranges, location, roots, goal = problem
        calm = yield from search(problem, state)
        scored = _MappingScores(tables, location, goal)
        scored.add(option.window for option in (calm.best, *calm.options))
        if thorough and len(ranges) > 1:
            scored.add(_windows_below(problem, calm.best, goal, scored.best_value))
            scored.move_models(roots)
        return scored.options(calm)

    return contended


def _windows_below(problem: WindowArguments, calm: WindowOption, goal: Goal, contended: float) -> list[Window]:
    """Return the mappings that, without contention, are no worse than the best one found is with it; fewer if they are too many."""
    least = goal.one(calm.latency_s, calm.energy_j)
    for attempt in range(_TRIES):
        ceiling = least + (contended - least) * _NEARER**attempt
        found = mappings_below(*problem, ceiling, _MOST_STATES)
        if found is not None:
            return [option.window for option in found[:_MOST_SCORED]]
    return []


class _MappingScores:
    """Mappings of one window with their latency and energy under contention."""

    def __init__(self, tables: ScenarioTables, location: Sequence[int], goal: Goal) -> None:
        self._tables, self._location, self._goal = tables, location, goal
        self._scorer = Scorer(tables)
        self._found: dict[Window, WindowOption] = {}
        self._best: WindowOption | None = None

    def add(self, windows: Iterable[Window]) -> None:
        """Score mappings that are new."""
        for window in windows:
            if window in self._found:
                continue
            scores = self._scorer.window(window, self._location)
            option = WindowOption(window, max(s.latency_s for s in scores), sum(s.energy_j for s in scores))
            self._found[window] = option
            if self._best is None or self._value(option) < self._value(self._best):
                self._best = option

    @property
    def best_value(self) -> float:
        """The least objective."""
        assert self._best is not None  # at least one mapping is added first
        return self._value(self._best)

    def move_models(self, roots: tuple[int, ...]) -> None:
        """Put one model of the best mapping after the other on other paths of the same length, as long as that helps."""
        for _ in range(_MOST_SWEEPS):
            before = self.best_value
            for number in range(len(self._best.window) if self._best else 0):
                self.add(self._moved(number, roots))
            if self.best_value >= before * (1 - TOLERANCE):
                return

    def _moved(self, number: int, roots: tuple[int, ...]) -> list[Window]:
        assert self._best is not None
        window = self._best.window
        taken = {chiplet for i, placement in enumerate(window) if i != number for chiplet in placement.path}
        own = window[number]
        paths = [
            path
            for path in map(tuple, paths_of_length(self._tables, own.model, roots, len(own.path)).tolist())
            if not taken.intersection(path)
        ]
        chosen = np.linspace(0, len(paths) - 1, min(len(paths), _MOST_PATHS)).round().astype(int).tolist()
        return [(*window[:number], replace(own, path=paths[i]), *window[number + 1 :]) for i in chosen]

    def options(self, calm: WindowOptions) -> WindowOptions:
        """Return the best mapping, the others in order, and what is proven."""
        assert self._best is not None
        others = sorted((o for o in self._found.values() if o is not self._best), key=self._value)
        proof = None
        if calm.proof is not None:
            bound = calm.proof.lower_bound
            proven = self.best_value <= bound * (1 + TOLERANCE)
            proof = WindowProof(bound, proven, calm.proof.states)
        return replace(calm, best=self._best, options=tuple(others[:_MOST_SCORED]), proof=proof)

    def _value(self, option: WindowOption) -> float:
        return self._goal.one(option.latency_s, option.energy_j)
