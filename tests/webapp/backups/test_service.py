import os
import sqlite3
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connections, transaction

from tests.support.databases import LiveDatabase
from tests.support.live import LiveSite
from tests.support.stored_runs import finished_run, make_people
from webapp import VERSION
from webapp.backups import service, sqlite
from webapp.backups.errors import BackupError
from webapp.runs.files import list_files, put_content, read_content
from webapp.runs.models import DesignChunk, FileBlob, FilePart, Run, WorkerBeat
from webapp.runs.workers import live_workers

SQLITE = pytest.mark.parametrize("live_database", ["sqlite"], indirect=True)
POSTGRESQL = pytest.mark.parametrize("live_database", ["postgresql"], indirect=True)


@pytest.fixture
def site(live_database: LiveDatabase, toys: None, tmp_path: Path) -> Path:
    """A site with people and a run; where its backup goes."""
    finished_run(make_people())
    return tmp_path / "site.tar.gz"


def stored() -> tuple[Any, ...]:
    """What a site shows of its runs, designs and files."""
    chunks = [bytes(chunk.scalars) for chunk in DesignChunk.objects.order_by("pk")]
    files = [read_content(file.blob_id) for run in Run.objects.order_by("pk") for file in list_files(run)]
    people = sorted(get_user_model().objects.values_list("username", "password"))
    return chunks, files, people, service.present_state()


def test_the_version_is_the_packages() -> None:
    text = (settings.BASE_DIR / "pyproject.toml").read_text()
    assert tomllib.loads(text)["project"]["version"] == VERSION


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
        assert first.wait(30)
        yield written, thread
    finally:
        end.set()
        thread.join(30)


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
def test_restoring_gives_up_while_somebody_writes(
    site: Path, live_database: LiveDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.back_up(site)
    get_user_model().objects.create_user("late")
    before = stored()
    monkeypatch.setattr(sqlite, "_PATIENCE_S", 0.1)
    other = sqlite3.connect(live_database.url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(BackupError, match="Somebody writes"):
        service.restore(site, replace=True)
    other.close()
    assert stored() == before


@POSTGRESQL
def test_a_restore_that_fails_half_way_leaves_all(site: Path) -> None:
    service.back_up(site)
    get_user_model().objects.create_user("late")
    with connections["default"].cursor() as cursor:
        cursor.execute("CREATE TABLE foreign_one (run bigint REFERENCES runs_run (id))")
    before = stored()
    with pytest.raises(BackupError, match="foreign_one"):
        service.restore(site, replace=True)
    assert stored() == before


@POSTGRESQL
def test_missing_programs_are_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BackupError, match="pg_dump and pg_restore cannot be found"):
        service.back_up(site)
    assert not site.exists()


@SQLITE
def test_what_a_restore_refuses(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = service.back_up(site)
    with pytest.raises(BackupError, match="exists already"):
        service.back_up(site)
    with pytest.raises(BackupError, match=r"lacks its migration runs\.9999_later and 1 more"):
        service.missing_migrations([*made.migrations, "runs.9999_later", "runs.9999_still_later"])
    WorkerBeat.objects.create(name="busy bee", slots=1, busy=0)
    with pytest.raises(BackupError, match="busy bee"):
        service.restore(site, replace=True)
    assert service.restore(site, dry_run=True) == (made, [])


@SQLITE
def test_the_commands_say_what_they_did(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("backup", str(site), "--dry-run")
    assert not site.exists()
    assert "Would write" in capsys.readouterr().out
    call_command("backup", str(site))
    assert "SECRET_KEY" in capsys.readouterr().out
    assert os.stat(site).st_mode & 0o777 == 0o600  # noqa: PTH116
    call_command("restore", str(site), "--dry-run")
    assert "takes --replace" in capsys.readouterr().out
    with pytest.raises(CommandError, match="the site is as it was"):
        call_command("restore", str(site))
    call_command("restore", str(site), "--replace")
    assert "Restored" in capsys.readouterr().out
    site.write_bytes(site.read_bytes()[:1000])
    with pytest.raises(CommandError, match="as it was"):
        call_command("restore", str(site), "--replace")


@pytest.mark.long
def test_a_backup_of_an_older_version_is_migrated(site: Path) -> None:
    call_command("migrate", "comparisons", "zero", verbosity=0)
    expected = service.missing_migrations(service.present_state().migrations)
    made = service.back_up(site)
    with pytest.raises(BackupError, match=r"manage\.py migrate"):
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
    run = live_site.start(steps=40, step_seconds=0.1, checkpoint_every=3, with_file=True)
    live_site.wait_for_steps(run, 5)
    made = service.back_up(tmp_path / "site.tar.gz")
    live_site.wait_for_status(run, "done")
    worker.terminate()
    live_site.wait(lambda: not live_workers(), "no worker alive")
    service.restore(tmp_path / "site.tar.gz", replace=True)
    run.refresh_from_db()
    assert run.status == "running"
    assert 5 <= run.step_number == made.counts["runs_steprecord"] < 40
    live_site.worker()
    live_site.wait_for_status(run, "done")
    assert run.attempt == 2
    assert run.steps.filter(attempt=2).order_by("number")[0].number > 3
    live_site.assert_same_designs(run)
    assert [read_content(file.blob_id) for file in list_files(run)]
