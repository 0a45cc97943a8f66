"""A child process that answers one question within limits on memory, processor time and time, a few at a time.

Each may take gigabytes and all of a core: what people ask for at the same time must not take the machine.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from engines.runner.child_process import ChildProcess
from engines.runner.ending import Ending
from engines.runner.protocol import Frame

AnswerFrame = TypeVar("AnswerFrame", bound=Frame)

_AT_A_TIME = threading.BoundedSemaphore(2)
# Somebody who waits holds a thread of the server.
_WAIT_S = 10.0


@dataclass(frozen=True)
class ChildLimits:
    """What a child that answers a question may take.

    Attributes:
        memory_mb: of addresses, about 500 of which the interpreter and its libraries take.
        cpu_s: processor time.
        time_s: time on the clock, with the start of the process.
    """

    memory_mb: float = 1024.0
    cpu_s: int = 10
    time_s: float = 30.0


class AllBusyError(Exception):
    """Other children are at work, and none ended in time."""


def answer_of(
    opening: Iterable[Frame], kind: type[AnswerFrame], limits: ChildLimits
) -> tuple[AnswerFrame | None, Ending]:
    """The frame of that kind with which a child answers its opening frames, None where it gave none; and how it ended.

    The child itself bounds memory and processor time, as its opening says; here the time on the clock is bounded.

    Raises:
        AllBusyError: as many children as may be at work were so for as long as one waits.
    """
    if not _AT_A_TIME.acquire(timeout=min(limits.time_s, _WAIT_S)):
        raise AllBusyError
    try:
        deadline = time.monotonic() + limits.time_s
        found: AnswerFrame | None = None
        with ChildProcess(opening) as process:
            for frame in process.frames(0.5):
                found = frame if isinstance(frame, kind) else found
                if time.monotonic() > deadline:
                    process.kill()
            return (found if process.ending.status == "done" else None), process.ending
    finally:
        _AT_A_TIME.release()


def took_too_long(ending: Ending) -> bool:
    """Whether a child was ended for its time, of the processor or on the clock."""
    return ending.reason == "killed" or ending.signal_name == "SIGXCPU"
