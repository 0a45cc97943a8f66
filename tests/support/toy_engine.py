"""Two small engines for tests of the life cycle: exact, quick, and able to fail in every way that a run can fail.

The toy minimises two objectives of three numbers in [0, 1] by mutating its best designs, so that a wrong resume, a lost
design or a disturbed random stream changes every value after it.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from engines import registry
from engines.contract.arrays import FloatArray
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Board,
    Bound,
    Context,
    Edits,
    Engine,
    EngineParams,
    File,
    InputKind,
    Limit,
    MetricBreakdown,
    Piece,
    Place,
    Plan,
    PlanCheck,
    Problem,
    Recorder,
    Step,
    require,
)
from engines.contract.errors import CheckpointError, DecisionError
from engines.contract.quantities import Quantity
from engines.contract.results import Breakdown, Lane, Note, Result, Schedule, ScheduleWindow

ARCHIVE_SIZE = 16
MINIMUM_ENERGY_J = 1.0
Weights = tuple[float, float, float]
CrashKind = Literal[
    "exception",
    "exit",
    "signal",
    "memory",
    "hang",
    "freeze",
    "rubbish",
    "half_frame",
    "flood",
    "log_flood",
    "disk_full",
]


class ToyParams(EngineParams):
    """How long the toy plays, and how it breaks."""

    steps: int = Field(5, ge=1, le=100_000, title="Steps", description="Reports that the run makes.")
    step_seconds: float = Field(
        0.0, ge=0, le=60, title="Time per step", description="Pause in each step.", json_schema_extra={"unit": "s"}
    )
    designs_per_step: int = Field(
        4, ge=1, le=100_000, title="Designs per step", description="New designs in each step."
    )
    checkpoint_every: int = Field(
        1, ge=1, le=100_000, title="Checkpoint every", description="Steps between checkpoints."
    )
    energy_limit_j: float = Field(
        100.0, gt=0, title="Energy limit", description="No design needs less than 1 J.", json_schema_extra={"unit": "J"}
    )
    crash_at: int = Field(-1, ge=-1, title="Crash at step", description="Step in which the run breaks; -1 for never.")
    crash_kind: CrashKind = Field("exception", title="Crash kind", description="In which way the run breaks.")
    crash_marker: str = Field(
        "", title="Crash marker", description="File made by the crash; while it exists the run does not break again."
    )
    hold_at: int = Field(
        -1,
        ge=-1,
        title="Hold at step",
        description="Step before which the run waits; -1 for none.",
    )
    hold_until: str = Field("", title="Hold until", description="File for which it waits there, unless it is to stop.")
    ignore_stop: bool = Field(False, title="Ignore stop", description="Go on after a stop was asked for.")
    use_files: bool = Field(False, title="Use files", description="Keep the start in the run's file store.")
    with_file: bool = Field(False, title="With a file", description="Attach a file to the last step.")


QUANTITIES = (
    Quantity("latency_s", "Latency", "s", "minimise", "objective", "2 - mean of the decision."),
    Quantity("energy_j", "Energy", "J", "minimise", "objective", "1 + sum of squares of the decision."),
    Quantity("spread", "Spread", "", "none", "metric", "Largest minus smallest part of the decision."),
)


def measure(weights: tuple[float, float, float], x: Sequence[float]) -> tuple[float, float, float]:
    """Latency in seconds, energy in joules and spread of one decision."""
    parts = energy_parts_j(weights, x)
    return 2.0 - sum(x) / len(x), parts[0] + parts[1] + parts[2] + MINIMUM_ENERGY_J, max(x) - min(x)


def energy_parts_j(weights: tuple[float, float, float], x: Sequence[float]) -> list[float]:
    """Energy of each part of a decision in joules, without the idle part."""
    return [weight * value * value for weight, value in zip(weights, x, strict=True)]


def pull(content: Mapping[str, Any]) -> tuple[float, float, float]:
    """Weights of the three parts, from a document with the schema toy/1."""
    weights = content.get("weights")
    require(isinstance(weights, list | tuple) and len(weights) == 3, "weights", weights, "three numbers")
    a, b, c = (float(value) for value in weights or ())
    return a, b, c


class ToyEngine(Engine[ToyParams, Weights]):
    """Mutation of the best designs so far; exact, with checkpoints."""

    name = "toy"
    title = "Toy"
    summary = "A small exact search for tests."
    source = "none"
    version = 1
    inputs: ClassVar = {
        "weights": InputKind(
            "data", "Weights", "Three weights of the energy.", pull, schemas=("toy/1",), required=False
        )
    }
    Params = ToyParams
    quantities = QUANTITIES
    limits = (
        Limit("energy_limit_j", "energy_j", "energy of a design", "J", has_slack=False),
    )  # as stored runs have no slack
    progress_metrics = ("latency_s", "energy_j")
    result_types = (Schedule, Breakdown, Note)
    breakdowns = (
        MetricBreakdown("latency_s", "schedule", "by lane", "lanes"),
        MetricBreakdown("energy_j", "energy", "by part", "parts"),
    )

    def prepare(self, problem: Problem[ToyParams]) -> Weights:
        """Refuse more designs than the toy can hold; the weights of the energy."""
        total = problem.params.steps * problem.params.designs_per_step
        require(total <= 10_000_000, "params.steps", problem.params.steps, "at most 10,000,000 designs in all")
        weights: Weights = problem.values.get("weights", (1.0, 1.0, 1.0))
        return weights

    def plan(self, problem: Problem[ToyParams], ready: Weights) -> Plan:
        """One evaluation per design."""
        params = problem.params
        seconds = params.steps * params.step_seconds
        return Plan(
            evaluations=params.steps * params.designs_per_step,
            memory_mb=100.0,
            time_s=(seconds, seconds + 1.0),
            checks=(PlanCheck(params.energy_limit_j >= MINIMUM_ENERGY_J, "Some design needs 1 J or less."),),
        )

    def bounds(self, problem: Problem[ToyParams], ready: Weights) -> tuple[Bound, ...]:
        """What the idle device needs."""
        return (Bound("energy_j", "Least energy", MINIMUM_ENERGY_J, "J"),)

    def run(self, problem: Problem[ToyParams], ready: Weights, record: Recorder) -> Iterator[Step]:
        """Every step mutates designs of the archive, which is the 16 designs with the least latency * energy."""
        params, context = problem.params, record.context
        first, archive = self._restore(problem, record)
        for number in range(first, params.steps):
            time.sleep(params.step_seconds)
            while number == params.hold_at and not Path(params.hold_until).exists() and not context.stop_requested():
                time.sleep(0.01)
            if number == params.crash_at:
                _crash(params, context)
            if context.stop_requested() and not params.ignore_stop:
                return
            x = self._mutated(problem, context, archive, number)
            record.add(self._designs(ready, context, x))
            archive = _best(ready, np.concatenate([archive, x]))
            yield self._step(params, record, number, archive)

    def evaluate(self, problem: Problem[ToyParams], ready: Weights, decisions: Decisions, context: Context) -> Designs:
        """The same numbers again."""
        x = np.array([_decision(decision) for decision in decisions], dtype=np.float64).reshape(-1, 3)
        return self._designs(ready, context, x)

    def edits(self, problem: Problem[ToyParams], ready: Weights, decision: Decision) -> Edits:
        """A line for each number, in halves; 2 is on it, and refused."""
        x = _decision(decision)
        return Edits(tuple(_line(number, value) for number, value in enumerate(x)), partial(_moved, x))

    def explain(
        self, problem: Problem[ToyParams], ready: Weights, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """A schedule that ends at the latency, a breakdown that sums to the energy, a remark."""
        params = problem.params
        while params.hold_at == params.steps and not Path(params.hold_until).exists():
            time.sleep(0.01)
        if params.use_files:
            context.files.get(context.files.put(context.files.get_or_build("toy-explanation", lambda: b"explained")))
        x = _decision(decision)
        latency_s, energy_j, _ = measure(ready, x)
        parts = [*energy_parts_j(ready, x), MINIMUM_ENERGY_J]
        return (
            _schedule(latency_s),
            Breakdown("energy", "Energy", ("design",), ("first", "second", "third", "idle"), np.array([parts]), "J"),
            Note("remark", "Remark", f"{energy_j:.3f} J in {latency_s:.3f} s."),
        )

    def _restore(self, problem: Problem[ToyParams], record: Recorder) -> tuple[int, FloatArray]:
        state = record.state
        if state is None:
            return 0, _start(record.context) if problem.params.use_files else np.full((1, 3), 0.5)
        stored = state["next_step"] * problem.params.designs_per_step
        if len(record.designs) != stored:
            raise CheckpointError(f"{stored} designs must be stored up to this checkpoint. Got {len(record.designs)}.")
        return int(state["next_step"]), state["archive"]

    def _mutated(self, problem: Problem[ToyParams], context: Context, archive: FloatArray, number: int) -> FloatArray:
        rows = []
        for index in range(problem.params.designs_per_step):
            random = context.random("mutate", number, index)
            rows.append(np.clip(archive[random.integers(len(archive))] + random.normal(0, 0.2, 3), 0.0, 1.0))
        return np.array(rows)

    def _designs(self, ready: Weights, context: Context, x: FloatArray) -> Designs:
        values = np.array(context.executor.map(measure, ready, x.tolist())).reshape(-1, 3)
        columns = {quantity.name: values[:, column] for column, quantity in enumerate(QUANTITIES)}
        return Designs(columns, [{"x": row} for row in x.tolist()])

    def _step(self, params: ToyParams, record: Recorder, number: int, archive: FloatArray) -> Step:
        last = number + 1 == params.steps
        due = (number + 1) % params.checkpoint_every == 0
        return record.step(
            (number + 1) / params.steps,
            f"Step {number + 1} of {params.steps}",
            (Note("remark", "Remark", f"{number + 1} steps made."),),
            (File("toy.bin", "application/octet-stream", archive.tobytes()),) if last and params.with_file else (),
            self._state(record, number + 1, archive) if due else None,
        )

    def _state(self, record: Recorder, next_step: int, archive: FloatArray) -> Mapping[str, Any] | None:
        return {"next_step": next_step, "archive": archive}


class ToyWithoutCheckpointsEngine(ToyEngine):
    """The toy, without checkpoints: a run of it starts over after every interruption."""

    name = "toy-without-checkpoints"
    title = "Toy without checkpoints"

    def run(self, problem: Problem[ToyParams], ready: Weights, record: Recorder) -> Iterator[Step]:
        """Run like the toy; a checkpoint is neither made nor taken."""
        if record.state is not None:
            raise CheckpointError(f"The engine {self.name!r} makes no checkpoints and cannot continue from one.")
        yield from super().run(problem, ready, record)

    def _state(self, record: Recorder, next_step: int, archive: FloatArray) -> Mapping[str, Any] | None:
        return None


def register_toys() -> None:
    """Offer both toys under their names."""
    for engine in TOYS:
        registry.register(engine.name, engine)


@contextmanager
def toys_offered() -> Iterator[None]:
    """Both toys are offered within; the fixture `toys` is this for a test."""
    register_toys()
    try:
        yield
    finally:
        for engine in TOYS:
            registry.unregister(engine.name)


TOYS: tuple[type[Engine], ...] = (ToyEngine, ToyWithoutCheckpointsEngine)


def _start(context: Context) -> FloatArray:
    """The start, by way of everything that a file store can do."""
    kept = context.files.get_or_build("toy-start", lambda: np.full((1, 3), 0.25).tobytes())
    key = context.files.put(kept)
    context.log(f"The start is kept as {key}.")
    return np.frombuffer(context.files.get(key)).reshape(1, 3)


def _best(ready: Weights, x: FloatArray) -> FloatArray:
    measured = np.array([measure(ready, row) for row in x.tolist()])
    return x[np.argsort(measured[:, 0] * measured[:, 1], kind="stable")[:ARCHIVE_SIZE]]


def _decision(decision: Mapping[str, Any]) -> list[float]:
    x = decision.get("x")
    if not (isinstance(x, list | tuple) and len(x) == 3 and all(isinstance(v, int | float) and 0 <= v <= 1 for v in x)):
        raise DecisionError("decision.x", x, "three numbers from 0 to 1")
    return [float(value) for value in x]


def _line(number: int, value: float) -> Board:
    places = tuple(Place(str(at), f"at {at:g}") for at in sorted({0.0, 0.5, 1.0, 2.0, value}))
    return Board(
        f"Number {number + 1}", "line", places, (Piece(f"x.{number}", f"Number {number + 1}", "x", str(value)),)
    )


def _moved(x: Sequence[float], piece: str, place: str) -> dict[str, Any]:
    number = int(piece.partition(".")[2])
    return {"x": [float(place) if at == number else value for at, value in enumerate(x)]}


def _schedule(latency_s: float) -> Schedule:
    zero = np.zeros(1, np.int64)
    return Schedule(
        "schedule", "Schedule", (Lane("toy", "Toy", "cpu", 1.0),), (ScheduleWindow("Window 1", 0.0, latency_s),), ("toy",),
        ("compute",), ("all",), zero, np.zeros(1), np.array([latency_s]), zero, zero, zero, zero, zero - 1,
    )  # fmt: skip


def _crash(params: ToyParams, context: Context) -> None:
    if params.crash_marker:
        if Path(params.crash_marker).exists():
            return
        Path(params.crash_marker).touch()
    while params.crash_kind == "log_flood":
        context.log("flood " * 100)
    _CRASHES[params.crash_kind]()


def _raise() -> None:
    raise RuntimeError("The toy broke, as it was told to.")


def _find_the_disk_full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _exhaust_memory() -> None:
    hoard = []
    while True:
        hoard.append(np.ones(8_000_000))


def _hang() -> None:
    """Sleeps for ever and looks at nothing."""
    while True:
        time.sleep(1)


def _freeze() -> None:
    """Never lets another thread run: stands for native code that keeps the interpreter to itself."""
    sys.setswitchinterval(1e9)
    while True:
        pass


def _protocol_descriptor() -> int:
    """The protocol pipe: the lowest descriptor behind the standard ones that takes bytes."""
    for descriptor in range(3, 20):
        try:
            os.write(descriptor, b"")
        except OSError:
            continue
        if os.get_blocking(descriptor):
            return descriptor
    raise RuntimeError("There is no protocol pipe.")


def _write_rubbish() -> None:
    os.write(_protocol_descriptor(), b"\xff" * 4096)
    _hang()


def _write_half_frame() -> None:
    os.write(_protocol_descriptor(), b"\x00\x00\x10\x00" + b"half")
    os._exit(7)


def _flood() -> None:
    while True:
        print("flood " * 1000, file=sys.stderr)


_CRASHES = {
    "exception": _raise,
    "disk_full": _find_the_disk_full,
    "exit": lambda: os._exit(9),
    "signal": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "memory": _exhaust_memory,
    "hang": _hang,
    "freeze": _freeze,
    "rubbish": _write_rubbish,
    "half_frame": _write_half_frame,
    "flood": _flood,
}
