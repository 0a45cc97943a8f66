"""Every way in which a child can end, with real processes."""

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Problem, Resume
from engines.documents.problems import make_problem
from engines.exploration import explore
from engines.running.files import MemoryFileStore
from engines.running.runner.client import RunnerProcess
from engines.running.runner.packing import unpack_designs
from engines.running.runner.protocol import FilePart, Frame, Log, Started, StepFrame
from tests.support.toy_engine import ToyEngine

QUICK_S = 0.1
FOR_EVER_S = 600.0  # longer than any test may take: whoever waits for it is ended by the limit of the tests


def toy_problem(**params: Any) -> Problem:
    return make_problem("toy", {}, {"steps": 4, "designs_per_step": 5} | params, seed=7)


def collect(process: RunnerProcess, patience_s: float = 30.0) -> list[Frame]:
    """All frames; kills a child that takes longer."""
    deadline, frames = time.monotonic() + patience_s, []
    for frame in process.frames(QUICK_S):
        if frame is not None:
            frames.append(frame)
        if time.monotonic() > deadline:
            process.kill()
    return frames


def gone(pid: int, within_s: float = 3.0) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.02)
    return False


def test_a_run_gives_the_same_designs_as_in_this_process() -> None:
    with RunnerProcess(toy_problem()) as process:
        frames = collect(process)
    assert isinstance(frames[0], Started)
    steps = [frame for frame in frames if isinstance(frame, StepFrame)]
    assert [step.number for step in steps] == [1, 2, 3, 4]
    found = unpack_designs([chunk for step in steps for chunk in step.designs])
    assert found is not None
    assert found.equals(explore("toy", params={"steps": 4, "designs_per_step": 5}, seed=7).designs)
    assert steps[-1].results[0].name == "remark"
    ending = process.ending
    assert (ending.status, ending.outcome, ending.exit_code) == ("done", "feasible", 0)


def test_an_infeasible_run_is_done_with_that_outcome() -> None:
    with RunnerProcess(toy_problem(energy_limit_j=0.5)) as process:
        (step,) = [frame for frame in collect(process) if isinstance(frame, StepFrame)]
    assert step.infeasible is not None
    assert step.infeasible.remedies == (("Allow at least 1000\u00a0mJ.", "params.energy_limit_j"),)
    assert (process.ending.status, process.ending.outcome) == ("done", "infeasible")


@pytest.mark.parametrize(
    ("kind", "reason", "words"),
    [
        ("exception", "engine", "The toy broke, as it was told to."),
        ("exit", "exit", "exit status 9"),
        ("signal", "signal", "SIGSEGV"),
        ("memory", "memory", "Memory limit of 700 MB reached."),
        ("rubbish", "protocol", "rubbish"),
        ("half_frame", "exit", "in the middle of a frame"),
    ],
)
def test_a_crash_is_told_apart_and_earlier_steps_are_kept(kind: str, reason: str, words: str) -> None:
    with RunnerProcess(toy_problem(crash_at=2, crash_kind=kind), memory_limit_mb=700) as process:
        steps = [frame for frame in collect(process) if isinstance(frame, StepFrame)]
    assert len(steps) == 2
    assert (process.ending.status, process.ending.reason) == ("failed", reason)
    assert words in process.ending.message
    assert gone(process.pid)


def test_an_exception_comes_with_its_traceback() -> None:
    with RunnerProcess(toy_problem(crash_at=0)) as process:
        collect(process)
    failed = process.ending.failed
    assert failed is not None
    assert failed.type == "RuntimeError"
    assert "_raise" in failed.traceback


