"""The published search: windows in order, the best mapping of each by the objective (odema-2024 section 4.4)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from engines.chiplets.costs.scoring import MEMORY
from engines.chiplets.problem.decision import PackageSchedule, Window, ends_of
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.starts import start_chiplets
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.exact import mappings_by_ends
from engines.chiplets.windows.options import DeadEndError, WindowOptions
from engines.chiplets.windows.reconfig import LayerRange
from engines.chiplets.windows.resumable import PausingSearch, WindowArguments, WindowSearch, finished, paused_never
from engines.chiplets.windows.schedule_search import search_window

_MOST_TURNS = 100


@dataclass(frozen=True)
class Trajectory:
    """One pass over the windows: the schedule, and what else each window offered on the way."""

    schedule: PackageSchedule
    windows: tuple[WindowOptions, ...]

    def value(self, goal: Goal) -> float:
        """Return the objective value of the schedule."""
        best = [options.best for options in self.windows]
        return goal.one(sum(option.latency_s for option in best), sum(option.energy_j for option in best))

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what was cut short, with the number of the window (from 1 on)."""
        return tuple(f"Window {w}: {note}" for w, options in enumerate(self.windows, 1) for note in options.notes)


def search_greedily(
    tables: ScenarioTables,
    windows: tuple[tuple[LayerRange, ...], ...],
    goal: Goal,
    layout: str | None = None,
    between: Callable[[], None] = lambda: None,
    search: WindowSearch = search_window,
) -> Trajectory:
    """Return the window by window, each starting where the best of the window before ended.

    If the models of a window cannot all start then, other mappings of the window before are tried that leave models elsewhere.

    Args:
        tables: the problem on one package variant.
        windows: layers of each model per window.
        goal: objective that defines "best".
        layout: name of the package variant, None for the package itself.
        between: called before every search of a window; may raise to stop.
        search: method of the search of a window; as published by default.

    Raises:
        DeadEndError: no sequence of mappings was found in which all models can start.
    """
    return finished(walk_greedily(tables, windows, goal, layout, between, paused_never(search)))


def walk_greedily(
    tables: ScenarioTables,
    windows: tuple[tuple[LayerRange, ...], ...],
    goal: Goal,
    layout: str | None,
    between: Callable[[], None],
    search: PausingSearch,
) -> Generator[None, None, Trajectory]:
    """Yield `search_greedily`, with a pause after every search of a window and where the search itself pauses."""
    found = yield from _Walk(tables, windows, goal, between, search).onwards((), [MEMORY] * len(tables.models))
    return Trajectory(PackageSchedule(tuple(options.best.window for options in found), layout), tuple(found))


class _Walk:
    """One way through the windows; turns back from dead ends, at most `_MOST_TURNS` times."""

    def __init__(
        self,
        tables: ScenarioTables,
        windows: tuple[tuple[LayerRange, ...], ...],
        goal: Goal,
        between: Callable[[], None],
        search: PausingSearch,
    ) -> None:
        self._tables, self._windows, self._goal = tables, windows, goal
        self._between, self._search = between, search
        self._turns = 0

    def onwards(
        self, before: Window, location: Sequence[int], w: int = 0
    ) -> Generator[None, None, list[WindowOptions]]:
        """Yield what the windows from `w` on offer."""
        if w == len(self._windows):
            return []
        self._between()
        starts = start_chiplets(self._tables, ends_of(before))
        problem = (self._tables, self._windows[w], location, starts, self._goal)
        found = yield from self._search(problem)
        yield
        first_dead_end = None
        for options in chain((found,), self._elsewhere(found, problem)):
            after = list(location)
            for placement in options.best.window:
                after[placement.model] = placement.path[-1]
            try:
                rest = yield from self.onwards(options.best.window, after, w + 1)
                return [options, *rest]
            except DeadEndError as dead_end:
                first_dead_end = first_dead_end or dead_end
                self._turns += 1
                if self._turns > _MOST_TURNS:
                    break
        assert first_dead_end is not None  # otherwise a way on was found
        raise first_dead_end

    def _elsewhere(self, found: WindowOptions, problem: WindowArguments) -> Iterator[WindowOptions]:
        """Yield the same window with the best mappings that leave models elsewhere; looked for only when asked."""
        proof = None if found.proof is None else replace(found.proof, proven=False)
        for option in mappings_by_ends(*problem):
            self._between()
            yield replace(found, best=option, proof=proof)
