import json
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import webapp.teams.ordered_json


def nodes_apart(apps: Any, schema_editor: Any) -> None:
    """Times of nodes go into rows of their own; those of pieces, which nothing reads, go."""
    alias = schema_editor.connection.alias
    measured = apps.get_model("measuring", "Measurement").objects.using(alias)
    profiles = apps.get_model("measuring", "MeasuredProfile").objects.using(alias)
    for pk, piece in list(measured.filter(state="done").values_list("pk", "network__piece")):
        result = measured.values_list("result", flat=True).get(pk=pk)
        nodes = result.pop("nodes", [])
        kept = [] if piece else nodes
        result["node_count"] = len(nodes)
        size = len(json.dumps(result)) + len(json.dumps(kept))
        measured.filter(pk=pk).update(result=result, stored_bytes=size)
        if kept:
            profiles.create(measurement_id=pk, nodes=kept)


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("measuring", "0003_measured_with_the_run"),
    ]

    operations = [
        migrations.AddField(
            model_name="agentdevice",
            name="token",
            field=models.BigIntegerField(default=None, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="measurement",
            name="stored_bytes",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddIndex(
            model_name="measurement",
            index=models.Index(fields=["device", "stored_bytes"], name="measured_room_of_device"),
        ),
        migrations.AddIndex(
            model_name="measurement",
            index=models.Index(fields=["asked_by", "stored_bytes"], name="measured_room_of_person"),
        ),
        migrations.CreateModel(
            name="MeasuredProfile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("nodes", webapp.teams.ordered_json.OrderedJSONField()),
                (
                    "measurement",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="profile",
                        to="measuring.measurement",
                    ),
                ),
            ],
        ),
        migrations.RunPython(nodes_apart, migrations.RunPython.noop),
    ]
