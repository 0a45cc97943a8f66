"""Frames between a run's keeper and its child process.

How they go over the wire: `engines.running.runner.wire`.

Order, child to parent: `StartReport`; then any of `Log`, `FilePart`, `FileRequest`, `FileName`, `Measure`, `StepFrame`; then
one of `Done`, `StopReport`, `FailureReport`, after which the child exits. The parts of a step's files come before the step itself,
so that a step is complete when it arrives. The parts of a file come in order, no other file's in between; a step and a
`FileName` name only files that this child sent; a `FileRequest` comes only when the answer to the one before was read.
Order, parent to child: `Start`, its design chunks as `DesignChunk`s, then `Stop`, `FileReply`, `MeasuredDesign` at any time; or
`ReadRequest` and the `FilePart`s of the file, which the child answers with `FileContent` and `Done`. A `Start` with decisions is
answered with `StartReport`, `EvaluationAnswer` and `Done`. An `Ask` is answered with `Answer` and `Done`. A `FailureReport` takes
the place of each of these answers. A `Measure`, of a run whose start says what it may measure, is answered with a `MeasuredDesign`
for each of its designs, as these come; the child waits no longer than the start says. An `InteractiveQuestion` starts a dialogue:
each `NextQuestion` after it is answered with an `Answer`, until the parent ends it or a `FailureReport` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from engines.contract.certainty import Certainty, SurerDesigns
from engines.contract.engine import Infeasibility, LogLevel
from engines.contract.errors import DecisionError, EngineError, ProblemError
from hardware.errors import Remedy

MAX_PART_BYTES = 4 * 1024 * 1024

Category = Literal["problem", "decision", "checkpoint", "contract", "memory", "exit", "machine", "engine"]


class ProtocolError(EngineError):
    """An error for input that is no frame of the protocol."""


@dataclass(frozen=True)
class Frame:
    """Base of all frames."""

    kind: ClassVar[str]


# -- parent to child --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeasureBudget:
    """The budget of measurements for a run's designs.

    Attributes:
        designs: number of designs.
        where, same_device: as `engines.contract.progress.measurements.Measurements` has them.
        wait_s: seconds that the run waits for the next answer.
        copies: as `engines.running.runner.runnables.as_files` takes them.
    """

    designs: int
    where: str
    same_device: bool
    wait_s: float
    copies: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Start(Frame):
    """The order to start. `inputs` is slot -> {kind, slug, version, content}; `design_chunks` counts the chunks that follow.

    `time_limit_s`: seconds of computing that are left of the run's time limit; None for no limit.
    `decisions`: a JSON list to evaluate in place of a run, within `cpu_limit_s` of computing; None for a run.
    `question`: "plan" asks for the plan of the problem in place of a run, "estimator" for what gives its figures, "explain" for
    what explains the one decision.
    `measure`: what of the run's designs a machine measures meanwhile; None for nothing.
    """

    kind = "start"
    engine: str
    engine_path: str
    version: int
    inputs: Mapping[str, Any]
    params: Mapping[str, Any]
    seed: int
    workers: int = 1
    memory_limit_mb: float | None = None
    device: str = "cpu"
    checkpoint: bytes | None = None
    design_chunks: int = 0
    time_limit_s: float | None = None
    decisions: bytes | None = None
    cpu_limit_s: int | None = None
    question: Literal["", "plan", "estimator", "explain"] = ""
    measure: MeasureBudget | None = None


@dataclass(frozen=True)
class ReadRequest(Frame):
    """Read a file, whose `parts` follow as `FilePart`s, with one of `engines.running.runner.readers`.

    `cpu_limit_s` and `memory_limit_mb` bound the process; `name` is what messages call the file.
    """

    kind = "read"
    reader: str
    name: str
    options: Mapping[str, Any]
    parts: int
    memory_limit_mb: float
    cpu_limit_s: int


@dataclass(frozen=True)
class Ask(Frame):
    """Answer a question about documents, one of `engines.running.runner.questions`; `content` is JSON.

    `cpu_limit_s` and `memory_limit_mb` bound the process.
    """

    kind = "ask"
    question: str
    content: bytes
    memory_limit_mb: float
    cpu_limit_s: int


@dataclass(frozen=True)
class InteractiveQuestion(Frame):
    """Answer one question after the other, one of `engines.running.runner.questions.INTERACTIVE_QUESTIONS`; `content` is JSON.

    `cpu_limit_s` and `memory_limit_mb` bound the process over all answers.
    """

    kind = "talk"
    subject: str
    content: bytes
    memory_limit_mb: float
    cpu_limit_s: int


@dataclass(frozen=True)
class NextQuestion(Frame):
    """The next question of a talk, as JSON."""

    kind = "said"
    content: bytes


@dataclass(frozen=True)
class DesignChunk(Frame):
    """`count` designs as two Arrow IPC streams: scalar columns, and nested decisions. Each at most about 4 MB."""

    kind = "design_chunk"
    count: int
    scalars: bytes
    decisions: bytes


@dataclass(frozen=True)
class Stop(Frame):
    """Please end after the step at hand."""

    kind = "stop"


@dataclass(frozen=True)
class FileReply(Frame):
    """One part of the answer to a `FileRequest`; `parts` = 0 means that the file does not exist."""

    kind = "file_reply"
    request: int
    part: int
    parts: int
    data: bytes


@dataclass(frozen=True)
class MeasuredDesign(Frame):
    """The answer of a device for a design that a `Measure` requested (`engines.contract.progress.measurements.Measurement`)."""

    kind = "measured_design"
    number: int
    latency_s: float | None
    low_s: float | None = None
    high_s: float | None = None
    trouble: str = ""


# -- child to parent --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StartReport(Frame):
    """The child has read its problem and begins."""

    kind = "started"
    engine: str
    version: int
    pid: int
    platform: Mapping[str, str]


@dataclass(frozen=True)
class Log(Frame):
    """One line for the run's log; `time_s` is seconds since the epoch."""

    kind = "log"
    level: LogLevel
    message: str
    time_s: float


