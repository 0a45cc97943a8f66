"""SCHED: where the segments of one window go, odema-2024 section 4.4.4.

Every path of linked chiplets that a depth-first walk finds from an allowed root is a candidate for a model, every
segmentation that SEG kept goes with every path of its length. Models are then joined one after the other; a set of
occupied chiplets is a bit mask, and of the partial mappings with the same mask only the non-dominated ones (latency,
energy) continue. That loses nothing: the latency of a window is a maximum and its energy a sum, so a dominated part never
becomes part of a better whole. All permutations of roots (the trees of the forest) are covered because every joined
mapping is reached whatever the order of the models.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engines.chiplets.costs.scoring import PlacementCosts, placement_costs
from engines.chiplets.problem.decision import Placement
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.options import DeadEndError, WindowOption, WindowOptions, best_and_spread
from engines.chiplets.windows.paths import ground_of, simple_paths
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import LayerRange
from engines.chiplets.windows.resumable import SearchState, WindowArguments, whole
from engines.chiplets.windows.segmentation import candidate_segmentations
from engines.contract.arrays import FloatArray, IntArray
from engines.contract.integer_format import counted
from engines.search.dominance import non_dominated_by_group

MOST_PARTIAL_MAPPINGS = 4_000


@dataclass(frozen=True)
class _Choices:
    """Candidates of one model: chiplets as bit masks, costs, and what they are.

    Attributes:
        mask, latency_s, energy_j: shape `n`.
        layers: layers to place.
        sources: (cuts, paths) pairs; candidate i is the i-th path of all of them in order, unless `index` says otherwise.
        index: position of each candidate among all paths, shape `n`.
    """

    mask: IntArray
    latency_s: FloatArray
    energy_j: FloatArray
    layers: LayerRange
    sources: tuple[tuple[tuple[int, ...], IntArray], ...]
    index: IntArray | None = None

    def undominated(self) -> _Choices:
        """Return the candidates that no other on the same chiplets equals or beats."""
        keep = non_dominated_by_group(self.mask, self.latency_s, self.energy_j)
        return replace(
            self, mask=self.mask[keep], latency_s=self.latency_s[keep], energy_j=self.energy_j[keep], index=keep
        )

    def placement(self, candidate: int) -> Placement:
        """Return the placement of candidate number `candidate`."""
        position = candidate if self.index is None else int(self.index[candidate])
        for cuts, paths in self.sources:
            if position < len(paths):
                return Placement(self.layers.model, self.layers.first, cuts, tuple(paths[position].tolist()))
            position -= len(paths)
        raise IndexError(f"There are fewer candidates than {candidate}.")


@dataclass(frozen=True)
class _Joined:
    """Partial mappings: occupied chiplets, costs and the index of each model's candidate (`n x models so far`)."""

    mask: IntArray
    latency_s: FloatArray
    energy_j: FloatArray
    picks: IntArray

    def take(self, chosen: IntArray) -> _Joined:
        return _Joined(self.mask[chosen], self.latency_s[chosen], self.energy_j[chosen], self.picks[chosen])


def search_window_in_parts(problem: WindowArguments, state: SearchState) -> Generator[SearchState, None, WindowOptions]:
    """Run PROV, SEG and SCHED for one window; pauses while it ranks the segmentations.

    Args:
        problem: tables; layers of each model in the window, at most as many models as chiplets and as roots; chiplet that holds
            each model's activations (`scoring.MEMORY`: none); chiplets where a model may start, ascending; what the best is told
            by and chiplets are shared out by.
        state: how many chiplets each model gets, the values of its segmentations as far as they are known, and the notes.

    Raises:
        DeadEndError: the models cannot all start.
    """
    tables, ranges, _, roots, goal = problem
    nodes: list[int] = state.get("nodes") or provisioned_nodes(tables, ranges, goal)
    notes: list[str] = state.get("notes", [])
    values: list[list[float]] = state.get("values") or [[] for _ in ranges]
    while True:
        models = [_Segmented(problem, number, most, notes) for number, most in enumerate(nodes)]
        for model, known in zip(models, values, strict=True):
            for cuts in model.cuts[len(known) :]:
                known.append(model.value(cuts))
                yield {"nodes": nodes, "notes": notes, "values": values}
        choices = [model.choices(known) for model, known in zip(models, values, strict=True)]
        joined = _join(choices, goal, notes)
        if len(joined.mask):
            return _options(choices, joined, goal, tuple(nodes), tuple(dict.fromkeys(notes)))
        # No disjoint set of paths: the model with most chiplets gives one back.
        largest = nodes.index(max(nodes))
        nodes[largest] -= 1
        values = [[] for _ in ranges]
        if nodes[largest] < 1:
            raise DeadEndError(len(ranges), len(roots))


search_window = whole(search_window_in_parts)


