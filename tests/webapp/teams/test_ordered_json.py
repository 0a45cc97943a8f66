from __future__ import annotations

from django.apps import apps
from django.db.models import JSONField

from webapp.teams.ordered_json import OrderedJSONField


def test_every_column_of_json_keeps_the_order_of_keys() -> None:
    compared_as_a_whole = {"reproductions.reproduction.versions"}
    plain = {
        f"{model._meta.label_lower}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, JSONField) and not isinstance(field, OrderedJSONField)
    }
    assert plain <= compared_as_a_whole
