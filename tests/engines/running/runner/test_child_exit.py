import pytest

from engines.running.runner.child_exit import ChildEnd, read_ending
from engines.running.runner.protocol import Done, FailureReport, StopReport

FAILED = FailureReport("memory", "MemoryError", "Memory limit of 10 MB reached.")


@pytest.mark.parametrize(
    ("end", "status", "reason", "words"),
    [
        (ChildEnd(0, last=Done()), "done", "", ""),
        (ChildEnd(-9, killed=True, last=Done()), "done", "", ""),
        (ChildEnd(0, last=StopReport()), "stopped", "", ""),
        (ChildEnd(3, last=FAILED), "failed", "memory", "10 MB"),
        (ChildEnd(1, last=FailureReport("exit", "WorkerDiedError", "A worker ended.")), "failed", "exit", "worker"),
        (
            ChildEnd(1, last=FailureReport("machine", "OSError", "The machine's disk is full.")),
            "failed",
            "machine",
            "full",
        ),
        (ChildEnd(-9, rubbish="no frame"), "failed", "protocol", "no frame"),
        (ChildEnd(-9, killed=True), "failed", "killed", "was killed"),
        (ChildEnd(-9, hung=True), "failed", "protocol", "did not end"),
        (ChildEnd(-9), "failed", "signal", "ran out of memory"),
        (ChildEnd(-11), "failed", "signal", "SIGSEGV"),
        (ChildEnd(-6), "failed", "signal", "SIGABRT"),
        (ChildEnd(-6, stderr="terminate called: std::bad_alloc"), "failed", "memory", "native code"),
        (ChildEnd(-63), "failed", "signal", "63"),
        (ChildEnd(0), "failed", "exit", "exit status 0 before"),
        (ChildEnd(7, pending_bytes=5), "failed", "exit", "middle of a frame (5 bytes)"),
    ],
)
def test_every_end_is_told_apart(end: ChildEnd, status: str, reason: str, words: str) -> None:
    ending = read_ending(end)
    assert (ending.status, ending.reason) == (status, reason)
    assert words in ending.message


def test_an_infeasible_run_is_done() -> None:
    assert read_ending(ChildEnd(0, last=Done("infeasible"))).outcome == "infeasible"
