"""One window as a problem of chains and disjoint sets, and its exact search.

Within a window the models of the stated model only share the chiplets: its latency is the largest of theirs, its energy the
sum. So the problem separates. Per model and kind of path all segmentations that can matter come from dynamic programming
(`engines.chiplets.solver.chain_mapping`); models are then combined over the sets of chiplets that they occupy
(`engines.chiplets.solver.disjoint_sets`). Three rounds, each with the ceiling that the one before reached: best segmentations
by one criterion, a narrow beam, everything below the ceiling. What the last round drops cannot be better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.chiplets.problem.decision import Placement
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.solver.chain_costs import ChainCosts, Remainders, UnitChains, chains_of, ideal_points, remainders
from engines.chiplets.solver.chain_mapping import ChainMappings, Target, Value, greedy_mappings, map_chains
from engines.chiplets.solver.disjoint_sets import Choice, LeastElsewhere, Options, choose_disjoint, least_of_others
from engines.chiplets.windows.options import WindowOption
from engines.chiplets.windows.paths import PathSet, paths_of_models
from engines.chiplets.windows.reconfig import LayerRange
from engines.chiplets.windows.segment_costs import ChipletKinds, chain_costs, chiplet_kinds, start_kinds
from engines.contract.arrays import FloatArray, IntArray

TOLERANCE = 1e-9
_BEAMS = (2,)  # labels per chain and position
_MOST_FIRST_CHOICES = 2_000
_MOST_CHOICES = 100_000


@dataclass(frozen=True)
class ModelProblem:
    """One model of a window: kinds of paths (chains), and which chain each set of chiplets offers.

    Attributes:
        layers: layers to place.
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


@dataclass(frozen=True)
class Offer:
    """Every mapping of a model on every entry that has its chain.

    Attributes:
        problem: the model.
        mappings: mappings of the model on its chains.
        options: options of the model, shape `n`.
        entry, mapping: numbers of the entry and the mapping behind each option, shape `n`.
        least: lower bound of the model's costs if others use chiplets.
    """

    problem: ModelProblem
    mappings: ChainMappings
    options: Options
    entry: IntArray
    mapping: IntArray
    least: LeastElsewhere

    def placement(self, option: int) -> Placement:
        """Return the placement of an option."""
        layers = self.problem.layers
        cuts = tuple(layers.first + cut for cut in self.mappings.cuts(int(self.mapping[option])))
        path = self.problem.paths.paths[int(self.problem.path[int(self.entry[option])])]
        return Placement(layers.model, layers.first, cuts, path)


