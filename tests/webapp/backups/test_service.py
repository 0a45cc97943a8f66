"""None"""

import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connections, transaction

from tests.support.live import LiveSite
from tests.webapp.backups.cases import SQLITE, stored
from webapp import VERSION
from webapp.backups import service
from webapp.backups.errors import BackupError
from webapp.runs.models import FileBlob, FilePart, Run, WorkerBeat
from webapp.runs.queue.workers import live_workers
from webapp.runs.storage.files import list_files, put_content, read_content


def test_the_version_is_the_packages() -> None:
    text = (settings.BASE_DIR / "pyproject.toml").read_text()
    assert tomllib.loads(text)["project"]["version"] == VERSION
    assert f"\nversion: {VERSION}\n" in (settings.BASE_DIR / "CITATION.cff").read_text()


def test_a_site_comes_back_as_it_was(site: Path) -> None:
    before = stored()
    made = service.back_up(site)
    assert made.counts == before[-1].counts
    assert sorted(site.parent.glob(".site*")) == []
    Run.objects.update(title="changed")
    get_user_model().objects.create_user("late")
    FilePart.objects.all().delete()
    changed = service.present_state()
    with pytest.raises(BackupError, match=r"not empty.*--replace"):
        service.restore(site)
    assert service.restore(site, dry_run=True) == (made, [])
    assert service.present_state() == changed
    assert service.restore(site, replace=True) == (made, [])
    assert stored() == before
    get_user_model().objects.create_user("later")  # keys go on where they were


@contextmanager
def writing() -> Iterator[tuple[list[str], threading.Thread]]:
    """Somebody stores one file after another, each with its part in one transaction; the list grows."""
    written: list[str] = []
    first, end = threading.Event(), threading.Event()

    def write() -> None:
        while not end.is_set():
            with transaction.atomic():
                written.append(put_content(f"file {len(written)}".encode()))
            first.set()
        connections["default"].close()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert first.wait(100)
        yield written, thread
    finally:
        end.set()
        thread.join(100)


def test_a_backup_beside_a_writer_is_of_one_moment(site: Path) -> None:
    with writing() as (written, writer):
        made = service.back_up(site)
        count = len(written)
        while len(written) <= count:  # the writer goes on
            assert writer.is_alive()
    service.restore(site, replace=True)
    assert made.counts["runs_fileblob"] == made.counts["runs_filepart"] == FileBlob.objects.count()
    for blob in FileBlob.objects.all():
        assert len(read_content(blob.sha256)) == blob.size
    present = set(FileBlob.objects.values_list("sha256", flat=True))
    there = [sha256 in present for sha256 in written]
    assert there == sorted(there, reverse=True), "a file is there, an earlier one is not"


@SQLITE
def test_what_a_restore_refuses(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = service.back_up(site)
    with pytest.raises(BackupError, match="exists already"):
        service.back_up(site)
    with pytest.raises(BackupError, match=r"lacks the migration runs\.9999_later and 1 more"):
        service.missing_migrations([*made.migrations, "runs.9999_later", "runs.9999_still_later"])
    WorkerBeat.objects.create(name="busy bee", slots=1, busy=0)
    with pytest.raises(BackupError, match="busy bee"):
        service.restore(site, replace=True)
    assert service.restore(site, dry_run=True) == (made, [])


@pytest.mark.long
def test_a_backup_of_an_older_version_is_migrated(site: Path) -> None:
    call_command("migrate", "comparisons", "zero", verbosity=0)
    expected = service.missing_migrations(service.present_state().migrations)
    made = service.back_up(site)
    with pytest.raises(BackupError, match="paretoscope migrate"):
        service.restore(site, replace=True)
    call_command("migrate", verbosity=0)
    full = service.present_state().migrations
    assert expected
    assert service.restore(site, replace=True) == (made, expected)
    assert service.present_state().migrations == full
    assert Run.objects.get().title == "Toy run"


@pytest.mark.long
def test_a_run_that_was_going_on_is_taken_up_from_its_checkpoint(live_site: LiveSite, tmp_path: Path) -> None:
    worker = live_site.worker()
    go_on = tmp_path / "go-on"
    run = live_site.start(steps=8, checkpoint_every=3, with_file=True, hold_at=5, hold_until=str(go_on))
    live_site.wait_for_steps(run, 5)
    made = service.back_up(tmp_path / "site.tar.gz")
    go_on.touch()
    live_site.wait_for_status(run, "done")
    worker.terminate()
    live_site.wait(lambda: not live_workers(), "no worker alive")
    service.restore(tmp_path / "site.tar.gz", replace=True)
    run.refresh_from_db()
    assert run.status == "running"
    assert run.step_number == made.counts["runs_steprecord"] == 5
    live_site.worker()
    live_site.wait_for_status(run, "done")
    assert run.attempt == 2
    assert run.steps.filter(attempt=2).order_by("number")[0].number > 3
    live_site.assert_same_designs(run)
    assert [read_content(file.blob_id) for file in list_files(run)]
