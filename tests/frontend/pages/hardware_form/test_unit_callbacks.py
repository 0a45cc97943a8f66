"""Units added to a board in the form, and removed."""

from __future__ import annotations

from typing import Any

import pytest

from engines.documents.builtin import builtin_documents
from frontend.bridge import get_app
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.hardware_form.data import draft_json
from tests.support.stored_runs import People

XAVIER = dict(builtin_documents("hardware")["jetson-agx-xavier"].content)


@pytest.fixture
def change(people: People, monkeypatch: pytest.MonkeyPatch) -> Any:
    get_app()
    from frontend.pages.hardware_form import unit_callbacks

    def call(source: Any, name: str = "", like: str = "dla", draft: Any = None) -> Any:
        monkeypatch.setattr(unit_callbacks, "source_words", lambda: "assumed; chosen by ann")
        monkeypatch.setattr(unit_callbacks, "ctx", type("Context", (), {"triggered_id": source}))
        return unit_callbacks.change_units(1, [1], name, like, draft or draft_json(XAVIER, []))

    return call


def test_a_unit_is_added_alike_another(change: Any) -> None:
    form, draft, told = change(Ids.UNIT_ADD, " npu-2 ")
    assert list(draft["content"]["units"]) == ["cpu", "gpu", "dla", "npu-2"] and told == ""
    assert "Unit npu-2" in str(form)


def test_a_unit_is_removed(change: Any) -> None:
    _, draft, _ = change({"type": Ids.UNIT_REMOVE_TYPE, "name": "dla"})
    assert list(draft["content"]["units"]) == ["cpu", "gpu"]


def test_what_cannot_be_changed_says_why(change: Any) -> None:
    assert "a name that no other unit has" in str(change(Ids.UNIT_ADD, "gpu")[2])
    broken = draft_json(XAVIER, []) | {"mistakes": [{"key": "slug", "words": "wrong"}]}
    assert "Correct the fields above first" in str(change(Ids.UNIT_ADD, "npu-2", draft=broken)[2])
