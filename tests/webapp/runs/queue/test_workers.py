"""Signs of life, and what workers take."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.support.databases import MOSTLY_SQLITE, SQLITE
from tests.support.installing import install_torch
from tests.support.live import ROOT, LiveSite
from webapp.runs.models import Run, WorkerBeat
from webapp.runs.queue import claim, workers
from webapp.runs.worker.worker import Worker


def test_only_workers_seen_lately_are_alive(live_site: LiveSite) -> None:
    workers.beat("one", 2, 1, claim.Offer(frozenset({"torch"}), short_only=True))
    workers.beat("one", 2, 2, claim.Offer())
    workers.beat("two", 1, 0, claim.Offer())
    assert workers.worker_summary() == workers.WorkerSummary(alive=2, known=2, slots=3, busy=2)
    WorkerBeat.objects.filter(name="two").update(seen=workers.from_now(-2 * workers.ALIVE_S))
    assert [beat.name for beat in workers.live_workers()] == ["one"]
    assert workers.worker_summary().known == 2
    WorkerBeat.objects.filter(name="two").update(seen=workers.from_now(-2 * workers.KEPT_S))
    workers.beat("one", 2, 0, claim.Offer())
    assert workers.worker_summary().known == 1
    workers.forget("one")
    assert workers.live_workers() == []


@SQLITE
def test_a_worker_with_every_slot_taken_claims_nothing(live_site: LiveSite) -> None:
    run = live_site.start(steps=2)
    worker = Worker("test", 1, claim.Offer())
    worker._free.acquire()
    assert worker.look() == 0
    worker._free.release()
    assert worker.look() == 1 and worker.busy == 0
    run.refresh_from_db()
    assert run.status == "done" and worker.look() == 0
    worker.leave()
    live_site.start()
    assert worker.look() == 0


@MOSTLY_SQLITE
def test_a_worker_beats_while_it_lives_and_says_goodbye(live_site: LiveSite) -> None:
    process = live_site.worker(PARETOSCOPE_WORKER_SHORT_ONLY="1", PARETOSCOPE_WORKER_SLOTS="2")
    (beat,) = workers.live_workers()
    assert (beat.slots, beat.busy, beat.short_only, beat.offers) == (2, 0, True, "")
    long = live_site.start(steps=1000, step_seconds=0.5)
    short = live_site.start(steps=500, step_seconds=0.1)
    live_site.wait(lambda: workers.worker_summary().busy == 1, "the worker is busy with the short run")
    long.refresh_from_db()
    short.refresh_from_db()
    assert (long.status, short.status) == ("queued", "running")
    assert process.terminate() == 0
    live_site.wait(lambda: not WorkerBeat.objects.exists(), "the beat is gone")


@SQLITE
def test_a_run_that_needs_torch_starts_once_torch_is_installed_beside_a_worker_that_is_up(
    live_site: LiveSite, tmp_path: Path
) -> None:
    """The worker sees every installed package but torch, through links, and torch is put beside them while it is up."""
    packages = tmp_path / "packages"
    packages.mkdir()
    for entry in Path(np.__file__).parents[1].iterdir():
        if not entry.name.startswith("torch"):
            (packages / entry.name).symlink_to(entry)
    run = live_site.start(steps=2)
    Run.objects.filter(pk=run.pk).update(needs="torch")  # before there is a worker that might take it
    paths = f"{ROOT}:{packages}"
    live_site.worker(flags=("-S",), PARETOSCOPE_WORKER_OFFERS="auto", PYTHONPATH=paths)
    run.refresh_from_db()
    (before,) = workers.live_workers()
    assert (run.status, before.offers, workers.missing_for(run, [before])) == ("queued", "data", "offers torch")
    install_torch(packages)
    live_site.wait_for_status(run, "done")
    live_site.wait(lambda: "torch" in WorkerBeat.objects.get().offers.split(","), "the beat says so")
