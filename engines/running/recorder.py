"""The report of a run, step by step, and what its checkpoints keep next to the state of its search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.designs import Designs, Origin
from engines.contract.engine import Context, Engine, File, Infeasibility, Problem, Resume, Step
from engines.contract.limits import message_of
from engines.contract.results import Result
from engines.running.checkpoints import pack_checkpoint, unpack_checkpoint
from engines.running.measuring_loop import MeasuringLoop
from engines.running.slack import LimitCheck

SAMPLED_DESIGNS = 15_000
_EVALUATIONS, _FRACTION, _MEASURED = "recorder.evaluations", "recorder.fraction", "recorder.measured"


class RunRecorder:
    """Recorder of a run (`engines.contract.engine.Recorder`).

    Args:
        engine: whose run it is.
        problem: problem of the run.
        context: the surroundings of the run.
        resume: state to continue from; None at the start.

    Raises:
        CheckpointError: the checkpoint belongs to another engine, version or problem.
    """

    def __init__(self, engine: Engine, problem: Problem, context: Context, resume: Resume | None = None) -> None:
        self.context = context
        self.evaluations = 0
        self.state: Mapping[str, Any] | None = None
        self._engine, self._problem = engine, problem
        self._tells = [each for each in engine.quantities if each.name in engine.progress_metrics]
        self._quantities = engine.quantities
        self._none = Designs.empty(engine.quantities)
        self._parts = [self._none]
        self._new: list[Designs] = []  # what no step told yet
        self._best: dict[str, float] = {}
        self._fraction = 0.0
        self._goes_on_from: Mapping[str, Any] | None = None
        kept: Mapping[str, Any] | None = None
        if resume is not None:
            # Releases up to November 2026 hashed every parameter, also of a run that was stored before one of them was added.
            hashes = problem.hash(), replace(problem, written=False).hash()
            state = unpack_checkpoint(resume.checkpoint, problem.engine, problem.version, *hashes)
            self.evaluations = int(state.pop(_EVALUATIONS, 0))
            self._fraction = float(state.pop(_FRACTION, 0.0))
            kept = state.pop(_MEASURED, None)
            self.state = self._goes_on_from = state
            self._keep(resume.designs)
        self._measuring = MeasuringLoop(engine, problem, context.measurements, kept)
        if kept is not None:
            self._measuring.restore(self.designs)

    @property
    def designs(self) -> Designs:
        """All designs that were added so far, joined when they are asked for: a step costs what is new."""
        if len(self._parts) > 1:
            self._parts = [Designs.concatenate(self._parts)]
        return self._parts[0]

    @property
    def told(self) -> int:
        """How many designs were added so far."""
        return sum(map(len, self._parts))

    def scored(self, count: int) -> IntArray:
        """Count `count` more evaluations; their numbers, shape `count`."""
        self._goes_on_from = None  # what was told last is from before this
        first = self.evaluations + 1
        self.evaluations += count
        return first + np.arange(count)

    def sampled(self, number: int, count: int, total: float) -> BoolArray:
        """Return a mask of the dominated designs of batch `number` to report, shape `count`."""
        draws = self.context.random("report", number).random(count)
        return np.asarray(draws < SAMPLED_DESIGNS / total)

    def add(self, designs: Designs, origin: Origin | Sequence[str] = "search", at: IntArray | None = None) -> None:
        """Take in new designs, which the next step tells; `at`, shape `n`, are the numbers of their evaluations."""
        found_at = self.scored(len(designs)) if at is None else at
        origins = [origin] * len(designs) if isinstance(origin, str) else origin
        columns = self._limits.columns(designs)
        new = replace(designs, columns=columns, found_at_evaluation=found_at, origin=origins)
        self._goes_on_from = None
        self._new.append(new)
        self._keep(new)

    def step(
        self,
        fraction: float,
        message: str,
        results: Sequence[Result] = (),
        files: Sequence[File] = (),
        state: Mapping[str, Any] | None = None,
    ) -> Step:
        """Return the next step, with what was added since the last."""
        new = Designs.concatenate([self._none, *self._new])
        self._new = []
        self._fraction = max(self._fraction, fraction)
        self._goes_on_from = self._goes_on_from if state is None else state
        return Step(
            self._fraction,
            message,
            {"evaluations": float(self.evaluations), **self._best},
            new if len(new) else None,
            tuple(results),
            tuple(files),
            None if state is None else self._checkpoint(state),
        )

    def corrected(self, designs: Designs) -> FloatArray:
        """Return the measurable column of `designs`, corrected by the measurements so far, shape `n`."""
        return self._measuring.corrected(replace(designs, columns=self._limits.columns(designs)))

    def measured(self, steps: Iterator[Step]) -> Iterator[Step]:
        """Yield the steps of the engine, with rounds of measurements between and after them, where a machine was chosen."""
        if self.state is not None and self._fraction < 1.0:
            yield from self._measuring.rounds(self, self._fraction, self._goes_on_from)
        for step in self._with_verdict(steps):
            yield step
            if step.infeasible is None and (step.checkpoint is not None or step.fraction >= 1.0):
                yield from self._measuring.rounds(self, step.fraction, self._goes_on_from)

    def slack(self, columns: Mapping[str, Any]) -> FloatArray:
        """Return the least slack to the limits of the problem, of the shape of the columns."""
        return self._limits.slack(columns)

    def unmet(self, designs: Designs | None = None) -> Infeasibility | None:
        """Return the limit that every design violates, by default of those of the search; None if a design meets all of them."""
        if designs is None:
            designs = self.designs.take(np.flatnonzero(self.designs.of_origin("search")))
        return self._limits.unmet(designs)

    def infeasible(self, found: Infeasibility, message: str = "") -> Step:
        """Return the last step of a run whose limits cannot be met."""
        return replace(self.step(1.0, message or message_of(found)), infeasible=found)

    def _with_verdict(self, steps: Iterator[Step]) -> Iterator[Step]:
        """Yield the steps of the engine, and after a whole search without a design within the limits one that says so."""
        ended = False
        for step in steps:
            ended = step.infeasible is not None
            yield step
        found = None if ended or self._fraction < 1.0 else self.unmet()
        if found is not None:
            yield self.infeasible(found)

    @cached_property
    def _limits(self) -> LimitCheck:
        return LimitCheck(self._engine, self._problem)

    def _keep(self, designs: Designs) -> None:
        self._parts.append(designs)
        for quantity in self._tells:
            row = designs.best(quantity, self._quantities)
            if row is not None:
                found, better = float(designs.columns[quantity.name][row]), max if quantity.sense == "maximise" else min
                self._best[quantity.name] = better(self._best.get(quantity.name, found), found)

    def _checkpoint(self, state: Mapping[str, Any]) -> bytes:
        measured = self._measuring.state
        kept = {**state, _EVALUATIONS: self.evaluations, _FRACTION: self._fraction}
        kept |= {} if measured is None else {_MEASURED: measured}
        problem = self._problem
        return pack_checkpoint(problem.engine, problem.version, problem.hash(), kept)
