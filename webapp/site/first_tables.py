"""Tables of a database that has none, made from the models at once.

A hundred migrations take five seconds, as Django builds all models again for most of them. Their result is that of the models
(`tests/webapp/site/test_first_tables.py` compares both), so a new database gets it without the way there.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.apps import apps
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from webapp.search.full_text import make_full_text


def has_tables() -> bool:
    """Return whether the database has any table."""
    with connection.cursor() as cursor:
        return bool(connection.introspection.table_names(cursor))


def make_first_tables(migrations: Iterable[tuple[str, str]]) -> None:
    """Make all tables and record the migrations as applied; all of it or nothing.

    Args:
        migrations: label of the application and name of each that is installed.
    """
    with connection.schema_editor() as editor:
        for model in apps.get_models(include_swapped=True):
            if model._meta.managed and not model._meta.proxy:
                editor.create_model(model)
            if model._meta.swapped:
                _make_indexes(editor, model)
        _run_deferred(editor)
        make_full_text(apps, editor)
        _record(migrations)
    with transaction.atomic():  # content types and permissions
        emit_post_migrate_signal(0, False, connection.alias)


def _make_indexes(editor: BaseDatabaseSchemaEditor, model: type[Model]) -> None:
    # The editor leaves them out for a model that another one replaces, but later migrations of its package expect them.
    for field in model._meta.local_fields:
        for statement in editor._field_indexes_sql(model, field):  # type: ignore[attr-defined]
            editor.execute(statement)


def _run_deferred(editor: BaseDatabaseSchemaEditor) -> None:
    # Indexes that `make_full_text` finds; the editor itself writes them at its end.
    statements, editor.deferred_sql = list(editor.deferred_sql), []
    for statement in statements:
        editor.execute(statement)


def _record(migrations: Iterable[tuple[str, str]]) -> None:
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    recorder.migration_qs.bulk_create(recorder.Migration(app=app, name=name) for app, name in sorted(migrations))
