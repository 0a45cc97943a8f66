from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from pydantic import ValidationError

from webapp.api.shapes.notes_and_tags import NewNote, Note, NoteChange


def test_an_author_is_told_by_name_whether_an_account_or_a_text() -> None:
    facts = {
        "id": 1, "kind": "run", "number": 2, "design": None, "pinned": False, "text": "x", "html": "<p>x</p>",
        "created": datetime(2026, 1, 1, tzinfo=UTC), "edited": None,
    }  # fmt: skip
    account = SimpleNamespace(get_username=lambda: "ann")
    assert Note.model_validate({**facts, "author": account}).author == "ann"
    assert Note.model_validate({**facts, "author": "bob"}).author == "bob"


def test_a_note_has_a_text_and_a_change_what_changes() -> None:
    assert NewNote.model_validate({"text": "x"}) == NewNote(text="x", design=None, pinned=False)
    assert NoteChange.model_validate({}).text is None
    with pytest.raises(ValidationError):
        NewNote.model_validate({"pinned": True})
