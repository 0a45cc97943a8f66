"""What an edit changes."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from frontend.pages.hardware_form.differences import conflict_box, difference_box


def text_of(component: Any) -> str:
    return json.dumps(component.to_plotly_json(), default=lambda part: part.to_plotly_json(), ensure_ascii=False)


def version(number: int, content: dict[str, Any], reason: str = "") -> Any:
    document = SimpleNamespace(project=SimpleNamespace(slug="lab"), slug="board")
    return SimpleNamespace(number=number, content=content, reason=reason, document=document, created_by=None)


def test_what_is_added_removed_and_changed_is_told() -> None:
    shown = text_of(difference_box(3, {"a": 1, "b": 2}, {"a": 5, "c": "x" * 200}))
    assert "3 keys differ from version 3" in shown and " added: " in shown and " removed: " in shown
    assert "x" * 120 + "…" in shown and "x" * 121 not in shown
    assert "No difference to version 3." in text_of(difference_box(3, {"a": 1}, {"a": 1}))


def test_of_many_differences_the_rest_is_counted() -> None:
    shown = text_of(difference_box(1, {}, {f"key{number}": number for number in range(50)}))
    assert "and 10 more" in shown


def test_who_comes_second_sees_both_changes_and_three_ways_on() -> None:
    base, theirs = version(1, {"a": 1}), version(2, {"a": 2}, "A better value")
    shown = text_of(conflict_box(theirs, base, {"a": 3}))
    assert "Somebody saved version 2 while you were editing." in shown and "A better value" in shown
    assert (
        "They changed:" in shown
        and "Your version differs from theirs in:" in shown
        and "Save mine as version 3" in shown
    )
    assert "Take theirs" in shown and "Continue editing" in shown


def test_a_name_that_is_taken_is_told_and_the_same_content_too() -> None:
    shown = text_of(conflict_box(version(2, {"a": 2}), None, {"a": 2}))
    assert "lab/board exists already" in shown and "Your version equals theirs." in shown
