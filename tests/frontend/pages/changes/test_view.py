"""The change log as a table."""

from __future__ import annotations

import json
from typing import Any

from frontend.pages.changes.view import results
from tests.frontend.pages.changes.cases import started
from tests.support.stored_runs import People


def text_of(component: Any) -> str:
    return json.dumps(component.to_plotly_json(), default=lambda part: part.to_plotly_json())


def test_it_shows_what_was_done_to_members_alone(people: People) -> None:
    run = started(people)
    shown = text_of(results(people.viewer, {"kind": "run", "number": str(run.pk)}))
    assert "Told" in shown and "ann" in shown and "command line" in shown and f"/runs/{run.pk}" in shown
    assert "No changes of this kind" in text_of(results(people.stranger, {}))
    assert "since" in text_of(results(people.owner, {"since": "soon"})), "a wrong day is named"
