"""Exits and clocks of one backbone: the exact front, and the search as published (odema-2024 section 2.3.2, IOE).

Source of the published operators: HalimaBouzidi/HADAS at 0c8b20b, as docs/engines/hadas.md tells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.fronts.non_dominated import non_dominated_costs
from engines.cost.soc.clocks import ClockSettings
from engines.methods.hadas.params import HadasParams
from engines.search.ends.correctness import (
    Correctness,
    NestedCorrectness,
    dissimilarity,
    nested_bound,
    shares_leaving,
    union_accuracy,
    with_last,
)
from engines.search.ends.costs import EndCosts
from engines.search.ends.paths import exact_front, mean_costs
from engines.search.nsga2 import Rating, best_first, ranks

Costs = tuple[EndCosts, EndCosts]
MUTATION, CROSSOVER, KEPT = 0.3, 0.8, 0.25
_MOST_ENDS, _MOST_ENUMERATED = 10, 200_000


@dataclass(frozen=True, eq=False)
class Choices:
    """`k` choices of ends and settings.

    Attributes:
        chosen: shape `k x n`.
        setting: shape `k`.
        points: error, mean latency, mean energy of each, shape `k x 3`.
        bound: mean latency and energy of a front that no choice can beat, shape `b x 2`; that of the choices where they are proven.
        proven: whether the choices are the whole front.
    """

    chosen: BoolArray
    setting: IntArray
    points: FloatArray
    bound: FloatArray
    proven: bool


def points_of(correctness: Correctness, costs: Costs, chosen: BoolArray, setting: IntArray) -> FloatArray:
    """Return error, mean latency and mean energy of choices, shape `k x 3`."""
    return np.column_stack([1 - union_accuracy(correctness, chosen), mean_costs(correctness, costs, chosen, setting)])


def exact_choices(correctness: Correctness, costs: Costs) -> Choices:
    """Return the exact front where correctness is nested; else choices with a bound of what any could reach.

    Not nested, few choices are all looked at, and their front is proven as well. Of many the bound is the front under
    `nested_bound`; candidates are its choices and those under the ends' own accuracies, and each of them with one end more or
    less, scored as they are.
    """
    if isinstance(correctness, NestedCorrectness):
        front = exact_front(correctness, *costs)
        points = points_of(correctness, costs, front.chosen, front.setting)
        return Choices(front.chosen, front.setting, points, points[:, 1:], proven=True)
    ends, settings = costs[0].parts.shape
    if ends <= _MOST_ENDS and 2 ** (ends - 1) * settings <= _MOST_ENUMERATED:
        return _enumerated(correctness, costs)
    bound = exact_front(nested_bound(correctness), *costs)
    own = exact_front(NestedCorrectness(correctness.accuracy), *costs)
    chosen = np.concatenate([bound.chosen, own.chosen])
    setting = np.concatenate([bound.setting, own.setting])
    for _ in range(2):  # one exit more or less, twice
        chosen, setting = _best(correctness, costs, *_with_neighbours(chosen, setting))
    points = points_of(correctness, costs, chosen, setting)
    return Choices(chosen, setting, points, np.column_stack([bound.latency_s, bound.energy_j]), proven=False)


def _enumerated(correctness: Correctness, costs: Costs) -> Choices:
    """Return the front over error, mean latency and mean energy among all choices at all settings."""
    ends, settings = costs[0].parts.shape
    bits = np.arange(2 ** (ends - 1))[:, None] >> np.arange(ends - 1) & 1
    subsets = with_last(np.concatenate([bits, np.ones((len(bits), 1), np.int64)], axis=1))
    leaving, error = shares_leaving(correctness, subsets), 1 - union_accuracy(correctness, subsets)
    every = np.arange(settings)
    means = [
        np.array(
            [
                (share[:, None] * _reached(each, row, every)).sum(axis=0)
                for share, row in zip(leaving, subsets, strict=True)
            ]
        )
        for each in costs
    ]
    points = np.column_stack([np.repeat(error, settings), means[0].ravel(), means[1].ravel()])
    rows = np.flatnonzero(non_dominated_costs(points))
    chosen, setting = subsets[rows // settings], rows % settings
    found = points_of(correctness, costs, chosen, setting)
    return Choices(chosen, setting, found, found[:, 1:], proven=True)


def _reached(costs: EndCosts, chosen: BoolArray, settings: IntArray) -> FloatArray:
    """Return the cost of an input that leaves at each end, shape `n x s`."""
    return costs.prefixes(np.repeat(chosen[None], len(settings), axis=0), settings).T


def _with_neighbours(chosen: BoolArray, setting: IntArray) -> tuple[BoolArray, IntArray]:
    ends = chosen.shape[1]
    flipped = np.repeat(chosen, ends - 1, axis=0)
    rows = np.arange(len(flipped))
    flipped[rows, rows % (ends - 1)] ^= True
    every = np.concatenate([chosen, flipped])
    settings = np.concatenate([setting, np.repeat(setting, ends - 1)])
    _, first = np.unique(np.column_stack([every, settings]), axis=0, return_index=True)
    return every[first], settings[first]


def _best(correctness: Correctness, costs: Costs, chosen: BoolArray, setting: IntArray) -> tuple[BoolArray, IntArray]:
    keep = non_dominated_costs(points_of(correctness, costs, chosen, setting))
    return chosen[keep], setting[keep]


class InnerOperators:
    """The published search's operators. Genes are a bit per candidate exit, then the step of every clock that may change.

    Args:
        candidates: exits that may be chosen.
        settings: the grid of clocks.
        population: choices of a generation.
    """

    def __init__(self, candidates: int, settings: ClockSettings, population: int) -> None:
        self._candidates, self._population = candidates, population
        self._steps = [len(np.unique(hz)) for hz in settings.frequencies_hz.values()]
        self._most = max(1, candidates - 1)  # the paper's 1 to n - 6 of n - 5 places

    def setting(self, genes: IntArray) -> IntArray:
        """Return the number of each row's setting in the grid, shape `k`."""
        return np.asarray(np.ravel_multi_index(tuple(genes[:, self._candidates :].T), self._steps))

    def chosen(self, genes: IntArray) -> BoolArray:
        """Return the ends of each row, shape `k x n`."""
        last = np.ones((len(genes), 1), np.int64)
        return with_last(np.concatenate([genes[:, : self._candidates], last], axis=1))

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """Return the different rows: any number of exits alike often, any step of each clock."""
        wanted = random.integers(1, self._most + 1, count)
        order = random.random((count, self._candidates)).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
        clocks = random.integers(self._steps, size=(count, len(self._steps)))
        return _distinct(np.concatenate([(order < wanted[:, None]).astype(np.int64), clocks], axis=1))

    def children(self, parents: Rating, random: np.random.Generator, count: int) -> IntArray:
        """Return the half by crossover, half by mutation, duplicates left out."""
        crossed, mutated = (count + 1) // 2, count // 2
        pair = parents.genes[random.integers(len(parents.genes), size=(2, crossed))]
        swap = random.random(pair[0].shape) < CROSSOVER / 2
        swapped = np.where(swap, pair[1], pair[0])
        own = parents.genes[random.integers(len(parents.genes), size=mutated)]
        exits = random.random((mutated, self._candidates)) < MUTATION
        clocks = np.repeat(random.random((mutated, 1)) < MUTATION, len(self._steps), axis=1)  # one draw for all
        drawn = np.concatenate(
            [
                1 - own[:, : self._candidates],
                random.integers(self._steps, size=(mutated, len(self._steps))),
            ],
            axis=1,
        )
        changed = np.where(np.concatenate([exits, clocks], axis=1), drawn, own)
        return _distinct(self._repaired(np.concatenate([swapped, changed]), random))

    def survivors(self, parents: Rating | None, children: Rating) -> Rating:
        """Return the best quarter of a generation, best first."""
        both = children if parents is None else Rating.joined(parents, children)
        keep = max(2, round(KEPT * self._population))
        return both.take(best_first(both.costs, ranks(both))[:keep])

    def _repaired(self, genes: IntArray, random: np.random.Generator) -> IntArray:
        """Return at least one exit, and not every one where there are several."""
        places = random.integers(self._candidates, size=len(genes))
        count = genes[:, : self._candidates].sum(axis=1)
        none, every = np.flatnonzero(count == 0), np.flatnonzero(count > self._most)
        genes[none, places[none]] = 1
        genes[every, places[every]] = 0
        return genes


