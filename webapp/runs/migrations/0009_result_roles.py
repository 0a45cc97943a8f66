"""Stored results say what they are: until now pages told it from their names and from the titles of axes and columns."""

from collections.abc import Callable, Iterator
from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_PROOFS = ("exactness", "proof")
_PROGRESS = ("accuracy", "accuracy-over-epochs", "exact-share", "loss")
_AT_ONCE = 100
Content = dict[str, Any]


def _declared(content: Content) -> Content | None:
    if content["type"] == "Note" and content["name"] in _PROOFS:
        return {**content, "role": "proof"}
    if content["type"] == "Curve" and content["name"] in _PROGRESS:
        beside = {"belongs_to": "hypervolume"} if content["name"] == "exact-share" else {}
        return {**content, "role": "progress", **beside}
    if content["type"] == "Table" and any(column["title"] == "Unit" for column in content["table_columns"]):
        columns = [
            {**column, "row_units": True} if column["title"] == "Unit" else column
            for column in content["table_columns"]
        ]
        return {**content, "table_columns": columns}
    return None


def _undeclared(content: Content) -> Content | None:
    kept = {key: value for key, value in content.items() if key not in ("role", "belongs_to")}
    if content["type"] == "Table":
        kept["table_columns"] = [
            {key: value for key, value in column.items() if key != "row_units"} for column in content["table_columns"]
        ]
    return None if kept == content else kept


def _rewritten(change: Callable[[Content], Content | None]) -> Callable[[Apps, BaseDatabaseSchemaEditor], None]:
    def rewrite(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        rows = apps.get_model("runs", "RunResult")._default_manager.using(editor.connection.alias)
        known = list(rows.filter(type__in=("Note", "Curve", "Table")).values_list("pk", flat=True))
        for first in range(0, len(known), _AT_ONCE):
            changed = list(_changed(rows.filter(pk__in=known[first : first + _AT_ONCE]), change))
            rows.bulk_update(changed, ["content"])

    return rewrite


def _changed(rows: Any, change: Callable[[Content], Content | None]) -> Iterator[Any]:
    for row in rows:
        content = change(row.content)
        if content is not None:
            row.content = content
            yield row


class Migration(migrations.Migration):
    dependencies = [("runs", "0008_leases_of_imports")]

    operations = [migrations.RunPython(_rewritten(_declared), _rewritten(_undeclared))]
