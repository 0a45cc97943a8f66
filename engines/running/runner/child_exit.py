"""How a run's child process ended, read from its last frame, its exit status and what it left unfinished."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Literal

from engines.running.runner.protocol import Done, FailureReport, StopReport

Reason = Literal[
    "problem",
    "decision",
    "checkpoint",
    "contract",
    "memory",
    "engine",
    "exit",
    "machine",
    "signal",
    "killed",
    "protocol",
]


@dataclass(frozen=True)
class ChildExit:
    """How a child ended.

    Attributes:
        status: "done", "stopped" or "failed".
        outcome: "feasible" or "infeasible" where done, "" otherwise.
        reason: where failed: category of the exception; "exit" (it, or a process of its executor, left before it was
            complete), "machine" (its disk is full and the like), "signal" (ended by `signal_name`), "killed" (by
            `RunnerProcess.kill`), "protocol" (wrote rubbish); "" otherwise.
        message: one sentence for people.
        failed: the child's own account, if it could give one.
        exit_code: exit code of the process; None where a signal ended it, and where it had said its last and was still going away.
        signal_name: "SIGSEGV" and so on; "" if none.
        out_of_time: whether a stopped run reached its time limit.
    """

    status: Literal["done", "stopped", "failed"]
    outcome: str = ""
    reason: Reason | Literal[""] = ""
    message: str = ""
    failed: FailureReport | None = None
    exit_code: int | None = None
    signal_name: str = ""
    out_of_time: bool = False


@dataclass(frozen=True)
class ChildEnd:
    """The observed end of a child.

    Attributes:
        code: return code; negative: the signal, that of a kill too where the process was still going away.
        hung: whether it closed its output but stayed.
        killed: whether its keeper killed it.
        last: its last frame, if it could send one.
        rubbish: error in its output; "" without one.
        pending_bytes: length of a frame that it did not finish.
        stderr: the last that it printed.
    """

    code: int
    hung: bool = False
    killed: bool = False
    last: Done | StopReport | FailureReport | None = None
    rubbish: str = ""
    pending_bytes: int = 0
    stderr: str = ""


def read_ending(end: ChildEnd) -> ChildExit:
    """Return the ending that `end` amounts to. A last frame counts more than how the process went away after it."""
    last, code = end.last, end.code
    exited = code if code >= 0 else None
    if isinstance(last, Done):
        return ChildExit("done", outcome=last.outcome, exit_code=exited)
    if isinstance(last, StopReport):
        return ChildExit("stopped", exit_code=exited, out_of_time=last.out_of_time)
    if isinstance(last, FailureReport):
        return ChildExit("failed", reason=last.category, message=last.message, failed=last, exit_code=exited)
    if end.rubbish:
        return ChildExit("failed", reason="protocol", message=f"The run wrote rubbish: {end.rubbish}")
    if end.killed:
        return ChildExit("failed", reason="killed", message="The run was killed.", signal_name="SIGKILL")
    if end.hung:
        return ChildExit("failed", reason="protocol", message="The run closed its output but did not end.")
    if code < 0:
        return _ended_by_signal(-code, end.stderr)
    rest = f" in the middle of a frame ({end.pending_bytes} bytes)" if end.pending_bytes else ""
    message = f"The run left with exit status {code}{rest} before it was complete."
    return ChildExit("failed", reason="exit", message=message, exit_code=code)


def _ended_by_signal(number: int, stderr: str) -> ChildExit:
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    if name == "SIGABRT" and any(words in stderr for words in _NATIVE_MEMORY_WORDS):
        message = "Memory limit reached (in native code)."
        return ChildExit("failed", reason="memory", message=message, signal_name=name)
    hint = " It was killed, or the machine ran out of memory." if name == "SIGKILL" else ""
    return ChildExit("failed", reason="signal", message=f"The run was ended by {name}.{hint}", signal_name=name)


_NATIVE_MEMORY_WORDS = ("bad_alloc", "MemoryError", "out of memory", "Cannot allocate memory")
