"""Faults at random moments, many times over: every run ends with the designs of an unbroken one (`make chaos`)."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from functools import partial

import pytest

from tests.support.live import LiveSite, WorkerProcess
from webapp.runs import service
from webapp.runs.models import Run

pytestmark = [pytest.mark.chaos, pytest.mark.long, pytest.mark.timeout(600)]
ROUNDS = 6


def disturb(site: LiveSite, run: Run, fault: Callable[[], None], seed: int) -> None:
    """Break something `ROUNDS` times while the run goes on; it must end by itself with the right designs."""
    chance = random.Random(seed)
    for _ in range(ROUNDS):
        before = run.step_number
        site.wait(partial(went_on, run, before), f"step {before + 1} of run {run.pk}, or its end")
        if not run.active:
            break
        time.sleep(chance.uniform(0.0, 0.5))
        fault()
    site.wait_for_status(run, "done", timeout_s=120)
    site.assert_same_designs(run)


def went_on(run: Run, before: int) -> bool:
    """Whether a step came after those `before`, or the run has ended: on a quick machine it does so between two faults."""
    run.refresh_from_db()
    return run.step_number > before or not run.active


def kill_children(workers: list[WorkerProcess]) -> None:
    for worker in workers:
        for child in worker.children():
            os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize("seed", [1, 2])
def test_children_are_killed_again_and_again(live_site: LiveSite, seed: int) -> None:
    workers = [live_site.worker(), live_site.worker()]
    run = live_site.start(steps=80, step_seconds=0.1, seed=seed)
    disturb(live_site, run, lambda: kill_children(workers), seed)
    assert run.attempt > 1


@pytest.mark.parametrize("sign", ["SIGKILL", "SIGTERM"])
def test_workers_end_again_and_again(live_site: LiveSite, sign: str) -> None:
    workers = [live_site.worker(), live_site.worker()]
    run = live_site.start(steps=80, step_seconds=0.1)

    def chosen() -> WorkerProcess | None:
        if Run.objects.get(pk=run.pk).status != "running":
            return workers[0]
        holder = live_site.holder(run)
        return holder if holder in workers else None

    def replace_one() -> None:
        # The one that was killed last is named as the holder until its lease has run out.
        victim = live_site.wait(chosen, "the run is held by a worker that lives")
        workers.remove(victim)
        victim.process.send_signal(getattr(signal, sign))
        victim.process.wait(20)
        workers.append(live_site.worker())

    disturb(live_site, run, replace_one, seed=3)
    assert run.attempt > 1


def test_a_frozen_worker_wakes_up_and_finds_itself_fenced_out(live_site: LiveSite) -> None:
    first = live_site.worker()
    run = live_site.start(steps=200, step_seconds=0.1)
    live_site.wait_for_steps(run, 3)
    live_site.worker()
    child = live_site.child(run)
    os.kill(first.process.pid, signal.SIGSTOP)
    live_site.wait(lambda: Run.objects.get(pk=run.pk).attempt == 2, "another worker takes the run")
    os.kill(first.process.pid, signal.SIGCONT)
    live_site.wait(lambda: child not in first.children(), "the child of the fenced keeper is gone")
    live_site.wait_for_status(run, "done")
    assert run.attempt == 2
    live_site.assert_same_designs(run)


@pytest.mark.parametrize("live_database", ["postgresql"], indirect=True)
def test_a_worker_frozen_in_the_middle_of_a_transaction_keeps_nobody_out(live_site: LiveSite) -> None:
    first = live_site.worker()
    run = live_site.start(steps=3000, step_seconds=0.0)  # so that it stores all the time
    live_site.wait_for_steps(run, 3)
    live_site.worker()
    os.kill(first.process.pid, signal.SIGSTOP)
    live_site.wait(lambda: Run.objects.get(pk=run.pk).attempt == 2, "another worker takes the run")
    os.kill(first.process.pid, signal.SIGCONT)
    live_site.wait_for_status(run, "done")
    live_site.assert_same_designs(run)


@pytest.mark.parametrize("kind", ["hang", "freeze", "flood"])
def test_stopping_again_and_again(live_site: LiveSite, kind: str) -> None:
    live_site.worker()
    for seed in range(ROUNDS):
        run = live_site.start(steps=1000, step_seconds=0.05, crash_at=2, crash_kind=kind, seed=seed)
        live_site.wait_for_steps(run, 2)
        service.request_stop(live_site.ann, run)
        live_site.wait_for_status(run, "stopped")


def test_many_runs_on_three_workers_each_end_once(live_site: LiveSite) -> None:
    workers = [live_site.worker(PARETOSCOPE_WORKER_SLOTS="2") for _ in range(3)]
    runs = [live_site.start(steps=10, step_seconds=0.02, seed=seed) for seed in range(30)]
    live_site.wait_for_steps(runs[0], 1)
    kill_children(workers)
    for run in runs:
        live_site.wait_for_status(run, "done", timeout_s=120)
        live_site.assert_same_designs(run)
