"""Whose turn it is, and which run of theirs, from one index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0014_turns_and_draining")]

    operations = [
        migrations.RemoveIndex(model_name="run", name="runs_in_turn"),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(
                fields=[
                    "status",
                    "wish",
                    "priority",
                    "project",
                    "owner",
                    "queued_at",
                    "id",
                    "needs",
                    "attempts_without_checkpoint",
                ],
                name="runs_in_turn",
            ),
        ),
    ]