def offer_of(problem: ModelProblem, mappings: ChainMappings, chiplets: int) -> Offer:
    """Return the offer that contains `mappings` of a model."""
    by_chain = np.argsort(mappings.chain, kind="stable")
    first = np.searchsorted(mappings.chain[by_chain], problem.chain)
    counts = np.searchsorted(mappings.chain[by_chain], problem.chain, side="right") - first
    entry = np.repeat(np.arange(len(problem.chain)), counts)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    mapping = by_chain[first[entry] + within]
    options = Options(
        problem.mask[entry], mappings.latency_s[mapping], mappings.energy_j[mapping], problem.end[entry] + 1
    )
    return Offer(problem, mappings, options, entry, mapping, LeastElsewhere(options, chiplets))


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
    """Return the problem of one window.

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
    """Return one model of a window; arguments as for `build_window_problem`."""
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
        self._problem, self._value = problem, value
        self._ideals = [Options(p.mask, p.ideal_s[p.chain], p.ideal_j[p.chain]) for p in problem.models]
        self._least = [LeastElsewhere(ideal, problem.chiplets) for ideal in self._ideals]

    def run(self, ceiling: float = np.inf) -> tuple[list[Offer], Choice]:
        """Return the mappings of each model that can matter, and the choices among them up to the optimum.

        Args:
            ceiling: value of a mapping of this window that is known already.
        """
        if not self._problem.all_paths:  # nothing can be proven: the beam is enough
            beam = self._beam(self._first_ceiling())
            return beam, self._choose(beam, np.inf, _MOST_FIRST_CHOICES)
        if np.isinf(ceiling):
            ceiling = self._first_ceiling()
            for labels in _BEAMS:
                beam = self._beam(ceiling, labels)
                ceiling = self._reached(self._choose(beam, ceiling, _MOST_FIRST_CHOICES), ceiling)
        everything = self._everything(ceiling * (1 + TOLERANCE), None)
        assert everything is not None  # it gives up only where a limit was set
        return everything, self._choose(everything, ceiling * (1 + TOLERANCE), _MOST_CHOICES)

    def beam(self) -> tuple[list[Offer], Choice]:
        """Return a few mappings of each model per path kind, whatever they cost, and the choices among them."""
        found = self._beam(np.inf)
        return found, self._choose(found, np.inf, _MOST_FIRST_CHOICES)

    def all_below(self, ceiling: float, most: int) -> tuple[list[Offer], Choice] | None:
        """Return the last round alone: all choices up to the ceiling that can matter.

        None if `most` labels or choices are too few.
        """
        everything = self._everything(ceiling, most)
        if everything is None:
            return None
        choice = self._choose(everything, ceiling, most)
        return (everything, choice) if choice.complete else None

    def least_below(self, ceiling: float, most: int) -> list[LeastElsewhere]:
        """Return a lower bound of each model's cost in a mapping up to the ceiling, by ideal points beyond `most` labels."""
        everything = self._everything(ceiling, most)
        return self._least if everything is None else [offer.least for offer in everything]

    def ideal_choices(self, ceiling: float, most: int) -> Choice | None:
        """Return choices by ideal points of each model, which bound all others on the same chiplets; None beyond `most`."""
        choice = choose_disjoint(self._ideals, self._problem.chiplets, self._value, ceiling, most)
        self.states += choice.states
        return choice if choice.complete else None

    def _first_ceiling(self) -> float:
        """Return the best that mappings by one criterion reach."""
        at_hand = [
            offer_of(p, greedy_mappings(p.costs, p.chains, p.left), self._problem.chiplets)
            for p in self._problem.models
        ]
        return self._reached(self._choose(at_hand, np.inf, _MOST_FIRST_CHOICES), np.inf)

    def _beam(self, ceiling: float, labels_per_position: int = _BEAMS[0]) -> list[Offer]:
        found = []
        for number, problem in enumerate(self._problem.models):
            target, chosen = wanted(problem, self._value, ceiling, least_of_others(self._least, number, problem.mask))
            mappings = map_chains(problem.costs, problem.chains, problem.left, target, chosen, labels_per_position)
            assert mappings is not None  # it gives up only where a limit was set
            self.states += mappings.expanded
            found.append(offer_of(problem, mappings, self._problem.chiplets))
        return found

    def _everything(self, ceiling: float, most: int | None) -> list[Offer] | None:
        """Return all mappings that can matter up to the ceiling; None if `most` labels are too few.

        Small models come first: what is left of them says better than their ideal points what they add to the others.
        """
        least, models = list(self._least), self._problem.models
        found: dict[int, Offer] = {}
        for number in sorted(range(len(models)), key=lambda i: models[i].costs.layers ** 2 * len(models[i].ideal_s)):
            problem = models[number]
            target, chosen = wanted(problem, self._value, ceiling, least_of_others(least, number, problem.mask))
            mappings = map_chains(problem.costs, problem.chains, problem.left, target, chosen, most_labels=most)
            if mappings is None:
                return None
            self.states += mappings.expanded
            found[number] = offer_of(problem, mappings, self._problem.chiplets)
            least[number] = found[number].least
        return [found[number] for number in range(len(models))]

    def _choose(self, offers: Sequence[Offer], ceiling: float, most: int) -> Choice:
        choice = choose(offers, self._problem.chiplets, self._value, ceiling, most)
        self.states += choice.states
        return choice

    def _reached(self, choice: Choice, ceiling: float) -> float:
        """Return the ceiling that `choice` reaches, with room for rounding."""
        if not len(choice.latency_s):
            return ceiling
        return min(ceiling, float(self._value(choice.latency_s, choice.energy_j).min()) * (1 + TOLERANCE))


def choose(offers: Sequence[Offer], chiplets: int, value: Value, ceiling: float, most: int) -> Choice:
    """Return one option of each offer, no chiplet used twice."""
    return choose_disjoint(
        [offer.options for offer in offers], chiplets, value, ceiling, most, [offer.least for offer in offers]
    )


def wanted(
    problem: ModelProblem, value: Value, ceiling: float, others: tuple[FloatArray, FloatArray]
) -> tuple[Target, IntArray]:
    """Return the ceiling and what the other models add at least, per chain; and the chains that can matter at all.

    Args:
        problem: a model.
        value: the objective.
        ceiling: value above which designs are useless.
        others: latency and energy that the other models add at least to each entry.
    """
    latency, energy = others
    ideal_s, ideal_j = problem.ideal_s[problem.chain], problem.ideal_j[problem.chain]
    useful = np.flatnonzero(value(np.maximum(ideal_s, latency), ideal_j + energy) <= ceiling)
    count = len(problem.ideal_s)
    floor, offset = np.full(count, np.inf), np.full(count, np.inf)
    np.minimum.at(floor, problem.chain[useful], latency[useful])
    np.minimum.at(offset, problem.chain[useful], energy[useful])
    return Target(value, ceiling, floor, offset), np.unique(problem.chain[useful])


def window_options(offers: Sequence[Offer], choice: Choice, indices: Sequence[int]) -> list[WindowOption]:
    """Return the choices at `indices` as mappings of the window."""
    options = []
    for index in indices:
        picks = choice.picks[index].tolist()
        window = tuple(offer.placement(pick) for offer, pick in zip(offers, picks, strict=True))
        options.append(WindowOption(window, float(choice.latency_s[index]), float(choice.energy_j[index])))
    return options
