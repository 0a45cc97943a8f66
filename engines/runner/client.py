"""The keeper's side of a run's child process.

process = RunnerProcess(problem)
for frame in process.frames(timeout_s=0.2):
    ...                      # None whenever 0.2 s passed without a frame: time to renew a lease, to look for a stop
process.ending               # how it ended: done, stopped, failed and why
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines.contract import Problem, Resume
from engines.designs import Designs
from engines.errors import DecisionError, ProblemError
from engines.files import FileKeeper
from engines.registry import engine_path as path_of_engine
from engines.results import Result
from engines.runner.child_process import ChildProcess
from engines.runner.ending import Ending, RunnerError
from engines.runner.packing import pack_designs, pack_problem, unpack_designs, unpack_results
from engines.runner.protocol import Answer, Mode
from engines.runner.spares import keep_spare

__all__ = ["Ending", "RunnerError", "RunnerProcess", "evaluate_in_child", "explain_in_child", "keep_spare"]

DEFAULT_MEMORY_LIMIT_MB = 2048.0


class RunnerProcess(ChildProcess):
    """A child process that runs one problem.

    Args:
        problem: what to run.
        resume: where to go on.
        memory_limit_mb: bound on its address space; None for none.
        workers: processes for its executor; 1 computes in place.
        mode, decisions: "run", or "evaluate"/"explain" with decisions.
        engine_path: "module:Class"; looked up in the registry by default.
        device: "cpu" or a torch device name.
        files: answers the child's requests for files; by default what it put itself is kept in memory.
        command: what to start instead of the runner (tests of faults).
        time_limit_s: seconds of computing after which the child ends by itself; None for no limit.

    `frames` must be called by one thread at a time; `request_stop`, `kill` and `poll` by any.
    """

    def __init__(
        self,
        problem: Problem,
        resume: Resume | None = None,
        memory_limit_mb: float | None = DEFAULT_MEMORY_LIMIT_MB,
        workers: int = 1,
        *,
        mode: Mode = "run",
        decisions: Sequence[Mapping[str, Any]] = (),
        engine_path: str | None = None,
        device: str = "cpu",
        files: FileKeeper | None = None,
        command: Sequence[str] | None = None,
        time_limit_s: float | None = None,
    ) -> None:
        chunks = () if resume is None else pack_designs(resume.designs)
        start = pack_problem(
            problem,
            engine_path or path_of_engine(problem.engine),
            mode=mode,
            workers=workers,
            memory_limit_mb=memory_limit_mb,
            device=device,
            checkpoint=None if resume is None else resume.checkpoint,
            design_chunks=len(chunks),
            decisions=tuple(decisions),
            time_limit_s=time_limit_s,
        )
        super().__init__((start, *chunks), files, command)


def explain_in_child(
    problem: Problem,
    decision: Mapping[str, Any],
    *,
    timeout_s: float = 60.0,
    memory_limit_mb: float | None = DEFAULT_MEMORY_LIMIT_MB,
    engine_path: str | None = None,
) -> tuple[Result, ...]:
    """`Engine.explain` in a child process.

    Raises:
        ProblemError, DecisionError: as the engine raised them.
        RunnerError: the child failed otherwise, or took longer than `timeout_s`.
    """
    answer = _ask(problem, "explain", (decision,), timeout_s, memory_limit_mb, engine_path)
    return unpack_results(answer.results)


def evaluate_in_child(
    problem: Problem,
    decisions: Sequence[Mapping[str, Any]],
    *,
    timeout_s: float = 60.0,
    memory_limit_mb: float | None = DEFAULT_MEMORY_LIMIT_MB,
    engine_path: str | None = None,
) -> Designs | None:
    """`Engine.evaluate` in a child process; None for no decisions. Raises as `explain_in_child`."""
    return unpack_designs(_ask(problem, "evaluate", decisions, timeout_s, memory_limit_mb, engine_path).designs)


def _ask(
    problem: Problem,
    mode: Mode,
    decisions: Sequence[Mapping[str, Any]],
    timeout_s: float,
    memory_limit_mb: float | None,
    engine_path: str | None,
) -> Answer:
    deadline = time.monotonic() + timeout_s
    answer: Answer | None = None
    late = False
    with RunnerProcess(
        problem, None, memory_limit_mb, mode=mode, decisions=decisions, engine_path=engine_path
    ) as process:
        for frame in process.frames(0.5):
            answer = frame if isinstance(frame, Answer) else answer
            late = late or time.monotonic() > deadline
            if late:
                process.kill()
        ending = process.ending
    if late:
        message = f"The process took longer than {timeout_s:g} s and was killed."
        raise RunnerError(replace(ending, status="failed", outcome="", reason="killed", message=message))
    if answer is not None and ending.status == "done":
        return answer
    if ending.failed is not None and ending.reason in ("problem", "decision"):
        kind = DecisionError if ending.reason == "decision" else ProblemError
        raise kind(ending.failed.field, ending.failed.got, ending.failed.accepted)
    raise RunnerError(ending)
