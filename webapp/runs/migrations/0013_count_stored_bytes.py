"""Runs from before say how many bytes they take, counted as `webapp.runs.storage.stored_bytes` counts."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import BigIntegerField, F, OuterRef, Subquery, Sum, TextField
from django.db.models.functions import Cast, Coalesce, Length


def _count(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    def rows(model: str) -> Any:
        return apps.get_model("runs", model)._default_manager.using(editor.connection.alias)

    def total(model: str, size: Any) -> Coalesce:
        sums = rows(model).filter(run=OuterRef("pk")).order_by().values("run").annotate(total=Sum(size))
        return Coalesce(Subquery(sums.values("total"), output_field=BigIntegerField()), 0)

    rows("Run").update(
        stored_bytes=total("DesignChunk", Length("scalars") + Length("decisions"))
        + total("RunResult", Length(Cast("content", TextField())))
        + total("Checkpoint", Length("data"))
        + total("RunFile", F("blob__size"))
    )


class Migration(migrations.Migration):
    dependencies = [("runs", "0012_stored_bytes")]

    operations = [migrations.RunPython(_count, migrations.RunPython.noop)]