def _distinct(genes: IntArray) -> IntArray:
    _, first = np.unique(genes, axis=0, return_index=True)
    return genes[np.sort(first)]


def rated(
    correctness: Correctness, costs: Costs, params: HadasParams, operators: InnerOperators, genes: IntArray
) -> tuple[Rating, FloatArray]:
    """Return the fitness of the published search for `k` choices, and their error, mean latency and mean energy (`k x 3`).

    It sees the means over the exits of error, latency and energy up to there; by dissimilarity an exit's accuracy counts by the
    share that no exit before it has. Limits count by the means over inputs.
    """
    chosen, setting = operators.chosen(genes), operators.setting(genes)
    exits = chosen[:, :-1]
    worth = correctness.accuracy[:-1] * np.ones(exits.shape)
    if params.fitness == "dissimilarity":
        worth = worth * dissimilarity(correctness.accuracy, chosen)[:, :-1] ** params.gamma
    reached = [each.prefixes(chosen, setting)[:, :-1] for each in costs]
    seen = [(exits * each).sum(axis=1) / exits.sum(axis=1) for each in (1 - worth, *reached)]
    points = points_of(correctness, costs, chosen, setting)
    broken = [np.zeros(len(points))]
    for column, most in ((1, params.latency_limit_s), (2, params.energy_limit_j)):
        if most is not None:
            broken.append(np.maximum(0.0, points[:, column] / most - 1))
    return Rating(genes, np.column_stack(seen), np.sum(broken, axis=0)), points
