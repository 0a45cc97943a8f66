"""Prepared problems whose designs are measured with networks that the run trains, first or while it searches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, TypeVar

from engines.contract.engine import Context, EngineParams, File, Plan, PlanCheck, Recorder, Step
from engines.contract.estimates import around
from engines.contract.results import Result
from engines.data.training_data import require_torch
from engines.learning.course import Course
from engines.learning.curves import loss_curve
from engines.search.prepared_problem import PreparedProblem
from engines.search.strategies import Beginning

P = TypeVar("P", bound=EngineParams)
D = TypeVar("D")
C = TypeVar("C")
_MEMORY_MB = 8000.0  # torch alone takes 4 GB of addresses


class TorchProblem(PreparedProblem[P, D, C]):
    """A problem that computes with torch.

    Modules that import torch are imported by the methods that need them: plans do without.
    """

    @abstractmethod
    def seconds(self, evaluations: int) -> float:
        """Return the processor time of trainings and so many evaluations."""

    def checks(self) -> tuple[PlanCheck, ...]:
        """Return the checks of the training for the plan."""
        return ()

    def plan(self, evaluations: int) -> Plan:
        """Return the plan of the training: time, memory, and torch as a requirement."""
        needs = frozenset({"torch"})
        return Plan(evaluations, _MEMORY_MB, around(self.seconds(evaluations)), needs, "pinned", self.checks())

    def computing(self, context: Context) -> AbstractContextManager[object]:
        """Set torch so that equal seeds give equal weights."""
        require_torch()
        from engines.data.torch_images import pinned

        return pinned(context.device)


class TrainedProblem(TorchProblem[P, D, C]):
    """A problem that trains a learner before its search; single designs take what the run trained, or train again.

    Attributes:
        state_name: under which what was trained is kept among the files of a run.
        trained: what that is, within a sentence ("the original"), and
        loss: title of its loss, where `progress` is not overridden.
    """

    share = (0.15, 0.8)
    state_name: ClassVar[str]
    trained: ClassVar[str]
    loss: ClassVar[str] = "Cross-entropy"

    @abstractmethod
    def learner(self, context: Context) -> Any:
        """Return the learner before its first epoch."""

    @abstractmethod
    def trained_context(self, learner: Any) -> C:
        """Return the context of evaluations with what was trained."""

    def course(self, learner: Any) -> Course:
        """Return the training of a learner."""
        return Course(learner)

    def files(self, learner: Any) -> Sequence[File]:
        """Return the files of the trained networks."""
        return ()

    def begin(self, record: Recorder) -> Generator[Step, None, Beginning[C] | None]:
        """Train, from where a checkpoint stands, and keep what was trained."""
        files, learner = record.context.files, self.learner(record.context)
        course = self.course(learner)
        if record.state is not None:
            course.restore(record.state, files)
        yield from course.steps(record, lambda: self.progress(course))
        if not course.done:
            return None
        files.get_or_build(self.state_name, learner.state)
        return Beginning(self.trained_context(learner), course.state(files), self.files(learner))

    def context_of(self, context: Context) -> C:
        """Return the trained state of the run, or train it again."""
        learner = self.learner(context)

        def build() -> bytes:
            self.course(learner).finish()
            state: bytes = learner.state()
            return state

        learner.restore(context.files.get_or_build(self.state_name, build), learner.epochs)
        return self.trained_context(learner)

    def progress(self, course: Course) -> tuple[float, str, tuple[Result, ...]]:
        """Return share, words and curves after an epoch."""
        title = self.trained[:1].upper() + self.trained[1:]
        curve = loss_curve(course.losses, {self.loss: (0, course.learner.epochs)}, f"Training of {self.trained}")
        return self.share[0] * course.share, f"{title}: {course.words}", (curve,)
