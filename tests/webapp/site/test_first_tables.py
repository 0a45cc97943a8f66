"""A new database has the tables that the migrations make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection

from tests.support.databases import using
from tests.support.postgresql import Server
from webapp.site.database_schema import migrate_database

# Django's own migrations widen the numbers of these three, its models do not.
_NARROW = {"auth_group_permissions", "auth_user_groups", "auth_user_user_permissions"}
_ROWS = {
    "migrations": "SELECT app, name FROM django_migrations",
    # The model of auditlog that ours replaces has a table, which nothing writes to.
    "types": "SELECT app_label, model FROM django_content_type WHERE app_label <> 'auditlog'",
    "permissions": """SELECT codename, auth_permission.name FROM auth_permission
        JOIN django_content_type ON django_content_type.id = content_type_id WHERE app_label <> 'auditlog'""",
}


def schema() -> dict[str, Any]:
    """Return table -> columns and constraints, statements of triggers and indexes, and the rows of a new site; in no order."""
    found: dict[str, Any] = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            columns = {
                (each.name, "" if table in _NARROW and each.name == "id" else str(each.type_code), each.null_ok)
                for each in connection.introspection.get_table_description(cursor, table)
            }
            constraints = connection.introspection.get_constraints(cursor, table)
            found[table] = columns, {_plain(name, each) for name, each in constraints.items()}
        for words, statement in _ROWS.items():
            cursor.execute(statement)
            found[words] = set(cursor.fetchall())
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL")
            found["statements"] = set(cursor.fetchall())
    return found


def _plain(name: str, constraint: Mapping[str, Any]) -> tuple[Any, ...]:
    numbered = name.startswith(("__unnamed", "sqlite_autoindex", "fk_"))
    kinds = tuple(bool(constraint[kind]) for kind in ("unique", "primary_key", "check"))
    columns = constraint["columns"] or ()
    return "" if numbered else name, frozenset(columns), constraint["foreign_key"], *kinds


def migrate() -> None:
    """Apply one migration after the other."""
    call_command("migrate", interactive=False, verbosity=0)


def made(url: str, make: Callable[[], None]) -> dict[str, Any]:
    """Return the schema that `make` gives an empty database, to which no migration is left."""
    with using(url):
        make()
        call_command("migrate", check_unapplied=True, verbosity=0)
        return schema()


def test_sqlite_has_what_the_migrations_make(tmp_path: Path, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock():
        found = [made(f"sqlite:///{tmp_path / make.__name__}", make) for make in (migrate, migrate_database)]
    assert found[1] == found[0]


def test_postgresql_has_what_the_migrations_make(postgresql_server: Server, django_db_blocker: Any) -> None:
    found = []
    for make in (migrate, migrate_database):
        name = postgresql_server.create()
        try:
            with django_db_blocker.unblock():
                found.append(made(postgresql_server.url_of(name), make))
        finally:
            postgresql_server.drop(name)
    assert found[1] == found[0]
