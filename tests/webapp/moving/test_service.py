"""Moving and copying to another project: who may, what goes along, and what is in the way."""

from __future__ import annotations

import pytest

from tests.support.stored_runs import People
from webapp.catalogue.models import Document, DocumentVersion
from webapp.comparisons.models import Comparison
from webapp.moving.service import copy, move, targets
from webapp.runs.models import Run
from webapp.studies import service as studies
from webapp.teams.errors import TeamError
from webapp.teams.models import Membership, Project
from webapp.teams.permissions import NotAllowed, NotVisible

pytestmark = pytest.mark.django_db


def a_document(project: Project) -> Document:
    document = Document.objects.create(project=project, kind="hardware", slug="board")
    for number in (1, 2):
        DocumentVersion.objects.create(
            document=document, number=number, schema="chiplet-package/1", title=f"Board {number}", content={"slug": "board"},
            content_hash=str(number) * 64,
        )  # fmt: skip
    return document


def test_a_run_moves_with_all_that_it_has(people: People, run: Run, elsewhere: Project) -> None:
    assert {each.title for each in targets(people.owner, run)} == {"ann's project", "Elsewhere"}
    before = run.log.count()
    move(people.owner, "run", run.pk, elsewhere.slug)
    moved = Run.objects.get(pk=run.pk)
    assert moved.project == elsewhere and moved.log.count() == before


def test_a_comparison_moves_and_its_runs_stay(people: People, run: Run, elsewhere: Project) -> None:
    entries = [{"run": run.pk, "design": None}]
    kept = Comparison.objects.create(project=people.project, owner=people.owner, title="Which?", entries=entries)
    made = copy(people.viewer, "comparison", kept.pk, elsewhere.slug)
    assert (made.project, made.owner, made.entries, made.pk == kept.pk) == (elsewhere, people.viewer, entries, False)
    with pytest.raises(NotAllowed):
        move(people.viewer, "comparison", kept.pk, elsewhere.slug)
    move(people.owner, "comparison", kept.pk, elsewhere.slug)
    kept.refresh_from_db()
    assert kept.project == elsewhere and Run.objects.get(pk=run.pk).project == people.project


def test_who_may(people: People, run: Run, elsewhere: Project) -> None:
    for person in (people.editor, people.viewer):
        with pytest.raises(NotAllowed, match="Moving this run needs the role maintainer"):
            move(person, "run", run.pk, elsewhere.slug)
    for act in (move, copy):
        with pytest.raises(NotVisible):
            act(people.stranger, "run", run.pk, people.stranger.personal_project.slug)
        with pytest.raises(NotVisible):
            act(people.owner, "run", run.pk, people.stranger.personal_project.slug)
        with pytest.raises(TeamError, match="already"):
            act(people.owner, "run", run.pk, "lab")
    Membership.objects.filter(project=elsewhere, user=people.viewer).update(role="viewer")
    with pytest.raises(NotAllowed, match="Changing this project"):
        copy(people.viewer, "run", run.pk, elsewhere.slug)
    Run.objects.update(owner=people.editor)
    move(people.editor, "run", run.pk, elsewhere.slug)


def test_a_study_goes_with_its_runs(people: People, elsewhere: Project) -> None:
    study = studies.create(people.owner, {"engine": "toy", "seeds": [1, 2]}, project=people.project)
    with pytest.raises(TeamError, match="A run of the study is queued or running"):
        move(people.owner, "study", study.pk, elsewhere.slug)
    Run.objects.update(status="stopped")
    cell = Run.objects.filter(study=study).first()
    assert cell is not None
    with pytest.raises(TeamError, match="belongs to a study"):
        move(people.owner, "run", cell.pk, elsewhere.slug)
    again = copy(people.owner, "study", study.pk, elsewhere.slug)
    assert again.runs.count() == 2 and {each.project for each in again.runs.all()} == {elsewhere}
    assert [each.cell for each in again.runs.order_by("pk")] == [each.cell for each in study.runs.order_by("pk")]
    move(people.owner, "study", study.pk, elsewhere.slug)
    assert not Run.objects.filter(project=people.project).exists()
    assert copy(people.owner, "run", cell.pk, "ann").study is None


def test_a_document_goes_unless_its_name_is_taken(people: People, elsewhere: Project) -> None:
    document = a_document(people.project)
    made = copy(people.owner, "document", document.pk, elsewhere.slug)
    assert [(version.number, version.title) for version in made.versions.all()] == [(1, "Board 2")]
    for act in (move, copy):
        with pytest.raises(TeamError, match="has a hardware document called board already"):
            act(people.owner, "document", document.pk, elsewhere.slug)
    made.delete()
    move(people.owner, "document", document.pk, elsewhere.slug)
    assert Document.objects.get(pk=document.pk).project == elsewhere and document.versions.count() == 2


@pytest.mark.parametrize(("kind", "number"), [("run", 0), ("page", 1), ("study", "x")])
def test_what_is_not_there_goes_nowhere(people: People, elsewhere: Project, kind: str, number: object) -> None:
    for act in (move, copy):
        with pytest.raises(NotVisible):
            act(people.owner, kind, number, elsewhere.slug)