@pytest.mark.parametrize("kind", ["hang", "freeze", "flood"])
def test_what_never_ends_by_itself_is_killed_without_a_grace(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.running.runner.child_process._EXIT_GRACE_S", FOR_EVER_S)
    with RunnerProcess(toy_problem(crash_at=1, crash_kind=kind)) as process:
        frames = process.frames(QUICK_S)
        while not isinstance(next(frames), StepFrame):
            pass
        process.request_stop()
        assert next(frames) is None  # nothing comes, and the keeper has its thread back
        process.kill()
        assert list(filter(None, frames)) == []
    assert (process.ending.status, process.ending.reason) == ("failed", "killed")
    assert len(process.stderr_tail()) <= 64 * 1024
    assert gone(process.pid)


def test_a_flood_of_frames_leaves_its_keeper_in_command() -> None:
    with RunnerProcess(toy_problem(crash_at=1, crash_kind="log_flood")) as process:
        count = 0
        for frame in process.frames(QUICK_S):
            count += isinstance(frame, Log)
            if count == 1000:
                process.kill()
    assert process.ending.reason == "killed"


def test_a_kill_from_outside_is_read_as_its_signal() -> None:
    with RunnerProcess(toy_problem(step_seconds=0.2, steps=50)) as process:
        for frame in process.frames(QUICK_S):
            if isinstance(frame, StepFrame):
                os.kill(process.pid, signal.SIGKILL)
    assert (process.ending.reason, process.ending.signal_name) == ("signal", "SIGKILL")


def test_a_stop_takes_effect_after_the_step_at_hand() -> None:
    with RunnerProcess(toy_problem(step_seconds=0.3, steps=500)) as process:
        steps = 0
        for frame in process.frames(QUICK_S):
            if isinstance(frame, StepFrame):
                steps += 1
                if steps == 2:
                    process.request_stop()
    assert process.ending.status == "stopped"
    assert steps <= 4


def test_a_stopped_run_continues_to_the_same_designs() -> None:
    problem = toy_problem(steps=8)
    with RunnerProcess(problem) as process:
        steps = [frame for frame in collect(process) if isinstance(frame, StepFrame)]
    kept = steps[:3]
    designs = unpack_designs([chunk for step in kept for chunk in step.designs])
    assert designs is not None and kept[-1].checkpoint is not None
    with RunnerProcess(problem, Resume(kept[-1].checkpoint, designs)) as process:
        rest = [frame for frame in collect(process) if isinstance(frame, StepFrame)]
    assert [step.designs for step in rest] == [step.designs for step in steps[3:]]


def test_a_foreign_checkpoint_is_refused() -> None:
    with RunnerProcess(toy_problem(), Resume(b"rubbish", Designs.empty(ToyEngine.quantities))) as process:
        collect(process)
    assert process.ending.reason == "checkpoint"


def test_a_problem_of_another_engine_version_is_refused() -> None:
    problem = Problem("toy", 99, {}, toy_problem().params)
    with RunnerProcess(problem) as process:
        collect(process)
    assert process.ending.reason == "problem"
    assert process.ending.failed is not None and process.ending.failed.field == "version"


def test_what_an_engine_prints_is_kept_apart() -> None:
    with RunnerProcess(toy_problem(crash_at=1, crash_kind="flood")) as process:
        for _ in process.frames(QUICK_S):
            if len(process.stderr_tail()) > 60_000:
                process.kill()
    assert process.ending.reason == "killed"  # and not "protocol": nothing of it came into the frames
    assert set(process.stderr_tail()) == set("flood \n")


def test_files_go_through_the_pipe_and_back() -> None:
    files = MemoryFileStore()
    with RunnerProcess(toy_problem(use_files=True, with_file=True)) as process:
        frames = collect(process)
    assert process.ending.status == "done", process.ending.message
    parts = [frame for frame in frames if isinstance(frame, FilePart)]
    assert len(parts) == 2  # the start, sent once, and the file of the last step
    assert any(isinstance(frame, Log) and parts[0].sha256 in frame.message for frame in frames)
    entry = [frame for frame in frames if isinstance(frame, StepFrame)][-1].files[0]
    assert (entry.sha256, entry.size) == (parts[1].sha256, len(parts[1].data))
    assert files.put(parts[1].data) == entry.sha256


def test_a_file_that_the_keeper_has_is_not_built_again() -> None:
    files = MemoryFileStore()
    files.keep("toy-start", b"\0" * 24)
    with RunnerProcess(toy_problem(use_files=True), files=files) as process:
        frames = collect(process)
    assert process.ending.status == "done", process.ending.message
    assert [frame.data for frame in frames if isinstance(frame, FilePart)] == [b"\0" * 24]


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
        "def write(frame):",
        "    data = memoryview(encode_frame(frame))",
        "    while data:",
        "        data = data[os.write(1, data):]",
    )
    script.write_text("\n".join([*beginning, *lines]))
    return RunnerProcess(toy_problem(), command=(sys.executable, str(script)))


