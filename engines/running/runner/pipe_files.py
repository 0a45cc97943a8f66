"""The file store of a run in a child process: contents go to and come from its keeper."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from engines.running.files import MemoryFileStore, check_content, check_key
from engines.running.runner.frame_parts import file_parts
from engines.running.runner.pipe import ProtocolPipe
from engines.running.runner.protocol import FileName, FileRequest


class PipeFileStore:
    """A `FileStore` over the protocol pipe. Used by the run's main thread alone.

    Attributes:
        after_run: where contents go once the run has ended and its keeper stores no more of them; None before.
    """

    def __init__(self, pipe: ProtocolPipe) -> None:
        self._pipe = pipe
        self.after_run: MemoryFileStore | None = None
        self._requests = 0
        self._sent: set[str] = set()

    def put(self, data: bytes) -> str:
        """Store `data`; return its SHA-256 (hex). What was sent once is not sent again."""
        if self.after_run is not None:
            return self.after_run.put(data)
        check_content(data)
        key = hashlib.sha256(data).hexdigest()
        if key not in self._sent:
            for part in file_parts(data):
                self._pipe.send(part)
            self._sent.add(key)
        return key

    def get(self, key: str) -> bytes:
        """Return the content with that SHA-256. Raises KeyError if there is none."""
        data = self._request("sha256", key)
        if data is None and self.after_run is not None:
            return self.after_run.get(key)
        if data is None:
            raise KeyError(f"No file with the SHA-256 {key} is stored.")
        return data

    def get_or_build(self, key: str, build: Callable[[], bytes]) -> bytes:
        """Return the content kept under the name `key`, built and kept on first use."""
        check_key(key)
        found = self._request("name", key)
        if found is None and self.after_run is not None:
            return self.after_run.get_or_build(key, build)
        if found is None:
            found = build()
            self._pipe.send(FileName(key, self.put(found)))
        return found

    def _request(self, by: str, key: str) -> bytes | None:
        self._requests += 1
        self._pipe.send(FileRequest(self._requests, "sha256" if by == "sha256" else "name", key))
        pieces: list[bytes] = []
        while True:
            reply = self._pipe.reply()
            if reply.parts == 0:
                return None
            pieces.append(reply.data)
            if reply.part == reply.parts - 1:
                return b"".join(pieces)
