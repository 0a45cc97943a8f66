"""kill -9 of pull workers: a run loses at most the work since its last checkpoint, and another worker takes it soon."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from tests.support.pull_worker import PullWorker
from webapp.api.tokens import make_token
from webapp.runs.models import Run
from webapp.runs.storage.lease import LEASE_S

KILLS = 4
TAKEN_WITHIN_S = 15.0  # after the lease


@SQLITE
@pytest.mark.chaos
def test_killed_pull_workers_lose_no_checkpoint(live_site: LiveSite, live_url: str, tmp_path: Path) -> None:
    token = make_token(live_site.ann, "Node", "worker")[1]
    workers: list[PullWorker] = []

    def add() -> None:
        workers.append(PullWorker(live_url, token, tmp_path / f"node{len(workers)}"))

    add()
    add()
    run = live_site.start(steps=150, step_seconds=0.5, checkpoint_every=5)
    pick = random.Random(1)
    try:
        for kill in range(1, KILLS + 1):
            live_site.wait(lambda kill=kill: Run.objects.get(pk=run.pk).attempt == kill, f"attempt {kill}")
            seen = Run.objects.get(pk=run.pk).step_number
            live_site.wait(lambda seen=seen: Run.objects.get(pk=run.pk).step_number > seen + 5, "further steps")
            time.sleep(pick.random())
            run.refresh_from_db()
            before, owner = run.step_number, run.lease_owner
            holder = next(each for each in workers if f":{each.process.pid} " in owner)
            holder.kill()
            killed_at = time.monotonic()
            add()
            live_site.wait(lambda kill=kill: Run.objects.get(pk=run.pk).attempt == kill + 1, "another worker takes it")
            assert time.monotonic() - killed_at <= LEASE_S + TAKEN_WITHIN_S
            live_site.wait(lambda kill=kill: run.log.filter(attempt=kill + 1).exists(), "it goes on")
            text = run.log.filter(attempt=kill + 1).first().text  # type: ignore[union-attr]
            assert (
                f"after the checkpoint of step {before - before % 5}" in text
                or f"step {before + 5 - before % 5}" in text
            )
        live_site.wait_for_status(run, "done")
        live_site.assert_same_designs(run)
    finally:
        for worker in workers:
            if worker.process.poll() is None:
                os.killpg(worker.process.pid, signal.SIGKILL)
                worker.process.wait()
