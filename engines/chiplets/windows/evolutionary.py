"""Evolutionary SEG, as published for 6 x 6 packages (odema-2024 section 4.5.1): population 10, 4 generations.

An individual holds one bit per place between two layers of every model of the window: 1 is a cut. Its fitness is the best
objective that SCHED finds for those segments over paths of their lengths. Of more cuts than the provisioned chiplets allow
an evenly spread selection counts. The publication leaves open the operators and the first population; here: two-point
crossover and bit flips of pymoo, and a first population of one individual without cuts and others with cuts near equal
shares of expected effort.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

import numpy as np

from engines.chiplets.costs.scoring import placement_costs
from engines.chiplets.problem.decision import Placement
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.solver.disjoint_sets import Choice, Options, choose_disjoint
from engines.chiplets.windows.options import DeadEndError, WindowOption, WindowOptions, best_and_spread
from engines.chiplets.windows.paths import paths_of_length
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import LayerRange, expected_layer_latency_s
from engines.chiplets.windows.resumable import (
    ResumableSearch,
    SearchState,
    WindowArguments,
    random_state_text,
    restore_random_state,
)
from engines.contract.arrays import BoolArray, IntArray
from engines.search.dominance import non_dominated_by_group

Cuts = tuple[int, ...]

_MOST_PARTIAL_CHOICES = 400
_IMPOSSIBLE = 1e300  # pymoo wants finite numbers
_SPREAD_OF_CUTS = 0.15  # standard deviation of first cuts around equal shares, in shares
_SCORES_PER_PAUSE = 50  # some tenths of a second
_MOST_KEPT = 5_000  # segmentations of a model, and of all models, that are looked up and not computed again


def evolutionary_search(population: int, generations: int, random: np.random.Generator) -> ResumableSearch:
    """Return a search of windows, one after the other with the same random stream."""

    def search(problem: WindowArguments, state: SearchState) -> Generator[SearchState, None, WindowOptions]:
        window = _Window(*problem)
        # A search that goes on draws from the stream as it did at first, for those after it.
        first = window.first_population(random, population)
        if window.places == 0:
            return window.options(first[0])
        start = np.random.default_rng(int(random.integers(2**31)))
        state = state or _generation(first, start, generations, [])
        best = yield from evolve(window.places, population, window.fitness, state)
        return window.options(best)

    return search


def evolve(
    places: int, population: int, fitness: Callable[[BoolArray], float], state: SearchState
) -> Generator[SearchState, None, BoolArray]:
    """Yield the best individual, of equals the first, of the last generation of pymoo's genetic algorithm; shape `places`.

    A generation, its scores and the random numbers after it settle all that follows. So the algorithm continues from a pause by
    beginning with the last generation as its first, and with the scores that are known of it and of its offspring.

    Args:
        places: number of bits.
        population: size of a generation.
        fitness: fitness to minimise.
        state: from `_generation`, or a pause.
    """
    from pymoo.algorithms.soo.nonconvex.ga import GA
    from pymoo.core.problem import Problem
    from pymoo.operators.crossover.pntx import TwoPointCrossover
    from pymoo.operators.mutation.bitflip import BitflipMutation
    from pymoo.problems.static import StaticProblem

    bits = np.frombuffer(state["individuals"], np.uint8)
    individuals = np.unpackbits(bits, count=state["count"] * places).astype(bool).reshape(-1, places)
    problem = Problem(n_var=places, n_obj=1, vtype=bool)
    algorithm = GA(
        pop_size=population, sampling=individuals, crossover=TwoPointCrossover(), mutation=BitflipMutation(),
        eliminate_duplicates=True,
    )  # fmt: skip
    algorithm.setup(problem, termination=("n_gen", state["generations"]), verbose=False)
    restore_random_state(algorithm.random_state, state["random"])
    scores, told, left = np.frombuffer(state["scores"]).tolist(), 0, state["generations"]
    while algorithm.has_next():
        asked = algorithm.ask()
        if asked is None:  # no offspring is new
            break
        for individual in asked.get("X")[len(scores) - told :]:
            scores.append(fitness(np.asarray(individual, dtype=bool)))
            if len(scores) % _SCORES_PER_PAUSE == 0:
                yield state | {"scores": np.array(scores).tobytes()}
        found = scores[told : told + len(asked)]
        algorithm.evaluator.eval(StaticProblem(problem, F=np.array(found)[:, None]), asked)
        algorithm.tell(asked)
        of_offspring = scores[told + len(asked) :]
        scores = algorithm.pop.get("F")[:, 0].tolist()
        told = len(scores)
        scores += of_offspring
        state = _generation(algorithm.pop.get("X"), algorithm.random_state, left, scores)
        left -= 1
    return np.asarray(algorithm.pop.get("X")[int(np.argmin(scores[:told]))], dtype=bool)


def _generation(
    individuals: BoolArray, random: np.random.Generator, generations: int, scores: Sequence[float]
) -> SearchState:
    """Return a generation to continue from.

    Args:
        individuals: shape `n x places`.
        random: as it is after them.
        generations: number of remaining generations, this one included.
        scores: scores of the individuals, and of their offspring, as far as they are known.
    """
    return {
        "individuals": np.packbits(individuals.astype(bool)).tobytes(),
        "count": len(individuals),
        "random": random_state_text(random),
        "generations": generations,
        "scores": np.array(scores, np.float64).tobytes(),
    }


class _Window:
    """Fitness of segmentations of one window; what was scored before is looked up."""

    def __init__(
        self,
        tables: ScenarioTables,
        ranges: Sequence[LayerRange],
        location: Sequence[int],
        roots: tuple[int, ...],
        goal: Goal,
    ) -> None:
        self._tables, self._ranges, self._location = tables, ranges, location
        self._roots, self._goal = roots, goal
        self._nodes = provisioned_nodes(tables, ranges, goal)
        self._models: dict[tuple[int, Cuts], tuple[Options, IntArray]] = {}
        self._fitness: dict[tuple[Cuts, ...], float] = {}
        self.places = sum(r.end - r.first - 1 for r in ranges)

    def first_population(self, random: np.random.Generator, count: int) -> BoolArray:
        """Return one individual without cuts, the others with cuts near equal shares of expected time, shape `count x places`."""
        rows = np.zeros((count, self.places), dtype=bool)
        for row in rows[1:]:
            begin = 0
            for r, most in zip(self._ranges, self._nodes, strict=True):
                places = r.end - r.first - 1
                effort = expected_layer_latency_s(self._tables, self._tables.models[r.model])[r.first : r.end].cumsum()
                segments = int(random.integers(1, min(most, places + 1) + 1))
                shares = (np.arange(1, segments) + random.normal(0, _SPREAD_OF_CUTS, segments - 1)) / segments
                cuts = np.clip(np.searchsorted(effort, shares * effort[-1]), 0, max(0, places - 1))
                row[begin + cuts] = True
                begin += places
        return rows

    def fitness(self, individual: BoolArray) -> float:
        """Return the least objective over all mappings of the individual's segments; an individual has shape `places`."""
        segments = self._cuts(individual)
        if segments not in self._fitness:
            if len(self._fitness) >= _MOST_KEPT:
                self._fitness.clear()
            choice = self._choose(segments)
            values = self._goal.value(choice.latency_s, choice.energy_j)
            self._fitness[segments] = float(values.min(initial=_IMPOSSIBLE))
        return self._fitness[segments]

    def options(self, individual: BoolArray) -> WindowOptions:
        """Return the mappings of the individual's segments, the best first; an individual has shape `places`."""
        segments = self._cuts(individual)
        choice = self._choose(segments)
        if not len(choice.latency_s):
            raise DeadEndError(len(self._ranges), len(self._roots))
        best, order = best_and_spread(choice.latency_s, choice.energy_j, self._goal)
        options = [self._option(segments, choice, index) for index in (best, *order)]
        return WindowOptions(options[0], tuple(options[1:]), tuple(self._nodes))

    def _cuts(self, individual: BoolArray) -> tuple[Cuts, ...]:
        """Return the exclusive ends of the segments of every model; of too many cuts an evenly spread selection.

        An individual has shape `places`, a truth for each place between two layers.
        """
        found, begin = [], 0
        for r, most in zip(self._ranges, self._nodes, strict=True):
            places = r.end - r.first - 1
            cuts = np.flatnonzero(individual[begin : begin + places])
            if len(cuts) > most - 1:
                cuts = cuts[np.linspace(0, len(cuts) - 1, most - 1).round().astype(np.int64)]
            found.append((*(r.first + 1 + cuts).tolist(), r.end))
            begin += places
        return tuple(found)

    def _choose(self, segments: tuple[Cuts, ...]) -> Choice:
        offered = [self._model(number, cuts)[0] for number, cuts in enumerate(segments)]
        return choose_disjoint(offered, self._tables.chiplets, self._goal.value, most=_MOST_PARTIAL_CHOICES)

    def _model(self, number: int, cuts: Cuts) -> tuple[Options, IntArray]:
        """Return the options of one model and the path behind each."""
        key = (number, cuts)
        if key not in self._models:
            if len(self._models) >= _MOST_KEPT:
                self._models.clear()
            layers = self._ranges[number]
            paths = paths_of_length(self._tables, layers.model, self._roots, len(cuts))
            if not len(paths):
                none = np.empty(0)
                self._models[key] = (Options(np.empty(0, np.int64), none, none), paths)
                return self._models[key]
            model, source = self._tables.models[layers.model], self._location[layers.model]
            costs = placement_costs(self._tables, model, layers.first, cuts, paths, source)
            mask = np.bitwise_or.reduce(np.int64(1) << paths, axis=1)
            keep = non_dominated_by_group(mask, costs.latency_s, costs.energy_j)
            self._models[key] = (Options(mask[keep], costs.latency_s[keep], costs.energy_j[keep]), paths[keep])
        return self._models[key]

    def _option(self, segments: tuple[Cuts, ...], choice: Choice, index: int) -> WindowOption:
        window = tuple(
            Placement(r.model, r.first, cuts, tuple(self._model(number, cuts)[1][pick].tolist()))
            for number, (r, cuts, pick) in enumerate(
                zip(self._ranges, segments, choice.picks[index].tolist(), strict=True)
            )
        )
        return WindowOption(window, float(choice.latency_s[index]), float(choice.energy_j[index]))
