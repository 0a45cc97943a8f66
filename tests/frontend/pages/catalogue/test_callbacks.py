from __future__ import annotations

import json
from typing import Any

from tests.frontend.conftest import Ask
from tests.support.stored_runs import People


def test_a_tab_is_opened_and_a_foreign_document_is_not(people: People, stored: dict[str, Any], ask: Ask) -> None:
    values: dict[str, Any] = {
        "document-name.data": {"kind": "hardware", "name": f"lab/{stored['slug']}", "version": 2},
        '{"name":"overview","type":"document-tab-button"}.n_clicks': None,
        '{"name":"yaml","type":"document-tab-button"}.n_clicks': 1,
    }
    changed = '{"name":"yaml","type":"document-tab-button"}.n_clicks'
    answer = ask(people.owner, "document-tab.data", values, changed)
    assert answer.status_code == 200
    response = answer.json()["response"]
    assert response["document-overview"]["hidden"] is True
    assert stored["slug"] in json.dumps(response["document-panel"])
    assert ask(people.stranger, "document-tab.data", values, changed).status_code == 404
