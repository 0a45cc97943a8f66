"""`manage.py`: every command in an empty data folder, and what is said where the database cannot be used."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command, get_commands
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests.engines.workloads.importing.onnx.onnx_models import convolutional
from tests.support.databases import LiveDatabase, migrated_file, using
from tests.support.postgresql import Server
from tests.webapp.site.cases import ROOT
from webapp.site import database_schema

MIGRATION_COUNT = sum(1 for file in ROOT.glob("webapp/*/migrations/0*.py"))
# Commands that end by themselves only after minutes, serve, or write into the source tree: not run without arguments.
NOT_ALONE = {
    *("demo", "gallery", "measure_here", "reproduce", "validate_models", "fit_calibrations"),
    "runserver",
}
# Command -> arguments and words of its answer; FILES is a folder with the files that they name.
PLAUSIBLE = {
    "backup": (["FILES/site.tar.gz"], "There is nothing to save: the database has no tables yet"),
    "boards": (["evaluate", "FILES/layers.csv"], "no column source"),
    "calibrate_soc": (["jetson-tx2", "FILES/layers.csv"], "columns"),
    "changepassword": (["ada"], "user 'ada' does not exist"),
    "demo": (["--no-run"], "Account: demo  Password: "),
    "doctor": ([], "every package fits"),
    "documents": (["workload", "--engine", "scar"], "mlperf-scenario-4"),
    "estimators": (["run", "1"], "There is no run 1"),
    "explore": (
        ["split-network", "--hardware", "jetson-tx2", "--workload", "digits-chain", "--input", "radio=wifi-smartphone"],
        "designs. ",
    ),
    "export_run": (["1"], "There is no run 1 here."),
    "export_site": (["FILES/site.tar.gz"], "There is nothing to save: the database has no tables yet"),
    "fit_calibrations": (["nothing"], "nothing must be one of"),
    "gallery": (["--write", "nothing"], "--write: must be one of duet"),
    "generateschema": ([], "Use `paretoscope spectacular`"),
    "import_data": (["npz", "FILES/layers.csv"], "CommandError: "),
    "import_hardware": (["FILES/layers.csv"], "CommandError: "),
    "import_run": (["FILES/layers.csv"], "CommandError: "),
    "import_site": (["FILES/layers.csv"], "Nothing was imported; the site is unchanged."),
    "import_workload": (["FILES/small.onnx"], "It is local/small@1 (stored)."),
    "measure_here": (["--project", "nothing"], "--project must be one of local"),
    "migrate": (["--plan"], "Planned operations"),
    "purge": (["--dry-run"], "Would be removed for good: 0."),
    "reindex": ([], "run: 0"),
    "reproduce": (["hadas", "--show"], "HADAS (version"),
    "restore": (["FILES/layers.csv"], "Nothing was restored; the site is unchanged."),
    "retention": (["--dry-run"], "Would be removed: 0"),
    "shell": (["--no-imports", "-c", "from webapp.runs.models import Run; print(Run.objects.count(), 'runs')"], "0 runs"),
    "study": (["FILES/grid.yaml", "--check"], "cells, at most"),
    "survey": (["FILES/small.onnx", "--devices", "jetson-tx2"], "jetson-tx2"),
    "worker": (["--pull", "https://example.org"], "a token of the scope worker"),
    "validate_models": (["--nothing"], "unrecognized arguments: --nothing"),
}  # fmt: skip


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Variables of a process with run-time data of its own."""
    names = {"DATABASE_URL": "", "BROKER_URL": "", "DJANGO_SETTINGS_MODULE": "webapp.site.settings"}
    given = {name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    return {**given, **names, "PARETOSCOPE_VAR": str(folder), "PYTHONPATH": str(ROOT), **more}


def manage(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment(folder, **more), capture_output=True, text=True, timeout=120, check=False
    )


def answers_of(commands: list[list[str]], folder: Path, migrated: Path) -> list[dict[str, Any]]:
    """What each command said in an empty data folder, and its status."""
    script = [sys.executable, "-m", "tests.webapp.site.commands_in_empty_folders", str(migrated)]
    done = subprocess.run(
        script,
        cwd=folder,
        env=environment(folder / "var"),
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        check=True,
    )
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    assert [answer for answer in answers if "Traceback" in answer["output"] or answer["status"] not in (0, 1, 2)] == []
    assert [answer for answer in answers if answer["status"] and not re.search(r"[Ee]rror: \S", answer["output"])] == []
    return answers


@pytest.fixture
def migrated(session_folder: Path, django_db_blocker: pytest.FixtureRequest) -> Path:
    """An SQLite file with all tables."""
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        return migrated_file(session_folder)


def test_every_command_answers_without_arguments_in_an_empty_folder(tmp_path: Path, migrated: Path) -> None:
    named = [name for name, app in sorted(get_commands().items()) if name not in NOT_ALONE and app != "django.core"]
    named += ["check", "dumpdata", "flush", "loaddata", "shell", "showmigrations"]
    answers_of([[name] for name in named], tmp_path, migrated)


def test_every_command_answers_plausible_arguments_in_an_empty_folder(tmp_path: Path, migrated: Path) -> None:
    own = {name for name, app in get_commands().items() if str(app).startswith("webapp.")}
    assert own <= PLAUSIBLE.keys(), "a new command needs plausible arguments"
    files = tmp_path / "files"
    files.mkdir()
    (files / "small.onnx").write_bytes(convolutional())
    (files / "layers.csv").write_text("a,b\n1,2\n")
    grid = {
        "engine": "split-network",
        "inputs": {"hardware": "jetson-tx2", "workload": "googlenet", "radio": "wifi-smartphone"},
    }
    (files / "grid.yaml").write_text(json.dumps({**grid, "seeds": [1, 2]}))
    given = [[name, *(word.replace("FILES", str(files)) for word in words)] for name, (words, _) in PLAUSIBLE.items()]
    pairs = zip(PLAUSIBLE.values(), answers_of(given, tmp_path, migrated), strict=True)
    assert [(words, answer) for (_, words), answer in pairs if words not in answer["output"]] == []


@pytest.mark.parametrize("interrupted", [True, pytest.param(False, marks=pytest.mark.long)])
def test_two_commands_at_once_prepare_one_database(tmp_path: Path, migrated: Path, *, interrupted: bool) -> None:
    if interrupted:
        shutil.copy(migrated, tmp_path / "paretoscope.sqlite3")
        without_application(tmp_path / "paretoscope.sqlite3", "retention")
    started = [
        subprocess.Popen(
            [sys.executable, *words], cwd=ROOT, env=environment(tmp_path), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        for words in (["manage.py", "documents", "environment"], ["-m", "paretoscope.prepare"])
    ]  # fmt: skip
    said = [process.communicate(timeout=120)[0] for process in started]
    assert [process.returncode for process in started] == [0, 0], said
    assert "uav-two-hour-flight" in said[0] and "Database ready" in said[1]
    assert "".join(said).count("Preparing the database") <= 1  # the other one says nothing of it
    with closing(sqlite3.connect(tmp_path / "paretoscope.sqlite3")) as database:
        applied, distinct = database.execute(
            "SELECT count(*), count(DISTINCT app || name) FROM django_migrations"
        ).fetchone()
        assert applied == distinct > MIGRATION_COUNT
        assert database.execute("SELECT count(*) FROM auth_user WHERE username = 'local'").fetchone() == (1,)


def without_application(file: Path, label: str) -> None:
    """Leave a database as it is where migrating stopped before the tables of one application."""
    with closing(sqlite3.connect(file)) as database, database:
        tables = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE ?", (f"{label}_%",)
        )
        for (name,) in tables.fetchall():
            database.execute(f'DROP TABLE "{name}"')
        database.execute("DELETE FROM django_migrations WHERE app = ?", (label,))


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"PARETOSCOPE_VAR": "/dev/null/folder"}, "PARETOSCOPE_VAR must be a folder that can be written. Got /dev/null/folder "),
        ({"DATABASE_URL": "postgresql://me:secret@127.0.0.1:1/site"}, "(PostgreSQL, database site at 127.0.0.1:1): connection"),
        ({"DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3"}, "No such file or directory: '/nowhere/at/all.sqlite3.lock'"),
    ],
)  # fmt: skip
def test_a_database_that_cannot_be_used_is_named(tmp_path: Path, variables: dict[str, str], words: str) -> None:
    done = manage(tmp_path, "documents", **variables)
    assert done.returncode in (1, 2) and words in done.stderr
    assert "Traceback" not in done.stderr and "secret" not in done.stderr and not done.stdout


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "paretoscope.sqlite3").write_text("no database at all" * 100)
    done = manage(tmp_path, "reproduce", "hadas", "--show")
    assert done.returncode == 1 and "file is not a database" in done.stderr and "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    line = f"{sys.executable} manage.py diffsettings --all | head -c 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == "" and done.stdout.splitlines()[-1].endswith(("0", "141"))


