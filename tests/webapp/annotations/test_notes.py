"""Readers, authors and maintainers of notes: who reads, writes, changes, pins and deletes."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from engines.contract.errors import ProblemError
from tests.support.databases import LiveDatabase
from tests.support.stored_runs import People, finished_run, make_people
from tests.support.toy_engine import toys_offered
from webapp.annotations import notes
from webapp.annotations.marks import Marks, favourites, marks_of, set_star, set_tags, tag_counts
from webapp.annotations.models import Note
from webapp.annotations.notes import change, get_note, newest, notes_of, remarks_on, write
from webapp.annotations.notices import notices_of
from webapp.catalogue.models import Document, DocumentVersion
from webapp.changes.models import Change
from webapp.comparisons.models import Comparison
from webapp.deletions.service import delete, deleted_things, restore
from webapp.runs.models import Run
from webapp.search.service import found
from webapp.studies import service as studies
from webapp.teams.models import Project
from webapp.teams.permissions import NotAllowed, NotVisible


def texts(person: Any, run: Run) -> list[str]:
    return [each.text for each in notes_of(person, "run", run.pk)]


def test_editors_write_and_all_who_see_the_thing_read(people: People, run: Run) -> None:
    write(people.editor, "run", run.pk, "Look at **this**")
    write(people.owner, "run", run.pk, "Seen", design=2)
    assert texts(people.viewer, run) == ["Look at **this**", "Seen"]
    with pytest.raises(NotAllowed, match="editor or maintainer"):
        write(people.viewer, "run", run.pk, "Me too")
    for number in (run.pk, 99_999, "x"):
        with pytest.raises(NotVisible):
            notes_of(people.stranger, "run", number)
        with pytest.raises(NotVisible):
            write(people.stranger, "run", number, "Hello")
    with pytest.raises(NotVisible):
        notes_of(people.owner, "document", 1)


def test_an_author_alone_changes_and_maintainers_also_delete(people: People, run: Run) -> None:
    note = write(people.editor, "run", run.pk, "First").note
    with pytest.raises(NotAllowed, match="Only its author"):
        change(people.owner, note.pk, "Mine now")
    with pytest.raises(NotAllowed):
        delete(people.viewer, "note", note.pk)
    with pytest.raises(NotVisible):
        change(people.stranger, note.pk, "x")
    change(people.editor, note.pk, "Second")
    note.refresh_from_db()
    assert note.text == "Second" and note.edited is not None
    other = write(people.owner, "run", run.pk, "Ann's").note
    with pytest.raises(NotAllowed):
        delete(people.editor, "note", other.pk)
    delete(people.owner, "note", note.pk)
    assert texts(people.viewer, run) == ["Ann's"]
    with pytest.raises(NotVisible):
        get_note(people.editor, note.pk)
    assert [(each.kind, each.title) for each in deleted_things(people.editor)] == [("note", "Second")]
    restore(people.editor, "note", note.pk)
    assert texts(people.viewer, run) == ["Second", "Ann's"]
    delete(people.owner, "note", other.pk)
    assert deleted_things(people.editor) == [], "who may not bring it back is not offered to"


def test_a_deleted_thing_hides_its_notes_until_it_is_back(people: People, run: Run) -> None:
    note = write(people.editor, "run", run.pk, "First").note
    delete(people.owner, "run", run.pk)
    with pytest.raises(NotVisible):
        get_note(people.editor, note.pk)
    with pytest.raises(NotVisible):
        delete(people.editor, "note", note.pk)
    restore(people.owner, "run", run.pk)
    assert get_note(people.viewer, note.pk) == note


def test_one_remark_is_pinned_to_a_design(people: People, run: Run) -> None:
    first = write(people.editor, "run", run.pk, "Too **hot**", design=1, pinned=True).note
    assert remarks_on([run.pk, 7]) == {run.pk: {1: "eve: Too hot"}, 7: {}}
    second = write(people.owner, "run", run.pk, "Fine now", design=1, pinned=True).note
    write(people.owner, "run", run.pk, "Other", design=2, pinned=True)
    assert remarks_on([run.pk])[run.pk] == {1: "ann: Fine now", 2: "ann: Other"}
    delete(people.owner, "note", second.pk)
    change(people.editor, first.pk, pinned=True)
    restore(people.owner, "note", second.pk)
    second.refresh_from_db()
    assert not second.pinned, "another one has been pinned since"
    assert remarks_on([run.pk])[run.pk][1] == "eve: Too hot"


@pytest.mark.parametrize(
    ("given", "field"),
    [({"design": 6}, "design"), ({"design": -1}, "design"), ({"pinned": True}, "pinned"), ({"text": "\0"}, "text")],
)
def test_what_cannot_be_stored_is_refused_and_nothing_is_stored(
    people: People, run: Run, given: dict[str, Any], field: str
) -> None:
    with pytest.raises(ProblemError) as error:
        write(people.editor, "run", run.pk, **{"text": "Words", **given})
    assert error.value.field == field and not Note.objects.exists()


def test_studies_and_comparisons_have_notes_and_no_designs(people: People, run: Run) -> None:
    study = studies.create(people.owner, {"engine": "toy", "seeds": [1]}, project=people.project)
    kept = Comparison.objects.create(project=people.project, owner=people.owner, title="Which?", entries=[])
    for kind, thing in (("study", study), ("comparison", kept)):
        write(people.editor, kind, thing.pk, "Words")
        assert notes_of(people.viewer, kind, thing.pk).count() == 1
        with pytest.raises(ProblemError):
            write(people.editor, kind, thing.pk, "Words", design=0)


def test_only_so_many_are_shown_and_stored(people: People, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MOST_SHOWN", "MOST_NOTES"):
        monkeypatch.setattr(notes, name, 3)
    for number in range(3):
        write(people.editor, "run", run.pk, f"Note {number}")
    with pytest.raises(ProblemError, match="at most 3 notes"):
        write(people.editor, "run", run.pk, "One more")
    monkeypatch.setattr(notes, "MOST_SHOWN", 2)
    shown, count = newest(notes_of(people.viewer, "run", run.pk))
    assert [each.text for each in shown] == ["Note 1", "Note 2"] and count == 3


def test_the_change_log_tells_of_notes(people: People, run: Run) -> None:
    client = Client()
    client.force_login(people.editor)
    address = f"/api/v1/notes/run/{run.pk}/"
    made = client.post(address, {"text": "First"}, content_type="application/json").json()
    client.patch(f"/api/v1/notes/{made['id']}/", {"text": "Second"}, content_type="application/json")
    client.delete(f"/api/v1/notes/{made['id']}/")
    about = Change.objects.filter(object_id=made["id"], content_type__model="note").order_by("pk")
    assert [(each.verb, each.who) for each in about] == [("made", "eve"), ("changed", "eve"), ("deleted", "eve")]
    assert about[1].changes["text"] == ["First", "Second"]


def test_official_documents_have_the_notes_of_administrators_for_everybody(people: People) -> None:
    shelf = Project.objects.create(slug="official", title="Official", official=True)
    document = Document.objects.create(project=shelf, kind="hardware", slug="board")
    version = DocumentVersion.objects.create(
        document=document, number=1, schema="chiplet-package/1", title="Board", content={}, content_hash="0" * 64
    )
    root = get_user_model().objects.create_superuser("root")
    note = write(root, "version", version.pk, "Measured again, @sam").note
    assert [each.text for each in notes_of(people.stranger, "version", version.pk)] == ["Measured again, @sam"]
    assert get_note(people.stranger, note.pk) == note and len(notices_of(people.stranger)) == 1
    with pytest.raises(NotAllowed, match="administrator"):
        write(people.owner, "version", version.pk, "Mine")
    set_star(people.stranger, "document", document.pk, True)
    assert favourites(people.stranger) == [("document", document)]
    change(root, note.pk, "Measured twice")
    delete(root, "note", note.pk)
    assert not notes_of(people.stranger, "version", version.pk).exists()


def test_both_databases_keep_one_pin_tags_and_stars(live_database: LiveDatabase) -> None:
    with toys_offered():
        people = make_people()
        run = finished_run(people, steps=1, designs_per_step=2)
    for person, words in ((people.editor, "Too hot"), (people.owner, "Fine @vic")):
        write(person, "run", run.pk, words, design=1, pinned=True)
    assert remarks_on([run.pk]) == {run.pk: {1: "ann: Fine @vic"}}
    assert len(notices_of(people.viewer)) == 1
    set_tags(people.editor, "run", run.pk, ["zebra"])
    set_star(people.viewer, "run", run.pk, True)
    assert marks_of(people.viewer, "run", [run.pk]) == {run.pk: Marks(("zebra",), True)}
    assert tag_counts(people.viewer) == [("zebra", 1)]
    assert [each.pk for each in found(people.viewer, "fine zebra", "run", 5)] == [run.pk]
