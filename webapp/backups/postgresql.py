"""Snapshots of PostgreSQL by its own programs: `pg_dump` of one exported snapshot, `pg_restore` in one transaction."""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from webapp.backups.errors import BackupError
from webapp.backups.manifest import State

PROGRAMS = ("pg_dump", "pg_restore")
_SHOWN_CHARACTERS = 600


class PostgresqlDatabase:
    """The database behind an entry of `DATABASES`."""

    kind = "postgresql"

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings

    def require_programs(self) -> None:
        """Raise BackupError naming the programs of PostgreSQL that are missing here."""
        missing = [name for name in PROGRAMS if shutil.which(name) is None]
        if missing:
            raise BackupError(
                f"{' and '.join(missing)} cannot be found. Install PostgreSQL's client programs of the server's version "
                "or a newer one (on Debian postgresql-client)."
            )

    def state(self, tables: list[str]) -> State:
        """Return the current state of the database."""
        with self._snapshot_connection() as connection:
            return _state(connection, tables)

    def snapshot(self, target: Path, tables: list[str]) -> State:
        """Write a consistent snapshot to the new file `target`; return its state."""
        with self._snapshot_connection() as connection:
            row = connection.execute("SELECT pg_export_snapshot()").fetchone()
            assert row is not None
            self._dump(self._parameters(), target, f"--snapshot={row[0]}")
            return _state(connection, tables)

    def check(self, file: Path, expected: State) -> None:
        """Raise BackupError unless `pg_restore` can read the unpacked `file` and finds the expected tables."""
        listed = _run(["pg_restore", "--list", str(file)], {})
        missing = [table for table in expected.counts if f" TABLE DATA public {table} " not in listed]
        if missing:
            raise BackupError(f"The database in the backup differs from its manifest: it lacks {missing[0]}.")

    def restore(self, file: Path) -> None:
        """Replace the tables in `file` with its content, in one transaction."""
        self._load(self._parameters(), file, "--clean", "--if-exists")

    def migrated(self, file: Path, migrate: Callable[[str], None]) -> Path:
        """Return content of `file` after `migrate`, which is given the URL of a database of its own, as a new file next to it."""
        with self._other_database() as name:
            parameters = {**self._parameters(), "dbname": name}
            self._load(parameters, file)
            migrate(self._url(name))
            target = file.with_name(f"migrated-{file.name}")
            self._dump(parameters, target)
        return target

    @contextmanager
    def _other_database(self) -> Iterator[str]:
        name = f"paretoscope_restore_{uuid.uuid4().hex[:12]}"
        quoted = sql.Identifier(name)
        with self._connect(autocommit=True) as connection:
            try:
                connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(quoted))
            except psycopg.errors.InsufficientPrivilege as error:
                raise BackupError(
                    "The backup is of an older version. Its migration needs a second database, which the user of DATABASE_URL "
                    "may not create. Allow it with ALTER ROLE ... CREATEDB."
                ) from error
        try:
            yield name
        finally:
            with self._connect(autocommit=True) as connection:
                connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(quoted))

    def _dump(self, parameters: dict[str, str], target: Path, *options: str) -> None:
        # Bytes are written as twice as many letters, so that they are packed before they reach the disk.
        fixed = ("--format=custom", "--compress=1", "--no-owner", "--no-privileges")
        _run(["pg_dump", *fixed, *options, f"--file={target}", f"--dbname={_conninfo(parameters)}"], parameters)

    def _load(self, parameters: dict[str, str], file: Path, *options: str) -> None:
        fixed = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
        _run(["pg_restore", *fixed, *options, f"--dbname={_conninfo(parameters)}", str(file)], parameters)

    def _snapshot_connection(self) -> psycopg.Connection[Any]:
        connection = self._connect()
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        return connection

    def _connect(self, **options: Any) -> psycopg.Connection[Any]:
        try:
            return psycopg.connect(make_conninfo(**self._parameters()), **options)
        except psycopg.OperationalError as error:
            raise BackupError(f"The database does not answer: {error}") from error

    def _parameters(self) -> dict[str, str]:
        """Return the connection parameters of libpq, with the password."""
        names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
        found = {known: str(self._settings[name]) for name, known in names.items() if self._settings.get(name)}
        return {**found, **self._options()}

    def _options(self) -> dict[str, str]:
        return {name: str(value) for name, value in self._settings["OPTIONS"].items() if name != "pool"}

    def _url(self, name: str) -> str:
        """Return the options for `DATABASE_URL`, with the host among them, which may be a folder of sockets as well."""
        user, password = (quote(str(self._settings.get(key) or ""), safe="") for key in ("USER", "PASSWORD"))
        port = f":{self._settings['PORT']}" if self._settings.get("PORT") else ""
        options = self._options() | ({"host": self._settings["HOST"]} if self._settings.get("HOST") else {})
        return f"postgresql://{user}{':' + password if password else ''}@localhost{port}/{quote(name)}?{urlencode(options)}"


def _conninfo(parameters: dict[str, str]) -> str:
    """Return the address without the password, which others on the machine could read among a program's arguments."""
    return make_conninfo(**{name: value for name, value in parameters.items() if name != "password"})


def _run(command: list[str], parameters: dict[str, str]) -> str:
    environment = {**os.environ, **({"PGPASSWORD": parameters["password"]} if "password" in parameters else {})}
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupError(f"{command[0]} failed: {done.stderr.strip()[:_SHOWN_CHARACTERS]}")
    return done.stdout


def _state(connection: psycopg.Connection[Any], tables: list[str]) -> State:
    rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    there = {row[0] for row in rows}
    applied = (
        connection.execute("SELECT app, name FROM django_migrations").fetchall() if "django_migrations" in there else []
    )
    counts = {}
    for table in tables:
        if table in there:
            row = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
            counts[table] = int(row[0]) if row else 0
    return State(migrations=sorted(f"{app}.{name}" for app, name in applied), counts=counts)
