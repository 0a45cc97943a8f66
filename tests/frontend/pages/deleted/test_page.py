"""The page that asks, deletes and brings back."""

from __future__ import annotations

import json
from typing import Any

from frontend.pages.deleted.view import content, question
from tests.support.stored_runs import People


def text_of(*parts: Any) -> str:
    return json.dumps([part.to_plotly_json() for part in parts], default=lambda part: part.to_plotly_json())


def press(ask: Any, user: Any, name: str, number: int) -> str:
    key = json.dumps({"kind": "run", "name": name, "number": number, "type": "deleted-action"}, separators=(",", ":"))
    answer = ask(user, "deleted-content.children", {f"{key}.n_clicks": 1}, f"{key}.n_clicks")
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def test_it_asks_those_who_may(people: People, run: Any) -> None:
    asked = question(people.owner, "run", str(run.pk))
    assert asked is not None and "30 days" in text_of(asked)
    for who, kind, number in (
        (people.viewer, "run", run.pk),
        (people.stranger, "run", run.pk),
        (people.owner, "cat", run.pk),
        (people.owner, "run", "x"),
    ):
        assert question(who, kind, str(number)) is None


def test_what_is_deleted_is_listed_and_comes_back(people: People, run: Any, ask: Any) -> None:
    assert "Nothing is deleted" in text_of(*content(people.owner))
    assert "is deleted." in press(ask, people.owner, "delete", run.pk)
    assert "Bring back" in text_of(*content(people.owner)) and "Bring back" not in text_of(*content(people.viewer))
    assert "is back" in press(ask, people.owner, "undo", run.pk)
    assert "There is no run" in press(ask, people.stranger, "restore", run.pk)
