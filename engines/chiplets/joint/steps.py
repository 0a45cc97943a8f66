"""The windows of a problem as steps of a search over all of them together.

A partial schedule matters to the windows to come only by where the activations of their models are, and by where models may
start in the next window. Windows are set up once per such situation and kept, because many partial schedules share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engines.chiplets.costs.scoring import MEMORY
from engines.chiplets.problem.decision import Window, ends_of
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.starts import interface_chiplets, start_chiplets
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.chains import TOLERANCE, ModelProblem, WindowProblem, model_problem
from engines.chiplets.windows.options import WindowOption
from engines.chiplets.windows.paths import PathSet, paths_of_models
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import LayerRange
from engines.chiplets.windows.segment_costs import chiplet_kinds
from engines.contract.arrays import IntArray

_ANYWHERE = -2  # where a model is that has no layers left
_SAME_END = -1


@dataclass(frozen=True)
class PartialSchedule:
    """The first windows of a schedule.

    Attributes:
        windows: in order.
        latency_s, energy_j: their sums.
        location: place of the activations of every model.
    """

    windows: tuple[Window, ...]
    latency_s: float
    energy_j: float
    location: tuple[int, ...]

    def followed_by(self, option: WindowOption) -> PartialSchedule:
        """Return the partial schedule extended by one time window."""
        location = list(self.location)
        for placement in option.window:
            location[placement.model] = placement.path[-1]
        return PartialSchedule(
            (*self.windows, option.window),
            self.latency_s + option.latency_s,
            self.energy_j + option.energy_j,
            tuple(location),
        )


class Best:
    """The best schedule known.

    Attributes:
        goal: objective to minimise.
        value: value of the best; at first of one that others know.
        schedule: the best if it was found here.
    """

    def __init__(self, goal: Goal, known: float) -> None:
        self.goal, self.value = goal, known
        self.schedule: PartialSchedule | None = None

    def take(self, schedule: PartialSchedule | None) -> None:
        """Keep a complete schedule if it is better by more than rounding."""
        if schedule is not None:
            value = self.goal.one(schedule.latency_s, schedule.energy_j)
            if value < self.value * (1 - TOLERANCE):
                self.value, self.schedule = value, schedule

    def is_proven_by(self, bound: float) -> bool:
        """Return whether nothing is better than the best, if nothing is better than `bound`."""
        return bound >= self.value * (1 - TOLERANCE)


class JointWindows:
    """All windows of a problem."""

    def __init__(self, tables: ScenarioTables, windows: Sequence[Sequence[LayerRange]], goal: Goal) -> None:
        self.tables, self.windows = tables, windows
        self.nodes = [provisioned_nodes(tables, ranges, goal) for ranges in windows]
        self._kinds = chiplet_kinds(tables)
        self._interfaces = interface_chiplets(tables)
        self._last_window = {r.model: w for w, ranges in enumerate(windows) for r in ranges}
        self._mirrors = _mirrors(tables, self._kinds.of, self._interfaces)
        self._paths: dict[tuple[int, tuple[int, ...]], list[PathSet]] = {}
        self._models: dict[tuple[int, int, int | None, tuple[int, ...], bool], ModelProblem] = {}
        self._names: dict[int, str] = {}

    @property
    def nothing(self) -> PartialSchedule:
        """Before the first window."""
        return PartialSchedule((), 0.0, 0.0, (MEMORY,) * len(self.tables.models))

    def is_last(self, partial: PartialSchedule) -> bool:
        """Return whether one window is left."""
        return len(partial.windows) + 1 == len(self.windows)

    def problem_after(self, partial: PartialSchedule, *, by_end: bool) -> WindowProblem:
        """Return the problem of the next window; `by_end` keeps mappings apart that leave later windows other starts."""
        w = len(partial.windows)
        return self._problem(w, partial.location, self._roots(partial), by_end=by_end)

    def relaxed_problem(self, w: int) -> WindowProblem:
        """Return window `w` as if models might start wherever some schedule allows and their activations were there."""
        location: list[int | None] = [None] * len(self.tables.models)
        for r in self.windows[w]:
            location[r.model] = MEMORY if r.first == 0 else None
        roots = tuple(range(self.tables.chiplets)) if w else start_chiplets(self.tables)
        return self._problem(w, location, roots, by_end=False)

    def name_of(self, model: ModelProblem) -> str:
        """Return a name of a model of the problems made here, the same in every process."""
        return self._names[id(model)]

    def situation(self, partial: PartialSchedule) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        """Return the same for partial schedules after which the same costs as much, mirror images included."""
        w = len(partial.windows)
        if w == len(self.windows):
            return w, (), ()
        places = [place if self._last_window.get(m, -1) >= w else _ANYWHERE for m, place in enumerate(partial.location)]
        roots = self._roots(partial)
        images = (
            (tuple(mirror[p] if p >= 0 else p for p in places), tuple(sorted(mirror[c] for c in roots)))
            for mirror in self._mirrors
        )
        return w, *min(images)

    def _roots(self, partial: PartialSchedule) -> tuple[int, ...]:
        return start_chiplets(self.tables, ends_of(partial.windows[-1]) if partial.windows else ())

    def _problem(
        self, w: int, location: Sequence[int | None], roots: tuple[int, ...], *, by_end: bool
    ) -> WindowProblem:
        models = [self._model(w, i, location[r.model], roots, by_end) for i, r in enumerate(self.windows[w])]
        return WindowProblem(tuple(models), self.tables.chiplets)

    def _model(self, w: int, index: int, source: int | None, roots: tuple[int, ...], by_end: bool) -> ModelProblem:
        key = (w, index, source, roots, by_end)
        if key not in self._models:
            if (w, roots) not in self._paths:
                self._paths[w, roots] = paths_of_models(self.tables, self.windows[w], roots, self.nodes[w])
            layers = self.windows[w][index]
            found = model_problem(self.tables, layers, self._paths[w, roots][index], self._kinds, source, by_end)
            if by_end and self._last_window[layers.model] == w:
                found = self._with_ends_that_matter(found)
            self._models[key] = found
            self._names[id(found)] = repr(key)
        return self._models[key]

    def _with_ends_that_matter(self, problem: ModelProblem) -> ModelProblem:
        """Return a model without further layers only matters to others by where it lets them start."""
        harmless = np.isin(np.arange(self.tables.chiplets), start_chiplets(self.tables))
        end = np.where(harmless[problem.end], _SAME_END, problem.end)
        _, first = np.unique(np.stack([problem.mask, problem.chain, end], axis=1), axis=0, return_index=True)
        first = np.sort(first)
        return replace(
            problem,
            mask=problem.mask[first],
            chain=problem.chain[first],
            end=end[first],
            path=problem.path[first],
        )


def _mirrors(tables: ScenarioTables, kind_of: IntArray, interfaces: frozenset[int]) -> list[list[int]]:
    """Mirror images of the package that no cost and no rule can tell from it, itself first: number of each chiplet's image."""
    package, hops = tables.package_model.package, tables.package_model.hops
    grid = np.arange(len(package.chiplets)).reshape(package.rows, package.columns)
    found = []
    for image in (grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]):
        mirror = image.ravel()
        same_costs = (kind_of[mirror] == kind_of).all() and (hops[np.ix_(mirror, mirror)] == hops).all()
        same_rules = all({int(mirror[c]) for c in group} == group for group in (interfaces, *tables.allowed))
        if same_costs and same_rules:
            found.append(mirror.tolist())
    return found