@dataclass(frozen=True)
class FilePart(Frame):
    """Part `part` (from 0) of `parts` of the file with that SHA-256 and size."""

    kind = "file_part"
    sha256: str
    size: int
    part: int
    parts: int
    data: bytes


@dataclass(frozen=True)
class FileName(Frame):
    """Keep the file with that SHA-256 under `name` (`FileStore.get_or_build`)."""

    kind = "file_name"
    name: str
    sha256: str


@dataclass(frozen=True)
class FileRequest(Frame):
    """The child waits for a file, by content (`sha256`) or by the name it was kept under. Answered by the client."""

    kind = "file_request"
    request: int
    by: Literal["sha256", "name"]
    key: str


@dataclass(frozen=True)
class Measure(Frame):
    """Designs of the run that a machine is to measure.

    `content` is JSON: what `engines.running.runner.runnables.answer` tells, with `numbers`, those of the designs within the run.
    """

    kind = "measure"
    content: bytes


@dataclass(frozen=True)
class FileEntry:
    """A file of a step; its parts came before."""

    name: str
    media_type: str
    sha256: str
    size: int


@dataclass(frozen=True)
class ResultEntry:
    """A result as JSON text in UTF-8 (`engines.contract.encoding.result_json.result_from_bytes`)."""

    name: str
    type: str
    content: bytes


@dataclass(frozen=True)
class StepFrame(Frame):
    """`engines.contract.engine.Step`, ready to be stored. `number` counts the steps of this process from 1 on."""

    kind = "step"
    number: int
    fraction: float
    message: str
    metrics: Mapping[str, float]
    designs: tuple[DesignChunk, ...] = ()
    results: tuple[ResultEntry, ...] = ()
    files: tuple[FileEntry, ...] = ()
    checkpoint: bytes | None = None
    infeasible: Infeasibility | None = None


