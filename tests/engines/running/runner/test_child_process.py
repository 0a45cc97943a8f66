from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from pathlib import Path

import psutil
import pytest

from engines.running.runner.client import RunnerProcess
from engines.running.runner.protocol import Log, StepFrame
from tests.engines.running.runner.children_for_tests import FOR_EVER_S, QUICK_S, collect, gone, toy_problem


def test_a_kill_from_outside_is_read_as_its_signal() -> None:
    with RunnerProcess(toy_problem(step_seconds=0.2, steps=50)) as process:
        for frame in process.frames(QUICK_S):
            if isinstance(frame, StepFrame):
                os.kill(process.pid, signal.SIGKILL)
    assert (process.ending.reason, process.ending.signal_name) == ("signal", "SIGKILL")


def test_the_child_gets_no_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://secret")
    script = tmp_path / "print_environment.py"
    script.write_text("import os, sys; sys.stderr.write(repr(dict(os.environ)))")
    with RunnerProcess(toy_problem(), command=(sys.executable, str(script))) as process:
        collect(process)
    assert "OMP_NUM_THREADS" in process.stderr_tail()
    assert "secret" not in process.stderr_tail()


def scripted(tmp_path: Path, *lines: str) -> RunnerProcess:
    """A child that runs `lines` instead of the runner; it finds `write(frame)`."""
    script = tmp_path / "child.py"
    beginning = (
        "import os, signal, sys, time",
        f"sys.path.insert(0, {str(Path(__file__).parents[4])!r})",
        "from engines.running.runner.protocol import *",
        "from engines.running.runner.wire import encode_frame",
        "def write(frame):",
        "    data = memoryview(encode_frame(frame))",
        "    while data:",
        "        data = data[os.write(1, data):]",
    )
    script.write_text("\n".join([*beginning, *lines]))
    return RunnerProcess(toy_problem(), command=(sys.executable, str(script)))


@pytest.mark.parametrize(
    ("last_words", "status", "reason"),
    [("", "failed", "protocol"), ("write(Done())", "done", ""), ("write(StopReport())", "stopped", "")],
)
def test_one_that_closes_its_output_and_stays_is_ended(
    tmp_path: Path, last_words: str, status: str, reason: str
) -> None:
    closing = "sys.stderr.write('closing'); sys.stderr.flush(); time.sleep(0.3)"
    with scripted(tmp_path, closing, last_words, "os.close(1); time.sleep(600)") as process:
        frames = process.frames(QUICK_S)
        while "closing" not in process.stderr_tail() and next(frames, "over") != "over":
            pass
        list(frames)
    assert (process.ending.status, process.ending.reason) == (status, reason)
    assert gone(process.pid)


@pytest.mark.parametrize("last_words", ["", "write(StopReport())"])
def test_nobody_waits_until_one_that_is_done_with_has_gone(tmp_path: Path, last_words: str) -> None:
    """The system takes seconds to take a large process's memory back; here a fork of its own group keeps its pipe open."""
    lines = (
        "orphan = os.fork()",
        "if orphan == 0: os.setsid(); time.sleep(600)",
        "sys.stderr.write(f'{orphan}\\n'); sys.stderr.flush()",
        last_words,
        "time.sleep(600)",
    )
    with scripted(tmp_path, *lines) as process:
        frames = process.frames(QUICK_S)
        while not process.stderr_tail() and next(frames, "over") != "over":
            pass
        if not last_words:
            process.kill()
        list(frames)
        ended = process.ending
    os.kill(int(process.stderr_tail()), signal.SIGKILL)
    assert (ended.status, ended.reason) == (("stopped", "") if last_words else ("failed", "killed"))
    assert process.poll() is not None and gone(process.pid)
    process.kill()  # its number may be another's by now: nothing happens


