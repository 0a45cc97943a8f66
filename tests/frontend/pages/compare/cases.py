from __future__ import annotations

import json
from typing import Any

from django.test import Client


def page(user: Any, pathname: str, search: str = "") -> str:
    from frontend.bridge import get_app

    client = Client()
    client.force_login(user)
    client.get("/_dash-layout")  # with it, Dash registers what turns an address into a page
    key = next(key for key in get_app().callback_map if "_pages_content.children" in key)
    spec = get_app().callback_map[key]
    given = {"pathname": pathname, "search": search}
    body = {
        "output": key,
        "outputs": [{"id": "_pages_content", "property": "children"}, {"id": "_pages_store", "property": "data"}],
        "inputs": [{**item, "value": given[item["property"]]} for item in spec["inputs"]],
        "changedPropIds": ["_pages_location.pathname"],
        "state": [],
    }
    answer = client.post("/_dash-update-component", json.dumps(body), content_type="application/json")
    assert answer.status_code == 200, answer.content
    return json.dumps(answer.json(), ensure_ascii=False)