@dataclass(frozen=True)
class FileContent(Frame):
    """The content of a file: a `ReadDocument`, as JSON, which can state numbers that msgpack cannot."""

    kind = "reading"
    content: bytes
    lines: Mapping[str, int]
    report: Mapping[str, Any]
    copy: bytes = b""


@dataclass(frozen=True)
class EvaluationAnswer(Frame):
    """The designs of the decisions that were asked for, in their order."""

    kind = "evaluated"
    designs: tuple[DesignChunk, ...]


@dataclass(frozen=True)
class PlanAnswer(Frame):
    """The plan of a problem that its engine has checked, as JSON (`engines.contract.encoding.plan_json`)."""

    kind = "planned"
    plan: bytes


@dataclass(frozen=True)
class EstimatorAnswer(Frame):
    """The source of a problem's metrics (`engines.running.inspection.Estimator`)."""

    kind = "estimated"
    words: str
    certainty: Certainty
    model: str
    error_factors: Mapping[str, float]
    certainties: Mapping[str, Certainty]
    chosen: Mapping[str, str]
    surer: SurerDesigns
    baseline_hardware: Mapping[str, str]


@dataclass(frozen=True)
class ExplanationAnswer(Frame):
    """The results that explain one decision."""

    kind = "explained"
    results: tuple[ResultEntry, ...]


@dataclass(frozen=True)
class Answer(Frame):
    """The answer to a question, as JSON."""

    kind = "answer"
    content: bytes


@dataclass(frozen=True)
class SearchReport(Frame):
    """The search is complete, with the outcome of `Done`. Explanations follow, without which the run is complete as well."""

    kind = "searched"
    outcome: Literal["feasible", "infeasible"]


@dataclass(frozen=True)
class Explanation(Frame):
    """The explanation of the design with that number, packed (`engines.running.explained_designs`)."""

    kind = "explanation"
    number: int
    content: bytes


@dataclass(frozen=True)
class Done(Frame):
    """The run is complete. `outcome` is "infeasible" where the last step said so."""

    kind = "done"
    outcome: Literal["feasible", "infeasible"] = "feasible"


@dataclass(frozen=True)
class StopReport(Frame):
    """The early end of a run, on request or at its time limit."""

    kind = "stopped"
    out_of_time: bool = False


@dataclass(frozen=True)
class FailureReport(Frame):
    """The run ended with an exception.

    Attributes:
        category: which kind; "exit": a process of the run's executor ended in the middle of its work; "engine" is
            everything that nobody foresaw.
        type, message: class name and text of the exception.
        traceback: its last lines.
        field, got, accepted, line, reason, remedies: facts of a `ProblemError`; empty otherwise.
    """

    kind = "failed"
    category: Category
    type: str
    message: str
    traceback: str = ""
    field: str = ""
    got: Any = None
    accepted: str = ""
    line: int | None = None
    reason: str = ""
    remedies: tuple[Remedy, ...] = ()

    def problem(self) -> ProblemError:
        """Return the refusal that the child raised."""
        kind = DecisionError if self.category == "decision" else ProblemError
        return kind(self.field, self.got, self.accepted, self.line, reason=self.reason, remedies=self.remedies)


KINDS: Mapping[str, type[Frame]] = {
    cls.kind: cls
    for cls in (
        Start, ReadRequest, Ask, InteractiveQuestion, NextQuestion, DesignChunk, Stop, FileReply, MeasuredDesign, StartReport, Log,
        FilePart, FileName, FileRequest, Measure, StepFrame, FileContent, EvaluationAnswer, PlanAnswer, EstimatorAnswer,
        ExplanationAnswer, Answer, SearchReport, Explanation, Done, StopReport, FailureReport,
    )
}  # fmt: skip
