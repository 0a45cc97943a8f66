"""Snapshots of SQLite by its online backup: one read transaction, next to which others continue writing."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from webapp.backups.errors import BackupError
from webapp.backups.manifest import State

# How long a restore waits for somebody who writes.
_PATIENCE_S = 20.0


class SqliteDatabase:
    """The file behind an entry of `DATABASES`."""

    kind = "sqlite"

    def __init__(self, settings: dict[str, Any]) -> None:
        self._file = Path(settings["NAME"])

    def require_programs(self) -> None:
        """Check nothing: nothing but Python is needed."""

    def state(self, tables: list[str]) -> State:
        """Return the current state; an empty state if the file does not exist."""
        return file_state(self._file, tables) if self._file.is_file() else State(migrations=[], counts={})

    def snapshot(self, target: Path, tables: list[str]) -> State:
        """Write a snapshot to the new file `target`; return its state; an empty one if the file does not exist."""
        if not self._file.is_file():
            raise BackupError(f"There is no database {self._file}.")
        with closing(sqlite3.connect(self._file)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)  # all pages in one step, thus of one moment
            copy.execute("PRAGMA journal_mode = DELETE")  # one file holds everything
        return file_state(target, tables)

    def check(self, file: Path, expected: State) -> None:
        """Raise BackupError unless the unpacked `file` is whole and holds the expected tables."""
        with closing(sqlite3.connect(file)) as database:
            words = database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if words != "ok":
            raise BackupError(f"The database in the backup is damaged: {words}.")
        found = file_state(file, [*expected.counts])
        if (found.migrations, found.counts) != (expected.migrations, expected.counts):
            raise BackupError("The database in the backup differs from its manifest.")

    def migrated(self, file: Path, migrate: Callable[[str], None]) -> Path:
        """Return the content of `file` after `migrate`, which is given its URL."""
        migrate(f"sqlite:///{file}")
        with closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA journal_mode = DELETE")  # the migrations turned its log on
        return file

    def restore(self, file: Path) -> None:
        """Replace all data with the content of `file`, in one transaction."""
        deadline = time.monotonic() + _PATIENCE_S

        def give_up(status: int, remaining: int, total: int) -> None:
            if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > deadline:
                raise BackupError("Another process writes to the database. Stop web servers and workers first.")

        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(self._file, timeout=0.1)) as target:
            source.backup(target, progress=give_up)  # tries again every quarter of a second


def file_state(file: Path, tables: list[str]) -> State:
    """Return the state of a SQLite file: its migrations, and the number of rows of each existing table of `tables`."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("BEGIN")
        there = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        applied = (
            database.execute("SELECT app, name FROM django_migrations").fetchall()
            if "django_migrations" in there
            else []
        )
        counts = {
            table: int(database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])
            for table in tables
            if table in there
        }
    return State(migrations=sorted(f"{app}.{name}" for app, name in applied), counts=counts)
