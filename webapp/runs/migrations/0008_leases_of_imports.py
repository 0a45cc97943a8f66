from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0007_importing"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="run", name="runs_by_lease"),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(
                fields=["lease_expires"], name="runs_by_lease", condition=Q(status__in=("running", "importing"))
            ),
        ),
    ]
