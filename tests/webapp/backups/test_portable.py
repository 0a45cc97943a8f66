"""A site goes from SQLite to PostgreSQL and back, and is the same to the byte."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from tests.support.databases import LiveDatabase, Templates, using
from tests.support.stored_runs import finished_run, make_people
from tests.webapp.backups.cases import SQLITE, stored
from webapp.backups import service
from webapp.backups.errors import BackupError
from webapp.backups.portable import export_site, import_site
from webapp.backups.rows import models, write_rows
from webapp.base.actor import command_line
from webapp.limits.models import ProjectLimits
from webapp.runs import service as runs
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.queue.workers import beat, forget


def fill() -> None:
    """People, a run that is done, one that waits, one whose worker went away, limits, a change log with values of all kinds."""
    with command_line():
        people = make_people()
        finished_run(people)
        ProjectLimits.objects.create(project=people.project, active_runs=100)
        for seed in (1, 2):
            runs.create(people.editor, {"engine": "toy", "seed": seed, "stop_after_minutes": 0.1}, people.project)
    fencing_token = claim.claim_next("gone", claim.Offer())
    assert fencing_token is not None
    Run.objects.filter(pk=fencing_token.run_id).update(lease_expires="2020-01-01T00:00:00.000001Z", computed_s=1 / 3)


def raw_rows(file: Path) -> dict[str, list[Any]]:
    """Every row as SQLite itself has it. Times that it made by itself have three decimals, others six."""
    tables = sorted(model._meta.db_table for model in models())
    with closing(sqlite3.connect(file)) as database:
        found = {table: database.execute(f'SELECT * FROM "{table}" ORDER BY 1').fetchall() for table in tables}
    return {table: [tuple(map(_whole_time, row)) for row in rows] for table, rows in found.items()}


def _whole_time(value: Any) -> Any:
    short = isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})?", value)
    return value + ("000" if "." in value else ".000000") if short else value


def test_to_postgresql_and_back(
    tmp_path: Path, toys: None, sqlite_templates: Templates, postgresql_templates: Templates, django_db_blocker: Any
) -> None:
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
    with django_db_blocker.unblock():
        with sqlite_templates.sqlite(folders[0]) as first, using(first.url):
            fill()
            before, rows = stored(), raw_rows(_file(first))
            made = export_site(tmp_path / "from-sqlite.tar.gz")
            write_rows(tmp_path / "first")
            assert made.counts["runs_run"] == 3 and made.counts["changes_change"] > 0
        with postgresql_templates.postgresql(folders[1]) as second, using(second.url):
            assert import_site(tmp_path / "from-sqlite.tar.gz").counts == made.counts
            assert stored()[:3] == before[:3]
            write_rows(tmp_path / "second")
            export_site(tmp_path / "from-postgresql.tar.gz")
            fencing_token = claim.claim_next("next", claim.Offer())
            assert fencing_token is not None and fencing_token.attempt == 2, "what was going on is taken up"
            get_user_model().objects.create_user("late")  # keys go on where they were
        with sqlite_templates.sqlite(folders[2]) as third, using(third.url):
            import_site(tmp_path / "from-postgresql.tar.gz")
            write_rows(tmp_path / "third")
            assert stored() == before and raw_rows(_file(third)) == rows
    files = {(tmp_path / name).read_bytes() for name in ("first", "second", "third")}
    assert len(files) == 1


@SQLITE
def test_what_it_refuses_leaves_everything_as_it_was(site: Path) -> None:
    before = stored()
    export_site(site)
    with pytest.raises(BackupError, match=r"not empty.*--replace"):
        import_site(site)
    with pytest.raises(BackupError, match="import_site"):
        service.restore(site, replace=True)
    backup = site.with_name("backup.tar.gz")
    service.back_up(backup)
    with pytest.raises(BackupError, match="paretoscope restore"):
        import_site(backup, replace=True)
    beat("one", 1, 0, claim.Offer())
    for refused in (lambda: export_site(site.with_name("other")), lambda: import_site(site, replace=True)):
        with pytest.raises(BackupError, match="worker is alive"):
            refused()
    forget("one")
    damaged = site.with_name("damaged.tar.gz")
    damaged.write_bytes(site.read_bytes()[:-200])
    with pytest.raises(CommandError, match=r"Nothing was imported.*no backup"):
        call_command("import_site", damaged, "--replace")
    assert stored() == before
    call_command("import_site", site, "--replace")
    assert stored() == before


def _file(database: LiveDatabase) -> Path:
    return Path(database.url.removeprefix("sqlite:///"))
