from engines.contract.certainty import SurerDesigns
from engines.contract.engine import Infeasibility
from engines.running.runner.protocol import (
    KINDS,
    Answer,
    Ask,
    DesignChunk,
    Done,
    EstimatorAnswer,
    EvaluationAnswer,
    Explanation,
    ExplanationAnswer,
    FailureReport,
    FileContent,
    FileEntry,
    FileName,
    FilePart,
    FileReply,
    FileRequest,
    Frame,
    InteractiveQuestion,
    Log,
    Measure,
    MeasureBudget,
    MeasuredDesign,
    NextQuestion,
    PlanAnswer,
    ReadRequest,
    ResultEntry,
    SearchReport,
    Start,
    StartReport,
    StepFrame,
    Stop,
    StopReport,
)

CHUNK = DesignChunk(2, b"scalars", b"decisions")
RESULT = ResultEntry("schedule", "Schedule", b"{}")
FRAMES: list[Frame] = [
    Start(
        "toy", "m:C", 1, {"data": {"kind": "data"}}, {"steps": 3}, 2**63 - 1, 2, 512.0, "cpu", b"c", 1, 60.0, b"[]", 5,
        measure=MeasureBudget(3, "test box, 1 thread", False, 60.0),
    ),
    ReadRequest("yaml", "a.yaml", {"dims": {"batch": 1}}, 2, 512.0, 10),
    Ask("survey", b"{}", 512.0, 10),
    InteractiveQuestion("designs", b"{}", 1024.0, 10),
    NextQuestion(b"{}"),
    CHUNK,
    Stop(),
    FileReply(3, 0, 1, b"data"),
    StartReport("toy", 1, 42, {"python": "3.11"}),
    Log("warning", "grüße", 1.5),
    FilePart("ab", 4, 0, 1, b"data"),
    FileName("name", "ab"),
    FileRequest(1, "name", "key"),
    Measure(b"{}"),
    MeasuredDesign(7, 0.25, 0.24, None, ""),
    StepFrame(
        1, 0.5, "half", {"latency_s": 1e-300}, (CHUNK,), (RESULT,), (FileEntry("a", "text/plain", "ab", 4),), b"checkpoint",
        Infeasibility("limit", 2.0, 1.0, "J", 1.0, (("Allow more.", "params.limit"),)),
    ),
    FileContent(b"{}", {"a.b": 3}, {"notes": ["x"]}),
    EvaluationAnswer((CHUNK,)),
    PlanAnswer(b"{}"),
    Answer(b"{}"),
    EstimatorAnswer(
        "a model", "calibrated", "", {"latency_s": 1.3}, {"accuracy_percent": "measured"}, {"calibration": "a"},
        SurerDesigns(("cpu",), "calibrated", {"latency_s": 1.1}), {"Simba": "another package"},
    ),
    ExplanationAnswer((RESULT,)),
    SearchReport("feasible"),
    Explanation(7, b"packed"),
    Done("infeasible"),
    StopReport(),
    FailureReport("problem", "ProblemError", "no", "trace", "params.x", [1, None, "a"], "b"),
]  # fmt: skip


def test_every_kind_of_frame_is_among_them() -> None:
    """Each goes over the wire in `test_wire`."""
    assert {frame.kind for frame in FRAMES} == set(KINDS)
