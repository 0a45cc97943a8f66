"""A child process and its pipes: frames in, frames out, and how it ended.

The child is not trusted: one that hangs, floods, dies in the middle of a frame or writes rubbish ends as a `failed` ending
with the reason, and `kill` takes its whole process group with it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import signal
import struct
import termios
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, Self

from engines.running.files import FileKeeper
from engines.running.runner.child_exit import ChildEnd, ChildExit, read_ending
from engines.running.runner.child_files import ChildFiles
from engines.running.runner.environment import child_environment
from engines.running.runner.process_starter import spawn
from engines.running.runner.protocol import (
    Done,
    FailureReport,
    FileRequest,
    Frame,
    ProtocolError,
    Stop,
    StopReport,
)
from engines.running.runner.spares import runner_child
from engines.running.runner.wire import FrameBuffer, encode_frame

_READ_BYTES = 1 << 18
_STDERR_BYTES = 64 * 1024
# How long a child that closed its output may stay; nothing once it said its last or was asked to stop. No step can come.
_EXIT_GRACE_S = 0.3


class ChildProcess:
    """A child process that executes the task of its opening frames.

    Args:
        opening: the first frames; they are encoded one by one, as the child reads them.
        files: answers the child's requests for files; by default what it put itself is kept in memory.
        command: what to start instead of the runner (tests of faults).

    `frames` must be called by one thread at a time; `request_stop`, `kill` and `poll` by any.
    """

    def __init__(
        self, opening: Iterable[Frame], files: FileKeeper | None = None, command: Sequence[str] | None = None
    ) -> None:
        self._lock = threading.Lock()
        self._reaping = threading.Lock()
        self._outgoing = bytearray()
        self._buffer = FrameBuffer()
        self._stderr = bytearray()
        self._last: Done | StopReport | FailureReport | None = None
        self._ending: ChildExit | None = None
        self._killed = False
        self._left_with: int | None = None  # its exit status, once somebody else waits for it to be gone
        self._stop_asked = False
        self._rubbish = ""
        self._files = ChildFiles(files)
        # Frames that wait to be encoded: the opening ones, then the answers to requests for files.
        self._replies: Iterator[Frame] | None = iter(opening)
        self._refill()  # what the first frame cannot say is the caller's mistake: it is told before a process starts
        self._process = spawn(command, child_environment()) if command else runner_child()
        self._selector = selectors.DefaultSelector()
        for stream in (self._process.stdout, self._process.stderr):
            self._watch(stream, selectors.EVENT_READ)
        self._watch(self._process.stdin, selectors.EVENT_WRITE)

    @property
    def pid(self) -> int:
        """Process id, which is also the id of its process group."""
        return self._process.pid

    @property
    def ending(self) -> ChildExit:
        """How the child ended; only after `frames` has been exhausted."""
        if self._ending is None:
            raise RuntimeError("The child has not ended yet: iterate over frames() to the end first.")
        return self._ending

    def frames(self, timeout_s: float) -> Iterator[Frame | None]:
        """Yield every frame as it comes, and None whenever `timeout_s` passed without one; ends when the child has ended.

        The child has ended when its process has, or when it closed its output: a process that it left behind may hold
        the pipe open for ever. One that said its last, or was killed, has ended as well: the system takes its memory away before
        it closes its pipes, which of a large process takes seconds on a busy machine. `FileRequest` and `FileName` frames are
        answered here and not handed out.
        """
        while self._ending is None:
            arrived = False
            for frame in self._arriving_frames(0.0 if self._killed else timeout_s):
                arrived = True
                yield frame
            gone = self._killed or (self._last is None and self.poll() is not None)
            if gone:
                self._read_rest()
                yield from self._complete_frames()
            if gone or self._last is not None or not self._output_open():
                self._finish()
            elif not arrived:
                yield None

    def send(self, frame: Frame) -> None:
        """Write a frame that the child waits for. Returns at once."""
        self._queue(encode_frame(frame))

    def request_stop(self) -> None:
        """Ask the child to end after the step at hand. Returns at once."""
        self._stop_asked = True
        self._queue(encode_frame(Stop()))

    def kill(self) -> None:
        """Kill the child and every process that it started. `frames` then ends."""
        self._killed = True
        self._kill_group()

    def poll(self) -> int | None:
        """Return the exit status (negative: the signal), None while the child lives. Does not reap it."""
        with self._reaping:
            if self._left_with is not None:
                return self._left_with
            if self._process.returncode is not None:
                return self._process.returncode
            status = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if status is None:
            return None
        return status.si_status if status.si_code == os.CLD_EXITED else -status.si_status

    def stderr_tail(self) -> str:
        """Return the last 64 KB that the child and its engine printed."""
        return self._stderr.decode(errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._ending is None:
            self.kill()
            self._finish()

    # -- pipes --------------------------------------------------------------------------------------------------------

    def _arriving_frames(self, timeout_s: float) -> Iterator[Frame]:
        """Yield the frames that are complete after the first bytes that bring any; none where `timeout_s` brings none."""
        deadline = time.monotonic() + timeout_s
        arrived = False
        while not arrived and self._output_open() and (remaining := deadline - time.monotonic()) > 0:
            self._exchange(remaining)
            for frame in self._complete_frames():
                arrived = True
                yield frame

    def _read_rest(self) -> None:
        """Read what was in the pipe when the child ended, and not what a process that it left behind adds to it."""
        stdout = self._process.stdout
        if stdout is None or stdout.closed:
            return
        (waiting,) = struct.unpack("i", fcntl.ioctl(stdout.fileno(), termios.FIONREAD, b"\0" * 4))
        while waiting > 0 and self._output_open():
            data = self._read(stdout)
            self._buffer.feed(data)
            waiting -= len(data) or waiting

    def _watch(self, stream: IO[bytes] | None, event: int) -> None:
        assert stream is not None
        os.set_blocking(stream.fileno(), False)
        self._selector.register(stream, event)

    def _output_open(self) -> bool:
        return self._process.stdout is not None and not self._process.stdout.closed

    def _queue(self, data: bytes) -> None:
        with self._lock:
            self._outgoing += data
        self._write()

    def _reply(self, replies: Iterator[Frame]) -> None:
        """Answer a request, part by part as the child reads. It waits for the answer, so that only one is ever open."""
        with self._lock:
            if self._replies is not None:
                raise ProtocolError("A file was asked for before the answer to the last request was read.")
            self._replies = replies
        self._write()

    def _refill(self) -> bool:
        """Queue the next part of an answer; return False if there is none.

        Call it with the lock, once all else is written.
        """
        reply = None if self._replies is None else next(self._replies, None)
        if reply is None:
            self._replies = None
            return False
        self._outgoing += encode_frame(reply)
        return True

    def _write(self) -> None:
        """Write what the pipe takes. A child that does not read keeps nobody waiting."""
        stdin = self._process.stdin
        with self._lock:
            if stdin is None or stdin.closed:
                return
            try:
                while self._outgoing or self._refill():
                    del self._outgoing[: os.write(stdin.fileno(), self._outgoing[:_READ_BYTES])]
            except BlockingIOError:
                return
            except BrokenPipeError:
                self._outgoing.clear()
                self._replies = None

    def _exchange(self, timeout_s: float) -> None:
        """Wait until the child reads or writes; move bytes."""
        self._arm_writing()
        for key, _ in self._selector.select(timeout_s):
            stream = key.fileobj
            if stream is self._process.stdin:
                self._write()
            elif stream is self._process.stdout:
                self._buffer.feed(self._read(stream))
            else:
                self._stderr += self._read(stream)
                del self._stderr[:-_STDERR_BYTES]

    def _arm_writing(self) -> None:
        """Watch the child's input only while something waits to be written: an idle pipe is always writable."""
        stdin = self._process.stdin
        watched = stdin in {key.fileobj for key in self._selector.get_map().values()}
        waiting = bool(self._outgoing) or self._replies is not None
        if stdin is not None and waiting != watched:
            if watched:
                self._selector.unregister(stdin)
            else:
                self._selector.register(stdin, selectors.EVENT_WRITE)

    def _read(self, stream: Any) -> bytes:
        try:
            data = os.read(stream.fileno(), _READ_BYTES)
        except BlockingIOError:
            return b""
        if not data:
            self._selector.unregister(stream)
            stream.close()
        return data

    def _complete_frames(self) -> Iterator[Frame]:
        try:
            for frame in self._buffer.frames():
                if isinstance(frame, Done | StopReport | FailureReport):
                    self._last = frame
                replies = self._files.handle(frame)
                if replies is None:
                    yield frame
                elif isinstance(frame, FileRequest):
                    self._reply(replies)
        except ProtocolError as error:
            self._rubbish = str(error)
            self._kill_group()

    # -- the end ------------------------------------------------------------------------------------------------------

    def _kill_group(self) -> None:
        """Send SIGKILL to the group. Safe: the leader is reaped under the same lock, so its id cannot belong to another."""
        with self._reaping, contextlib.suppress(ProcessLookupError):
            if self._process.returncode is None and self._left_with is None:
                os.killpg(self.pid, signal.SIGKILL)

    def _finish(self) -> None:
        """Give the child a moment to exit after its last message, end what it left behind, and read how it went."""
        known = self._killed or self._last is not None
        deadline = time.monotonic() + (0.0 if self._stop_asked or known else _EXIT_GRACE_S)
        while self.poll() is None and time.monotonic() < deadline:
            self._drain_stderr(0.02)
        hung = self.poll() is None
        self._kill_group()
        self._drain_stderr(0.0)
        code = self._code_now() if known else self._code()
        hung = hung and code == -signal.SIGKILL  # and not: was about to exit
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        self._ending = read_ending(
            ChildEnd(
                code, hung, self._killed, self._last, self._rubbish, self._buffer.pending_bytes, self.stderr_tail()
            )
        )

    def _code(self) -> int:
        with self._reaping:
            return self._process.wait()

    def _code_now(self) -> int:
        """Return the exit status where there is one already.

        How it ended is known without, and whoever asks does not wait for it.
        """
        code = self.poll()
        with self._reaping:
            # Nobody looks at it or signals it any more: its id may soon be another's.
            self._left_with = -signal.SIGKILL if code is None else code
        threading.Thread(target=self._process.wait, name=f"reaper-{self.pid}", daemon=True).start()
        return self._left_with

    def _drain_stderr(self, timeout_s: float) -> None:
        stderr = self._process.stderr
        if stderr is None or stderr.closed:
            time.sleep(timeout_s)
        elif any(key.fileobj is stderr for key, _ in self._selector.select(timeout_s)):
            self._stderr += self._read(stderr)
            del self._stderr[:-_STDERR_BYTES]
