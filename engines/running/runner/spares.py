"""A spare child: started ahead, with everything imported, waiting for its problem.

It saves a run the start of an interpreter (a quarter of a second of one core). Off unless a worker calls `keep_spare`: a
process that never runs anything needs none.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence

from engines.running.process_limits import NICENESS
from engines.running.runner.environment import child_environment
from engines.running.runner.process_starter import spawn

REPLACE_AFTER_S = 0.2


class Spare:
    """At most one waiting child. `take` gives it away and has another started a moment later.

    Args:
        replace_after_s: pause before the next one is started: the run just begun has read its problem by then, and where runs
            take a second each, the next finds a child that is ready.
    """

    def __init__(self, replace_after_s: float = REPLACE_AFTER_S) -> None:
        self._replace_after_s = replace_after_s
        self._lock = threading.Lock()
        self._waiting: subprocess.Popen[bytes] | None = None
        self._kind: tuple[Sequence[str], Mapping[str, str]] = ((), {})
        self._closed = False

    def take(self, command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Return a child of that command and environment: the waiting one if it fits and lives, a new one otherwise."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
            fits = self._kind == (tuple(command), dict(environment))
            self._kind = (tuple(command), dict(environment))
        self._replace_later()
        if waiting is not None and fits and waiting.poll() is None:
            return waiting
        if waiting is not None:
            _end(waiting)
        return spawn(command, environment)

    def fill(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start a child to wait, if none does."""
        self._kind = (tuple(command), dict(environment))
        self._replace()

    def close(self) -> None:
        """End the waiting child; no other is started."""
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            _end(waiting)

    def _replace_later(self) -> None:
        timer = threading.Timer(self._replace_after_s, self._replace)
        timer.daemon = True
        timer.start()

    def _replace(self) -> None:
        with self._lock, contextlib.suppress(RuntimeError):  # the interpreter is about to end
            if self._waiting is None and not self._closed:
                self._waiting = spawn(*self._kind)
                # Nobody waits for it yet, while runs that are at work have given way: its start is not to delay them.
                with contextlib.suppress(OSError):
                    os.setpriority(os.PRIO_PROCESS, self._waiting.pid, NICENESS)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


_spares: dict[int, Spare] = {}


def keep_spare() -> Spare:
    """Keep one child of this process waiting from now on, so that a run starts in a few hundredths of a second.

    For workers. `Spare.close` ends it early; it ends with this process anyway.
    """
    spare = _spares.setdefault(os.getpid(), Spare())  # by process: a fork has no spare of its own yet
    spare.fill(_runner_command(), child_environment())
    return spare


def runner_child() -> subprocess.Popen[bytes]:
    """Return a child that waits for its problem: the spare of this process if there is one, or a new one."""
    spare = _spares.get(os.getpid())
    take = spawn if spare is None else spare.take
    return take(_runner_command(), child_environment())


def _runner_command() -> tuple[str, ...]:
    return (sys.executable, "-P", "-m", "engines.running.runner", str(os.getpid()))
