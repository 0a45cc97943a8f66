"""How a prepared problem is searched: every design of a space, generation after generation, or as the engine itself does.

A strategy is told by the prepared problem (`engines.search.prepared_problem`); `Search` drives it. It evaluates each design once,
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
    """Designs by rows of genes, each a place in a list of choices."""

    @property
    def sizes(self) -> Sequence[int]:
        """How many choices each gene has."""

    def design(self, genes: Sequence[int]) -> D_co | None:
        """Return the design of a row; None where it describes none."""


@dataclass(frozen=True, eq=False)
class ListedSpace:
    """One value out of each of several lists; a design is the row of their places.

    Attributes:
        values: entry of a decision -> its JSON values; an empty mapping is left out of the decision.
    """

    values: Mapping[str, Sequence[Any]]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each list has."""
        return tuple(map(len, self.values.values()))

    def design(self, genes: Sequence[int]) -> tuple[int, ...]:
        """Return the row itself."""
        return tuple(genes)

    def encode(self, places: Sequence[int]) -> dict[str, Any]:
        """Return the decision of a row."""
        chosen = {name: values[place] for (name, values), place in zip(self.values.items(), places, strict=True)}
        return {name: value for name, value in chosen.items() if value != {}}

    def decode(self, decision: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the row of a decision.

        Raises:
            DecisionError: an entry is none of the values of its list.
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


@dataclass(frozen=True)
class Exhaustive(Generic[D]):
    """Every design of a space.

    Attributes:
        batch: designs between two steps.
        bounds: designs -> columns that none of them passes. The most promising are evaluated first, and those whose bounds a
            design of the front dominates are left out. None: all are evaluated, in the order of the space.
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
        """Return what is done, for the plan."""
        return f"{many(self.evaluations, 'combination')}: all are evaluated"

    def proof(self, scored: int) -> str:
        """Return how sure the front is after so many designs."""
        if self.bounds is None:
            return f"All {counted(scored)} combinations were evaluated."
        text = f"All {counted(self.evaluations)} combinations were evaluated, or ruled out because a design that was found is "
        return (
            text
            + "better than the best that they could be: within the stated model none is better than those on the front."
        )

    def designs(self) -> list[D]:
        """Return every design once."""
        numbers = np.unravel_index(np.arange(self.evaluations), tuple(self.space.sizes))
        found = map(self.space.design, np.stack(numbers, axis=1).tolist())
        return list(dict.fromkeys(design for design in found if design is not None))


@dataclass(frozen=True)
class Genetic(Generic[D]):
    """Generations of NSGA-II over a space, of which no row is evaluated twice.

    Attributes:
        budget: rows that are evaluated at most.
        population: rows of a generation.
        operators: over the choices of the space, or a method's own.
        first: rows with which the first generation begins, such as baselines: no search ends worse than they are.
    """

    space: Space[D]
    budget: int
    population: int
    operators: type[ChoiceOperators] = ChoiceOperators
    first: Sequence[tuple[int, ...]] = ()

    @property
    def evaluations(self) -> int:
        """Designs that are evaluated at most."""
        return min(self.budget, math.prod(self.space.sizes))

    @property
    def words(self) -> str:
        """Return what is done, for the plan."""
        return f"{many(math.prod(self.space.sizes), 'combination')}: NSGA-II evaluates {counted(self.evaluations)}"

    def proof(self, scored: int) -> str:
        """Return how sure the front is after so many designs."""
        return f"NSGA-II evaluated {counted(scored)} of {counted(math.prod(self.space.sizes))} combinations; others may be better."


@dataclass(frozen=True)
class Own(Generic[D]):
    """A search that the engine brings along.

    Attributes:
        certainty: how sure the front is; "" where no proof is told.
        steps: its steps, with all that it adds to the record; one that says why nothing is feasible ends the run.
    """

    evaluations: int
    words: str
    certainty: str
    steps: Callable[[Search[D]], Iterator[Step]]

    def proof(self, scored: int) -> str:
        """Return how sure the front is."""
        return self.certainty


Strategy = Exhaustive[D] | Genetic[D] | Own[D]


@dataclass(frozen=True)
class Beginning(Generic[C]):
    """The beginning of a search.

    Attributes:
        context: context of all evaluations of the run.
        kept: what every checkpoint keeps next to the search.
        files, results: that the run tells before it searches.
    """

    context: C
    kept: Mapping[str, Any] = field(default_factory=dict)
    files: Sequence[File] = ()
    results: Sequence[Result] = ()


def is_begun(state: Mapping[str, Any] | None) -> bool:
    """Return whether a checkpoint stands within a search, not before it."""
    return state is not None and ("generation" in state or bool(state.get("done")))


class Search(Generic[D]):
    """The search of one run.

    Args:
        record: record of the run.
        strategy: how it searches.
        evaluate: designs with every column.
        quantities: with the roles that they have in the run.
        share: share of the run that is done before the search, and that the search takes.
        beginning: what was done before.

    Attributes:
        record, evaluate, beginning: as given.
        done: whether all that was to be evaluated is.
        scored: rows that were looked at so far.
        words, results, files: that a search of an engine's own leaves for the last step.
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
        """Yield the steps until everything is evaluated or a stop is asked for."""
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
        return self.record.step(before + own * self.scored / total, message, state={**self.beginning.kept, **state})

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
            if search.generation == 0 and strategy.first:
                drawn = [row for row in map(tuple, genes.tolist()) if row not in strategy.first]
                genes = np.array([*strategy.first, *drawn][: len(genes)], dtype=genes.dtype)
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
        """Return by how much the constraints of designs are broken, shape `n`; NaN where that is not defined."""
        slack = np.full(len(columns[self._objectives[0].name]), np.inf)
        for name in self._constraints:
            slack = np.minimum(slack, columns[name])
        return np.where(slack >= 0, 0.0, -slack)


def _promising_first(costs: FloatArray) -> IntArray:
    """Return the rows by the sum of their bounds, each as a share of its range."""
    low, high = costs.min(axis=0), costs.max(axis=0)
    shares = (costs - low) / np.where(high > low, high - low, 1.0)
    total = np.zeros(len(costs))
    for column in shares.T:
        total = total + column
    return np.asarray(np.argsort(total, kind="stable"))


def _dominated(bounds: FloatArray, front: FloatArray) -> BoolArray:
    """Return which bounds a point of the front dominates, shape `n`."""
    found = np.zeros(len(bounds), dtype=bool)
    for point in front:
        found |= (point <= bounds).all(axis=1) & (point < bounds).any(axis=1)
    return found
