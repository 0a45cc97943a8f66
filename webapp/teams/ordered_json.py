"""A column of JSON that gives back its keys in the order in which they were stored, on both databases.

PostgreSQL's `jsonb` sorts keys by length and then by name. Engines work through what a document lists in its order (units,
chiplets, measurements), so that a run of the same problem would find other designs there than on SQLite, which keeps the text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db.migrations import AlterField
from django.db.migrations.operations.base import Operation
from django.db.models import JSONField, Model
from django.db.models.fields.json import KeyTransform, KeyTransformFactory


class OrderedJSONField(JSONField):
    """`JSONField` whose type is `json` on PostgreSQL, which keeps the text as it is.

    `json` cannot be compared as a whole: no `distinct()` over rows that have such a column. Keys are looked up as in any other.
    """

    def db_type(self, connection: Any) -> str | None:
        """Return `json` in place of `jsonb`."""
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        """Return the value to be stored: text of type `json`, which `jsonb` has never been."""
        adapted = super().get_db_prep_save(value, connection)
        if connection.vendor != "postgresql" or not hasattr(adapted, "obj"):
            return adapted
        from psycopg.types.json import Json  # installed where PostgreSQL is used

        return Json(adapted.obj, dumps=partial(json.dumps, cls=self.encoder))

    def get_transform(self, name: str) -> Any:
        """Return a key, unless a transform has that name."""
        found = super().get_transform(name)
        return partial(_Key, name) if isinstance(found, KeyTransformFactory) else found

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Return the stored value; psycopg has parsed `json` already, and leaves `jsonb` to Django."""
        if connection.vendor == "postgresql" and not isinstance(expression, KeyTransform):
            return value
        return super().from_db_value(value, expression, connection)


class _Key(KeyTransform):
    """A key of the column, of type `jsonb` on PostgreSQL, which can be compared."""

    def preprocess_lhs(self, compiler: Any, connection: Any) -> Any:
        """Return the column before its keys."""
        column, params, keys = super().preprocess_lhs(compiler, connection)
        return (f"({column})::jsonb" if connection.vendor == "postgresql" else column), params, keys


class KeepOrder(AlterField):
    """From `JSONField` to `OrderedJSONField`. SQLite has the same column for both: its tables are not written again."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Change the type of the column, on PostgreSQL only."""
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Apply the same in the other direction."""
        self.database_forwards(app_label, schema_editor, from_state, to_state)


class KeepOrderOfAll(Operation):
    """`KeepOrder` of several columns of a table in one statement: PostgreSQL writes the table again once, not once for each."""

    def __init__(self, model_name: str, fields: Mapping[str, OrderedJSONField]) -> None:
        """Take the model and name -> field as it will be."""
        self.model_name, self.fields = model_name, dict(fields)

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Change the fields in the migration state."""
        for name, field in self.fields.items():
            state.alter_field(app_label, self.model_name.lower(), name, field, preserve_default=True)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Change the types of the columns, on PostgreSQL only."""
        self._change(schema_editor, to_state.apps.get_model(app_label, self.model_name), "json")

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Apply the same in the other direction."""
        self._change(schema_editor, to_state.apps.get_model(app_label, self.model_name), "jsonb")

    def describe(self) -> str:
        """Return the operation in words, for `migrate`."""
        return f"Keep the order of keys in {', '.join(self.fields)} of {self.model_name}"

    def _change(self, schema_editor: Any, model: type[Model], column_type: str) -> None:
        if schema_editor.connection.vendor != "postgresql":
            return
        meta: Any = model._meta
        columns = [schema_editor.quote_name(meta.get_field(name).column) for name in self.fields]
        changes = ", ".join(f"ALTER COLUMN {each} TYPE {column_type} USING {each}::{column_type}" for each in columns)
        schema_editor.execute(f"ALTER TABLE {schema_editor.quote_name(meta.db_table)} {changes}")
