"""Runs may have designs measured while they search."""

from django.db import migrations

import webapp.teams.ordered_json


class Migration(migrations.Migration):
    dependencies = [("runs", "0016_home_lists")]

    operations = [
        migrations.AddField(
            model_name="run", name="measure", field=webapp.teams.ordered_json.OrderedJSONField(blank=True, default=dict)
        ),
    ]
