from frontend.pages.annotations.view import deleted_view, told_view
from webapp.annotations.models import Note
from webapp.annotations.notes import StoredNote


def test_a_deleted_note_has_its_way_back() -> None:
    shown = str(deleted_view(Note(pk=7)))
    assert "The note is deleted." in shown and "Undo" in shown and "'number': 7" in shown


def test_names_that_nobody_has_are_told_and_else_nothing_is() -> None:
    note = Note(pk=7)
    assert told_view(StoredNote(note, ())) == ""
    assert "cal" in str(told_view(StoredNote(note, ("cal",))))
