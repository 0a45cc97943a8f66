"""The change log in the browser."""

from __future__ import annotations

import json
from typing import Any

from frontend.pages.changes.view import controls, export_href, results
from tests.support.stored_runs import People
from webapp.changes.acting import command_line
from webapp.runs import service


def text_of(component: Any) -> str:
    return json.dumps(component.to_plotly_json(), default=lambda part: part.to_plotly_json())


def started(people: People) -> Any:
    with command_line() as who:
        who.person = lambda: people.owner
        return service.create(people.owner, {"engine": "toy", "title": "Told"}, people.project)


def test_it_shows_what_was_done_to_members_alone(people: People) -> None:
    run = started(people)
    shown = text_of(results(people.viewer, {"kind": "run", "number": str(run.pk)}))
    assert "Told" in shown and "ann" in shown and "command line" in shown and f"/runs/{run.pk}" in shown
    assert "Nothing of this kind" in text_of(results(people.stranger, {}))
    assert "since" in text_of(results(people.owner, {"since": "soon"})), "a wrong day is named"


def test_filters_stand_in_the_address_and_in_the_file(people: People, ask: Any) -> None:
    started(people)
    assert export_href({"kind": "run", "number": "7"}) == "/api/v1/changes.csv?kind=run&number=7"
    names = [each.id["name"] for each in controls(people.owner, {"verb": "made"})]
    values = {json.dumps({"name": name, "type": "changes-filter"}): None for name in names}
    values[json.dumps({"name": "verb", "type": "changes-filter"})] = "deleted"
    given = {f"{key}.value": value for key, value in values.items()}
    answer = ask(people.owner, "changes-results.children", given)
    assert answer.status_code == 200 and "Nothing of this kind" in answer.content.decode()
