"""The highest role in a project is called maintainer: administrators are those of the site."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models


def rename(old: str, new: str) -> Any:
    """Give members of role `old` the role `new`."""

    def renamed(apps: Any, schema_editor: Any) -> None:
        memberships = apps.get_model("teams", "Membership").objects.using(schema_editor.connection.alias)
        memberships.filter(role=old).update(role=new)

    return renamed


class Migration(migrations.Migration):
    dependencies = [("teams", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="membership",
            name="role",
            field=models.CharField(
                choices=[("viewer", "Viewer"), ("editor", "Editor"), ("maintainer", "Maintainer")],
                default="viewer",
                max_length=10,
            ),
        ),
        migrations.RunPython(rename("admin", "maintainer"), rename("maintainer", "admin")),
    ]
