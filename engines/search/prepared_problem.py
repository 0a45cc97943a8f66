"""Prepared problems, which evaluate designs, and the base class of their engines, which implements what all runs share.

An engine of this kind is its declaration and the class of what it prepares:

    class ShieldEngine(PreparedEngine[ShieldParams, PreparedShield]):
        name, title, ... = ...
        prepares = PreparedShield

A `PreparedProblem` defines its designs: how to decode, evaluate and explain them, and which strategy searches them. The framework
implements budget, checkpoints, ranking, limits with their slack, infeasibility, baselines, proof and comparison.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, ClassVar, Generic, cast

import numpy as np
from typing_extensions import TypeVar

from engines.contract.certainty import Certainty
from engines.contract.decision_columns import cell_words, decided_cells, decision_columns
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.edits import Edits
from engines.contract.encoding.decoding import encoded
from engines.contract.engine import (
    Bound,
    Context,
    Engine,
    EngineParams,
    File,
    Infeasibility,
    Plan,
    PlanCheck,
    Problem,
    Recorder,
    Runnable,
    Step,
)
from engines.contract.errors import DecisionError
from engines.contract.integer_format import many
from engines.contract.limits import LIMIT_SLACK, Allowed, minimum_slack, nearest
from engines.contract.plan import warnings_of
from engines.contract.quantities import objectives_of
from engines.contract.results import Note, Result, Table, TableColumn
from engines.search.strategies import Beginning, Columns, Search, Strategy, is_begun

P = TypeVar("P", bound=EngineParams, default=Any)
D = TypeVar("D", default=Any)
C = TypeVar("C", default=Any)


class PreparedProblem(ABC, Generic[P, D, C]):
    """A problem that can run. `D` is the type of a design, `C` that of the context of evaluations from `context_of`.

    It is never changed, because several threads share it for the same problem.

    Attributes:
        share: fraction of the run before its search, and fraction that the search takes.
        counts_baselines: whether baselines count as evaluations of the run.
    """

    share: ClassVar[tuple[float, float]] = (0.0, 0.95)
    counts_baselines: ClassVar[bool] = False

    @abstractmethod
    def __init__(self, problem: Problem[P]) -> None:
        """Refuse a problem that cannot run. This must be fast; slow preparation waits for its first use.

        Raises:
            ProblemError: the problem cannot run; the error names the field, its value and the accepted values.
        """

    @abstractmethod
    def decode(self, decision: Decision) -> D:
        """Return the design of a decision.

        Raises:
            DecisionError: it describes no design; the error names the field, its value and the accepted values.
        """

    def encode(self, design: D) -> Mapping[str, Any]:
        """Return the decision of a design, by default the fields of a dataclass."""
        return encoded(design)

    def label(self, design: D) -> str:
        """Return the label of a design that is not a baseline, "" by default."""
        return ""

    def completed(self, designs: Sequence[D], context: C) -> Sequence[D]:
        """Return the designs completed by measured values that their decisions store; by default unchanged."""
        return designs

    @abstractmethod
    def strategy(self) -> Strategy[D]:
        """Return the search strategy. This must be fast, because the plan needs it too."""

    @abstractmethod
    def evaluate(self, designs: Sequence[D], context: C) -> Columns:
        """Return all columns of one or more designs, shape `n` each; slack only for limits that differ between designs."""

    @abstractmethod
    def explain(self, design: D, context: C) -> tuple[Result, ...]:
        """Return grid, schedule, traces and breakdowns of one design; their totals equal the metrics of `evaluate`."""

    @abstractmethod
    def plan(self, evaluations: int) -> Plan:
        """Return the plan of `evaluations`; the framework adds the strategy and the warnings among `facts`."""

    def facts(self) -> tuple[Result, ...]:
        """Return results that do not depend on the search, such as sources of the numbers."""
        return ()

    def baselines(self) -> Mapping[str, D]:
        """Return label -> baseline design; baselines are evaluated before the search."""
        return {}

    def bounds(self) -> tuple[Bound, ...]:
        """Return values that no design can pass. This must be fast."""
        return ()

    def limit_values(self, allowed: Allowed) -> Allowed:
        """Return the limits set by parameters (`allowed`) and by inputs. This must be fast."""
        return allowed

    def begin(self, record: Recorder) -> Generator[Step, None, Beginning[C] | None]:
        """Yield the steps before the search, such as a training; return its beginning, or None after a requested stop."""
        yield from ()
        return Beginning(self.context_of(record.context))

    def context_of(self, context: Context) -> C:
        """Return the data that evaluations share, such as sampled conditions or a trained network."""
        return context  # type: ignore[return-value]

    def computing(self, context: Context) -> AbstractContextManager[object]:
        """Return a context manager around all computing, such as fixed settings of torch."""
        return nullcontext()

    def report(self, designs: Designs, context: C) -> tuple[Result, ...]:
        """Return the results of a complete run with at least one feasible design."""
        return ()

    def ending(self, designs: Designs, context: C) -> tuple[str, Sequence[File]]:
        """Return message and files of the last step; with "" the message counts the designs."""
        return "", ()

    def scoped(self, proof: Note, designs: Designs) -> Note:
        """Return the proof with what it holds for and leaves open."""
        return proof

    def unmet(self, allowed: Allowed, designs: Designs) -> Infeasibility | None:
        """Return why no design of a search meets the limits; None where the search itself knows."""
        return nearest(allowed, designs)

    def edits(self, decision: Decision) -> Edits | None:
        """Return the boards for edits by hand, as `Engine.edits`; None for none."""
        return None

    def neighbours(self, decision: Decision) -> Iterable[Decision] | None:
        """Return neighbours like `Engine.neighbours`."""
        return None

    def runnable(self, design: D, figures: Mapping[str, float]) -> Runnable:
        """Return the networks that devices run to measure a design, as `Engine.runnable`; only for engines with `measurable`."""
        raise DecisionError("decision", design, "a design that devices can measure")


R = TypeVar("R", bound=PreparedProblem[Any, Any, Any], default=PreparedProblem[Any, Any, Any])


class PreparedEngine(Engine[P, R], ABC):
    """An engine that declares, and leaves computing to what it prepares.

    `cost_model` is the name of the cost model and the certainty of its estimates; `prepares` the class of the prepared problem.
    """

    prepares: ClassVar[type[PreparedProblem[Any, Any, Any]]]
    cost_model: ClassVar[tuple[str, Certainty] | None] = None

    def prepare(self, problem: Problem[P]) -> R:
        """Prepare a problem by the class of the prepared problem."""
        return cast(R, self.prepares(problem))

    def estimator(self, problem: Problem[P]) -> tuple[str, Certainty]:
        """Return the declared cost model; by default the engine's title with the certainty "predicted"."""
        return self.cost_model or super().estimator(problem)

    def plan(self, problem: Problem[P], ready: R) -> Plan:
        """Return the plan of the problem, with what its strategy evaluates."""
        strategy = ready.strategy()
        plan = ready.plan(strategy.evaluations + (len(ready.baselines()) if ready.counts_baselines else 0))
        notes = warnings_of(each for each in ready.facts() if isinstance(each, Note))
        return replace(plan, checks=(PlanCheck(True, strategy.words), *plan.checks), notes=(*plan.notes, *notes))

    def bounds(self, problem: Problem[P], ready: R) -> tuple[Bound, ...]:
        """Return the bounds of the prepared problem."""
        return ready.bounds()

    def limit_values(self, problem: Problem[P], ready: R) -> Allowed:
        """Return the limits of the prepared problem."""
        return ready.limit_values(super().limit_values(problem, ready))

    def run(self, problem: Problem[P], ready: R, record: Recorder) -> Iterator[Step]:
        """Yield what comes before the search, baselines, the search, and what follows from it."""
        stopped, quantities = record.context.stop_requested, self.quantities_of(problem.params)
        with ready.computing(record.context):
            beginning = yield from ready.begin(record)
            if beginning is None:
                return
            baselines, has_baselines = ready.baselines(), type(ready).baselines is not PreparedProblem.baselines
            if baselines and not record.told and not is_begun(record.state):
                found = self._designs(problem, ready, list(baselines.values()), beginning.context, tuple(baselines))
                record.add(found, "baseline", None if ready.counts_baselines else np.zeros(len(found), np.int64))
                results = (*beginning.results, *ready.facts())
                yield record.step(
                    ready.share[0], "Baselines evaluated", results, beginning.files, beginning.kept or None
                )
            strategy = ready.strategy()
            search = Search(
                record, strategy, lambda designs: self._designs(problem, ready, designs, beginning.context),
                quantities, ready.share, beginning,
            )  # fmt: skip
            yield from search.steps()
            if not search.done or stopped():
                return
            designs = record.designs
            if not designs.counted(quantities).any():
                searched = np.flatnonzero(designs.of_origin("search"))
                found = designs.take(searched) if len(searched) else designs
                unmet = ready.unmet(self.limit_values(problem, ready), found)
                if unmet is not None:
                    yield record.infeasible(unmet)
                    return
            text = strategy.proof(search.scored)
            proof = Note("proof", "How good these designs are for certain", text, role="proof")
            results = (
                *((ready.scoped(proof, designs),) if text else ()),
                *((self.comparison(problem, designs),) if has_baselines else ()),
                *search.results,
                *ready.report(designs, beginning.context),
                *ready.facts(),
            )
            words, files = ready.ending(designs, beginning.context)
            files = (*search.files, *files)
            words = search.words or words or f"{many(record.evaluations, 'design')} evaluated"
            yield record.step(1.0, words, results, files)

    def evaluate(self, problem: Problem[P], ready: R, decisions: Decisions, context: Context) -> Designs:
        """Return the same numbers again, with origin "user"."""
        designs = [ready.decode(decision) for decision in decisions]
        if not designs:
            return Designs.empty(self.quantities)
        with ready.computing(context):
            return self._designs(problem, ready, designs, ready.context_of(context))

    def explain(self, problem: Problem[P], ready: R, decision: Decision, context: Context) -> tuple[Result, ...]:
        """Return what the problem says of the design."""
        design = ready.decode(decision)
        with ready.computing(context):
            return ready.explain(design, ready.context_of(context))

    def edits(self, problem: Problem[P], ready: R, decision: Decision) -> Edits | None:
        """Return the edits by the prepared problem."""
        return ready.edits(decision)

    def neighbours(self, problem: Problem[P], ready: R, decision: Decision) -> Iterable[Decision] | None:
        """Return the neighbours by the prepared problem."""
        return ready.neighbours(decision)

    @property
    def is_editable(self) -> bool:
        """Whether the prepared problem supports edits by hand."""
        return self.prepares.edits is not PreparedProblem.edits

    def runnable(self, problem: Problem[P], ready: R, decision: Decision, figures: Mapping[str, float]) -> Runnable:
        """Return what machines can run of the design."""
        return ready.runnable(ready.decode(decision), figures)

    def comparison(self, problem: Problem[P], designs: Designs) -> Table:
        """Return a table of the best design by each objective and the baselines, with their decisions and objectives."""
        quantities = self.quantities_of(problem.params)
        rows: dict[str, int] = {}
        for objective in objectives_of(quantities):
            row = designs.best(objective, quantities)
            if row is not None:
                rows[f"Best {objective.title[:1].lower()}{objective.title[1:]}"] = row
        rows |= {designs.label[row]: row for row in np.flatnonzero(designs.of_origin("baseline")).tolist()}
        places = list(rows.values())
        decisions = [designs.decisions[row] for row in places]
        cells = [decided_cells(self.decision_columns, decision) for decision in decisions]
        return Table(
            "best", "Best designs and baselines",
            (
                TableColumn("Design", tuple(rows)),
                *(
                    TableColumn(column.title, tuple(cell_words(row.get(column.name)) for row in cells))
                    for column in decision_columns(self.decision_columns, decisions)
                    if column.varies and column.kind != "sequence"
                ),
                *(
                    TableColumn(each.title, designs.columns[each.name][places], each.unit or "")
                    for each in objectives_of(self.quantities)
                ),
            ),
        )  # fmt: skip

    def _designs(
        self,
        problem: Problem[P],
        ready: R,
        designs: Sequence[Any],
        context: Any,
        label: Sequence[str] = (),
    ) -> Designs:
        """Return evaluated designs with all columns, including the slack to the limits."""
        if not designs:
            return Designs.empty(self.quantities)
        designs = ready.completed(designs, context)
        columns = dict(ready.evaluate(designs, context))
        if LIMIT_SLACK in self.quantities:
            slack = minimum_slack(self.limit_values(problem, ready), columns)
            columns[LIMIT_SLACK.name] = np.minimum(slack, columns.get(LIMIT_SLACK.name, slack))
        ordered = {quantity.name: columns[quantity.name] for quantity in self.quantities}
        decisions = [ready.encode(design) for design in designs]
        return Designs(ordered, decisions, label=label or [ready.label(design) for design in designs])
