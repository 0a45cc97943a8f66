"""The contract between an engine and everything that runs, stores and shows it: all of it can be imported from here."""

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
    """A method that explores designs. `S` is what its search needs of a problem, prepared.

    Call order: `prepare(problem)` (before anything is stored), `plan(problem, ready)` (for the form and the scheduler), then
    `run(problem, ready, record)` in a process of its own, which yields `Step`s. `evaluate` and `explain` may be called at
    any time afterwards, in any process, with decisions stored earlier; they never depend on state that `run` left behind.
    Engines keep no state between calls, and nothing changes what was prepared: it is kept for all who ask for that problem again.

    `progress_metrics` names the columns whose best value so far, of designs of the search that meet all limits, is a metric of each
    step.

    `objectives` says which quantities span the front where parameters choose among them; None: those of that role, always.

    `limits` are the parameters that bound columns, and `bounds` what no design passes: a limit beyond them is told with the plan,
    and the run ends as infeasible before it begins. What designs leave to their limits is the last of the `quantities`, which the
    framework adds and computes. A run that ends without a design within its limits is infeasible, by the design nearest to them.

    `result_types` says which types of results `explain` may give, so that pages leave out from the first moment on what the engine
    never shows: without `Schedule` among them there is no tab for it. None: not known before the first design is explained.

    `decision_columns` are the columns that tables show of a decision, read from the decision alone; left out, each entry is one.

    `breakdowns` says which results of `explain` add up to which figures, so that pages can show what a figure is made of.

    `measured_columns` are measured on held-out data by the run itself, whatever the cost model is.

    `presets` are problems that the form offers by name.

    `measurable` says that machines can run designs (`runnable`), and what of them; None: they cannot, and pages offer nothing.
    Where a person gives a run a budget of measurements, designs of its front are measured while it runs; a search ranks by them
    with `Recorder.corrected`.

    `precedence`: engines of a higher one are offered before others where several take what is there; the form of a new run
    opens with the highest.

    `question`: what is decided; the form of a new run offers engines by it.
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
        """Refuse a problem that cannot be run, and build what the search of any other needs: by default the problem itself. Cheap.

        What takes longer than tens of milliseconds is left to the first use (`cached_property`).

        Raises:
            ProblemError: names the field, what was got and what is accepted.
        """
        return cast(S, problem)

    def plan(self, problem: Problem[P], ready: S) -> Plan:
        """Return what running `problem` will take: by default the evaluations of its parameters, of 10 us to 10 ms each."""
        count = int(getattr(problem.params, "evaluations", 1))
        return Plan(evaluations=count, memory_mb=_USUAL_MEMORY_MB, time_s=(1e-5 * count, 1e-2 * count))

    def bounds(self, problem: Problem[P], ready: S) -> tuple[Bound, ...]:
        """Return what no design of `problem` passes, whatever is searched: told with the plan, next to the bounds there. Cheap."""
        return ()

    def limit_values(self, problem: Problem[P], ready: S) -> Allowed:
        """Return the limits of `problem` with their values; overridden where a device or another parameter sets one too. Cheap."""
        return allowed_by(self.limits, problem.params)

    @abstractmethod
    def run(self, problem: Problem[P], ready: S, record: Recorder) -> Iterator[Step]:
        """Search. Yields at least every second of work where it can, with a checkpoint at least once per minute of work."""

    @abstractmethod
    def evaluate(self, problem: Problem[P], ready: S, decisions: Decisions, context: Context) -> Designs:
        """Return the same numbers again for stored decisions, or the numbers of a user's own; at least one, with origin "user".

        Raises:
            DecisionError: a decision does not describe a design of this problem.
        """

    def explain(self, problem: Problem[P], ready: S, decision: Decision, context: Context) -> tuple[Result, ...]:
        """Return grid, schedule, traces, breakdowns of one design; their totals equal `evaluate`."""
        return ()

    def neighbours(self, problem: Problem[P], ready: S, decision: Decision) -> Iterable[Decision] | None:
        """Return the decisions that differ from one by a single change, for `evaluate`, which may refuse them.

        The likeliest to help first.

        None: what other designs of the run have in one of its entries is tried in its place.
        """
        return None

    def edits(self, problem: Problem[P], ready: S, decision: Decision) -> Edits | None:
        """Return the edits by hand that a design allows; None for none. Called after every edit, so it must be cheap.

        Raises:
            DecisionError: the decision does not describe a design of this problem.
        """
        return None

    @property
    def is_editable(self) -> bool:
        """Whether designs of any problem may be edited by hand (`edits`)."""
        return type(self).edits is not Engine.edits

    def runnable(self, problem: Problem[P], ready: S, decision: Decision, figures: Mapping[str, float]) -> Runnable:
        """Return what of a design machines can run; only of engines that are `measurable`.

        Args:
            problem: the design's.
            ready: from `prepare`.
            decision: decision of the design.
            figures: figures of the design, those that `measurable` names.

        Raises:
            DecisionError: the decision does not describe a design, or nothing of this one can be run.
        """
        raise ProblemError("engine", self.name, "an engine whose designs machines can run")

    def result_types_of(self, problem: Problem[P]) -> tuple[type[Result], ...] | None:
        """Return `result_types` for one problem; overridden where inputs or parameters decide."""
        return () if type(self).explain is Engine.explain else self.result_types

    def estimator(self, problem: Problem[P]) -> tuple[str, Certainty]:
        """Return which cost model gives the metrics, in words, and how certain they are."""
        return (self.title, "predicted")

    def baseline_hardware(self, problem: Problem[P]) -> Mapping[str, str]:
        """Return label of a baseline -> its hardware in words, for baselines that run on other hardware than that of `problem`."""
        return {}

    def model(self, problem: Problem[P]) -> str:
        """Return a description of the networks or supernet, if no workload document describes them; "" otherwise.

        Runs whose models or workloads differ are not set against each other in comparisons.
        """
        return ""

    def error_factors(self, problem: Problem[P]) -> Mapping[str, float]:
        """Return column -> error band, a factor up or down that holds 90 % of held-out measurements.

        Columns without one are left out.
        """
        return {}

    def surer_designs(self, problem: Problem[P]) -> SurerDesigns:
        """Return designs of `problem` that are more certain than `estimator` says, without some units; by default none."""
        return SurerDesigns()

    def chosen_inputs(self, problem: Problem[P]) -> Mapping[str, str]:
        """Return slot that `problem` leaves empty -> slug of the built-in document that the engine takes there."""
        return {}

    def certainties(self, problem: Problem[P]) -> Mapping[str, Certainty]:
        """Return column -> its certainty, where another part than the cost model gives it.

        By default those of `measured_columns`.
        """
        return dict.fromkeys(self.measured_columns, "measured")

    def quantities_of(self, params: P) -> tuple[Quantity, ...]:
        """Return the metrics of a run with these parameters: all columns, but only the requested ones as objectives."""
        return self.quantities if self.objectives is None else self.objectives.roles(self.quantities, params)

    def primary_metric(self, problem: Problem[P]) -> str:
        """Return the metric that defines "best" on pages and in lists: the first objective of the run."""
        return next(q.name for q in self.quantities_of(problem.params) if q.role == "objective")
