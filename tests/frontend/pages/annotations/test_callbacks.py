"""Notes, tags and stars of a page, used as a browser uses them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.support.callbacks import ask, key_of
from tests.support.stored_runs import People
from webapp.annotations.marks import marks_of
from webapp.annotations.models import Note, Notice
from webapp.annotations.notes import change, write
from webapp.runs.models import Run

pytestmark = pytest.mark.django_db


def client_of(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def output_of(start: str) -> str:
    from frontend.bridge import get_app

    return next(key for key in get_app().callback_map if key.startswith(start))


def thing(run: Run, opened: bool = True) -> dict[str, Any]:
    return {"talk-thing.data": {"kind": "run", "number": run.pk, "opened": opened}, "talk-turn.data": 0}


def press(person: Any, run: Run, name: str, number: int = 0, beside: Any = (), **fields: Any) -> Any:
    """Press a button of a note; `beside` are fields of other notes."""
    button = {"type": "talk-action", "name": name, "number": number}
    named = [(field, number, value) for field, value in fields.items()] + list(beside)
    ids = [{"type": "talk-field", "name": field, "number": of} for field, of, _ in named]
    given = [(each, value) for each, (_, _, value) in zip(ids, named, strict=True)]
    patterns = {
        "talk-action.n_clicks": [(button, 1)],
        "talk-field.value": given,
        "talk-field.checked": given,
        "talk-field.data": given,
        "talk-field.id": [(each, each) for each in ids],
    }
    return ask(client_of(person), output_of("..talk-notes.children@"), thing(run), patterns, key_of(button, "n_clicks"))


def shown(person: Any, run: Run, opened: bool = True) -> str:
    answer = ask(client_of(person), "talk-notes.children", thing(run, opened), {}, "talk-thing.data")
    return json.dumps(answer.json(), ensure_ascii=False)


def test_a_note_is_written_pinned_changed_deleted_and_brought_back(people: People, run: Run) -> None:
    text = "Look at **this**, @vic and @nina"
    told = press(people.editor, run, "add", text=text, design=3, pinned=True).content.decode()
    assert (
        "@nina cannot see this item or has no account here" in told
        and "@vic cannot" not in told
        and "Design 0003" in told
    )
    note = Note.objects.get()
    assert (note.text, note.design, note.pinned, note.owner) == (text, 3, True, people.editor)
    assert "<strong>this</strong>" in shown(people.viewer, run)
    assert '"talk-action"' in shown(people.editor, run) and '"talk-action"' not in shown(people.viewer, run)
    press(people.editor, run, "unpin", note.pk)
    assert not Note.objects.get().pinned
    assert "Leave it" in press(people.editor, run, "edit", note.pk).content.decode()
    press(people.editor, run, "save", note.pk, text="Seen")
    assert Note.objects.get().text == "Seen"
    assert "Undo" in press(people.owner, run, "delete", note.pk).content.decode(), "maintainers delete any"
    assert "No notes yet" in shown(people.viewer, run)
    press(people.owner, run, "restore", note.pk)
    assert "Seen" in shown(people.viewer, run)


def test_a_note_that_was_changed_elsewhere_is_asked_about(people: People, run: Run) -> None:
    note = write(people.editor, "run", run.pk, "Before").note
    assert "Before" in press(people.editor, run, "edit", note.pk).content.decode()
    change(people.editor, note.pk, "Written elsewhere")
    typed = {"text": "Written here", "seen": "Before"}
    asked = press(people.editor, run, "save", note.pk, **typed).content.decode()
    assert "Save mine" in asked and "Take theirs" in asked and "Written elsewhere" in asked and "Written here" in asked
    assert Note.objects.get().text == "Written elsewhere"
    typed["theirs"] = "Written elsewhere"
    on = press(people.editor, run, "on", note.pk, **typed).content.decode()
    assert "Written here" in on and "Save mine" not in on
    taken = press(people.editor, run, "theirs", note.pk, **typed).content.decode()
    assert "Written here" not in taken and "data-stored" in taken
    change(people.editor, note.pk, "And once more")
    assert "And once more" in press(people.editor, run, "mine", note.pk, **typed).content.decode()
    typed["theirs"] = "And once more"
    press(people.editor, run, "mine", note.pk, **typed)
    assert Note.objects.get().text == "Written here"


@pytest.mark.parametrize("name", ["add", "edit", "leave", "pin", "save", "delete"])
def test_other_buttons_leave_an_open_note_open(people: People, run: Run, name: str) -> None:
    first, second = (write(people.editor, "run", run.pk, text, 3).note for text in ("First", "Second"))
    beside = [("text", first.pk, "First, half changed"), ("seen", first.pk, "First")]
    number = 0 if name == "add" else second.pk
    told = press(people.editor, run, name, number, beside, text="Third").content.decode()
    assert "First, half changed" in told, "nothing that is typed is lost"


def test_what_cannot_be_done_says_why_and_changes_nothing(people: People, run: Run) -> None:
    assert "1 to 10000 characters" in press(people.editor, run, "add", text="").content.decode()
    assert press(people.editor, run, "add", text="a\0b").status_code == 400
    assert "Got the character U+0007 instead" in press(people.editor, run, "add", text="a\7b").content.decode()
    assert "0 to 39" in press(people.editor, run, "add", text="x", design=400).content.decode()
    assert "needs the role editor" in press(people.viewer, run, "add", text="x").content.decode()
    assert not Note.objects.exists()
    note = write(people.editor, "run", run.pk, "Mine").note
    assert "Only its author" in press(people.owner, run, "save", note.pk, text="Not mine").content.decode()
    assert press(people.stranger, run, "delete", note.pk).status_code == 404
    assert Note.objects.get().text == "Mine"


def test_reading_the_notes_reads_what_tells_of_them(people: People, run: Run) -> None:
    write(people.editor, "run", run.pk, "@vic look")
    shown(people.viewer, run, opened=False)
    shown(people.owner, run)
    assert Notice.objects.get().read is None
    shown(people.viewer, run)
    assert Notice.objects.get().read is not None


def test_tags_and_stars_are_set_from_the_head(people: People, run: Run) -> None:
    marked = {"talk-marked.data": {"kind": "run", "number": run.pk}}
    words = {"talk-tags-field.value": ["Paper", "for review"]}
    told = ask(client_of(people.editor), output_of("..talk-tags.children"), marked | words, {}, "talk-tags-field.value")
    assert "?tag=for+review" in told.content.decode()
    opened = ask(
        client_of(people.editor),
        "talk-tags-body.children",
        {"talk-tags-open.n_clicks": 1} | marked,
        {},
        "talk-tags-open.n_clicks",
    )
    assert "for review" in opened.content.decode()
    refused = ask(
        client_of(people.editor),
        output_of("..talk-tags.children"),
        marked | {"talk-tags-field.value": ["x" * 41]},
        {},
        "talk-tags-field.value",
    )
    assert "1 to 40 characters" in refused.content.decode()
    for given in (True, False):
        ask(
            client_of(people.viewer),
            output_of("..talk-star.className"),
            marked | {"talk-star.n_clicks": 1},
            {},
            "talk-star.n_clicks",
        )
        marks = marks_of(people.viewer, "run", [run.pk])[run.pk]
        assert (marks.star, marks.tags) == (given, ("for review", "paper"))
