"""Drives an engine's `run` and holds it to its contract. Used by the runner, notebooks and tests alike."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, Literal

from engines.contract.designs import Designs
from engines.contract.encoding.result_json import result_to_bytes
from engines.contract.engine import (
    FILE_MEDIA_TYPES,
    MAX_CHECKPOINT_BYTES,
    MAX_FILE_NAME,
    MAX_RESULT_BYTES,
    MAX_RESULT_NAME,
    Context,
    Engine,
    Infeasibility,
    Problem,
    Resume,
    Step,
)
from engines.contract.errors import ContractError, StopRequested
from engines.contract.limits import ruled_out
from engines.contract.results import Note, Result
from engines.running.computing_clock import ComputingClock
from engines.running.context import StoppableContext
from engines.running.files import check_content
from engines.running.prepared_problems import ready_of
from engines.running.recorder import RunRecorder

Ending = Literal["done", "stopped", "infeasible"]
_FREE_METRICS = frozenset({"evaluations"})
_EVALUATIONS_END = 2**63
_FIRST_STEPS = 3  # within which engines tell their first designs, but for those that train before


class Drive:
    """An iterator over the checked steps of one run; `ending` tells how it ended, None before.

    A requested stop takes effect after the step at hand: that step is still yielded, nothing after it. So does a time limit,
    which the engine meets as a stop that was asked for; `out_of_time` then tells that it was the limit. `clock` is that of the
    limit.
    """

    def __init__(
        self,
        engine: Engine,
        problem: Problem,
        context: Context,
        resume: Resume | None = None,
        time_limit_s: float | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.ending: Ending | None = None
        self.out_of_time = False
        self._engine = engine
        self.clock = ComputingClock(time_limit_s, now=now)
        self._asked_to_stop = context.stop_requested
        self._context: Context = context if time_limit_s is None else StoppableContext(context, self.clock.is_over)
        self._names = tuple(quantity.name for quantity in engine.quantities)
        self._fraction = 0.0
        self._record = RunRecorder(engine, problem, self._context, resume)
        self._steps = self._record.measured(_steps(engine, problem, self._record))

    @property
    def designs(self) -> Designs:
        """All designs of the run so far, with those that it resumed with."""
        return self._record.designs

    def __iter__(self) -> Iterator[Step]:
        return self

    def __next__(self) -> Step:
        if self.ending is not None:
            raise StopIteration
        self.clock.begin()
        try:
            if self.clock.is_over() and self._fraction < 1.0:
                raise StopRequested  # a run that goes on with nothing left of its time
            step = next(self._steps)
        except StopIteration:
            self._end("stopped" if self._context.stop_requested() and self._fraction < 1.0 else "done")
            raise
        except StopRequested as error:
            if not self._context.stop_requested():
                raise ContractError("An engine must raise StopRequested only after a stop was asked for.") from error
            self._end("stopped")
            raise StopIteration from None
        check_step(step, self._names, self._fraction)
        self._fraction = step.fraction
        if step.infeasible is not None:
            self._end("infeasible")
        elif self._context.stop_requested() and step.fraction < 1.0:
            self._end("stopped")
        return step

    def _end(self, ending: Ending) -> None:
        self.ending = ending
        self.out_of_time = ending == "stopped" and not self._asked_to_stop()
        close = getattr(self._steps, "close", None)
        if close is not None:
            close()


def _steps(engine: Engine, problem: Problem, record: RunRecorder) -> Iterator[Step]:
    """Yield the steps of the engine; one alone where it is known before the search that no design meets a limit."""
    ready = ready_of(engine, problem)
    beyond = ruled_out(engine.limit_values(problem, ready), engine.bounds(problem, ready))
    first = next(iter(beyond.values()), None)
    if first is not None:
        return _ruled_out(engine, problem, record, first)
    from engines.running.weight_bits import weight_bits_remarks  # with cost models: an idle child loads none

    steps, remarks = engine.run(problem, ready, record), weight_bits_remarks(problem)
    return _with_remarks(steps, remarks) if remarks else steps


def _ruled_out(engine: Engine, problem: Problem, record: RunRecorder, found: Infeasibility) -> Iterator[Step]:
    """Yield the one step of the run; its remedies are what the first designs of the search need, as none may reach the bound."""
    first = RunRecorder(engine, problem, record.context, None)
    for step in islice(engine.run(problem, ready_of(engine, problem), first), _FIRST_STEPS):
        nearest = None if step.infeasible is not None else first.unmet()
        if step.infeasible is not None or nearest is not None:
            found = found if nearest is None else replace(found, remedies=nearest.remedies)
            break
    yield record.infeasible(found)


def _with_remarks(steps: Iterator[Step], remarks: tuple[Note, ...]) -> Iterator[Step]:
    """Yield the steps; the first has what the costs leave out of the networks among its results."""
    for step in steps:
        yield replace(step, results=(*step.results, *remarks))
        break
    yield from steps


def drive(
    engine: Engine,
    problem: Problem,
    context: Context,
    resume: Resume | None = None,
    time_limit_s: float | None = None,
    now: Callable[[], float] = time.monotonic,
) -> Drive:
    """Run `problem`, step by step.

    Args:
        engine: engine of the run.
        problem: problem to run.
        context: the engine's surroundings.
        resume: state to continue from.
        time_limit_s: seconds of computing after which the run stops; its steps are the first ones of the run without a limit.
        now: the clock of that limit.

    Raises:
        ProblemError: the engine refuses the problem.
        CheckpointError: the checkpoint of `resume` belongs to something else.

    Raises (while iterating):
        ContractError: a step breaks the contract.
        EngineError: whatever the engine raises on purpose.
    """
    return Drive(engine, problem, context, resume, time_limit_s, now)


def check_step(step: Step, quantity_names: tuple[str, ...], earlier_fraction: float) -> None:
    """Raise `ContractError` unless `step` keeps the contract of `engines.contract.engine.Step`."""
    if not isinstance(step, Step):
        raise ContractError(f"An engine must yield Steps. Got {type(step).__name__} instead.")
    if not earlier_fraction <= step.fraction <= 1.0:  # also refuses NaN
        raise ContractError(
            f"A step's fraction must be from {earlier_fraction} (never falling) to 1. Got {step.fraction}."
        )
    _check_metrics(step.metrics, quantity_names)
    if step.designs is not None and set(step.designs.columns) != set(quantity_names):
        raise ContractError(
            f"The columns of designs must be the metrics {sorted(quantity_names)}. Got {sorted(step.designs.columns)}."
        )
    if step.checkpoint is not None and len(step.checkpoint) > MAX_CHECKPOINT_BYTES:
        raise ContractError(f"A checkpoint must be at most {MAX_CHECKPOINT_BYTES} bytes. Got {len(step.checkpoint)}.")
    for result in step.results:
        _check_result(result)
    for file in step.files:
        _check_name("The name of a file", file.name, MAX_FILE_NAME)
        check_content(file.data)
        if file.media_type not in FILE_MEDIA_TYPES:
            known = ", ".join(sorted(FILE_MEDIA_TYPES))
            raise ContractError(
                f"The media type of the file {file.name!r} must be one of {known}. Got {file.media_type!r:.80} instead."
            )
    if step.infeasible is not None:
        _check_infeasible(step.infeasible)


def _check_metrics(metrics: Mapping[str, float], quantity_names: tuple[str, ...]) -> None:
    unknown = set(metrics) - set(quantity_names) - _FREE_METRICS
    if unknown:
        raise ContractError(
            f"A step's metrics must be those of the engine or 'evaluations'. Got {sorted(unknown)} as well."
        )
    evaluations = metrics.get("evaluations", 0)
    if not 0 <= evaluations < _EVALUATIONS_END:  # also refuses NaN
        raise ContractError(f"A step's evaluations must be from 0 to below 2**63. Got {evaluations} instead.")


def _check_result(result: Result) -> None:
    _check_name("The name of a result", result.name, MAX_RESULT_NAME)
    try:
        content = result_to_bytes(result)
    except UnicodeEncodeError as error:
        raise ContractError(f"The texts of the result {result.name!r} must be Unicode: {error}.") from error
    if len(content) > MAX_RESULT_BYTES:
        raise ContractError(f"The result {result.name!r} must be at most {MAX_RESULT_BYTES} bytes. Got {len(content)}.")
    # The bytes also hold these six characters where a text has a backslash before "u0000": then the texts decide.
    if b"\\u0000" in content and _holds_nul(json.loads(content)):
        raise ContractError(f"The texts of the result {result.name!r} must hold no NUL character.")


def _holds_nul(data: Any) -> bool:
    if isinstance(data, str):
        return "\0" in data
    if isinstance(data, dict):
        return any(_holds_nul(item) for pair in data.items() for item in pair)
    return isinstance(data, list) and any(_holds_nul(item) for item in data)


def _check_infeasible(found: Infeasibility) -> None:
    if not found.gap > 0:
        raise ContractError(f"The gap of an infeasibility must be positive. Got {found.gap} instead.")
    for text in (found.limit, found.unit, *(text for remedy in found.remedies for text in remedy)):
        _check_text("A text of an infeasibility", text)


def _check_name(what: str, name: str, longest: int) -> None:
    _check_text(what, name)
    if not 0 < len(name) <= longest:
        raise ContractError(f"{what} must have from 1 to {longest} characters. Got {len(name)}: {name[:80]!r}.")


def _check_text(what: str, text: str) -> None:
    """Check that both databases can store it: PostgreSQL accepts no NUL characters and no halves of surrogate pairs."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ContractError(
            f"{what} must be text without NUL characters and lone surrogates. Got {text!r:.80} instead."
        )
