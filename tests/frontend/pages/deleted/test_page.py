"""The page that asks, deletes and brings back."""

from __future__ import annotations

import json
from typing import Any

from frontend.pages.deleted.view import content
from tests.frontend.pages.deleted.cases import text_of
from tests.support.stored_runs import People


def press(ask: Any, user: Any, name: str, number: int) -> str:
    key = json.dumps({"kind": "run", "name": name, "number": number, "type": "deleted-action"}, separators=(",", ":"))
    answer = ask(user, "deleted-content.children", {f"{key}.n_clicks": 1}, f"{key}.n_clicks")
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def test_what_is_deleted_is_listed_and_comes_back(people: People, run: Any, ask: Any) -> None:
    assert "Nothing is deleted" in text_of(*content(people.owner))
    assert "is deleted." in press(ask, people.owner, "delete", run.pk)
    assert "Bring back" in text_of(*content(people.owner)) and "Bring back" not in text_of(*content(people.viewer))
    assert "is restored" in press(ask, people.owner, "undo", run.pk)
    assert "There is no run" in press(ask, people.stranger, "restore", run.pk)
