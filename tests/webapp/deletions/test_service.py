"""Deleting, bringing back, and who may."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People, finished_run
from webapp.catalogue import service as catalogue
from webapp.catalogue.models import Document
from webapp.comparisons import service as comparisons
from webapp.deletions.service import asked_about, delete, deleted_things, restore
from webapp.runs import service as runs
from webapp.runs.models import LogLine
from webapp.teams.visibility import NotAllowed, NotVisible, visible


def test_a_deleted_run_and_all_that_belongs_to_it_are_gone_until_it_is_back(people: People) -> None:
    run = finished_run(people)
    told = delete(people.editor, "run", run.pk)
    assert (told.title, told.number, (told.until - told.at).days) == ("Toy run", run.pk, 30)
    assert not runs.visible_runs(people.owner).exists() and not visible(people.owner, LogLine.objects.all()).exists()
    with pytest.raises(NotVisible):
        runs.get_run(people.owner, run.pk)
    with pytest.raises(NotVisible):
        delete(people.owner, "run", run.pk)
    assert [each.number for each in deleted_things(people.owner)] == [run.pk]
    restore(people.owner, "run", run.pk)
    assert runs.get_run(people.viewer, run.pk) == run and visible(people.viewer, LogLine.objects.all()).exists()
    assert deleted_things(people.owner) == []
    assert restore(people.owner, "run", run.pk).number == run.pk, "asking again changes nothing"


def test_a_run_that_waits_stops(people: People) -> None:
    run = runs.create(people.owner, {"engine": "toy"}, people.project)
    delete(people.owner, "run", run.pk)
    run.refresh_from_db()
    assert run.status == "stopped"
    restore(people.owner, "run", run.pk)
    assert runs.continue_run(people.owner, runs.get_run(people.owner, run.pk)).run.status == "queued"


def test_viewers_may_not_and_strangers_know_nothing(people: People) -> None:
    run = finished_run(people)
    for what in (asked_about, delete):
        with pytest.raises(NotAllowed):
            what(people.viewer, "run", run.pk)
        for number in (run.pk, run.pk + 1, "x", "9" * 40):
            with pytest.raises(NotVisible):
                what(people.stranger, "run", number)
    delete(people.owner, "run", run.pk)
    with pytest.raises(NotAllowed):
        restore(people.viewer, "run", run.pk)
    for number in (run.pk, run.pk + 1, "x", "9" * 40):
        with pytest.raises(NotVisible):
            restore(people.stranger, "run", number)
    assert deleted_things(people.viewer) == deleted_things(people.stranger) == []
    with pytest.raises(ProblemError, match="kind"):
        delete(people.owner, "project", people.project.pk)


def test_a_comparison_keeps_the_place_of_a_deleted_run(people: People) -> None:
    both = [finished_run(people), finished_run(people)]
    asked = [{"run": run.pk} for run in both]
    kept = comparisons.keep(people.owner, "Which?", comparisons.entries_of(people.owner, asked), {})
    delete(people.owner, "run", both[0].pk)
    assert [entry.run for entry in comparisons.entries_of(people.owner, kept.entries)] == both[1:]
    restore(people.owner, "run", both[0].pk)
    assert [entry.run for entry in comparisons.entries_of(people.owner, kept.entries)] == both


def test_a_name_that_is_used_again_goes_on_with_its_versions(people: People) -> None:
    content = catalogue.copy_of(people.owner, "hardware", "simba-3x3-nvdla") | {"slug": "ours"}
    first = catalogue.store_version(people.owner, people.project, "hardware", content)
    delete(people.owner, "document", first.document_id)
    with pytest.raises(ProblemError):
        catalogue.resolve(people.owner, "hardware", "ours")
    second = catalogue.store_version(people.owner, people.project, "hardware", content | {"title": "Another"})
    assert (second.document_id, second.number) == (first.document_id, 2)
    assert catalogue.resolve(people.owner, "hardware", "ours").version == 2
    assert Document.objects.get().deleted is None