@pytest.mark.parametrize(
    ("last_words", "status", "reason"),
    [("", "failed", "protocol"), ("write(Done())", "done", ""), ("write(Stopped())", "stopped", "")],
)
def test_one_that_closes_its_output_and_stays_is_ended(
    tmp_path: Path, last_words: str, status: str, reason: str
) -> None:
    closing = "sys.stderr.write('closing'); sys.stderr.flush(); time.sleep(0.3)"
    with scripted(tmp_path, closing, last_words, "os.close(1); time.sleep(600)") as process:
        frames = process.frames(QUICK_S)
        while "closing" not in process.stderr_tail():
            next(frames)
        list(frames)
    assert (process.ending.status, process.ending.reason) == (status, reason)
    assert gone(process.pid)


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
    lines = (
        "if os.fork() == 0:",
        f"    {escape or 'pass'}",
        "    sys.stderr.write(f'{os.getpid()}\\n'); sys.stderr.flush()",
        "    while True:",
        "        write(Log('info', 'still here', 0.0)); time.sleep(0.01)",
        "time.sleep(0.3)",
        "write(Log('info', 'last words' * 100, 0.0))",
        "os.kill(os.getpid(), signal.SIGKILL)",
    )
    with scripted(tmp_path, *lines) as process:
        frames = collect(process)
    orphan = int(process.stderr_tail().split()[0])
    try:
        assert (process.ending.reason, process.ending.signal_name) == ("signal", "SIGKILL")
        assert any(isinstance(frame, Log) and frame.message.startswith("last words") for frame in frames)
        assert escape or gone(orphan)
    finally:
        if escape and not gone(orphan, 1.0):  # without a reader its next write ends it
            os.kill(orphan, signal.SIGKILL)


def test_one_that_does_not_read_keeps_nobody_waiting(tmp_path: Path) -> None:
    script = tmp_path / "deaf.py"
    script.write_text("import time; time.sleep(600)")
    designs = explore("toy", params={"designs_per_step": 2000, "steps": 3}).designs
    with RunnerProcess(toy_problem(), Resume(b"x", designs), command=(sys.executable, str(script))) as process:
        process.request_stop()
        assert next(process.frames(QUICK_S)) is None


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


def test_a_killed_worker_of_the_run_counts_like_a_dead_child() -> None:
    problem = toy_problem(steps=100, designs_per_step=3000, step_seconds=0.01)
    with RunnerProcess(problem, workers=2) as process:
        killed: list[psutil.Process] = []
        for frame in process.frames(QUICK_S):
            if not killed and isinstance(frame, StepFrame):
                killed = workers_of(process.pid)[:1]
                for worker in killed:
                    worker.kill()
    assert killed, "the batches of this test are too small: nothing was given to workers"
    assert (process.ending.status, process.ending.reason) == ("failed", "exit")
    assert "worker process of the run ended" in process.ending.message
    assert process.ending.failed is not None and process.ending.failed.type == "WorkerDiedError"


def workers_of(pid: int) -> list[psutil.Process]:
    """The pool's processes among the children of `pid`; the resource tracker of multiprocessing is none."""
    children = psutil.Process(pid).children(recursive=True)
    return [child for child in children if any("spawn_main" in word for word in child.cmdline())]


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
