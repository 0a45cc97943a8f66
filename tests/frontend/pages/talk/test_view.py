from frontend.pages.talk.view import deleted_view, told_view
from webapp.talk.models import Note
from webapp.talk.notes import Written


def test_a_deleted_note_has_its_way_back() -> None:
    shown = str(deleted_view(Note(pk=7)))
    assert "The note is deleted." in shown and "Undo" in shown and "'number': 7" in shown


def test_names_that_nobody_has_are_told_and_else_nothing_is() -> None:
    note = Note(pk=7)
    assert told_view(Written(note, ())) == ""
    assert "cal" in str(told_view(Written(note, ("cal",))))
