"""A process waits for the write lock of SQLite as long as suits it, and people are told when it was in vain."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.backends.signals import connection_created
from django.test import Client, override_settings
from django.urls import path, re_path

from tests.support.databases import LiveDatabase, Templates, using
from webapp.base.database_waits import KEEPERS_WAIT_S, PAGES_WAIT_S, hold_no_locks, wait_for_writes
from webapp.runs.models import WorkerBeat
from webapp.site.request_limits import most_bytes


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    for name in ("wait_for_writes", "hold_no_locks"):
        connection_created.disconnect(dispatch_uid=name)


@pytest.fixture
def file(sqlite_templates: Templates, tmp_path: Path, django_db_blocker: Any) -> Iterator[Path]:
    with django_db_blocker.unblock(), sqlite_templates.sqlite(tmp_path) as database:
        yield database.folder / "live.sqlite3"


@pytest.mark.parametrize("seconds", [PAGES_WAIT_S, KEEPERS_WAIT_S])
def test_connections_wait_as_long_as_was_asked(file: Path, seconds: int) -> None:
    wait_for_writes(seconds)
    with using(f"sqlite:///{file}"), connection.cursor() as cursor:
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == (seconds * 1000,)


def test_a_locked_database_is_told_with_a_time_to_come_back(file: Path) -> None:
    wait_for_writes(0)
    most_bytes("/", "")  # it knows the site's addresses from here on, in place of this test's
    with using(f"sqlite:///{file}"), closing(sqlite3.connect(file)) as other, override_settings(ROOT_URLCONF=__name__):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(OperationalError, match="locked"):
            WorkerBeat.objects.create(name="w", slots=1)
        for address, kind in (("/write/", "text/html"), ("/api/write/", "application/problem+json")):
            answer = Client(raise_request_exception=False).get(address)
            assert (answer.status_code, answer["Retry-After"]) == (503, "2")
            assert answer["Content-Type"].startswith(kind) and b"try again" in answer.content.lower()


def _write(request: object, path: str = "") -> None:
    WorkerBeat.objects.create(name="w", slots=1)


handler500 = "webapp.site.error_pages.server_error"
# The page of an error has a link to Home.
urlpatterns = [path("write/", _write), path("api/write/", _write), re_path("^(?P<path>.*)$", _write, name="dash")]


@pytest.mark.parametrize("live_database", ["postgresql"], indirect=True)
def test_a_transaction_that_stands_still_is_ended(live_database: LiveDatabase) -> None:
    hold_no_locks(1)
    connection.close()

    def stand_still() -> None:
        with transaction.atomic(), psycopg.connect(live_database.url, autocommit=True) as other:
            WorkerBeat.objects.create(name="frozen", slots=1)
            session = "SELECT 1 FROM pg_stat_activity WHERE pid = %s"
            deadline = time.monotonic() + 60
            while other.execute(session, [connection.connection.info.backend_pid]).fetchone():
                assert time.monotonic() < deadline, "its session goes on"
                time.sleep(0.05)
            WorkerBeat.objects.exists()

    with pytest.raises(DatabaseError):
        stand_still()
    assert not WorkerBeat.objects.exists()  # over a connection of its own again
