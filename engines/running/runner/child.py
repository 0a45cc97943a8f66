"""The child process of a run: reads its problem, drives the engine, writes frames, and ends. Or it reads one file.

Or it scores decisions that a person asks for, or answers a question about documents, or one after the other of a talk.

It knows no web framework, database or credentials. Whatever the engine raises
becomes a `FailureReport` frame; what kills the process (a signal, an exit) is read by the supervisor from its exit status.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal, NoReturn

from engines.contract.designs import Designs, ordered_json
from engines.contract.encoding.plan_json import plan_to_json
from engines.contract.engine import Engine, LogLevel, Measurements, Problem, Resume
from engines.contract.errors import CheckpointError, ContractError, DecisionError, ProblemError, WorkerDiedError
from engines.contract.no_pandas import forgo_pandas
from engines.contract.results import Result
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import Drive, drive
from engines.running.executor import executor_for
from engines.running.explained_designs import explanations, pack_explanation
from engines.running.files import MemoryFileStore
from engines.running.inspection import estimator, evaluate, plan
from engines.running.machine_faults import machine_words
from engines.running.prepared_problems import ready_of
from engines.running.process_limits import (
    end_with_parent,
    first_to_go,
    give_way,
    limit_cpu,
    limit_memory,
    no_core_dumps,
    write_no_files,
)
from engines.running.runner.environment import cluster_outage, executor_url
from engines.running.runner.frame_parts import (
    file_parts,
    pack_designs,
    pack_results,
    pack_step,
    unpack_designs,
    unpack_problem,
)
from engines.running.runner.pipe import ProtocolPipe
from engines.running.runner.pipe_files import PipeFileStore
from engines.running.runner.protocol import (
    Answer,
    Ask,
    Category,
    DesignChunk,
    Done,
    EstimatorAnswer,
    EvaluationAnswer,
    Explanation,
    ExplanationAnswer,
    FailureReport,
    FileContent,
    Frame,
    InteractiveQuestion,
    Log,
    MeasureBudget,
    PlanAnswer,
    ProtocolError,
    ReadRequest,
    SearchReport,
    Start,
    StartReport,
    StopReport,
)
from engines.running.runner.questions import get_interactive_question, get_question
from engines.running.runner.readers import get_reader
from engines.running.runner.wire import encode_frame

EXIT_FAILED = 1
EXIT_MEMORY = 3
_MESSAGE_CHARACTERS = 4000
_TRACEBACK_LINES = 12


def main() -> NoReturn:
    """Run what the start frame says. Ends the process without tearing the interpreter down: nothing is left to save."""
    end_with_parent(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    no_core_dumps()
    first_to_go()
    forgo_pandas()
    _versions()  # read from disk while nobody waits for it
    pipe = ProtocolPipe()
    limit_mb: float | None = None
    try:
        opening = pipe.opening()
        limit_mb = opening.memory_limit_mb
        if limit_mb is not None:
            limit_memory(limit_mb)
        last, code = _done(pipe, opening), 0
    except MemoryError:
        last, code = _memory_failure(limit_mb), EXIT_MEMORY
    except Exception as error:  # noqa: BLE001 - the boundary of the process: everything becomes a frame
        last, code = failure_of(error), EXIT_FAILED
    sys.stderr.flush()  # the parent reads it with the last frame, and waits for nothing after that
    pipe.send(last)
    os._exit(code)


def _done(pipe: ProtocolPipe, opening: Start | ReadRequest | Ask | InteractiveQuestion) -> Frame:
    if isinstance(opening, ReadRequest):
        return _read(pipe, opening)
    if isinstance(opening, Ask):
        return _answer(pipe, opening)
    if isinstance(opening, InteractiveQuestion):
        _converse(pipe, opening)
    return _work(pipe, opening, pipe.design_chunks(opening))


def _work(pipe: ProtocolPipe, start: Start, chunks: list[DesignChunk]) -> Frame:
    if start.cpu_limit_s is None:
        give_way()
    else:
        limit_cpu(start.cpu_limit_s)
    problem = unpack_problem(start)
    engine = get_engine(start.engine, start.engine_path)
    ready = ready_of(engine, problem)
    pipe.send(StartReport(engine.name, engine.version, os.getpid(), platform_facts(start.device)))

    def log(message: str, level: LogLevel = "info") -> None:
        pipe.send(Log(level, str(message)[:_MESSAGE_CHARACTERS], time.time()))

    if start.question == "plan":
        pipe.send(PlanAnswer(ordered_json(plan_to_json(plan(problem, engine))).encode()))
        return Done()
    if start.question == "estimator":
        pipe.send(EstimatorAnswer(**vars(estimator(problem))))
        return Done()
    # Answers that a person waits for stay here: connecting takes longer than most of them.
    searches = not start.question and start.decisions is None
    with executor_for(start.workers, executor_url() if searches else None, cluster_outage(), log) as executor:
        measurements = None if start.measure is None else _measurements(pipe, engine, problem, start.measure)
        files = PipeFileStore(pipe)
        context = LocalContext(problem, executor, files, pipe.stop_requested, start.device, log, measurements)
        if start.question == "explain":
            (decision,) = json.loads(start.decisions or b"[]")
            pipe.send(ExplanationAnswer(pack_results(engine.explain(problem, ready, decision, context))))
            return Done()
        if start.decisions is not None:
            pipe.send(EvaluationAnswer(pack_designs(evaluate(problem, json.loads(start.decisions), context, engine))))
            return Done()
        driven = drive(engine, problem, context, _resume_of(engine, start, chunks), start.time_limit_s)

        def explained() -> Iterator[tuple[int, tuple[Result, ...]]]:
            files.after_run = MemoryFileStore()
            return explanations(engine, problem, driven.designs, context)

        return _run(pipe, driven, explained)


def _measurements(pipe: ProtocolPipe, engine: Engine, problem: Problem, budget: MeasureBudget) -> Measurements:
    from engines.running.runner.pipe_measurements import (
        PipeMeasurements,  # and what writes files, for runs that measure alone
    )

    return PipeMeasurements(pipe, engine, problem, budget)


def _read(pipe: ProtocolPipe, read: ReadRequest) -> Frame:
    limit_cpu(read.cpu_limit_s)
    write_no_files()
    document = get_reader(read.reader)(pipe.file(read), read.name, read.options)
    pipe.send(FileContent(ordered_json(document.content).encode(), document.lines, document.report, document.copy))
    return Done()


def _answer(pipe: ProtocolPipe, ask: Ask) -> Frame:
    limit_cpu(ask.cpu_limit_s)
    write_no_files()
    pipe.send(Answer(json.dumps(get_question(ask.question)(json.loads(ask.content))).encode()))
    return Done()


def _converse(pipe: ProtocolPipe, talk: InteractiveQuestion) -> NoReturn:
    """Wait until the parent closes the pipe, which ends this process."""
    limit_cpu(talk.cpu_limit_s)
    write_no_files()
    answering = get_interactive_question(talk.subject)(json.loads(talk.content))
    while True:
        pipe.send(Answer(json.dumps(answering(json.loads(pipe.said()))).encode()))


def _run(pipe: ProtocolPipe, driven: Drive, explained: Callable[[], Iterator[tuple[int, tuple[Result, ...]]]]) -> Frame:
    for number, step in enumerate(driven, start=1):
        frame = pack_step(step, number)
        for file in step.files:
            for part in file_parts(file.data):
                pipe.send(part)
        pipe.send(frame)
    if driven.ending == "stopped":
        return StopReport(driven.out_of_time)
    outcome: Literal["infeasible", "feasible"] = "infeasible" if driven.ending == "infeasible" else "feasible"
    if len(driven.designs):
        pipe.send(SearchReport(outcome))
        for number, results in explained():
            pipe.send(Explanation(number, pack_explanation(results)))
    return Done(outcome)


def _resume_of(engine: Engine, start: Start, chunks: list[DesignChunk]) -> Resume | None:
    if start.checkpoint is None:
        return None
    designs = unpack_designs(chunks)
    return Resume(start.checkpoint, Designs.empty(engine.quantities) if designs is None else designs)


def platform_facts(device: str = "cpu") -> dict[str, str]:
    """Return the platform that the results of a run may depend on: interpreter, numerical libraries, machine, device."""
    return {
        "python": platform.python_version(),
        **_versions(),
        "system": platform.system(),
        "machine": platform.machine(),
        "device": device,
    }


@cache
def _versions() -> Mapping[str, str]:
    """Return the versions of the numerical libraries that are installed."""
    return {name: found for name in ("numpy", "torch") if (found := _version(name))}


def _version(name: str) -> str:
    """Return the version of an installed package, "" where there is none; the package itself is not imported."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def failure_of(error: Exception) -> FailureReport:
    """Return the frame that reports `error`; it can always be encoded."""
    lines = traceback.format_exception(error)[-_TRACEBACK_LINES:]
    facts: dict[str, Any] = {}
    if isinstance(error, ProblemError):
        facts = error.facts()
    words = machine_words(error)
    category: Category = "machine" if words else _category(error)
    message = (words or str(error))[:_MESSAGE_CHARACTERS]
    failed = FailureReport(category, type(error).__name__, message, "".join(lines), **facts)
    try:
        encode_frame(failed)
    except ProtocolError:  # `got` is an object of the engine's own
        return FailureReport(**{**vars(failed), "got": repr(failed.got)[:_MESSAGE_CHARACTERS]})
    return failed


def _category(error: Exception) -> Category:
    for kind, category in _CATEGORIES:
        if isinstance(error, kind):
            return category
    return "engine"


_CATEGORIES: tuple[tuple[type[Exception], Category], ...] = (
    (DecisionError, "decision"),
    (ProblemError, "problem"),
    (CheckpointError, "checkpoint"),
    (ContractError, "contract"),
    (WorkerDiedError, "exit"),  # as where the child itself dies: another attempt may go well
)


def _memory_failure(limit_mb: float | None) -> FailureReport:
    where = "of the machine" if limit_mb is None else f"of {limit_mb:.0f} MB"
    return FailureReport("memory", "MemoryError", f"Memory limit {where} reached.", traceback.format_exc(limit=-4))
