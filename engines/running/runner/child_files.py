"""The file requests of a child: answers them, and checks received files against their declared size and checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engines.contract.engine import MAX_FILE_BYTES, MAX_WORKING_NAME
from engines.running.files import FileKeeper, MemoryFileStore
from engines.running.runner.frame_parts import file_parts
from engines.running.runner.protocol import (
    MAX_PART_BYTES,
    FileName,
    FilePart,
    FileReply,
    FileRequest,
    Frame,
    ProtocolError,
    StepFrame,
)

MAX_FILES = 100_000  # of different content, by one child


class ChildFiles:
    """A handler of the file frames of one untrusted child: every frame is checked, and stored bytes are bounded.

    Args:
        keeper: where contents are found; it stores `FilePart`s itself as they are handed out. Without one, what the child
            puts is kept in memory here.
    """

    def __init__(self, keeper: FileKeeper | None) -> None:
        self._collect = keeper is None
        self._keeper: FileKeeper = keeper or MemoryFileStore()
        self._arriving: _Arriving | None = None
        self._sizes: dict[bytes, int] = {}

    def handle(self, frame: Frame) -> Iterator[FileReply] | None:
        """Return the replies to a file frame, made as they are taken; None where the frame is to be handed out.

        Raises:
            ProtocolError: the parts of a file do not make up the file that they are said to be, or a name or a step has a
                file that this child did not send: it might be another run's.
        """
        if isinstance(frame, FileRequest):
            _check_name(frame.key)
            return self._answer(frame)
        if isinstance(frame, FileName):
            _check_name(frame.name)
            self._check_sent(frame.sha256)
            self._keeper.keep(frame.name, self._keeper.get(frame.sha256))
            return iter(())
        if isinstance(frame, FilePart):
            self._take(frame)
        elif isinstance(frame, StepFrame):
            for entry in frame.files:
                self._check_sent(entry.sha256, entry.size)
        return None

    def _take(self, part: FilePart) -> None:
        if part.part == 0 and self._arriving is None:
            self._arriving = _Arriving(part.sha256, part.size, part.parts, self._collect)
        if self._arriving is None:
            raise ProtocolError(f"Part {part.part} of a file whose first part did not come.")
        self._arriving.add(part)
        if part.part < part.parts - 1:
            return
        content = self._arriving.complete()
        self._arriving = None
        self._sizes[bytes.fromhex(part.sha256)] = part.size
        if len(self._sizes) > MAX_FILES:
            raise ProtocolError(f"More than {MAX_FILES} files.")
        if self._collect:
            self._keeper.put(content)

    def _check_sent(self, sha256: str, size: int | None = None) -> None:
        try:
            sent = self._sizes.get(bytes.fromhex(sha256))
        except ValueError:
            sent = None
        if sent is None or (size is not None and size != sent):
            raise ProtocolError(f"The file {sha256[:64]!r} was not sent, or has another size.")

    def _answer(self, request: FileRequest) -> Iterator[FileReply]:
        data = self._find(request)
        if data is None:
            return iter((FileReply(request.request, 0, 0, b""),))
        return (FileReply(request.request, part.part, part.parts, part.data) for part in file_parts(data))

    def _find(self, request: FileRequest) -> bytes | None:
        if request.by == "name":
            return self._keeper.lookup(request.key)
        try:
            return self._keeper.get(request.key)
        except KeyError:
            return None


@dataclass
class _Arriving:
    """A file of which some parts came; they come in order, and no other file's in between."""

    sha256: str
    size: int
    parts: int
    collect: bool
    _next: int = 0
    _received: int = 0
    _hash: Any = field(default_factory=hashlib.sha256)
    _pieces: list[bytes] = field(default_factory=list)

    def add(self, part: FilePart) -> None:
        """Append the next part; raise `ProtocolError` for a part out of order or of the wrong size."""
        said = (part.sha256, part.size, part.parts, part.part)
        if said != (self.sha256, self.size, self.parts, self._next):
            raise ProtocolError(f"Part {self._next} of {self.parts} of the file {self.sha256[:64]!r} was due.")
        empty = self.size == 0 and self.parts == 1
        self._received += len(part.data)
        if not (0 < len(part.data) <= MAX_PART_BYTES or empty) or self._received > min(self.size, MAX_FILE_BYTES):
            raise ProtocolError(f"A part of {len(part.data)} bytes of a file that is said to have {self.size}.")
        self._next += 1
        self._hash.update(part.data)
        if self.collect:
            self._pieces.append(part.data)

    def complete(self) -> bytes:
        """Return the whole, empty where it was not collected."""
        if self._received != self.size or self._hash.hexdigest() != self.sha256:
            raise ProtocolError(f"The file {self.sha256[:64]!r} is not what its parts make up.")
        return b"".join(self._pieces)


def _check_name(name: str) -> None:
    if "\0" in name or not 0 < len(name) <= MAX_WORKING_NAME:
        raise ProtocolError(f"The name of a file must have from 1 to {MAX_WORKING_NAME} characters, none of them NUL.")
