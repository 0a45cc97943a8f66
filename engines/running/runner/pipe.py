"""The child's side of the pipes: frames out, and a thread that reads frames in."""

from __future__ import annotations

import os
import queue
import threading
from typing import TypeVar

from engines.running.runner.protocol import (
    Ask,
    DesignChunk,
    FilePart,
    FileReply,
    Frame,
    InteractiveQuestion,
    MeasuredDesign,
    NextQuestion,
    ProtocolError,
    ReadRequest,
    Start,
    Stop,
)
from engines.running.runner.wire import FrameBuffer, encode_frame

_READ_BYTES = 1 << 20
EXIT_ORPHANED = 4
Opening = Start | ReadRequest | Ask | InteractiveQuestion | NextQuestion | DesignChunk | FilePart
Following = TypeVar("Following", DesignChunk, FilePart, NextQuestion)


class ProtocolPipe:
    """Two private file descriptors that engine code cannot reach by printing or reading.

    Standard output is turned to standard error and standard input to nothing; the protocol keeps duplicates of the
    original descriptors, which no process started by the engine inherits.
    """

    def __init__(self) -> None:
        self._out = os.dup(1)
        self._in = os.dup(0)
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._openings: queue.SimpleQueue[Opening | ProtocolError] = queue.SimpleQueue()
        self._replies: queue.SimpleQueue[FileReply] = queue.SimpleQueue()
        self._measured: queue.SimpleQueue[MeasuredDesign] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="protocol", daemon=True).start()

    def send(self, frame: Frame) -> None:
        """Write one frame whole; blocks while the parent does not read."""
        data = memoryview(encode_frame(frame))
        with self._lock:
            while data:
                try:
                    data = data[os.write(self._out, data) :]
                except BrokenPipeError:
                    os._exit(EXIT_ORPHANED)

    def opening(self) -> Start | ReadRequest | Ask | InteractiveQuestion:
        """Return the first frame.

        Raises:
            ProtocolError: the parent sent something else.
        """
        first = self._next_opening()
        if not isinstance(first, Start | ReadRequest | Ask | InteractiveQuestion):
            raise ProtocolError(
                f"The first frame must be a start, a read, a question or a talk. Got {first.kind} instead."
            )
        return first

    def design_chunks(self, start: Start) -> list[DesignChunk]:
        """Return the design chunks that belong to a start frame. Raises `ProtocolError` as `opening`."""
        return [self._following(DesignChunk) for _ in range(start.design_chunks)]

    def file(self, read: ReadRequest) -> bytes:
        """Return the file that belongs to a read frame. Raises `ProtocolError` as `opening`."""
        return b"".join(self._following(FilePart).data for _ in range(read.parts))

    def said(self) -> bytes:
        """Return the next question of a talk; waits for it. Raises `ProtocolError` as `opening`."""
        return self._following(NextQuestion).content

    def stop_requested(self) -> bool:
        """Return whether a stop frame has arrived."""
        return self._stop.is_set()

    def reply(self) -> FileReply:
        """Return the next part of the answer to a file request; waits for it."""
        return self._replies.get()

    def measured(self, timeout_s: float) -> MeasuredDesign | None:
        """Return the next design that a machine answered; None where `timeout_s` brings none."""
        try:
            return self._measured.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def _following(self, kind: type[Following]) -> Following:
        found = self._next_opening()
        if not isinstance(found, kind):
            raise ProtocolError(f"A {kind.kind} frame must follow. Got {found.kind} instead.")
        return found

    def _next_opening(self) -> Opening:
        item = self._openings.get()
        if isinstance(item, ProtocolError):
            raise item
        return item

    def _read(self) -> None:
        """Run in the thread. End of input means that the parent is gone: nothing is left to run for."""
        buffer = FrameBuffer()
        while data := os.read(self._in, _READ_BYTES):
            buffer.feed(data)
            try:
                for frame in buffer.frames():
                    self._dispatch(frame)
            except ProtocolError as error:
                self._openings.put(error)
        os._exit(EXIT_ORPHANED)

    def _dispatch(self, frame: Frame) -> None:
        if isinstance(frame, Stop):
            self._stop.set()
        elif isinstance(frame, FileReply):
            self._replies.put(frame)
        elif isinstance(frame, MeasuredDesign):
            self._measured.put(frame)
        elif isinstance(frame, Opening):
            self._openings.put(frame)
        else:
            raise ProtocolError(f"A child does not take {frame.kind} frames.")
