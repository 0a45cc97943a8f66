"""Search strategies of prepared problems: exhaustive, genetic, or the engine's own.

A prepared problem chooses a strategy (`engines.search.prepared_problem`); `Search` drives it. It evaluates each design once,
counts, rates by objectives and limits, and keeps in every checkpoint what a stopped run needs to continue.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.engine import File, Recorder, Step
from engines.contract.errors import DecisionError
from engines.contract.fronts.non_dominated import to_costs
from engines.contract.integer_format import counted, many
from engines.contract.quantities import Quantity, objectives_of
from engines.contract.results import Result
from engines.search.choice_operators import ChoiceOperators
from engines.search.generations import Generations
from engines.search.nsga2 import Rating
from engines.search.running_front import RunningFront

D = TypeVar("D")
D_co = TypeVar("D_co", covariant=True)
C = TypeVar("C")
Columns = Mapping[str, FloatArray]
_NO_DESIGN, _NOT_DEFINED = 1e9, 1e30  # violation of a row without a design; cost of an objective that is not finite


class Space(Protocol[D_co]):
    """The interface to a design space: a design is a row of genes, each an index into a list of choices."""

    @property
    def sizes(self) -> Sequence[int]:
        """The number of choices of each gene."""

    def design(self, genes: Sequence[int]) -> D_co | None:
        """Return the design of a row of genes; None if the row describes no design."""


@dataclass(frozen=True, eq=False)
class ListedSpace:
    """A design space with one value out of each of several lists; a design is the row of their indices.

    Attributes:
        values: entry of a decision -> its JSON values; the decision omits a value that is an empty mapping.
    """

    values: Mapping[str, Sequence[Any]]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of values of each list."""
        return tuple(map(len, self.values.values()))

    def design(self, genes: Sequence[int]) -> tuple[int, ...]:
        """Return the row of indices itself, which is the design."""
        return tuple(genes)

    def encode(self, places: Sequence[int]) -> dict[str, Any]:
        """Return the decision of a row."""
        chosen = {name: values[place] for (name, values), place in zip(self.values.items(), places, strict=True)}
        return {name: value for name, value in chosen.items() if value != {}}

    def decode(self, decision: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the row of a decision.

        Raises:
            DecisionError: an entry is not among the values of its list.
        """
        places = []
        for name, values in self.values.items():
            value = decision.get(name, {} if {} in values else None)
            if isinstance(value, bool) or value not in values:
                listed = isinstance(values[0], Mapping)  # as lists of mappings are written
                words = ", ".join(map(str, values))
                accepted = f"one of [{words}]" if listed else f"one of: {words}"
                raise DecisionError(f"decision.{name}", decision.get(name), accepted)
            places.append(list(values).index(value))
        return tuple(places)


@dataclass(frozen=True, eq=False)
class ListedDesigns(Generic[D]):
    """A space of one gene: the place of a design in a list."""

    designs: Sequence[D]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many designs the gene chooses from."""
        return (len(self.designs),)

    def design(self, genes: Sequence[int]) -> D:
        """Return the design at a place."""
        return self.designs[genes[0]]


@dataclass(frozen=True)
class Exhaustive(Generic[D]):
    """The exhaustive search: every design of a space.

    Attributes:
        batch: number of designs between two steps.
        bounds: designs -> bounds of their columns. The most promising designs are evaluated first, and those whose bounds a
            design of the front dominates are skipped. None: all are evaluated, in the order of the space.
    """

    space: Space[D]
    batch: int
    bounds: Callable[[Sequence[D]], Columns] | None = None

    @property
    def evaluations(self) -> int:
        """Designs that are evaluated at most."""
        return math.prod(self.space.sizes)  # not by numpy: many genes of two choices exceed 64 bits

    @property
    def words(self) -> str:
        """Return the description of the search for the plan."""
        return f"{many(self.evaluations, 'combination')}: all are evaluated"

    def proof(self, scored: int) -> str:
        """Return the sentence on the proof of the front after `scored` designs."""
        if self.bounds is None:
            return f"All {counted(scored)} combinations were evaluated."
        text = f"All {counted(self.evaluations)} combinations were evaluated, or ruled out because a design that was found is "
        return (
            text
            + "better than the best that they could be: within the stated model none is better than those on the front."
        )

    def designs(self) -> list[D]:
        """Return all designs of the space, each once."""
        numbers = np.unravel_index(np.arange(self.evaluations), tuple(self.space.sizes))
        found = map(self.space.design, np.stack(numbers, axis=1).tolist())
        return list(dict.fromkeys(design for design in found if design is not None))


@dataclass(frozen=True)
class Genetic(Generic[D]):
    """The genetic search: NSGA-II over a space, in which no row is evaluated twice.

    Attributes:
        budget: largest number of evaluated rows.
        population: number of rows per generation.
        operators: operators over the choices of the space, or a method's own.
    """

    space: Space[D]
    budget: int
    population: int
    operators: type[ChoiceOperators] = ChoiceOperators

    @property
    def evaluations(self) -> int:
        """Designs that are evaluated at most."""
        return min(self.budget, math.prod(self.space.sizes))

    @property
    def words(self) -> str:
        """Return the description of the search for the plan."""
        return f"{many(math.prod(self.space.sizes), 'combination')}: NSGA-II evaluates {counted(self.evaluations)}"

    def proof(self, scored: int) -> str:
        """Return the sentence on the proof of the front after `scored` designs."""
        return f"NSGA-II evaluated {counted(scored)} of {counted(math.prod(self.space.sizes))} combinations; others may be better."


@dataclass(frozen=True)
class Own(Generic[D]):
    """A search that the engine implements itself.

    Attributes:
        certainty: sentence on the proof of the front; "" for no proof.
        steps: search -> its steps; it adds designs to the record. A step with an infeasibility ends the run.
    """

    evaluations: int
    words: str
    certainty: str
    steps: Callable[[Search[D]], Iterator[Step]]

    def proof(self, scored: int) -> str:
        """Return `certainty`, the sentence on the proof of the front."""
        return self.certainty


Strategy = Exhaustive[D] | Genetic[D] | Own[D]


@dataclass(frozen=True)
class Beginning(Generic[C]):
    """The state of a run at the beginning of its search.

    Attributes:
        context: context of all evaluations of the run.
        kept: values that every checkpoint stores next to the search.
        files, results: files and results that the run reports before its search.
    """

    context: C
    kept: Mapping[str, Any] = field(default_factory=dict)
    files: Sequence[File] = ()
    results: Sequence[Result] = ()


def is_begun(state: Mapping[str, Any] | None) -> bool:
    """Return whether a checkpoint was made during the search, not before it."""
    return state is not None and ("generation" in state or bool(state.get("done")))


class Search(Generic[D]):
    """The search of one run: evaluation, ranking, checkpoints and steps.

    Args:
        record: record of the run.
        strategy: strategy of the prepared problem.
        evaluate: returns designs with all columns.
        quantities: quantities with their roles in the run.
        share: fraction of the run before the search, and fraction that the search takes.
        beginning: state at the beginning of the search.

    Attributes:
        record, evaluate, beginning: as in the arguments.
        done: whether the search is complete.
        scored: number of rows visited so far.
        words, results, files: message, results and files that an `Own` search leaves for the last step.
    """

    words: str = ""
    results: Sequence[Result] = ()
    files: Sequence[File] = ()

    def __init__(
        self,
        record: Recorder,
        strategy: Strategy[D],
        evaluate: Callable[[Sequence[D]], Designs],
        quantities: Sequence[Quantity],
        share: tuple[float, float],
        beginning: Beginning[Any],
    ) -> None:
        self.done, self.scored = False, 0
        self.record, self.evaluate, self.beginning = record, evaluate, beginning
        self._strategy, self._share = strategy, share
        self._objectives = objectives_of(quantities)
        self._constraints = [quantity.name for quantity in quantities if quantity.role == "constraint"]

    def steps(self) -> Iterator[Step]:
        """Yield the steps until the search is complete or a stop is requested."""
        strategy = self._strategy
        if isinstance(strategy, Exhaustive):
            yield from self._all(strategy)
        elif isinstance(strategy, Genetic):
            yield from self._generations(strategy)
        else:
            ended = False
            for step in strategy.steps(self):
                ended = step.infeasible is not None
                yield step
            self.done = not ended and not self.record.context.stop_requested()

    def _step(self, total: int, words: str, state: Mapping[str, Any]) -> Step:
        before, own = self._share
        message = f"{counted(self.scored)} of {counted(total)} designs{words}"
        share = min(1.0, before + own * self.scored / total)  # rounding may exceed it
        return self.record.step(share, message, state={**self.beginning.kept, **state})

    def _all(self, strategy: Exhaustive[D]) -> Iterator[Step]:
        record, designs, bounds = self.record, strategy.designs(), strategy.bounds
        costs = None if bounds is None else self._costs(bounds(designs))
        order = np.arange(len(designs)) if costs is None else _promising_first(costs)
        front, pruned = RunningFront(["minimise"] * len(self._objectives)), 0
        if record.state is not None:
            found = record.designs.take(np.flatnonzero(record.designs.of_origin("search")))
            self.scored, pruned = int(record.state.get("done", len(found))), int(record.state.get("pruned", 0))
            front.extend(self._costs(found.columns), self._violation(found.columns) <= 0)
        while self.scored < len(order) and not record.context.stop_requested():
            rows = order[self.scored : self.scored + strategy.batch]
            kept = rows if costs is None else rows[~_dominated(costs[rows], front.points)]
            new = self.evaluate([designs[row] for row in kept])
            record.add(new)
            self.scored, pruned = self.scored + len(rows), pruned + len(rows) - len(kept)
            if costs is None:
                yield self._step(len(order), "", {})
            else:
                front.extend(self._costs(new.columns), self._violation(new.columns) <= 0)
                words = f", {counted(pruned)} ruled out by bounds"
                yield self._step(len(order), words, {"done": self.scored, "pruned": pruned})
        self.done = self.scored >= len(order)

    def _generations(self, strategy: Genetic[D]) -> Iterator[Step]:
        record, context = self.record, self.record.context
        operators = strategy.operators.over(strategy.space.sizes, strategy.population)
        total, counts_baselines = strategy.evaluations, record.evaluations > 0 and not is_begun(record.state)
        search = Generations(operators, strategy.population, total, lambda number: context.random("generation", number))
        if record.state is not None and is_begun(record.state):
            state = record.state
            counts_baselines = "scored" in state
            operators.seen.update(map(tuple, state["seen"].tolist()))
            parents = Rating(state["genes"], state["costs"], state["violation"])
            search.continue_from(int(state["generation"]), int(state.get("scored", record.evaluations)), parents)
        self.scored = search.scored
        for genes in search.asked(context.stop_requested):
            found = [strategy.space.design(row) for row in genes.tolist()]
            new = self.evaluate([design for design in found if design is not None])
            record.add(new)
            parents = search.tell(self._rated(genes, np.array([design is not None for design in found]), new.columns))
            operators.seen.update(map(tuple, genes.tolist()))
            self.scored = search.scored
            # Where other designs count as well, or rows describe none, the count of evaluations is another one.
            rows = {"scored": self.scored} if counts_baselines or self.scored != record.evaluations else {}
            seen = np.array(sorted(operators.seen), dtype=operators.seen_type)
            yield self._step(total, "", {
                "generation": search.generation, **rows, "genes": parents.genes, "costs": parents.costs,
                "violation": parents.violation, "seen": seen,
            })  # fmt: skip
        self.done = search.done

    def _rated(self, genes: IntArray, fits: BoolArray, columns: Columns) -> Rating:
        costs = np.full((len(genes), len(self._objectives)), _NOT_DEFINED)
        costs[fits] = self._costs(columns)
        violation = np.where(fits, 0.0, _NO_DESIGN)
        violation[fits] = self._violation(columns)
        return Rating(genes, np.where(np.isfinite(costs), costs, _NOT_DEFINED), violation)

    def _costs(self, columns: Columns) -> FloatArray:
        values = np.column_stack([columns[quantity.name] for quantity in self._objectives])
        return to_costs(values, [quantity.sense for quantity in self._objectives])

    def _violation(self, columns: Columns) -> FloatArray:
        """Return the largest violation of a constraint by each design, shape `n`; NaN if it is undefined."""
        slack = np.full(len(columns[self._objectives[0].name]), np.inf)
        for name in self._constraints:
            slack = np.minimum(slack, columns[name])
        return np.where(slack >= 0, 0.0, -slack)


def _promising_first(costs: FloatArray) -> IntArray:
    """Return the indices of the rows, sorted by the sum of their bounds as shares of their ranges."""
    low, high = costs.min(axis=0), costs.max(axis=0)
    shares = (costs - low) / np.where(high > low, high - low, 1.0)
    total = np.zeros(len(costs))
    for column in shares.T:
        total = total + column
    return np.asarray(np.argsort(total, kind="stable"))


def _dominated(bounds: FloatArray, front: FloatArray) -> BoolArray:
    """Return a mask of the bounds that a point of the front dominates, shape `n`."""
    found = np.zeros(len(bounds), dtype=bool)
    for point in front:
        found |= (point <= bounds).all(axis=1) & (point < bounds).any(axis=1)
    return found
