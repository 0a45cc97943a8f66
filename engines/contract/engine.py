"""The base class of engines. This module also re-exports all names of the contract that an engine needs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Generic, cast

from typing_extensions import TypeVar

from engines.contract.certainty import Certainty, SurerDesigns
from engines.contract.decision_columns import DecisionColumn
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.edits import Board, Edits, Piece, Place
from engines.contract.errors import ProblemError
from engines.contract.inputs import Document, InputKind, Preset
from engines.contract.limits import LIMIT_SLACK, Allowed, Limit, allowed_by
from engines.contract.metric_breakdowns import MetricBreakdown
from engines.contract.plan import Bound, Determinism, Plan, PlanCheck
from engines.contract.problem import EngineParams, Problem, require
from engines.contract.progress.measurements import Measurement, Measurements, NoMeasurements
from engines.contract.progress.run_context import MAX_WORKING_NAME, Context, Executor, FileStore, LogLevel, Recorder
from engines.contract.progress.step import (
    DOCUMENT_MEDIA_TYPE,
    FILE_MEDIA_TYPES,
    MAX_CHECKPOINT_BYTES,
    MAX_FILE_BYTES,
    MAX_FILE_NAME,
    MAX_RESULT_BYTES,
    MAX_RESULT_NAME,
    File,
    Infeasibility,
    Resume,
    Step,
)
from engines.contract.quantities import ObjectiveChoice, Quantity
from engines.contract.questions import OTHER, Question
from engines.contract.results import Result
from engines.contract.runnable import Measurable, Runnable, RunnablePiece

__all__ = (
    "DOCUMENT_MEDIA_TYPE",
    "FILE_MEDIA_TYPES",
    "MAX_CHECKPOINT_BYTES",
    "MAX_FILE_BYTES",
    "MAX_FILE_NAME",
    "MAX_RESULT_BYTES",
    "MAX_RESULT_NAME",
    "MAX_WORKING_NAME",
    "Board",
    "Bound",
    "Context",
    "DecisionColumn",
    "Determinism",
    "Document",
    "Edits",
    "Engine",
    "EngineParams",
    "Executor",
    "File",
    "FileStore",
    "Infeasibility",
    "InputKind",
    "Limit",
    "LogLevel",
    "Measurable",
    "Measurement",
    "Measurements",
    "MetricBreakdown",
    "NoMeasurements",
    "P",
    "Piece",
    "Place",
    "Plan",
    "PlanCheck",
    "Preset",
    "Problem",
    "Recorder",
    "Resume",
    "Runnable",
    "RunnablePiece",
    "S",
    "Step",
    "require",
)

P = TypeVar("P", bound=EngineParams, default=Any)
S = TypeVar("S", default=Any)
_USUAL_MEMORY_MB = 500.0


class Engine(ABC, Generic[P, S]):
    """A method that searches designs. `P` is the type of its parameters, `S` the type of its prepared problem.

    Call order: `prepare(problem)` (before anything is stored), `plan(problem, ready)` (for the form and the scheduler), then
    `run(problem, ready, record)` in a process of its own, which yields `Step`s. `evaluate` and `explain` may be called at
    any time afterwards, in any process, with decisions stored earlier; they never depend on state that `run` left behind.
    Engines keep no state between calls. A prepared problem is never changed, because later calls for the same problem share it.

    Attributes:
        name, title, summary: slug in addresses and documents; title on pages; one sentence on decisions and objectives.
        source, version: the publication or origin; a number that grows when the same problem gives other values.
        tags, question, precedence: search words of the form of a new run, the question under which it lists the engine, and its
            order: the form opens with the highest precedence.
        inputs, Params, presets: documents by input name, class of the parameters, problems that the form offers by name.
        quantities: columns of designs; for `limits` with slack the framework appends and computes the column `LIMIT_SLACK`.
        objectives: parameters that choose the objectives; None: always the quantities with the role "objective".
        progress_metrics: columns whose best value among feasible designs of the search becomes a metric of each step.
        limits: parameters that bound columns. A limit beyond the `bounds` of the problem makes the run infeasible before it starts;
            a run that ends without a feasible design is infeasible and names the design with the smallest violation.
        result_types: types of results that `explain` may return; the run page omits the tabs of others. None: unknown before the
            first call of `explain`.
        decision_columns: table columns that show a decision; without them, every entry of the decision is a column.
        breakdowns: which results of `explain` add up to which columns, so that pages can show the parts of a metric.
        measured_columns: columns that the run itself measures on held-out data, whatever the cost model.
        measurable: how devices measure designs (`runnable`); None if they cannot. If a user sets a measurement budget, devices
            measure designs of the front during the run, and a search ranks by them with `Recorder.corrected`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    version: ClassVar[int] = 1
    tags: ClassVar[tuple[str, ...]] = ()
    inputs: ClassVar[Mapping[str, InputKind]] = {}
    Params: ClassVar[type[EngineParams]]
    quantities: ClassVar[tuple[Quantity, ...]]
    progress_metrics: ClassVar[tuple[str, ...]] = ()
    objectives: ClassVar[ObjectiveChoice | None] = None
    limits: ClassVar[tuple[Limit, ...]] = ()
    result_types: ClassVar[tuple[type[Result], ...] | None] = None
    decision_columns: ClassVar[tuple[DecisionColumn, ...]] = ()
    breakdowns: ClassVar[tuple[MetricBreakdown, ...]] = ()
    measured_columns: ClassVar[tuple[str, ...]] = ()
    measurable: ClassVar[Measurable | None] = None
    presets: ClassVar[tuple[Preset, ...]] = ()
    precedence: ClassVar[int] = 0
    question: ClassVar[Question] = OTHER

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        known = {quantity.name for quantity in getattr(cls, "quantities", ())}
        if any(limit.has_slack for limit in cls.limits) and LIMIT_SLACK.name not in known:
            cls.quantities = (*cls.quantities, LIMIT_SLACK)

    def prepare(self, problem: Problem[P]) -> S:
        """Return the prepared problem that the search needs, by default the problem itself; refuse one that cannot run.

        It must take at most tens of milliseconds; slower work waits for its first use (`cached_property`).

        Raises:
            ProblemError: the problem cannot run; the error names the field, its value and the accepted values.
        """
        return cast(S, problem)

    def plan(self, problem: Problem[P], ready: S) -> Plan:
        """Return the plan of a run; by default the budget of its parameters, at 10 us to 10 ms per evaluation."""
        count = int(getattr(problem.params, "evaluations", 1))
        return Plan(evaluations=count, memory_mb=_USUAL_MEMORY_MB, time_s=(1e-5 * count, 1e-2 * count))

    def bounds(self, problem: Problem[P], ready: S) -> tuple[Bound, ...]:
        """Return values that no design of `problem` can pass; pages show them with the plan. At most tens of milliseconds."""
        return ()

    def limit_values(self, problem: Problem[P], ready: S) -> Allowed:
        """Return limit -> value for `problem`; override it if a device or another parameter sets a limit too."""
        return allowed_by(self.limits, problem.params)

    @abstractmethod
    def run(self, problem: Problem[P], ready: S, record: Recorder) -> Iterator[Step]:
        """Search, and yield a step at least once per second of work if possible, with a checkpoint at least once per minute."""

    @abstractmethod
    def evaluate(self, problem: Problem[P], ready: S, decisions: Decisions, context: Context) -> Designs:
        """Return the designs of one or more decisions with origin "user"; stored decisions get the same metrics as in the run.

        Raises:
            DecisionError: a decision does not describe a design of this problem.
        """

    def explain(self, problem: Problem[P], ready: S, decision: Decision, context: Context) -> tuple[Result, ...]:
        """Return grid, schedule, traces and breakdowns of one design; their totals equal the metrics of `evaluate`."""
        return ()

    def neighbours(self, problem: Problem[P], ready: S, decision: Decision) -> Iterable[Decision] | None:
        """Return decisions that differ from `decision` by a single change, the most promising first; `evaluate` may refuse some.

        None: the caller replaces single entries of `decision` by those of other designs of the run.
        """
        return None

    def edits(self, problem: Problem[P], ready: S, decision: Decision) -> Edits | None:
        """Return the boards on which a user can edit the design; None for none. Pages call it after every edit, so it must be fast.

        Raises:
            DecisionError: the decision does not describe a design of this problem.
        """
        return None

    @property
    def is_editable(self) -> bool:
        """Whether the engine overrides `edits`, so that users may edit its designs by hand."""
        return type(self).edits is not Engine.edits

    def runnable(self, problem: Problem[P], ready: S, decision: Decision, figures: Mapping[str, float]) -> Runnable:
        """Return the networks that devices run to measure a design; called only for engines with `measurable`.

        Args:
            problem: problem of the run.
            ready: prepared problem.
            decision: decision of the design.
            figures: column -> value of the design, for the columns that `measurable` names.

        Raises:
            DecisionError: the decision does not describe a design, or devices can run no part of this design.
        """
        raise ProblemError("engine", self.name, "an engine whose designs machines can run")

    def result_types_of(self, problem: Problem[P]) -> tuple[type[Result], ...] | None:
        """Return `result_types` for one problem; override it if inputs or parameters decide."""
        return () if type(self).explain is Engine.explain else self.result_types

    def estimator(self, problem: Problem[P]) -> tuple[str, Certainty]:
        """Return the name of the cost model behind the metrics, and their certainty."""
        return (self.title, "predicted")

    def baseline_hardware(self, problem: Problem[P]) -> Mapping[str, str]:
        """Return baseline label -> its hardware in words, for baselines on other hardware than that of `problem`."""
        return {}

    def model(self, problem: Problem[P]) -> str:
        """Return a description of the networks or supernet, if no workload document describes them; "" otherwise.

        Comparisons do not rank runs whose networks differ.
        """
        return ""

    def error_factors(self, problem: Problem[P]) -> Mapping[str, float]:
        """Return column -> error band, a factor up or down that holds 90 % of held-out measurements.

        Columns with an unknown error band are absent.
        """
        return {}

    def surer_designs(self, problem: Problem[P]) -> SurerDesigns:
        """Return the designs that are more certain than `estimator` because they leave out some compute units; by default none."""
        return SurerDesigns()

    def chosen_inputs(self, problem: Problem[P]) -> Mapping[str, str]:
        """Return input name -> slug of the built-in document that the engine uses for an input that `problem` leaves empty."""
        return {}

    def certainties(self, problem: Problem[P]) -> Mapping[str, Certainty]:
        """Return column -> certainty, for columns whose values do not come from the cost model.

        By default the `measured_columns`, as measured.
        """
        return dict.fromkeys(self.measured_columns, "measured")

    def quantities_of(self, params: P) -> tuple[Quantity, ...]:
        """Return the metrics of a run with these parameters: all columns, but only the requested ones as objectives."""
        return self.quantities if self.objectives is None else self.objectives.roles(self.quantities, params)

    def primary_metric(self, problem: Problem[P]) -> str:
        """Return the metric that defines "best" on pages and in lists: the first objective of the run."""
        return next(q.name for q in self.quantities_of(problem.params) if q.role == "objective")