def test_one_that_was_asked_to_stop_and_closes_its_output_gets_no_grace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engines.running.runner.child_process._EXIT_GRACE_S", FOR_EVER_S)
    with scripted(tmp_path, "os.close(1); time.sleep(600)") as process:
        process.request_stop()
        collect(process, FOR_EVER_S)
    assert process.ending.reason == "protocol"


@pytest.mark.parametrize("escape", ["", "os.setsid()"])
def test_one_that_dies_while_its_fork_holds_the_pipe_has_ended(tmp_path: Path, escape: str) -> None:
    told = tmp_path / "orphan"
    lines = (
        "if os.fork() == 0:",
        f"    {escape or 'pass'}",
        "    write(Log('info', 'here', 0.0))",
        f"    open({str(told)!r}, 'w').write(f'{{os.getpid()}}\\n')",
        "    while True:",
        "        write(Log('info', 'still here', 0.0)); time.sleep(0.01)",
        f"while not os.path.exists({str(told)!r}) or not open({str(told)!r}).read(): time.sleep(0.01)",
        "write(Log('info', 'last words' * 100, 0.0))",
        "os.kill(os.getpid(), signal.SIGKILL)",
    )
    with scripted(tmp_path, *lines) as process:
        frames = collect(process)
    orphan = int(told.read_text())
    try:
        assert (process.ending.reason, process.ending.signal_name) == ("signal", "SIGKILL")
        assert any(isinstance(frame, Log) and frame.message.startswith("last words") for frame in frames)
        assert escape or gone(orphan)
    finally:
        if escape and not gone(orphan, 1.0):  # without a reader its next write ends it
            with contextlib.suppress(ProcessLookupError):
                os.kill(orphan, signal.SIGKILL)


def test_workers_of_the_run_end_with_it() -> None:
    problem = toy_problem(steps=100, designs_per_step=3000, step_seconds=0.01)
    with RunnerProcess(problem, workers=2) as process:
        children: list[psutil.Process] = []
        for frame in process.frames(QUICK_S):
            children = children or psutil.Process(process.pid).children(recursive=True)
            if children and isinstance(frame, StepFrame):
                process.kill()
    assert children, "the batches of this test are too small: nothing was given to workers"
    assert all(gone(child.pid) for child in children)


@pytest.mark.parametrize("kind", ["hang", "freeze"])
def test_the_child_ends_when_its_parent_is_killed(kind: str, tmp_path: Path) -> None:
    script = tmp_path / "keeper.py"
    script.write_text(
        "from tests.support.toy_engine import register_toys\n"
        "from engines.documents.problems import make_problem\n"
        "from engines.running.runner.client import RunnerProcess\n"
        "from engines.running.runner.protocol import StepFrame\n"
        "register_toys()\n"
        f"process = RunnerProcess(make_problem('toy', {{}}, {{'crash_at': 1, 'crash_kind': {kind!r}}}))\n"
        "for frame in process.frames(0.1):\n"
        "    if isinstance(frame, StepFrame):\n"
        "        print(process.pid, flush=True)\n"
    )
    root = str(Path(__file__).parents[4])
    environment = {**os.environ, "PYTHONPATH": root}
    with psutil.Popen([sys.executable, str(script)], stdout=-1, env=environment, cwd=root) as keeper:
        pid = int(keeper.stdout.readline())
        assert psutil.pid_exists(pid)
        keeper.kill()
    assert gone(pid)


def test_a_child_outlives_the_thread_that_asked_for_it() -> None:
    started: list[RunnerProcess] = []
    thread = threading.Thread(target=lambda: started.append(RunnerProcess(toy_problem(step_seconds=0.1))))
    thread.start()
    thread.join()
    with started[0] as process:
        collect(process)
    assert process.ending.status == "done"


def test_the_ending_of_a_living_child_is_not_known() -> None:
    with RunnerProcess(toy_problem(step_seconds=1)) as process:
        with pytest.raises(RuntimeError, match="has not ended yet"):
            _ = process.ending
        assert process.poll() is None
