"""The change log in the browser."""

from __future__ import annotations

import json
from typing import Any

from frontend.pages.changes.view import controls, export_href
from tests.frontend.pages.changes.cases import started
from tests.support.stored_runs import People


def test_filters_stand_in_the_address_and_in_the_file(people: People, ask: Any) -> None:
    started(people)
    assert export_href({"kind": "run", "number": "7"}) == "/api/v1/changes.csv?kind=run&number=7&bom=1"
    names = [each.id["name"] for each in controls(people.owner, {"verb": "made"})]
    values = {json.dumps({"name": name, "type": "changes-filter"}): None for name in names}
    values[json.dumps({"name": "verb", "type": "changes-filter"})] = "deleted"
    given = {f"{key}.value": value for key, value in values.items()}
    answer = ask(people.owner, "changes-results.children", given)
    assert answer.status_code == 200 and "No changes of this kind" in answer.content.decode()
