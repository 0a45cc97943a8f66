import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reproductions", "0001_initial"),
        ("runs", "0004_run_imported"),
    ]

    operations = [
        migrations.AddField(
            model_name="reproduction",
            name="versions",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="reproduction",
            name="run",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="reproduction",
                to="runs.run",
            ),
        ),
    ]
