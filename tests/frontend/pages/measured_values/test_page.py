"""The page that imports measured values: its form, and what it says of answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from frontend.ids.measured_values import ValuesIds
from frontend.pages.measured_values.form import form
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People

VALUE = {
    "place": "row 1", "metric": "latency", "value": 0.02, "device": "rk3588", "network": "resnet50", "precision": "int8",
}  # fmt: skip
READ: dict[str, Any] = {
    "stored": False, "format": "Table", "licence": "", "count": 1, "unbounded": 1, "values": [VALUE], "refused_count": 1,
    "refused": [{"place": "row 2", "what": "net", "reason": "No such network."}], "operators": True,
    "columns": ["Board", "Model"], "mapping": {"device": "Board"}, "sample": [["rk3588", "resnet50"]],
}  # fmt: skip


def show(ask: Ask, user: Any, body: Any, status: int = 200) -> str:
    answer = {"status": status, "body": body, "file": "values.csv"}
    return json.dumps(ask(user, f"{ValuesIds.RESULT}.children", {f"{ValuesIds.ANSWER}.data": answer}).json())


def test_values_refused_values_and_columns_are_shown_before_they_are_stored(people: People, ask: Ask) -> None:
    text = show(ask, people.owner, READ)
    shown = ("values.csv: 1 value", "Not stored yet", "20.0", "No such network.", "Column of device", "skip 1")
    for words in shown:
        assert words in text
    assert "1 value without a published peak" in text and "/catalogue/calibrate" in text
    nothing = show(ask, people.owner, {**READ, "count": 0, "values": []})
    assert "No value can be imported yet" in nothing and ValuesIds.STORE not in nothing
    stored = show(ask, people.owner, {**READ, "stored": True}, 201)
    assert "/catalogue/hardware/rk3588" in stored and ValuesIds.AGAIN not in stored


@pytest.mark.parametrize("body", [None, [], {"values": 3}, {**READ, "values": [{"place": 3}]}])
def test_any_other_answer_is_a_refusal(people: People, ask: Ask, body: Any) -> None:
    assert "values.csv is refused" in show(ask, people.owner, body)
    refusal = {"field": "licence", "accepted": "one licence", "got": "two"}
    assert "one licence" in show(ask, people.owner, refusal, 400)


def test_the_form_is_filled_in_as_the_address_asks(people: People) -> None:
    text = str(form(people.owner, "hailo-8", "resnet50"))
    assert "value='hailo-8'" in text and "value='resnet50'" in text and "value='lab'" not in text
