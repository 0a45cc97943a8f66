"""Frames as bytes, and back.

Four bytes of length (big endian), then that many bytes of msgpack: a mapping with `kind` and the fields of the frame's class.
Nothing else is ever written to the child's protocol pipe; whatever an engine prints goes to stderr.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

import msgpack

from engines.running.runner.protocol import KINDS, Frame, ProtocolError

MAX_FRAME_BYTES = 64 * 1024 * 1024
_LENGTH = struct.Struct(">I")


def encode_frame(frame: Frame) -> bytes:
    """Return `frame` as it goes over the wire.

    Raises:
        ProtocolError: it holds something that msgpack cannot say, or is longer than `MAX_FRAME_BYTES`.
    """
    try:
        body: bytes = msgpack.packb({"kind": frame.kind, **asdict(frame)})
    except (TypeError, ValueError, OverflowError) as error:
        raise ProtocolError(f"A {frame.kind} frame cannot be written: {error}.") from error
    if len(body) > MAX_FRAME_BYTES:
        raise ProtocolError(
            f"A frame must be at most {MAX_FRAME_BYTES} bytes. Got a {frame.kind} frame of {len(body)}."
        )
    return _LENGTH.pack(len(body)) + body


def decode_body(body: bytes) -> Frame:
    """Return the frame of a body (without its length).

    Raises:
        ProtocolError: the bytes are no frame.
    """
    try:
        data = msgpack.unpackb(body, strict_map_key=False)
        kind = data.pop("kind")
        frame: Frame = _adapter(kind).validate_python(data)
    except (ValueError, TypeError, KeyError, AttributeError, msgpack.UnpackException) as error:
        raise ProtocolError(f"{len(body)} bytes that are no frame: {error!r:.300}") from error
    return frame


@cache
def _adapter(kind: str) -> Any:
    from pydantic import TypeAdapter  # the child only ever needs the adapters of what it reads

    return TypeAdapter(KINDS[kind])


@dataclass
class FrameBuffer:
    """Collects bytes as they come and gives the frames that are complete."""

    _data: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> None:
        """Add bytes."""
        self._data += data

    def frames(self) -> Iterator[Frame]:
        """Take out every complete frame. Raises `ProtocolError` on rubbish."""
        while len(self._data) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._data)
            if length > MAX_FRAME_BYTES:
                raise ProtocolError(f"A frame must be at most {MAX_FRAME_BYTES} bytes. Got a length of {length}.")
            end = _LENGTH.size + length
            if len(self._data) < end:
                return
            body = bytes(self._data[_LENGTH.size : end])
            del self._data[:end]
            yield decode_body(body)

    @property
    def pending_bytes(self) -> int:
        """Bytes of a frame that has not ended yet."""
        return len(self._data)
