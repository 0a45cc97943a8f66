"""Starts child processes from one thread that lives as long as this process.

The kernel's "end with the parent" holds for the *thread* that started a child: started from a request's or a task's own
thread, the child would be killed when that thread ends.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache


def spawn(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start `command` in a process group of its own, with pipes for input, output and errors."""
    return _spawner(os.getpid()).submit(_start, command, environment).result()


@cache
def _spawner(pid: int) -> ThreadPoolExecutor:
    """Return one thread per process: a forked server starts its own, since threads do not survive a fork."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"spawner-{pid}")


def _start(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        cwd="/",
        bufsize=0,
        start_new_session=True,
    )
