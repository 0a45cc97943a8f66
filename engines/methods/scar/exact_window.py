"""Exact search of one window: the best segmentation, path and combination, with a proof.

Within a window the models of the stated model only share the chiplets: its latency is the largest of theirs, its energy the
sum. So the problem separates. Per model and kind of path all segmentations that can matter come from dynamic programming
(`engines.search.chain_mapping`); models are then combined over the sets of chiplets that they occupy
(`engines.search.disjoint_sets`). Three rounds, each with the ceiling that the one before reached: best segmentations by one
criterion, a narrow beam, everything below the ceiling. What the last round drops cannot be better, so that its best is the
optimum over all segmentations with at most N_i segments and all paths from the allowed roots; heuristics 1 (top k) of
odema-2024 section 4.4.3 is not used. Where paths were left out for their number nothing is proven.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.methods.scar.decision import Placement
from engines.methods.scar.objectives import Goal
from engines.methods.scar.paths import PathSet, paths_of_models
from engines.methods.scar.provision import provisioned_nodes
from engines.methods.scar.reconfig import LayerRange
from engines.methods.scar.segment_costs import ChipletKinds, chain_costs, chiplet_kinds, start_kinds
from engines.methods.scar.tables import ScenarioTables
from engines.methods.scar.window_bounds import relaxed_window_bound
from engines.methods.scar.window_options import WindowOption, WindowOptions, WindowProof, best_and_spread
from engines.search.chain_mapping import (
    ChainCosts,
    ChainMappings,
    Remainders,
    Target,
    UnitChains,
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
class _ModelProblem:
    """One model of the window: kinds of paths (chains), and which chain each set of chiplets offers.

    Attributes:
        layers: what is placed.
        paths: all paths.
        mask, chain, path: set of chiplets, chain and first such path of every different pair, shape `n`.
        ideal_s, ideal_j: what no mapping on a chain is better than, shape `S`.
    """

    layers: LayerRange
    paths: PathSet
    mask: IntArray
    chain: IntArray
    path: IntArray
    costs: ChainCosts
    chains: UnitChains
    left: Remainders
    ideal_s: FloatArray
    ideal_j: FloatArray

    def options(self, mappings: ChainMappings) -> tuple[Options, IntArray, IntArray]:
        """Every mapping on every set of chiplets that has its chain, and the numbers of pair and mapping behind each."""
        by_chain = np.argsort(mappings.chain, kind="stable")
        first = np.searchsorted(mappings.chain[by_chain], self.chain)
        counts = np.searchsorted(mappings.chain[by_chain], self.chain, side="right") - first
        pair = np.repeat(np.arange(len(self.chain)), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        mapping = by_chain[first[pair] + within]
        options = Options(self.mask[pair], mappings.latency_s[mapping], mappings.energy_j[mapping])
        return options, pair, mapping


def search_window_exactly(
    tables: ScenarioTables,
    ranges: Sequence[LayerRange],
    location: Sequence[int],
    roots: tuple[int, ...],
    goal: Goal,
) -> WindowOptions:
    """The best mapping of a window.

    Args:
        tables: the problem.
        ranges: layers of each model in the window.
        location: chiplet that holds each model's activations (`scoring.MEMORY`: none).
        roots: chiplets where a model may start, ascending.
        goal: what is minimised, and what chiplets are shared out by.

    Raises:
        ValueError: no disjoint paths exist at all.
    """
    nodes = provisioned_nodes(tables, ranges, goal)
    kinds = chiplet_kinds(tables)
    paths = paths_of_models(tables, ranges, roots, nodes)
    problems = [_model_problem(tables, r, own, kinds, location[r.model]) for r, own in zip(ranges, paths, strict=True)]
    search = _Search(problems, tables.chiplets, goal)
    mappings, choice = search.run()
    if not len(choice.latency_s):
        raise ValueError(f"A window of {len(ranges)} models cannot start on {len(roots)} root chiplets.")
    notes = tuple(
        f"{tables.models[r.model].title}: only {count} paths of {length} chiplets were considered (path limit)."
        for r, own in zip(ranges, paths, strict=True)
        for length, count in own.cut_lengths
    )
    best, order = best_and_spread(choice.latency_s, choice.energy_j, goal)
    value = goal.one(float(choice.latency_s[best]), float(choice.energy_j[best]))
    proven = not notes and choice.complete
    sources = [(location[r.model],) for r in ranges]
    bound = value if proven else relaxed_window_bound(tables, ranges, sources, nodes, goal)
    options = [_option(problems, mappings, choice, index) for index in (best, *order)]
    proof = WindowProof(bound, proven, search.states)
    return WindowOptions(options[0], tuple(options[1:]), tuple(nodes), notes, proof)


def _option(
    problems: Sequence[_ModelProblem], mappings: Sequence[ChainMappings], choice: Choice, index: int
) -> WindowOption:
    window = []
    for problem, found, pick in zip(problems, mappings, choice.picks[index].tolist(), strict=True):
        _, pair, mapping = problem.options(found)
        cuts = tuple(problem.layers.first + cut for cut in found.cuts[int(mapping[pick])])
        path = problem.paths.paths[int(problem.path[int(pair[pick])])]
        window.append(Placement(problem.layers.model, problem.layers.first, cuts, path))
    return WindowOption(tuple(window), float(choice.latency_s[index]), float(choice.energy_j[index]))


def _model_problem(
    tables: ScenarioTables, layers: LayerRange, paths: PathSet, kinds: ChipletKinds, source: int
) -> _ModelProblem:
    starts = start_kinds(tables, kinds, source)
    numbers: dict[tuple[int, ...], int] = {}
    pairs: dict[tuple[int, int], int] = {}
    kind_of, start_of = kinds.of.tolist(), starts.of.tolist()
    for index, path in enumerate(paths.paths):
        row = (start_of[path[0]], *(kind_of[c] for c in path[1:]))
        chain = numbers.setdefault(row, len(numbers))
        pairs.setdefault((int(paths.mask[index]), chain), index)
    keys = np.array(list(pairs), dtype=np.int64).reshape(-1, 2)
    costs = chain_costs(tables, layers, kinds, starts)
    chains = chains_of(list(numbers))
    left = remainders(costs, chains)
    ideal = ideal_points(costs, chains, left)
    return _ModelProblem(
        layers, paths, keys[:, 0], keys[:, 1], np.array(list(pairs.values()), np.int64), costs, chains, left, *ideal
    )


class _Search:
    """The three rounds of the search; counts the states that they look at."""

    def __init__(self, problems: Sequence[_ModelProblem], chiplets: int, goal: Goal) -> None:
        self.states = 0
        self._problems, self._chiplets, self._goal = problems, chiplets, goal
        self._ideals = [Options(p.mask, p.ideal_s[p.chain], p.ideal_j[p.chain]) for p in problems]
        least = [LeastElsewhere(ideal, chiplets) for ideal in self._ideals]
        self._others = [least_of_others(least, number, p.mask) for number, p in enumerate(problems)]

    def run(self) -> tuple[list[ChainMappings], Choice]:
        """Mappings of each model that can matter, and the choices among them up to the optimum."""
        at_hand = [greedy_mappings(p.costs, p.chains, p.left) for p in self._problems]
        ceiling = self._reached(self._choose(at_hand, np.inf, _MOST_FIRST_CHOICES), np.inf)
        beam = self._map(ceiling, _BEAM_LABELS)
        ceiling = self._reached(self._choose(beam, ceiling, _MOST_FIRST_CHOICES), ceiling)
        everything = self._map(ceiling, None)
        return everything, self._choose(everything, ceiling, _MOST_CHOICES)

    def _map(self, ceiling: float, labels_per_position: int | None) -> list[ChainMappings]:
        found = []
        for number, problem in enumerate(self._problems):
            target, chosen = self._target(number, ceiling)
            mappings = map_chains(problem.costs, problem.chains, problem.left, target, chosen, labels_per_position)
            self.states += mappings.expanded
            found.append(mappings)
        return found

    def _choose(self, mappings: Sequence[ChainMappings], ceiling: float, most: int) -> Choice:
        offered = [p.options(part)[0] for p, part in zip(self._problems, mappings, strict=True)]
        choice = choose_disjoint(offered, self._chiplets, self._goal.value, ceiling, most)
        self.states += choice.states
        return choice

    def _reached(self, choice: Choice, ceiling: float) -> float:
        """The ceiling that `choice` reaches, with room for rounding."""
        if not len(choice.latency_s):
            return ceiling
        return min(ceiling, float(self._goal.value(choice.latency_s, choice.energy_j).min()) * (1 + TOLERANCE))

    def _target(self, number: int, ceiling: float) -> tuple[Target, IntArray]:
        """Ceiling and what the other models add at least, per chain; and the chains that can matter at all."""
        problem, ideal, (latency, energy) = self._problems[number], self._ideals[number], self._others[number]
        bound = self._goal.value(np.maximum(ideal.latency_s, latency), ideal.energy_j + energy)
        useful = np.flatnonzero(bound <= ceiling)
        count = len(problem.ideal_s)
        floor, offset = np.full(count, np.inf), np.full(count, np.inf)
        np.minimum.at(floor, problem.chain[useful], latency[useful])
        np.minimum.at(offset, problem.chain[useful], energy[useful])
        return Target(self._goal.value, ceiling, floor, offset), np.unique(problem.chain[useful])
