from __future__ import annotations

import json

from tests.frontend.conftest import Ask
from tests.support.stored_runs import People


def test_a_power_mode_lets_its_clocks_stand_out(people: People, ask: Ask) -> None:
    values = {
        "document-name.data": {"kind": "hardware", "name": "jetson-tx2", "version": 1},
        "document-mode.value": "maxq", "scheme.data": "dark", "viewport.data": {"width": 1440, "height": 900},
    }  # fmt: skip
    response = ask(people.owner, "document-picture.children", values, "document-mode.value").json()["response"]
    assert "document-picture" not in response and "of 12 steps" in json.dumps(response["document-ladder"])
    response = ask(people.owner, "document-picture.children", values, "scheme.data").json()["response"]
    assert "Block diagram" in json.dumps(response["document-picture"])