class _Segmented:
    """The segmentations of one model of a window, and what they reach alone on the package.

    Args:
        problem: problem of the window.
        number: number of the model in it.
        most_nodes: most segments.
        notes: get what was cut short, in words.

    Attributes:
        cuts: cuts of the segmentations.
    """

    def __init__(self, problem: WindowArguments, number: int, most_nodes: int, notes: list[str]) -> None:
        self._tables, ranges, location, roots, self._goal = problem
        self._layers = ranges[number]
        self._model, self._source = self._tables.models[self._layers.model], location[self._layers.model]
        self._ground = ground_of(self._tables, self._layers.model, roots)
        found = candidate_segmentations(
            self._tables, self._model, self._layers.first, self._layers.end, most_nodes, self._goal
        )
        self.cuts = found.cuts
        if found.truncated:
            notes.append(f"{self._model.title}: equally good segmentations were cut short.")
        for length in dict.fromkeys(len(cuts) for cuts in self.cuts):
            paths, truncated = self._paths(length)
            if truncated:
                words = f"only {counted(len(paths))} paths of {length} chiplets were considered (path limit)."
                notes.append(f"{self._model.title}: {words}")

    def value(self, cuts: tuple[int, ...]) -> float:
        """Return the least objective of a segmentation over all paths; infinite if there is none."""
        paths, _ = self._paths(len(cuts))
        if not len(paths):
            return np.inf
        costs = self._costs(cuts, paths)
        return float(self._goal.value(costs.latency_s, costs.energy_j).min())

    def choices(self, values: Sequence[float]) -> _Choices:
        """Return the `top_k` segmentations with the least `values`, on all paths."""
        order = sorted((i for i, value in enumerate(values) if value < np.inf), key=values.__getitem__)
        parts = []
        for cuts in (self.cuts[i] for i in order[: self._tables.params.top_k]):
            paths, _ = self._paths(len(cuts))
            costs = self._costs(cuts, paths)
            mask = np.bitwise_or.reduce(np.int64(1) << paths, axis=1)
            parts.append(_Choices(mask, costs.latency_s, costs.energy_j, self._layers, ((cuts, paths),)))
        return _merge(parts, self._layers)

    def _paths(self, length: int) -> tuple[IntArray, bool]:
        return simple_paths(*self._ground, length, self._tables.params.path_limit)

    def _costs(self, cuts: tuple[int, ...], paths: IntArray) -> PlacementCosts:
        return placement_costs(self._tables, self._model, self._layers.first, cuts, paths, self._source)


def _merge(parts: Sequence[_Choices], layers: LayerRange) -> _Choices:
    """Return all candidates of `parts`, those left out that another one on the same chiplets equals or beats."""
    if not parts:
        return _Choices(np.empty(0, np.int64), np.empty(0), np.empty(0), layers, ())
    return _Choices(
        np.concatenate([part.mask for part in parts]),
        np.concatenate([part.latency_s for part in parts]),
        np.concatenate([part.energy_j for part in parts]),
        layers,
        tuple(source for part in parts for source in part.sources),
    ).undominated()


def _join(choices: Sequence[_Choices], goal: Goal, notes: list[str]) -> _Joined:
    """Return the mappings of all models with no chiplet used twice."""
    one = np.zeros(1)
    joined = _Joined(np.zeros(1, np.int64), one, one, np.zeros((1, 0), np.int64))
    for number, candidates in enumerate(choices):
        last = number == len(choices) - 1
        row, column = np.nonzero((joined.mask[:, None] & candidates.mask[None, :]) == 0)
        mask = joined.mask[row] | candidates.mask[column]
        latency = np.maximum(joined.latency_s[row], candidates.latency_s[column])
        energy = joined.energy_j[row] + candidates.energy_j[column]
        keep = non_dominated_by_group(mask, latency, energy)
        if len(keep) > MOST_PARTIAL_MAPPINGS and not last:
            notes.append(f"Only the {counted(MOST_PARTIAL_MAPPINGS)} best partial mappings of a window were kept.")
            value = goal.value(latency[keep], energy[keep])
            keep = keep[np.sort(np.argsort(value, kind="stable")[:MOST_PARTIAL_MAPPINGS])]
        picks = np.concatenate([joined.picks[row[keep]], column[keep, None]], axis=1)
        joined = _Joined(mask[keep], latency[keep], energy[keep], picks)
    return joined


def _options(
    choices: Sequence[_Choices], joined: _Joined, goal: Goal, nodes: tuple[int, ...], notes: tuple[str, ...]
) -> WindowOptions:
    best, order = best_and_spread(joined.latency_s, joined.energy_j, goal)

    def option(index: int) -> WindowOption:
        window = tuple(c.placement(pick) for c, pick in zip(choices, joined.picks[index].tolist(), strict=True))
        return WindowOption(window, float(joined.latency_s[index]), float(joined.energy_j[index]))

    return WindowOptions(option(best), tuple(option(index) for index in order), nodes, notes)
