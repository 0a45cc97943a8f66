"""The card of notes."""

from __future__ import annotations

import json
from typing import Any

from frontend.components.items.notes import action_id, field_id, notes_card, text_field


def text_of(component: Any) -> str:
    return json.dumps(component.to_plotly_json(), default=lambda part: part.to_plotly_json())


def test_who_may_not_write_has_no_field() -> None:
    assert "Add note" not in text_of(notes_card("run", 3, editable=False))
    shown = text_of(notes_card("run", 3, editable=True, opened=False))
    assert "Add note" in shown and '"opened": false' in shown


def test_a_note_can_be_about_a_design_that_there_is() -> None:
    assert '"max": 11' in text_of(notes_card("run", 3, editable=True, designs=12))
    assert '"hidden": true' in text_of(notes_card("study", 3, editable=True))


def test_fields_of_notes_are_told_apart() -> None:
    assert text_field("Write", "Seen", 7).children.id == field_id("text", 7) != field_id("text")
    assert action_id("save", 7)["type"] != field_id("save", 7)["type"]
