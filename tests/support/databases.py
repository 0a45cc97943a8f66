"""Databases of both kinds for tests with real processes, and the switch of this process from one to another."""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import connections

from tests.support.postgresql import Server
from webapp.site.database_schema import migrate_database
from webapp.site.environment import Environment

# Tests of `live_database` run on both; real processes are started again for each, so these do so only in `make test-long`.
SQLITE = pytest.mark.parametrize("live_database", ["sqlite"], indirect=True)
MOSTLY_SQLITE = pytest.mark.parametrize(
    "live_database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True
)
MOSTLY_POSTGRESQL = pytest.mark.parametrize(
    "live_database", [pytest.param("sqlite", marks=pytest.mark.long), "postgresql"], indirect=True
)


@dataclass(frozen=True)
class LiveDatabase:
    """A migrated database that other processes can open.

    Attributes:
        kind: "sqlite" or "postgresql". url: for `DATABASE_URL`.
        folder: run-time data (`PARETOSCOPE_VAR`) of the processes that use it.
    """

    kind: str
    url: str
    folder: Path


def migrated_file(folder: Path) -> Path:
    """A migrated SQLite file in `folder`, which the processes of a test session share: the first that asks makes it."""
    file = folder / "migrated.sqlite3"
    with (folder / "migrated.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            draft = folder / "draft.sqlite3"
            draft.unlink(missing_ok=True)
            with using(f"sqlite:///{draft}"):
                migrate_database()
                # One file holds everything: no log beside it that a copy would lack.
                with connections["default"].cursor() as cursor:
                    cursor.execute("PRAGMA journal_mode = DELETE")
            draft.rename(file)
    return file


def fill_test_database(file: Path) -> None:
    """The rows and tables of a SQLite file, in the SQLite database that this process tests on."""
    connection = connections["default"]
    connection.ensure_connection()
    with contextlib.closing(sqlite3.connect(file)) as migrated:
        migrated.backup(connection.connection)


class Templates:
    """Migrated databases, made once per test session, by the first process that asks, and copied for each test."""

    def __init__(self, folder: Path, server: Server | None) -> None:
        self._folder, self._server = folder, server
        self._told = folder / "postgresql-template"

    @contextlib.contextmanager
    def sqlite(self, folder: Path) -> Iterator[LiveDatabase]:
        """A copy of the migrated SQLite file."""
        file = folder / "live.sqlite3"
        shutil.copy(migrated_file(self._folder), file)
        yield LiveDatabase("sqlite", f"sqlite:///{file}", folder)

    @contextlib.contextmanager
    def postgresql(self, folder: Path) -> Iterator[LiveDatabase]:
        """A copy of the migrated PostgreSQL database."""
        assert self._server is not None
        name = self._server.create(template=self._template(self._server))
        try:
            yield LiveDatabase("postgresql", self._server.url_of(name), folder)
        finally:
            self._server.drop(name)

    def _template(self, server: Server) -> str:
        """Name of the migrated database."""
        with (self._folder / "postgresql-template.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self._told.exists():
                name = server.create()
                with using(server.url_of(name)):
                    migrate_database()
                self._told.write_text(name)
            return self._told.read_text()

    def close(self) -> None:
        """Delete the templates, once no process copies them any more."""
        if self._server is not None and self._told.exists():
            self._server.drop(self._told.read_text())
            self._told.unlink()


@contextlib.contextmanager
def using(url: str) -> Iterator[None]:
    """This process works on the database at `url` as its default one; the earlier one comes back afterwards."""
    settings = connections.configure_settings({"default": Environment({"URL": url}).database("URL", Path("/nowhere"))})
    earlier_settings, earlier = connections.settings["default"], connections["default"]
    connections.settings["default"] = settings["default"]
    del connections["default"]
    ContentType.objects.clear_cache()  # a type has another number in another database
    try:
        yield
    finally:
        connections["default"].close()
        close_pool = getattr(connections["default"], "close_pool", None)
        if close_pool is not None:
            close_pool()
        connections.settings["default"] = earlier_settings
        connections["default"] = earlier
        ContentType.objects.clear_cache()
