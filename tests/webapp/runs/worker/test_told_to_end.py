"""Workers that are told to end thrice within three milliseconds, as by `timeout` in front of a group of processes."""

from __future__ import annotations

import random

import pytest

from tests.support.bursts import burst
from tests.support.databases import MOSTLY_POSTGRESQL
from tests.support.live import LiveSite
from webapp.runs.models import Run

GRACE_S = 15  # of docker/compose.yaml


def told_to_end(site: LiveSite, chance: random.Random) -> None:
    """A worker with a run, and another waiting: it ends, gives the one back and never takes the other."""
    run, waiting = site.start(steps=10_000, step_seconds=0.02), site.start(steps=10_000)
    worker = site.worker()
    site.wait_for_steps(run, 1)
    burst(worker.process.pid, chance)
    assert worker.process.wait(GRACE_S) == 0, site.worker_logs(3000, newest=1)
    assert set(Run.objects.values_list("pk", "status", "attempt")) == {(run.pk, "queued", 1), (waiting.pk, "queued", 0)}
    Run.objects.all().delete()


@MOSTLY_POSTGRESQL
def test_a_worker_ends_and_takes_no_run(live_site: LiveSite) -> None:
    told_to_end(live_site, random.Random(1))


@pytest.mark.chaos
@pytest.mark.long
@pytest.mark.timeout(1200)
def test_fifty_workers_end_and_take_no_run(live_site: LiveSite) -> None:
    chance = random.Random(2)
    for _ in range(50):
        told_to_end(live_site, chance)
