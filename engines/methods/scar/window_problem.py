"""One window as a problem of chains and disjoint sets, and its exact search.

Within a window the models of the stated model only share the chiplets: its latency is the largest of theirs, its energy the
sum. So the problem separates. Per model and kind of path all segmentations that can matter come from dynamic programming
(`engines.search.chain_mapping`); models are then combined over the sets of chiplets that they occupy
(`engines.search.disjoint_sets`). Three rounds, each with the ceiling that the one before reached: best segmentations by one
criterion, a narrow beam, everything below the ceiling. What the last round drops cannot be better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.methods.scar.decision import Placement
from engines.methods.scar.paths import PathSet, paths_of_models
from engines.methods.scar.reconfig import LayerRange
from engines.methods.scar.segment_costs import ChipletKinds, chain_costs, chiplet_kinds, start_kinds
from engines.methods.scar.tables import ScenarioTables
from engines.methods.scar.window_options import WindowOption
from engines.search.chain_mapping import (
    ChainCosts,
    ChainMappings,
    Remainders,
    Target,
    UnitChains,
    Value,
    chains_of,
    greedy_mappings,
    ideal_points,
    map_chains,
    remainders,
)
from engines.search.disjoint_sets import Choice, LeastElsewhere, Options, choose_disjoint, least_of_others

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

TOLERANCE = 1e-9
_BEAM_LABELS = 2
_MOST_FIRST_CHOICES = 2_000
_MOST_CHOICES = 100_000


@dataclass(frozen=True)
class ModelProblem:
    """One model of a window: kinds of paths (chains), and which chain each set of chiplets offers.

    Attributes:
        layers: what is placed.
        paths: all paths.
        mask, chain, end, path: set of chiplets, chain, last chiplet and first such path of every different entry, shape `n`;
            `end` is -1 for all where it does not matter.
        ideal_s, ideal_j: what no mapping on a chain is better than, shape `S`.
    """

    layers: LayerRange
    paths: PathSet
    mask: IntArray
    chain: IntArray
    end: IntArray
    path: IntArray
    costs: ChainCosts
    chains: UnitChains
    left: Remainders
    ideal_s: FloatArray
    ideal_j: FloatArray

    def options(self, mappings: ChainMappings) -> tuple[Options, IntArray, IntArray]:
        """Every mapping on every entry that has its chain, and the numbers of entry and mapping behind each."""
        by_chain = np.argsort(mappings.chain, kind="stable")
        first = np.searchsorted(mappings.chain[by_chain], self.chain)
        counts = np.searchsorted(mappings.chain[by_chain], self.chain, side="right") - first
        pair = np.repeat(np.arange(len(self.chain)), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        mapping = by_chain[first[pair] + within]
        options = Options(self.mask[pair], mappings.latency_s[mapping], mappings.energy_j[mapping], self.end[pair] + 1)
        return options, pair, mapping


@dataclass(frozen=True)
class WindowProblem:
    """A window with all paths that its models may take; `cut_lengths` of any path set forbids a proof."""

    models: tuple[ModelProblem, ...]
    chiplets: int

    @property
    def possible(self) -> bool:
        """Whether every model, by itself, has a path."""
        return all(model.paths.paths for model in self.models)

    @property
    def all_paths(self) -> bool:
        """Whether no path was left out for its number."""
        return not any(model.paths.cut_lengths for model in self.models)


def build_window_problem(
    tables: ScenarioTables,
    ranges: Sequence[LayerRange],
    location: Sequence[int | None],
    roots: tuple[int, ...],
    nodes: Sequence[int],
    *,
    by_end: bool = False,
) -> WindowProblem:
    """The problem of one window.

    Args:
        tables: the scenario on the package.
        ranges: layers of each model in the window.
        location: chiplet that holds each model's activations (`scoring.MEMORY`: none; None: wherever it starts, a relaxation).
        roots: chiplets where a model may start, ascending.
        nodes: most segments of each model.
        by_end: keep mappings apart by where models end.
    """
    kinds = chiplet_kinds(tables)
    paths = paths_of_models(tables, ranges, roots, nodes)
    models = [
        model_problem(tables, r, own, kinds, location[r.model], by_end) for r, own in zip(ranges, paths, strict=True)
    ]
    return WindowProblem(tuple(models), tables.chiplets)


def model_problem(
    tables: ScenarioTables, layers: LayerRange, paths: PathSet, kinds: ChipletKinds, source: int | None, by_end: bool
) -> ModelProblem:
    """One model of a window; arguments as for `build_window_problem`."""
    starts = start_kinds(tables, kinds, source)
    numbers: dict[tuple[int, ...], int] = {}
    entries: dict[tuple[int, int, int], int] = {}
    kind_of, start_of, masks = kinds.of.tolist(), starts.of.tolist(), paths.mask.tolist()
    for index, path in enumerate(paths.paths):
        row = (start_of[path[0]], *(kind_of[c] for c in path[1:]))
        chain = numbers.setdefault(row, len(numbers))
        entries.setdefault((masks[index], chain, path[-1] if by_end else -1), index)
    keys = np.array(list(entries), dtype=np.int64).reshape(-1, 3)
    costs = chain_costs(tables, layers, kinds, starts)
    chains = chains_of(list(numbers))
    left = remainders(costs, chains)
    ideal = ideal_points(costs, chains, left)
    return ModelProblem(
        layers,
        paths,
        keys[:, 0],
        keys[:, 1],
        keys[:, 2],
        np.array(list(entries.values()), np.int64),
        costs,
        chains,
        left,
        *ideal,
    )


class ExactSearch:
    """The three rounds of the search; counts the states that they look at."""

    def __init__(self, problem: WindowProblem, value: Value) -> None:
        self.states = 0
        self._problems, self._chiplets, self._value = problem.models, problem.chiplets, value
        self._all_paths = problem.all_paths
        problems = problem.models
        self._ideals = [Options(p.mask, p.ideal_s[p.chain], p.ideal_j[p.chain]) for p in problems]
        least = [LeastElsewhere(ideal, problem.chiplets) for ideal in self._ideals]
        self._others = [least_of_others(least, number, p.mask) for number, p in enumerate(problems)]

    def run(self) -> tuple[list[ChainMappings], Choice]:
        """Mappings of each model that can matter, and the choices among them up to the optimum."""
        at_hand = [greedy_mappings(p.costs, p.chains, p.left) for p in self._problems]
        ceiling = self._reached(self._choose(at_hand, np.inf, _MOST_FIRST_CHOICES), np.inf)
        beam = self._map(ceiling, _BEAM_LABELS)
        ceiling = self._reached(self._choose(beam, ceiling, _MOST_FIRST_CHOICES), ceiling)
        if not self._all_paths:  # nothing can be proven: the beam is enough
            return beam, self._choose(beam, np.inf, _MOST_FIRST_CHOICES)
        everything = self._map(ceiling, None)
        return everything, self._choose(everything, ceiling, _MOST_CHOICES)

    def beam(self) -> tuple[list[ChainMappings], Choice]:
        """A few mappings of each model per path kind, whatever they cost, and the choices among them."""
        found = self._map(np.inf, _BEAM_LABELS)
        return found, self._choose(found, np.inf, _MOST_FIRST_CHOICES)

    def all_below(self, ceiling: float, most: int) -> tuple[list[ChainMappings], Choice] | None:
        """The last round alone: all choices up to the ceiling that can matter; None if `most` labels or choices are too few."""
        everything = []
        for number, problem in enumerate(self._problems):
            target, chosen = self._target(number, ceiling)
            found = map_chains(problem.costs, problem.chains, problem.left, target, chosen, most_labels=most)
            if found is None:
                return None
            self.states += found.expanded
            everything.append(found)
        choice = self._choose(everything, ceiling, most)
        return (everything, choice) if choice.complete else None

    def ideal_choices(self, ceiling: float, most: int) -> Choice | None:
        """What no choice on the same chiplets is better than, each model by its ideal points; None if `most` are too few."""
        choice = choose_disjoint(self._ideals, self._chiplets, self._value, ceiling, most)
        self.states += choice.states
        return choice if choice.complete else None

    def _map(self, ceiling: float, labels_per_position: int | None) -> list[ChainMappings]:
        found = []
        for number, problem in enumerate(self._problems):
            target, chosen = self._target(number, ceiling)
            mappings = map_chains(problem.costs, problem.chains, problem.left, target, chosen, labels_per_position)
            assert mappings is not None  # it gives up only where a limit was set
            self.states += mappings.expanded
            found.append(mappings)
        return found

    def _choose(self, mappings: Sequence[ChainMappings], ceiling: float, most: int) -> Choice:
        offered = [p.options(part)[0] for p, part in zip(self._problems, mappings, strict=True)]
        choice = choose_disjoint(offered, self._chiplets, self._value, ceiling, most)
        self.states += choice.states
        return choice

    def _reached(self, choice: Choice, ceiling: float) -> float:
        """The ceiling that `choice` reaches, with room for rounding."""
        if not len(choice.latency_s):
            return ceiling
        return min(ceiling, float(self._value(choice.latency_s, choice.energy_j).min()) * (1 + TOLERANCE))

    def _target(self, number: int, ceiling: float) -> tuple[Target, IntArray]:
        """Ceiling and what the other models add at least, per chain; and the chains that can matter at all."""
        problem, ideal, (latency, energy) = self._problems[number], self._ideals[number], self._others[number]
        bound = self._value(np.maximum(ideal.latency_s, latency), ideal.energy_j + energy)
        useful = np.flatnonzero(bound <= ceiling)
        count = len(problem.ideal_s)
        floor, offset = np.full(count, np.inf), np.full(count, np.inf)
        np.minimum.at(floor, problem.chain[useful], latency[useful])
        np.minimum.at(offset, problem.chain[useful], energy[useful])
        return Target(self._value, ceiling, floor, offset), np.unique(problem.chain[useful])


def window_options(
    problem: WindowProblem, mappings: Sequence[ChainMappings], choice: Choice, indices: Sequence[int]
) -> list[WindowOption]:
    """The choices at `indices` as mappings of the window."""
    parts = [model.options(found)[1:] for model, found in zip(problem.models, mappings, strict=True)]
    options = []
    for index in indices:
        window = []
        for model, found, (entry, mapping), pick in zip(
            problem.models, mappings, parts, choice.picks[index].tolist(), strict=True
        ):
            cuts = tuple(model.layers.first + cut for cut in found.cuts[int(mapping[pick])])
            path = model.paths.paths[int(model.path[int(entry[pick])])]
            window.append(Placement(model.layers.model, model.layers.first, cuts, path))
        options.append(WindowOption(tuple(window), float(choice.latency_s[index]), float(choice.energy_j[index])))
    return options
