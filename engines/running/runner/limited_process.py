"""A child process that answers one question within limits on memory, processor time and time, a few at a time.

Each may take gigabytes and all of a core: what people ask for at the same time must not take the machine.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from engines.contract.errors import EngineError
from engines.running.runner.child_exit import ChildExit
from engines.running.runner.child_process import ChildProcess
from engines.running.runner.protocol import Frame
from engines.running.runner.slots import AllBusyError, FairSlots, who_asks
from engines.running.runner.spares import keep_spare

logger = logging.getLogger(__name__)

__all__ = ["AllBusyError", "ChildLimits", "answer_of", "refusal", "took_too_long"]

AnswerFrame = TypeVar("AnswerFrame", bound=Frame)

_SLOTS = FairSlots()
# Somebody who waits holds a thread of the server.
_WAIT_S = 10.0
# What may take longer than this leaves a slot to what may not.
_LONG_S = 60.0


@dataclass(frozen=True)
class ChildLimits:
    """The limits of a child that answers a question.

    Attributes:
        memory_mb: memory in MB of addresses, about 500 of which the interpreter and its libraries take.
        cpu_s: processor time.
        time_s: time on the clock, with the start of the process.
    """

    memory_mb: float = 1024.0
    cpu_s: int = 10
    time_s: float = 30.0


def answer_of(
    opening: Iterable[Frame], kind: type[AnswerFrame], limits: ChildLimits
) -> tuple[AnswerFrame | None, ChildExit]:
    """Return the frame of that kind with which a child answers its opening frames, None where it gave none; and how it ended.

    The child itself bounds memory and processor time, as its opening says; here the time on the clock is bounded.

    Raises:
        AllBusyError: as many children as may be at work were so for as long as one waits, or the person has enough waiting.
    """
    person = who_asks()
    if person:  # a web server: the next question finds a child that waits
        keep_spare()
    with _SLOTS.slot(person, limits.time_s > _LONG_S, min(limits.time_s, _WAIT_S)):
        deadline = time.monotonic() + limits.time_s
        found: AnswerFrame | None = None
        with ChildProcess(opening) as process:
            for frame in process.frames(min(0.5, max(limits.time_s, 0.01))):
                found = frame if isinstance(frame, kind) else found
                if time.monotonic() > deadline:
                    process.kill()
            return (found if process.ending.status == "done" else None), process.ending


@contextmanager
def hold_slot(wait_s: float = _WAIT_S) -> Iterator[None]:
    """Hold a slot during a short request to an interactive process that is already running.

    Raises:
        AllBusyError: as `answer_of`.
    """
    person = who_asks()
    if person:
        keep_spare()
    with _SLOTS.slot(person, long=False, wait_s=wait_s):
        yield


def took_too_long(ending: ChildExit) -> bool:
    """Return whether a child was ended for its time, of the processor or on the clock."""
    return ending.reason == "killed" or ending.signal_name == "SIGXCPU"


def refusal(
    ending: ChildExit, words: str, limits: ChildLimits, failure: Callable[[str], EngineError], advice: str = ""
) -> EngineError:
    """Return the error of a child that did not answer.

    Args:
        ending: outcome of the run.
        words: name of the action: "Scoring".
        limits: previous limits.
        failure: makes the error of a child that took more, or failed in a way that nobody foresaw, from a message.
        advice: a sentence on what takes less time; "" for none.

    Returns:
        `DecisionError` or `ProblemError` where the engine refused a decision or the problem, otherwise of `failure`.
    """
    failed = ending.failed
    if failed is not None and failed.category in ("decision", "problem"):
        return failed.problem()
    if ending.reason == "memory":
        return failure(f"{words} took more than {limits.memory_mb:.0f} MB of memory.")
    if took_too_long(ending):
        seconds = f"{limits.cpu_s} s of computing ({limits.time_s:.0f} s on the clock)"
        return failure(f"{words} took more than {seconds}. {advice}".strip())
    logger.warning("%s failed: %s\n%s", words, ending.message, failed.traceback if failed else "")
    return failure(f"{words} ended with: {ending.message}")
