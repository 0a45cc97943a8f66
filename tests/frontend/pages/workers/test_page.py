"""The page of the workers is for administrators."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.support.callbacks import ask, key_of
from tests.support.stored_runs import make_people
from webapp.runs.queue import claim
from webapp.runs.queue.workers import beat, is_draining

pytestmark = pytest.mark.django_db


def test_an_administrator_drains_a_worker_and_nobody_else_does() -> None:
    from frontend.bridge import get_app

    people = make_people()
    people.stranger.is_staff = True
    people.stranger.save()
    beat("host:7", 1, 0, claim.Offer())
    button: dict[str, Any] = {"type": "workers-action", "worker": "host:7", "draining": 1}
    output = next(key for key in get_app().callback_map if key == "workers-body.children")

    def press(person: Any) -> Any:
        client = Client()
        client.force_login(person)
        return ask(client, output, {}, {"workers-action.n_clicks": [(button, 1)]}, key_of(button, "n_clicks"))

    assert press(people.owner).status_code == 400 and not is_draining("host:7")
    assert press(people.stranger).status_code == 200 and is_draining("host:7")
    client = Client()
    client.force_login(people.owner)
    router = next(key for key in get_app().callback_map if key.startswith(".._pages_content"))
    given = {"_pages_location.pathname": "/workers", "_pages_location.search": ""}
    told = json.dumps(ask(client, router, given, {}, "_pages_location.pathname").json())
    assert "for administrators" in told and "host:7" not in told
