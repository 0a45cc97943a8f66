import struct
from typing import Any

import msgpack
import pytest

from engines.contract.engine import Infeasibility
from engines.running.runner import protocol
from engines.running.runner.protocol import (
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
    FrameBuffer,
    Log,
    Planned,
    ProtocolError,
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
    decode_body,
    encode_frame,
)

CHUNK = DesignChunk(2, b"scalars", b"decisions")
RESULT = ResultEntry("schedule", "Schedule", b"{}")
FRAMES: list[Frame] = [
    Start("toy", "m:C", 1, {"data": {"kind": "data"}}, {"steps": 3}, 2**63 - 1, 2, 512.0, "cpu", b"c", 1, 60.0, b"[]", 5),
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


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.kind)
def test_every_frame_comes_back_equal(frame: Frame) -> None:
    assert decode_body(encode_frame(frame)[4:]) == frame


def test_every_kind_of_frame_is_tried() -> None:
    assert {frame.kind for frame in FRAMES} == set(protocol._KINDS)


def test_frames_are_found_however_the_bytes_are_cut() -> None:
    data = b"".join(encode_frame(frame) for frame in FRAMES)
    buffer, found = FrameBuffer(), []
    for start in range(0, len(data), 7):
        buffer.feed(data[start : start + 7])
        found += list(buffer.frames())
    assert found == FRAMES
    assert buffer.pending_bytes == 0


def test_an_unfinished_frame_is_told() -> None:
    buffer = FrameBuffer()
    buffer.feed(encode_frame(Stop())[:-1])
    assert list(buffer.frames()) == []
    assert buffer.pending_bytes == len(encode_frame(Stop())) - 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc1",
        b"\xff\xff\xff",
        msgpack.packb([1, 2]),
        msgpack.packb({"no": "kind"}),
        msgpack.packb({"kind": "nonsense"}),
        msgpack.packb({"kind": ["list"]}),
        msgpack.packb({"kind": "log"}),
        msgpack.packb({"kind": "log", "level": "loud", "message": "m", "time_s": 1.0}),
        msgpack.packb({"kind": "step", "number": "one", "fraction": 0.5, "message": "", "metrics": {}}),
        msgpack.packb({"kind": "stop"}) + b"more",
    ],
)
def test_rubbish_is_a_protocol_error(body: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_body(body)


def test_a_length_beyond_the_bound_is_a_protocol_error() -> None:
    buffer = FrameBuffer()
    buffer.feed(struct.pack(">I", protocol.MAX_FRAME_BYTES + 1))
    with pytest.raises(ProtocolError, match="at most"):
        list(buffer.frames())


@pytest.mark.parametrize("value", [object(), 2**70])
def test_what_msgpack_cannot_say_is_a_protocol_error(value: Any) -> None:
    with pytest.raises(ProtocolError, match="cannot be written"):
        encode_frame(Failed("problem", "E", "m", got=value))


def test_a_frame_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MAX_FRAME_BYTES", 100)
    with pytest.raises(ProtocolError, match="file_part"):
        encode_frame(FilePart("ab", 200, 0, 1, b"x" * 200))
