"""The keeper's side of a run's child process.

process = RunnerProcess(problem)
for frame in process.frames(timeout_s=0.2):
    ...                      # None whenever 0.2 s passed without a frame: time to renew a lease, to look for a stop
process.ending               # how it ended: done, stopped, failed and why
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract.engine import Problem, Resume
from engines.registry import engine_path as path_of_engine
from engines.running.files import FileKeeper
from engines.running.runner.child_exit import ChildExit
from engines.running.runner.child_process import ChildProcess
from engines.running.runner.frame_parts import pack_designs, pack_problem
from engines.running.runner.protocol import MeasureBudget
from engines.running.runner.spares import keep_spare

__all__ = ["ChildExit", "RunnerProcess", "keep_spare"]

DEFAULT_MEMORY_LIMIT_MB = 2048.0


class RunnerProcess(ChildProcess):
    """A child process that runs one problem.

    Args:
        problem: problem to run.
        resume: state to continue from.
        memory_limit_mb: bound on its address space; None for none.
        workers: processes for its executor; 1 computes in place.
        engine_path: "module:Class"; looked up in the registry by default.
        device: "cpu" or a torch device name.
        files: answers the child's requests for files; by default what it put itself is kept in memory.
        command: what to start instead of the runner (tests of faults).
        time_limit_s: seconds of computing after which the child ends by itself; None for no limit.
        measure: what of its designs a machine measures meanwhile; whoever reads the frames answers each `Measure`.

    `frames` must be called by one thread at a time; `request_stop`, `kill` and `poll` by any.
    """

    def __init__(
        self,
        problem: Problem,
        resume: Resume | None = None,
        memory_limit_mb: float | None = DEFAULT_MEMORY_LIMIT_MB,
        workers: int = 1,
        *,
        engine_path: str | None = None,
        device: str = "cpu",
        files: FileKeeper | None = None,
        command: Sequence[str] | None = None,
        time_limit_s: float | None = None,
        measure: MeasureBudget | None = None,
    ) -> None:
        chunks = () if resume is None else pack_designs(resume.designs)
        start = pack_problem(
            problem,
            engine_path or path_of_engine(problem.engine),
            workers=workers,
            memory_limit_mb=memory_limit_mb,
            device=device,
            checkpoint=None if resume is None else resume.checkpoint,
            design_chunks=len(chunks),
            time_limit_s=time_limit_s,
            measure=measure,
        )
        super().__init__((start, *chunks), files, command)
