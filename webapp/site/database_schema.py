"""Schema of the site's database: which migrations it has, and who may apply them.

The first command that needs its tables prepares a SQLite file without accounts. Every other database is left to
`manage.py migrate`: one that holds data is migrated when an administrator says so, after a backup.
"""

from __future__ import annotations

import fcntl
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.checks import CheckMessage
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from webapp.base.migration_names import compare_migrations
from webapp.site.checks import check_environment
from webapp.site.first_tables import has_tables, make_first_tables

_NAMED = 3
_CONNECT_S = 5


def require_tables(tell: Callable[[str], object]) -> None:
    """Wait until the database has the tables of this version; prepare it where it is a SQLite file without accounts.

    Args:
        tell: takes a line for the person who waits.

    Raises:
        CommandError: it has to be migrated by `manage.py migrate`, or is of a newer version.
        django.db.Error: it does not answer.
    """
    _require_known_database()
    # Two processes that open a new file at once would get in each other's way: only the lock's holder opens it.
    if not _new_file() and applied_migrations() == _installed():
        return
    with schema_lock(tell):
        applied = [
            f"{app}.{name}" for app, name in applied_migrations()
        ]  # another command may have prepared it meanwhile
        missing, unknown = compare_migrations(applied)
        _refuse_newer(unknown)
        # One without accounts is new, or its preparation was interrupted.
        if missing and connection.vendor == "sqlite" and not _has_accounts():
            tell(f"Preparing the database {connection.settings_dict['NAME']} (once, a few seconds).")
            _bring_up_to_date()
        elif missing:
            raise CommandError(_migrate_first(applied, missing), returncode=2)


def migrate_database() -> None:
    """Bring the database to this version.

    Raises:
        CommandError: it is of a newer version, or DATABASE_URL cannot be used.
        django.db.Error: it does not answer.
    """
    _require_known_database()
    with schema_lock():
        _refuse_newer(compare_migrations(f"{app}.{name}" for app, name in applied_migrations())[1])
        _bring_up_to_date()


def holds_older_work() -> bool:
    """Return whether the database is a SQLite file of an older version with accounts: its migration has something to lose."""
    if connection.vendor != "sqlite" or _new_file():
        return False
    missing, _ = compare_migrations(f"{app}.{name}" for app, name in applied_migrations())
    return bool(missing) and _has_accounts()


def _bring_up_to_date() -> None:
    if has_tables():
        call_command("migrate", interactive=False, verbosity=0)
    else:
        make_first_tables(_installed())


@contextmanager
def schema_lock(tell: Callable[[str], object] = lambda line: None) -> Iterator[None]:
    """Let one process at a time migrate a SQLite file; PostgreSQL is migrated by hand, by one administrator."""
    if connection.vendor != "sqlite":
        yield
        return
    with Path(f"{connection.settings_dict['NAME']}.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell("Another process prepares the database. Waiting for it.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def database_label() -> str:
    """Return kind and place of the database, without user and password."""
    values = connection.settings_dict
    if connection.vendor == "postgresql":
        return f"PostgreSQL, database {values['NAME']} at {values['HOST'] or 'localhost'}:{values['PORT'] or 5432}"
    return f"SQLite, {values['NAME']}"


def _new_file() -> bool:
    file = Path(connection.settings_dict["NAME"])
    return connection.vendor == "sqlite" and not (file.is_file() and file.stat().st_size)


def applied_migrations() -> set[tuple[str, str]]:
    """Return application and name of every migration that the database has."""
    if not connection.settings_dict["OPTIONS"].get("pool"):
        return set(MigrationRecorder(connection).applied_migrations())
    # A pool tries again and again in the background, and knows no reason in the end.
    direct = connection.copy()
    del direct.settings_dict["OPTIONS"]["pool"]
    direct.settings_dict["OPTIONS"].setdefault("connect_timeout", _CONNECT_S)
    try:
        return set(MigrationRecorder(direct).applied_migrations())
    finally:
        direct.close()


def _has_accounts() -> bool:
    table = get_user_model()._meta.db_table
    with connection.cursor() as cursor:
        if table not in connection.introspection.table_names(cursor):
            return False
        cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")
        return cursor.fetchone() is not None


def _installed() -> set[tuple[str, str]]:
    """List the migrations by the names of their files: loading them takes twenty times as long."""
    return {
        (config.label, module.name)
        for config in apps.get_app_configs()
        for module in pkgutil.iter_modules([str(Path(config.path, "migrations"))])
        if module.name[0] not in "_~"
    }


def _require_known_database() -> None:
    if connection.vendor not in ("sqlite", "postgresql"):
        problems: list[CheckMessage] = check_environment()
        raise CommandError(" ".join(f"{problem.msg} {problem.hint}" for problem in problems), returncode=2)


def _refuse_newer(unknown: list[str]) -> None:
    if unknown:
        raise CommandError(
            f"The database is of a newer version of Paretoscope ({database_label()}): this version lacks {_listed(unknown)}. "
            "Update Paretoscope, or choose another database: PARETOSCOPE_VAR or DATABASE_URL (docs/settings.md).",
            returncode=2,
        )


def _migrate_first(applied: list[str], missing: list[str]) -> str:
    if not applied:
        return f"The database has no tables yet ({database_label()}). Run `paretoscope migrate` once, then this command again."
    return (
        f"The database is of an older version ({database_label()}): it lacks {_listed(missing)}. Stop workers and web servers, "
        "back up (`paretoscope backup FILE`), run `paretoscope migrate`, then this command again."
    )


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{'migration' if len(names) == 1 else 'migrations'} {', '.join(names[:_NAMED])}{more}"
