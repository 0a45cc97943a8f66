from __future__ import annotations

import json

from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.hardware_form.data import opening_mesh
from tests.frontend.conftest import Ask
from tests.frontend.pages.hardware_form.cases import BASE, form, key
from tests.support.stored_runs import People


def test_mistakes_stand_beside_their_fields(people: People, ask: Ask) -> None:
    given = form(BASE, opening_mesh(BASE).to_json(), clock_mhz="fast")
    answer = json.loads(ask(people.owner, f"{Ids.DRAFT}.data", given, f"{Ids.SIDES}.value").content)["response"]
    assert [each["key"] for each in answer[Ids.DRAFT]["data"]["mistakes"]] == ["clock_mhz"]
    assert "Got fast" in answer[key(name="clock_mhz", type=f"{Ids.FIGURE_TYPE}-help")]["children"]
    assert "invalid" in answer[key(name="clock_mhz", type=f"{Ids.FIGURE_TYPE}-field")]["className"]
