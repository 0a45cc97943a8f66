"""Webhooks on the page of a project, used as a browser uses them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.support.callbacks import ask, key_of
from tests.support.stored_runs import make_people
from webapp.webhooks.models import Webhook

pytestmark = pytest.mark.django_db


def press(person: Any, name: str, number: int = 0, **fields: Any) -> Any:
    from frontend.bridge import get_app
    from frontend.ids.webhooks import WebhookIds

    client = Client()
    client.force_login(person)
    button = {"type": WebhookIds.ACTION_TYPE, "name": name, "number": number, "of": 0}
    given = [({"type": WebhookIds.FIELD_TYPE, "name": field}, value) for field, value in fields.items()]
    patterns = {
        f"{WebhookIds.ACTION_TYPE}.n_clicks": [(button, 1)],
        f"{WebhookIds.FIELD_TYPE}.value": given,
        f"{WebhookIds.FIELD_TYPE}.id": [(field, field) for field, _ in given],
    }
    output = next(key for key in get_app().callback_map if key.startswith(f"{WebhookIds.BODY}.children"))
    return ask(client, output, {"team-project.data": "lab"}, patterns, key_of(button, "n_clicks"))


def test_one_is_made_switched_off_and_ended() -> None:
    people = make_people()
    made = press(people.owner, "make", url="https://hooks.example.org/run", events=["run.done"])
    assert made.status_code == 200, made.content
    hook = Webhook.objects.get()
    for name, words in (("off", "Switched off"), ("end", "Ended.")):
        assert words in json.dumps(press(people.owner, name, hook.pk).json(), ensure_ascii=False)
    assert "must be" in json.dumps(press(people.owner, "make", url="ftp://x", events=[]).json(), ensure_ascii=False)
    assert press(people.editor, "end", hook.pk).status_code == 400, "for maintainers"
