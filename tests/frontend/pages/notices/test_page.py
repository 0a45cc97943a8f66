"""The page of notices and the bell."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from frontend.components.shell.shell_live import bell_count
from tests.support.callbacks import ask, key_of
from tests.support.stored_runs import People
from webapp.annotations.notes import write
from webapp.runs.models import Run

pytestmark = pytest.mark.django_db


def test_a_mention_stands_there_until_it_is_read(people: People, run: Run) -> None:
    from frontend.bridge import get_app
    from frontend.pages.notices.page import content

    write(people.editor, "run", run.pk, "**@vic** look at `this`", design=2)
    told = json.dumps(content(people.viewer).to_plotly_json(), default=lambda part: part.to_plotly_json())
    assert "@vic look at this" in told and f"/runs/{run.pk}?tab=notes&design=2" in told and "Mark all as read" in told
    assert bell_count(people.viewer)[0].children == "1" and bell_count(people.owner) == []
    client = Client()
    client.force_login(people.viewer)
    button: dict[str, Any] = {"type": "notices-action", "name": "all", "number": 0}
    output = next(key for key in get_app().callback_map if key.startswith("..notices-content.children"))
    answer = ask(client, output, {}, {"notices-action.n_clicks": [(button, 1)]}, key_of(button, "n_clicks"))
    assert "Mark all as read" not in answer.content.decode() and "@vic look" in answer.content.decode()
    assert bell_count(people.viewer) == []
