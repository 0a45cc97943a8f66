from typing import Any

import django.db.models.deletion
from django.db import migrations, models

import webapp.teams.ordered_json


def known_devices(apps: Any, schema_editor: Any) -> None:
    """Devices that were asked before: those of the run's own project that have a piece of one of its designs."""
    pieces = apps.get_model("measuring", "DesignPiece").objects.using(schema_editor.connection.alias)
    found = pieces.values_list("design__run", "design__run__project", "file").distinct()
    measured = apps.get_model("measuring", "Measurement").objects.using(schema_editor.connection.alias)
    asked = {
        (run, device)
        for run, project, file in found
        for device in measured.filter(network=file, device__project=project).values_list("device", flat=True)
    }
    rows = apps.get_model("measuring", "RunDevice")
    rows.objects.using(schema_editor.connection.alias).bulk_create(
        rows(run_id=run, device_id=device) for run, device in sorted(asked)
    )


class Migration(migrations.Migration):
    dependencies = [
        ("measuring", "0002_designs"),
        ("runs", "0014_turns_and_draining"),
    ]

    operations = [
        migrations.AddField(
            model_name="agentdevice",
            name="agent",
            field=models.CharField(blank=True, default="", max_length=40),
        ),
        migrations.CreateModel(
            name="RunDevice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "run",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="runs.run"),
                ),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="measuring.agentdevice"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "device"), name="one_row_per_run_and_device"),
                ],
            },
        ),
        migrations.CreateModel(
            name="MeasuredElsewhere",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("device_name", models.CharField(max_length=80)),
                ("device_slug", models.CharField(max_length=60)),
                ("machine", models.CharField(max_length=800)),
                ("threads", models.PositiveSmallIntegerField()),
                ("provider", models.CharField(max_length=60)),
                ("agent", models.CharField(blank=True, max_length=40)),
                ("measured", models.CharField(max_length=10)),
                ("settled", models.BooleanField()),
                ("pieces", webapp.teams.ordered_json.OrderedJSONField()),
                ("rest_s", models.FloatField()),
                ("rest_words", models.CharField(blank=True, max_length=300)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="measured_elsewhere",
                        to="runs.run",
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.RunPython(known_devices, migrations.RunPython.noop),
    ]
