from __future__ import annotations

import json
from typing import Any

from django.test import Client

from tests.support.callbacks import page_at


def page(user: Any, pathname: str, search: str = "") -> str:
    client = Client()
    client.force_login(user)
    answer = page_at(client, pathname, search)
    assert answer.status_code == 200, answer.content
    return json.dumps(answer.json(), ensure_ascii=False)
