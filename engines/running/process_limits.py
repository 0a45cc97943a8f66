"""Services of the operating system for a run's process: limits, and an end together with its parent."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1
NICENESS = 10
# Half the weight of other sessions: beside two searches on two cores, the web server gets all of one core and not two thirds.
# More would let a search starve wherever anything else is busy.
_SESSION_NICENESS = 3


def end_with_parent(parent_pid: int | None = None) -> None:
    """Make the kernel kill this process when the *thread* that started it ends (Linux; elsewhere nothing happens).

    Args:
        parent_pid: the expected parent; if it is gone already, the process ends at once.
    """
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if parent_pid is not None and os.getppid() != parent_pid:
        os._exit(1)


def limit_memory(limit_mb: float) -> None:
    """Bound the address space of this process and its children, so that too much memory raises `MemoryError`.

    The bound counts addresses, not resident pages. numpy and pyarrow take about 0.5 GB of addresses; torch takes several
    GB before it does anything, so an engine that needs it asks for at least 16 GB in its plan.
    """
    size = int(limit_mb * 1024 * 1024)
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))


def limit_cpu(limit_s: int) -> None:
    """Make the kernel end this process (SIGXCPU) once it has computed for that long."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (limit_s if hard == resource.RLIM_INFINITY else min(limit_s, hard), hard))


def write_no_files() -> None:
    """Allow this process to write to pipes, but to no file."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def no_core_dumps() -> None:
    """Make a crash of an engine leave no core file behind."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def give_way() -> None:
    """Let all else on the machine go first: who looks at a page waits for no search. Where cores are free it costs nothing.

    Linux weighs sessions against each other before it looks at how nice their processes are (`sched(7)`, autogroups), so a
    process that leads a session says it for that, too.
    """
    os.setpriority(os.PRIO_PROCESS, 0, max(os.getpriority(os.PRIO_PROCESS, 0), NICENESS))  # a spare has it already
    if os.getsid(0) == os.getpid():
        with contextlib.suppress(OSError):  # no autogroups, or not allowed now: the order between processes holds
            Path("/proc/self/autogroup").write_text(str(_SESSION_NICENESS))


def first_to_go() -> None:
    """Make this process end before its supervisor or the database when the machine runs out of memory."""
    with contextlib.suppress(OSError):  # not Linux, or not allowed: the default order holds
        Path("/proc/self/oom_score_adj").write_text("800")
