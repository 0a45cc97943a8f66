"""Child processes that end with this process: on Ctrl-C, on an error, and if it is killed.

Each child leads its own session, so that Ctrl-C reaches only this process, which ends the children in order. On Linux the
kernel also kills each child when this process dies, and orphaned grandchildren become its children, so that the last sweep
finds them.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
POLL_S = 0.05
MEANWHILE_S = 0.5
GRACE_S = 3.0
BURST_S = 1.0
LONGEST_WAIT_S = 30.0
STEADY_S = 60.0
LINUX = sys.platform == "linux"
LIBC = ctypes.CDLL(None, use_errno=True) if LINUX else None

_asked: list[tuple[int, float]] = []  # the signals that asked us to end, and when
_adopts = [False]


class Interruption(BaseException):
    """The request to end: Ctrl-C, a closed terminal or SIGTERM."""


def adopt_orphans() -> None:
    """Make this process the parent of grandchildren whose own parent died (Linux)."""
    _adopts[0] = True
    if LIBC:
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    """Make the kernel kill this new child when its parent dies (Linux). Stored data stays intact."""
    if LIBC:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def heed_signals() -> None:
    """Make `pause` and `call` raise `Interruption` after SIGINT, SIGTERM or SIGHUP; a second signal kills children at once.

    The handler itself raises nothing: an exception within `Popen` after it took its lock would leave a process that nothing ends.
        Signals within `BURST_S` count as one, because some programs pass a signal on twice.
    """

    def note(number: int, frame: FrameType | None) -> None:
        _asked.append((number, time.monotonic()))
        if _asked[-1][1] - _asked[0][1] > BURST_S:
            Service.grace_s = 0.0

    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, note)


def pause(seconds: float = 0.0) -> None:
    """Wait, and raise `Interruption` if a signal requested the end."""
    time.sleep(seconds)
    if _asked:
        raise Interruption(signal.Signals(_asked[0][0]).name)


def call(
    command: list[str], meanwhile: Callable[[], None] | None = None, show: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end and return it with its output; `Interruption` ends it and all its child processes.

    Args:
        command: program and arguments.
        meanwhile: called every half second until the command has ended.
        show: print the output to the terminal instead of capturing it.
    """
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=None if show else subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=die_with_parent,  # noqa: PLW1509 - this process has one thread
    )
    output = ""
    try:
        while child.returncode is None:
            pause()
            try:
                output = child.communicate(timeout=MEANWHILE_S)[0] or ""
            except subprocess.TimeoutExpired:
                if meanwhile:
                    meanwhile()
    except BaseException:
        end_group(child, GRACE_S)
        raise
    return subprocess.CompletedProcess(command, child.returncode, output, "")


@dataclass
class Service:
    """A process to keep running, its output appended to a log file.

    Attributes:
        name: name in messages and of the log file.
        command: program and arguments.
        log: file that receives its output.
        variables: environment variables to add.
        files: open file descriptors that it inherits.
        starts: number of starts so far.
    """

    name: str
    command: list[str]
    log: Path
    variables: Mapping[str, str] = field(default_factory=dict)
    files: tuple[int, ...] = ()
    starts: int = 0
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    next_start: float = 0.0
    wait_s: float = 1.0
    grace_s = GRACE_S  # not a field: one patience for all

    def start(self) -> None:
        """Start the process."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as stream:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.variables},
                pass_fds=self.files,
                start_new_session=True,
                preexec_fn=die_with_parent,  # noqa: PLW1509 - this process has one thread
            )
        self.started = time.monotonic()
        self.starts += 1

    def tend(self) -> str:
        """Restart the process if it ended, after a longer wait each time; return a message for the user, or ""."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.next_start:
                self.start()
            return ""
        if self.process.poll() is None:
            if now - self.started > STEADY_S:
                self.wait_s = 1.0
            return ""
        code = self.process.returncode
        end_group(self.process, 0.0)  # whatever it left behind must not work beside its successor
        self.process = None
        self.next_start, wait_s = now + self.wait_s, self.wait_s
        self.wait_s = min(2 * self.wait_s, LONGEST_WAIT_S)
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
        return f"{self.name} {how}; starting it again in {wait_s:.0f} s (log: {self.log})"

    def tail(self, lines: int = 30) -> str:
        """Return the last `lines` lines of its log."""
        with contextlib.suppress(OSError):
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
        return ""


def stop(services: list[Service]) -> None:
    """Stop all services and their child processes: SIGTERM first, SIGKILL after `Service.grace_s` seconds."""
    running = [service.process for service in services if service.process is not None]
    for process in running:
        signal_group(process.pid, signal.SIGTERM)
    deadline = time.monotonic() + Service.grace_s
    while any(process.poll() is None for process in running) and time.monotonic() < deadline:
        if Service.grace_s == 0.0:
            break
        time.sleep(POLL_S)
    for process in running:
        end_group(process, 0.0)
    if _adopts[0]:  # else nothing of the services is among our children, but a test's browser may be
        sweep()


def end_group(process: subprocess.Popen[str] | subprocess.Popen[bytes], grace_s: float) -> None:
    """End a process and its group: SIGTERM, then SIGKILL after `grace_s` seconds (at once if 0)."""
    if grace_s and process.poll() is None:
        signal_group(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(grace_s)
    signal_group(process.pid, signal.SIGKILL)
    process.wait()


def signal_group(group: int, number: signal.Signals) -> None:
    """Send a signal to every process of a group; a group that has ended is no error."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def sweep() -> None:
    """Kill remaining descendants that left their group and lost their parent (Linux)."""
    for _ in range(20):
        below = children_of(os.getpid())
        if not below:
            return
        for pid in below:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(POLL_S)


def children_of(parent: int) -> list[int]:
    """Return the process ids of the children of `parent`; empty on systems without /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            # The name in brackets may hold blanks: the parent is the second word after the last bracket.
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(folder.name))
    return found