def lines_of_preparation() -> list[str]:
    told: list[str] = []
    database_schema.require_tables(told.append)
    return told


def test_a_prepared_database_is_only_asked_for_its_migrations(live_database: LiveDatabase) -> None:
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        assert lines_of_preparation() == []
    assert len(queries) <= 2  # PostgreSQL is asked on a connection of its own
    assert database_schema.compare_migrations(f"{app}.{name}" for app, name in database_schema._installed()) == ([], [])


def test_a_database_of_a_newer_version_is_refused(live_database: LiveDatabase) -> None:
    MigrationRecorder(connection).record_applied("runs", "9999_later")
    for prepare in (lines_of_preparation, database_schema.migrate_database):
        with pytest.raises(
            CommandError, match=r"newer version of Paretoscope .*: this version lacks migration runs\.9999_later\."
        ):
            prepare()


def test_an_older_database_is_migrated_by_hand_once_it_has_accounts(live_database: LiveDatabase) -> None:
    call_command("migrate", "webhooks", "zero", verbosity=0)
    if connection.vendor == "sqlite":  # an interrupted preparation goes on
        (told,) = lines_of_preparation()
        assert told.startswith("Preparing the database") and lines_of_preparation() == []
    get_user_model().objects.create_user("ada")
    MigrationRecorder(connection).record_unapplied("search", "0002_full_text")
    lacking = r"older version .*: it lacks migrations? search\.0002_full_text.* run `paretoscope migrate`"
    with pytest.raises(CommandError, match=lacking):
        lines_of_preparation()


def test_an_empty_server_database_names_the_command(
    postgresql_server: Server, django_db_blocker: pytest.FixtureRequest
) -> None:
    name = postgresql_server.create()
    try:
        with django_db_blocker.unblock(), using(postgresql_server.url_of(name)):  # type: ignore[attr-defined]
            with pytest.raises(
                CommandError, match=r"no tables yet \(PostgreSQL, database .*\)\. Run `paretoscope migrate` once"
            ):
                lines_of_preparation()
            assert not connection.introspection.table_names()
    finally:
        postgresql_server.drop(name)
