"""What was said about a thing goes where it goes, and is gone when it is gone."""

from __future__ import annotations

from tests.support.stored_runs import People
from webapp.annotations.marks import marks_of, set_star, set_tags
from webapp.annotations.models import Favourite, Note, Notice, Tag
from webapp.annotations.notes import notes_of, write
from webapp.annotations.things import place_of
from webapp.catalogue.models import Document, DocumentVersion
from webapp.deletions.removal import purge
from webapp.deletions.service import delete
from webapp.moving.service import copy, move
from webapp.runs.models import Run
from webapp.search.service import found
from webapp.studies import service as studies
from webapp.teams.projects import create_project


def test_a_move_takes_notes_and_tags_and_a_copy_has_none(people: People, run: Run) -> None:
    target = create_project(people.owner, "Elsewhere")
    write(people.editor, "run", run.pk, "Words @vic")
    set_tags(people.editor, "run", run.pk, ["paper"])
    copied = copy(people.owner, "run", run.pk, target.slug)
    assert (
        not notes_of(people.owner, "run", copied.pk).exists()
        and marks_of(people.owner, "run", [copied.pk])[copied.pk].tags == ()
    )
    move(people.owner, "run", run.pk, target.slug)
    assert marks_of(people.owner, "run", [run.pk])[run.pk].tags == ("paper",)
    assert Note.objects.get().project == target and Tag.objects.get().project == target


def test_a_study_takes_its_runs_words_along(people: People) -> None:
    study = studies.create(people.owner, {"engine": "toy", "seeds": [1]}, project=people.project)
    study.runs.update(status="stopped")
    cell = study.runs.get()
    write(people.owner, "run", cell.pk, "Words")
    target = create_project(people.owner, "Elsewhere")
    move(people.owner, "study", study.pk, target.slug)
    assert Note.objects.get().project == target


def test_a_documents_versions_have_notes_and_the_document_tags(people: People) -> None:
    document = Document.objects.create(project=people.project, kind="hardware", slug="board")
    version = DocumentVersion.objects.create(
        document=document, number=2, schema="chiplet-package/1", title="Board", content={}, content_hash="0" * 64
    )
    write(people.editor, "version", version.pk, "Words")
    set_tags(people.editor, "document", document.pk, ["paper"])
    assert place_of("version", version) == "/catalogue/hardware/lab/board?version=2"
    target = create_project(people.owner, "Elsewhere")
    move(people.owner, "document", document.pk, target.slug)
    assert {Note.objects.get().project, Tag.objects.get().project} == {target}
    delete(people.owner, "document", document.pk)
    list(purge(0, dry_run=False))
    assert not Note.objects.exists() and not Tag.objects.exists()


def test_a_purge_removes_all_that_was_said(people: People, run: Run) -> None:
    write(people.editor, "run", run.pk, "@vic look")
    lonely = write(people.owner, "run", run.pk, "Alone").note
    set_tags(people.editor, "run", run.pk, ["paper"])
    set_star(people.viewer, "run", run.pk, True)
    delete(people.owner, "note", lonely.pk)
    assert [each.words for each in purge(0, dry_run=False)] == [f"note {lonely.pk} “Alone” of Lab"]
    delete(people.owner, "run", run.pk)
    list(purge(0, dry_run=False))
    assert not any(model.objects.exists() for model in (Note, Tag, Favourite, Notice))


def test_tags_and_remarks_on_designs_are_found(
    people: People, run: Run, django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        set_tags(people.editor, "run", run.pk, ["zebra crossing"])
        write(people.editor, "run", run.pk, "Too **warm** here", design=1)
        write(people.editor, "run", run.pk, "Nothing about designs")
    assert [each.pk for each in found(people.viewer, "zebr", "run", 5)] == [run.pk]
    assert [each.pk for each in found(people.viewer, "warm", "run", 5)] == [run.pk]
    assert found(people.viewer, "nothing", "run", 5) == [] == found(people.stranger, "zebra", "run", 5)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        set_tags(people.editor, "run", run.pk, [])
    assert found(people.viewer, "zebra", "run", 5) == []
