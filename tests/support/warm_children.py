"""Children of the runner that a process with everything imported forks, instead of interpreters that start.

Hundreds of tests ask a child process one small question; starting the interpreter and importing numpy, pyarrow, pydantic and the
engine takes half a second of a core each time, the question a hundredth. What a forked child does is the runner's own `main`, in a
process and session of its own, with the same pipes, environment and limits. Tests of the runner itself start real ones
(`tests/engines/running/runner/conftest.py`).
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

from engines.running.runner import spares
from engines.running.runner.environment import child_environment
from engines.running.runner.process_starter import spawn

_PR_SET_CHILD_SUBREAPER = 36
_PID = struct.Struct("i")
_PIPES = 3  # input, output, errors


class WarmParent:
    """The process that forks; one for each test process, started when the first child is asked for."""

    def __init__(self) -> None:
        self._environment = child_environment()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def spawn(self, command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """`spawning.spawn`, except that the child is a fork; a real one where a test changed the environment."""
        if dict(environment) != self._environment:
            return spawn(command, environment)
        return _Forked(self, command)

    def fork(self, pipes: Sequence[int]) -> int:
        """The id of a new child of this process, whose input, output and errors are `pipes`."""
        with self._lock:
            try:
                return self._asked(pipes)
            except OSError:  # something has ended it: another one is started
                self.close()
                return self._asked(pipes)

    def _asked(self, pipes: Sequence[int]) -> int:
        if self._socket is None:
            self._socket = self._start()
        _collect_orphans(True)  # the child's parent ends at once: it becomes this process's own child
        try:
            socket.send_fds(self._socket, [b"."], list(pipes))
            answer = self._socket.recv(_PID.size)
        finally:
            _collect_orphans(False)
        if len(answer) != _PID.size:
            raise BrokenPipeError("the process that forks has ended")
        return int(_PID.unpack(answer)[0])

    def close(self) -> None:
        """End the process that forks."""
        if self._socket is not None and self._process is not None:
            self._socket.close()
            self._process.wait(60)
            self._socket = self._process = None

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "tests.support.warm_children", str(os.getpid()), str(theirs.fileno())],
                env=self._environment,
                cwd="/",
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # tests end groups of processes
            )
        return ours


class _Forked(subprocess.Popen[bytes]):
    """What `Popen` does with a child, where `WarmParent` makes it."""

    def __init__(self, parent: WarmParent, command: Sequence[str]) -> None:
        self._parent = parent
        pipe = subprocess.PIPE
        super().__init__(list(command), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)

    def _execute_child(self, *arguments: Any) -> None:
        _, child_reads, _, _, child_writes, _, child_complains = arguments[9:16]
        pipes = (child_reads, child_writes, child_complains)
        try:
            self.pid = self._parent.fork(pipes)
            self._child_created = True
        finally:
            for file in pipes:
                os.close(file)


def _collect_orphans(wanted: bool) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0)


@contextlib.contextmanager
def warm_children() -> Iterator[None]:
    """Children of the runner that this process starts within the block are forks."""
    if not sys.platform.startswith("linux"):  # nowhere else can the child of an ended process become one's own
        yield
        return
    parent = WarmParent()
    spares.spawn = parent.spawn
    try:
        yield
    finally:
        spares.spawn = spawn
        parent.close()


# -- in the process that forks --------------------------------------------------------------------------------------------------


def _import_all() -> None:
    """What children import, except torch, which few need and which takes gigabytes of addresses."""
    from engines.registry import BUILT_INS, JOBS
    from engines.running.runner.readers import READERS

    for path in (*BUILT_INS.values(), *JOBS.values(), *READERS.values()):
        import_module(path.partition(":")[0])
    import_module("tests.support.toy_engine")


def _serve(parent: int, channel: socket.socket) -> None:
    """Fork whenever three pipes come."""
    while True:
        word, pipes, _, _ = socket.recv_fds(channel, 1, _PIPES)
        if not word:
            return
        told, tells = os.pipe()
        between = os.fork()
        if not between:
            child = os.fork()
            if not child:
                _be_child(parent, (channel.fileno(), told, tells), pipes)
            os.write(tells, _PID.pack(child))
            os._exit(0)
        os.waitpid(between, 0)  # told only now: by then the child belongs to who asked
        channel.send(os.read(told, _PID.size))
        for file in (told, tells, *pipes):
            os.close(file)


def _be_child(parent: int, spare: Sequence[int], pipes: Sequence[int]) -> NoReturn:
    """Become what the real command is: `python -m engines.running.runner PARENT`."""
    from engines.running.runner.child import main

    os.setsid()
    for file in spare:
        os.close(file)
    for number, file in enumerate(pipes):
        os.dup2(file, number)
        os.close(file)
    while os.getppid() != parent:  # until the process between has ended
        time.sleep(0.0005)
    sys.argv = ["engines.running.runner", str(parent)]
    main()


if __name__ == "__main__":
    _import_all()
    gc.freeze()
    _serve(int(sys.argv[1]), socket.socket(fileno=int(sys.argv[2])))
