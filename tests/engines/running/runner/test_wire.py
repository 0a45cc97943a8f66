import struct
from typing import Any

import msgpack
import pytest

from engines.running.runner import wire
from engines.running.runner.protocol import FailureReport, FilePart, Frame, ProtocolError, Stop
from engines.running.runner.wire import FrameBuffer, decode_body, encode_frame
from tests.engines.running.runner.test_protocol import FRAMES


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.kind)
def test_every_frame_comes_back_equal(frame: Frame) -> None:
    assert decode_body(encode_frame(frame)[4:]) == frame


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
    buffer.feed(struct.pack(">I", wire.MAX_FRAME_BYTES + 1))
    with pytest.raises(ProtocolError, match="at most"):
        list(buffer.frames())


@pytest.mark.parametrize("value", [object(), 2**70])
def test_what_msgpack_cannot_say_is_a_protocol_error(value: Any) -> None:
    with pytest.raises(ProtocolError, match="cannot be written"):
        encode_frame(FailureReport("problem", "E", "m", got=value))


def test_a_frame_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MAX_FRAME_BYTES", 100)
    with pytest.raises(ProtocolError, match="file_part"):
        encode_frame(FilePart("ab", 200, 0, 1, b"x" * 200))
