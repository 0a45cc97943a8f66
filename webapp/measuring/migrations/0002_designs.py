import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("measuring", "0001_measuring"),
        ("runs", "0014_turns_and_draining"),
    ]

    operations = [
        migrations.AddField(
            model_name="runnablefile",
            name="piece",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="RunnableDesign",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("attempt", models.PositiveIntegerField()),
                ("number", models.PositiveIntegerField()),
                ("rest_s", models.FloatField(default=0.0)),
                ("rest_words", models.CharField(blank=True, default="", max_length=300)),
                ("refused", models.CharField(blank=True, default="", max_length=600)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="runnable_designs", to="runs.run"
                    ),
                ),
            ],
            options={"ordering": ["number"]},
        ),
        migrations.CreateModel(
            name="DesignPiece",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(max_length=200)),
                ("share", models.FloatField()),
                (
                    "design",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pieces",
                        to="measuring.runnabledesign",
                    ),
                ),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="measuring.runnablefile"
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AddConstraint(
            model_name="runnabledesign",
            constraint=models.UniqueConstraint(fields=("run", "attempt", "number"), name="one_runnable_per_design"),
        ),
    ]
