from engines.contract.engine import Infeasibility
from engines.running.runner.protocol import (
    KINDS,
    Answer,
    Ask,
    DesignChunk,
    Done,
    Estimated,
    Evaluated,
    Explained,
    Failed,
    FileEntry,
    FileName,
    FilePart,
    FileReply,
    FileRequest,
    Frame,
    Log,
    Measure,
    MeasureBudget,
    MeasuredDesign,
    Planned,
    Read,
    Reading,
    ResultEntry,
    Said,
    Start,
    Started,
    StepFrame,
    Stop,
    Stopped,
    Talk,
)

CHUNK = DesignChunk(2, b"scalars", b"decisions")
RESULT = ResultEntry("schedule", "Schedule", b"{}")
FRAMES: list[Frame] = [
    Start(
        "toy", "m:C", 1, {"data": {"kind": "data"}}, {"steps": 3}, 2**63 - 1, 2, 512.0, "cpu", b"c", 1, 60.0, b"[]", 5,
        measure=MeasureBudget(3, "test box, 1 thread", False, 60.0),
    ),
    Read("yaml", "a.yaml", {"dims": {"batch": 1}}, 2, 512.0, 10),
    Ask("survey", b"{}", 512.0, 10),
    Talk("designs", b"{}", 1024.0, 10),
    Said(b"{}"),
    CHUNK,
    Stop(),
    FileReply(3, 0, 1, b"data"),
    Started("toy", 1, 42, {"python": "3.11"}),
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
    Reading(b"{}", {"a.b": 3}, {"notes": ["x"]}),
    Evaluated((CHUNK,)),
    Planned(b"{}"),
    Answer(b"{}"),
    Estimated("a model", "fitted", "", {"latency_s": 1.3}),
    Explained((RESULT,)),
    Done("infeasible"),
    Stopped(),
    Failed("problem", "ProblemError", "no", "trace", "params.x", [1, None, "a"], "b"),
]  # fmt: skip


def test_every_kind_of_frame_is_among_them() -> None:
    """Each goes over the wire in `test_wire`."""
    assert {frame.kind for frame in FRAMES} == set(KINDS)
