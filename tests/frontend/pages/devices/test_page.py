"""The page of devices, asked as the browser asks."""

from __future__ import annotations

import json
from typing import Any

from tests.support.stored_runs import People
from webapp.measuring.models import AgentDevice


def press(ask: Any, user: Any, name: str, number: int, text: str = "", board: str = "") -> str:
    key = json.dumps({"name": name, "number": number, "type": "devices-action"}, separators=(",", ":"))
    field = json.dumps({"number": number, "type": "devices-networks"}, separators=(",", ":"))
    boards = field.replace("networks", "board")
    values = {f"{key}.n_clicks": 1, f"{field}.value": text, f"{field}.id": json.loads(field)}
    values |= {f"{boards}.value": board, f"{boards}.id": json.loads(boards)}
    answer = ask(user, "devices-content.children", values, f"{key}.n_clicks")
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def test_buttons_do_what_they_say_for_who_may(people: People, device: AgentDevice, ask: Any) -> None:
    assert "2 measurements wait" in press(ask, people.owner, "these", device.pk, "digits-chain")
    assert "There is no agent device" in press(ask, people.stranger, "revoke", device.pk)
    assert "needs the role" in press(ask, people.viewer, "revoke", device.pk)
    assert "gets no more jobs" in press(ask, people.editor, "revoke", device.pk)
    assert AgentDevice.objects.get().revoked is not None


def test_a_device_is_shared_on_the_page_of_a_board_and_taken_back(
    people: People, device: AgentDevice, ask: Any
) -> None:
    assert "a board of the list" in press(ask, people.editor, "share", device.pk)
    told = press(ask, people.editor, "share", device.pk, board="raspberry-pi-5")
    assert "Everybody on this site sees" in told and "Stop sharing" in told
    assert AgentDevice.objects.get().board == "raspberry-pi-5"
    assert "in its project alone" in press(ask, people.editor, "unshare", device.pk)
    assert AgentDevice.objects.get().board == ""
