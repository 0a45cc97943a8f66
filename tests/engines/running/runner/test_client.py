"""Every way in which a child can end, with real processes."""

import psutil
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Problem, Resume
from engines.exploration import explore
from engines.running.runner.client import RunnerProcess
from engines.running.runner.frame_parts import unpack_designs
from engines.running.runner.protocol import Log, StartReport, StepFrame
from tests.engines.running.runner.children_for_tests import FOR_EVER_S, QUICK_S, collect, gone, toy_problem
from tests.support.toy_engine import ToyEngine


def test_a_run_gives_the_same_designs_as_in_this_process() -> None:
    with RunnerProcess(toy_problem()) as process:
        frames = collect(process)
    assert isinstance(frames[0], StartReport)
    steps = [frame for frame in frames if isinstance(frame, StepFrame)]
    assert [step.number for step in steps] == [1, 2, 3, 4]
    found = unpack_designs([chunk for step in steps for chunk in step.designs])
    assert found is not None
    assert found.equals(explore("toy", params={"steps": 4, "designs_per_step": 5}, seed=7).designs)
    assert steps[-1].results[0].name == "remark"
    ending = process.ending
    assert (ending.status, ending.outcome) == ("done", "feasible")


def test_an_infeasible_run_is_done_with_that_outcome() -> None:
    with RunnerProcess(toy_problem(energy_limit_j=0.5)) as process:
        (step,) = [frame for frame in collect(process) if isinstance(frame, StepFrame)]
    assert step.infeasible is not None
    assert step.infeasible.remedies == (("Allow at least 1000\u00a0mJ; more may be needed.", "params.energy_limit_j"),)
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
