"""The life of runs under one real worker that goes on after each: no worker is started for a test alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.databases import Templates, using
from tests.support.live import LiveSite, WorkerProcess, is_zombie
from webapp.runs import service
from webapp.runs.models import Run


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def site_with_worker(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[tuple[LiveSite, WorkerProcess]]:
    """A site, and its worker of four slots."""
    templates: Templates = request.getfixturevalue(f"{request.param}_templates")
    folder = tmp_path_factory.mktemp("site")
    with (
        django_db_blocker.unblock(),
        getattr(templates, request.param)(folder) as database,
        using(database.url),
        LiveSite(database) as site,
    ):
        yield site, site.worker(PARETOSCOPE_WORKER_SLOTS="4")


@pytest.fixture
def live_site(site_with_worker: tuple[LiveSite, WorkerProcess]) -> LiveSite:
    return site_with_worker[0]


def stop(site: LiveSite, run: Run) -> None:
    """Ask the run to stop, and wait until it has."""
    service.request_stop(site.ann, run)
    site.wait_for_status(run, "stopped")


@pytest.mark.long
def test_it_stops_whatever_the_engine_does(live_site: LiveSite) -> None:
    endless = {"steps": 1000, "step_seconds": 0.1}
    runs = {
        "asked": live_site.start(**endless),
        "ignores": live_site.start(**endless, ignore_stop=True),
        "hangs": live_site.start(**endless, crash_at=3, crash_kind="hang"),
    }
    for run in runs.values():
        live_site.wait_for_steps(run, 3)
    for run in runs.values():
        stop(live_site, run)
    kept = {name: run.design_count for name, run in runs.items()}
    time.sleep(0.5)
    for name, run in runs.items():
        run.refresh_from_db()
        assert run.design_count == kept[name] == sum(run.chunks.values_list("count", flat=True)) >= 12
        assert run.status == "stopped" and run.outcome == ""
    frozen = live_site.start(**endless, crash_at=3, crash_kind="freeze")
    live_site.wait_for_steps(frozen, 3)
    stop(live_site, frozen)


def test_a_stopped_run_goes_on_from_its_checkpoint_with_the_same_designs(live_site: LiveSite) -> None:
    go_on = live_site.database.folder / "go-on-with-checkpoints"
    run = live_site.start(steps=14, checkpoint_every=3, hold_at=4, hold_until=str(go_on))
    live_site.wait_for_steps(run, 4)
    stop(live_site, run)
    go_on.touch()
    continuation = service.continue_run(live_site.ann, run)
    assert continuation.from_step == 3
    assert f"after step {continuation.from_step}" in continuation.text
    live_site.wait_for_status(run, "done")
    assert run.design_count == 14 * 4 and run.attempt == 2
    live_site.assert_same_designs(run)


@pytest.mark.long
def test_a_run_without_checkpoints_begins_again_and_says_so(live_site: LiveSite) -> None:
    go_on = live_site.database.folder / "go-on-without-checkpoints"
    run = live_site.start(engine="toy-without-checkpoints", steps=8, hold_at=2, hold_until=str(go_on))
    live_site.wait_for_steps(run, 2)
    stop(live_site, run)
    go_on.touch()
    continuation = service.continue_run(live_site.ann, run)
    assert continuation.from_step == 0 and "from the beginning" in continuation.text
    live_site.wait_for_status(run, "done")
    live_site.assert_same_designs(run)


def test_a_keeper_that_lost_its_run_kills_its_child(site_with_worker: tuple[LiveSite, WorkerProcess]) -> None:
    live_site, worker = site_with_worker
    run = live_site.start(steps=1000, step_seconds=0.1)
    live_site.wait_for_steps(run, 2)
    child = live_site.child(run)
    assert child in worker.children()
    Run.objects.filter(pk=run.pk).update(attempt=7, lease_owner="somebody else")
    live_site.wait(lambda: child not in worker.children() or is_zombie(child), "the child of the fenced keeper is gone")
    count = Run.objects.get(pk=run.pk).design_count
    time.sleep(0.4)
    found = Run.objects.get(pk=run.pk)
    assert (found.design_count, found.status, found.attempt) == (count, "running", 7)
    found.delete()  # the worker would take it once the lease of somebody else is over


def test_a_worker_finds_runs_without_any_message(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    run = live_site.start(steps=2)
    live_site.wait_for_status(run, "running", "done")
