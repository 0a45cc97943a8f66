from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0004_run_imported")]

    operations = [
        migrations.AddField("run", "stop_after_minutes", models.FloatField(blank=True, default=None, null=True)),
        migrations.AddField("run", "computed_s", models.FloatField(default=0.0)),
    ]
