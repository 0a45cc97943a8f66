"""The page of devices, asked as the browser asks."""

from __future__ import annotations

import json
from typing import Any

from tests.support.stored_runs import People
from webapp.measuring.models import AgentDevice


def press(ask: Any, user: Any, name: str, number: int, text: str = "") -> str:
    key = json.dumps({"name": name, "number": number, "type": "devices-action"}, separators=(",", ":"))
    field = json.dumps({"number": number, "type": "devices-networks"}, separators=(",", ":"))
    values = {f"{key}.n_clicks": 1, f"{field}.value": text, f"{field}.id": json.loads(field)}
    answer = ask(user, "devices-content.children", values, f"{key}.n_clicks")
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def test_buttons_do_what_they_say_for_who_may(people: People, device: AgentDevice, ask: Any) -> None:
    assert "2 measurements wait" in press(ask, people.owner, "these", device.pk, "digits-chain")
    assert "There is no agent device" in press(ask, people.stranger, "revoke", device.pk)
    assert "needs the role" in press(ask, people.viewer, "revoke", device.pk)
    assert "gets no more jobs" in press(ask, people.editor, "revoke", device.pk)
    assert AgentDevice.objects.get().revoked is not None
