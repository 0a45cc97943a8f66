from django.db import migrations

from webapp.search.full_text import drop_full_text, make_full_text


class Migration(migrations.Migration):
    dependencies = [
        ("search", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(make_full_text, drop_full_text),
    ]
