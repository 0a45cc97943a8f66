"""Full disks: attempts are not used up by them, whether the run's process, its keeper or the database meets them."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from psycopg.errors import DiskFull

from tests.support.live import LiveSite
from webapp.runs.models import LogLine, Run
from webapp.runs.queue import claim
from webapp.runs.storage.store import RunStore
from webapp.runs.worker import disk_space
from webapp.runs.worker.run_supervisor import RunSupervisor
from webapp.runs.worker.worker import Worker


def keep(run: Run) -> str:
    """Have the next attempt of the run kept; how it ended."""
    fencing_token = claim.claim_next("test", claim.Offer())
    assert fencing_token is not None and fencing_token.run_id == run.pk
    ended = RunSupervisor(fencing_token).keep()
    run.refresh_from_db()
    return ended


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Folders on a full disk, to be changed by a test."""
    folders = [Path("/var/full")]
    for module in ("run_supervisor", "worker"):
        monkeypatch.setattr(f"webapp.runs.worker.{module}.full_folders", lambda: list(folders))
    return folders


def sqlite_full() -> Exception:
    return OperationalError("database or disk is full")


def postgresql_full() -> Exception:
    error = OperationalError('could not extend file "base/1/2": No space left on device')
    error.__cause__ = DiskFull()
    return error


def test_a_run_that_meets_a_full_disk_is_tried_again_and_told_why(live_site: LiveSite) -> None:
    run = live_site.start(steps=4, crash_at=1, crash_kind="disk_full", checkpoint_every=4)
    assert [keep(run) for _ in range(3)] == ["queued", "queued", "failed"], (
        "there is room, so that it is the run that takes it"
    )
    assert [each["reason"] for each in run.attempt_reasons] == [
        "The machine's disk is full: [Errno 28] No space left on device."
    ] * 3
    assert LogLine.objects.filter(run=run, text__startswith="The machine's disk is full").count() == 2


def test_no_attempt_counts_while_the_disk_is_full(live_site: LiveSite, full: list[Path], tmp_path: Path) -> None:
    marker = tmp_path / "broken"
    run = live_site.start(steps=4, crash_at=1, crash_kind="disk_full", crash_marker=str(marker), checkpoint_every=4)
    for _ in range(4):
        marker.unlink(missing_ok=True)
        assert keep(run) == "queued" and run.attempts_without_checkpoint == 0
    assert keep(run) == "done" and run.attempt == 5


def test_what_the_machine_never_mends_ends_the_run(live_site: LiveSite, full: list[Path]) -> None:
    run = live_site.start(steps=4, crash_at=1, crash_kind="disk_full", checkpoint_every=4)
    told = {"attempt": 1, "worker": "test", "reason": "full", "machine": True}
    Run.objects.filter(pk=run.pk).update(attempt_reasons=[told] * 20)
    assert [keep(run) for _ in range(3)] == ["queued", "queued", "failed"]


@pytest.mark.parametrize("error", [sqlite_full, postgresql_full])
def test_a_full_database_takes_no_attempt(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch, error: Any) -> None:
    monkeypatch.setattr("webapp.runs.storage.lease.LEASE_S", 0.1)

    def refuse(*arguments: Any) -> bool:
        raise error()

    run = live_site.start(steps=2)
    with monkeypatch.context() as patch:
        patch.setattr(RunStore, "store_step", refuse)
        patch.setattr(RunStore, "store_log", refuse)
        assert [keep(run) for _ in range(4)] == ["queued"] * 4
    assert run.attempts_without_checkpoint == 0 and len(run.attempt_reasons) == 4
    assert run.attempt_reasons[0]["reason"].startswith("The database's disk is full: ")
    assert keep(run) == "done"


def test_a_keeper_that_meets_a_full_disk_says_so(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any, **more: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    run = live_site.start(steps=2)
    with monkeypatch.context() as patch:
        patch.setattr("webapp.runs.worker.run_supervisor.RunnerProcess", refuse)
        assert keep(run) == "queued"
    assert run.attempt_reasons[0]["reason"].startswith("The machine's disk is full: ")
    assert keep(run) == "done"


def test_a_worker_takes_nothing_until_there_is_room(
    live_site: LiveSite, full: list[Path], caplog: pytest.LogCaptureFixture
) -> None:
    run = live_site.start(steps=2)
    worker = Worker("test", 1, claim.Offer())
    assert [worker.look(), worker.look()] == [0, 0]
    full.clear()
    assert worker.look() == 1
    run.refresh_from_db()
    assert run.status == "done" and run.attempt == 1
    told = [record.getMessage() for record in caplog.records if "here is space" in record.getMessage()]
    assert len(told) == 2 and "/var/full" in told[0] and told[1] == "There is space again."


def test_a_disk_is_full_by_what_is_left_for_everybody(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.PARETOSCOPE_VAR = tmp_path
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "gone"))
    assert disk_space.full_folders() == []
    found = os.statvfs(tmp_path)

    def left(blocks: int, files: int) -> None:
        facts = list(found)
        facts[4], facts[5], facts[7] = blocks, 1000, files
        monkeypatch.setattr("os.statvfs", lambda folder: os.statvfs_result(facts))

    left(disk_space.LEAST_ROOM_BYTES // found.f_frsize - 1, 100)
    assert disk_space.full_folders() == [tmp_path, tmp_path / "gone"]
    left(disk_space.LEAST_ROOM_BYTES // found.f_frsize + 1, 100)
    assert disk_space.full_folders() == []
    left(10**9, 0)
    assert disk_space.full_folders() == [tmp_path, tmp_path / "gone"]
