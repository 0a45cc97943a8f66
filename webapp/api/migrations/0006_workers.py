from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("api", "0005_measuring"),
    ]

    operations = [
        migrations.AlterField(
            model_name="apitoken",
            name="scope",
            field=models.CharField(
                choices=[
                    ("read", "Read"),
                    ("run", "Run"),
                    ("write", "Write"),
                    ("agent", "Agent"),
                    ("worker", "Worker"),
                ],
                default="write",
                max_length=6,
            ),
        ),
    ]
