"""The child's side of the pipes: frames out, and a thread that reads frames in."""

from __future__ import annotations

import os
import queue
import threading

from engines.runner.protocol import DesignChunk, FileReply, Frame, FrameBuffer, ProtocolError, Start, Stop, encode_frame

_READ_BYTES = 1 << 20
EXIT_ORPHANED = 4


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
        self._starts: queue.SimpleQueue[Start | DesignChunk | ProtocolError] = queue.SimpleQueue()
        self._replies: queue.SimpleQueue[FileReply] = queue.SimpleQueue()
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

    def start(self) -> tuple[Start, list[DesignChunk]]:
        """The start frame and the design chunks that belong to it.

        Raises:
            ProtocolError: the parent sent something else.
        """
        first = self._next_start()
        if not isinstance(first, Start):
            raise ProtocolError(f"The first frame must be a start. Got {first.kind} instead.")
        chunks: list[DesignChunk] = []
        while len(chunks) < first.design_chunks:
            chunk = self._next_start()
            if not isinstance(chunk, DesignChunk):
                raise ProtocolError(
                    f"{first.design_chunks} design chunks must follow a start. Got {chunk.kind} instead."
                )
            chunks.append(chunk)
        return first, chunks

    def stop_requested(self) -> bool:
        """Whether a stop frame has arrived."""
        return self._stop.is_set()

    def reply(self) -> FileReply:
        """The next part of the answer to a file request; waits for it."""
        return self._replies.get()

    def _next_start(self) -> Start | DesignChunk:
        item = self._starts.get()
        if isinstance(item, ProtocolError):
            raise item
        return item

    def _read(self) -> None:
        """Runs in the thread. End of input means that the parent is gone: nothing is left to run for."""
        buffer = FrameBuffer()
        while data := os.read(self._in, _READ_BYTES):
            buffer.feed(data)
            try:
                for frame in buffer.frames():
                    self._dispatch(frame)
            except ProtocolError as error:
                self._starts.put(error)
        os._exit(EXIT_ORPHANED)

    def _dispatch(self, frame: Frame) -> None:
        if isinstance(frame, Stop):
            self._stop.set()
        elif isinstance(frame, FileReply):
            self._replies.put(frame)
        elif isinstance(frame, Start | DesignChunk):
            self._starts.put(frame)
        else:
            raise ProtocolError(f"A child does not take {frame.kind} frames.")
