"""The page on which hardware is edited, as the browser asks for it."""

from __future__ import annotations

import json

from engines.contract.encoding.document_text import to_yaml
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.hardware_form.data import (
    draft_json,
)
from tests.frontend.conftest import Ask
from tests.frontend.pages.hardware_form.cases import BASE
from tests.support.stored_runs import People


def test_going_back_to_the_form_takes_the_text_as_it_stands_though_its_check_is_not_done(
    people: People, ask: Ask
) -> None:
    given = {
        f"{Ids.MODE}.value": "form",
        f"{Ids.DRAFT}.data": draft_json(BASE, [], to_yaml(BASE)),
        f"{Ids.TEXT}.value": to_yaml({**BASE, "clock_mhz": 650}),
    }
    answer = json.loads(ask(people.owner, f"{Ids.FORM}.hidden", given, f"{Ids.MODE}.value").content)["response"]
    assert answer[Ids.DRAFT]["data"]["content"]["clock_mhz"] == 650
    assert answer[Ids.FORM]["hidden"] is False
