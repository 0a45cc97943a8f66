"""Reports: who may write, see and change them, and what is refused."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People, finished_run
from webapp.base.actor import command_line
from webapp.changes.models import Change
from webapp.deletions import service as deletions
from webapp.reports import service
from webapp.reports.blocks import Block
from webapp.runs.models import Run
from webapp.sharing.service import make_link, opened_rows, still_open
from webapp.teams.permissions import Guest
from webapp.teams.visibility import NotAllowed, NotVisible, personal_project


def text(run: Run) -> str:
    return f"Look\n\n[[front run={run.pk} design=2]]\n"


def test_it_is_written_changed_and_deleted(people: People, run: Run) -> None:
    made = service.write(people.editor, "  Which   board? ", text(run), people.project)
    first = service.version_of(people.viewer, made)
    assert (made.title, first.number, list(first.pins)) == ("Which board?", 1, [str(run.pk)])
    second = service.change(people.owner, made, "Which board?", "Neither.", seen=1)
    assert (second.number, second.created_by, second.pins) == (2, people.owner, {})
    assert service.version_of(people.viewer, made, 1).text == text(run), "the first version stays"
    assert service.change(people.owner, made, "Which board?", "Neither.").number == 2, "the same words are no version"
    deletions.delete(people.owner, "report", made.pk)
    assert not service.visible_reports(people.owner).exists()


def test_who_changes_an_older_version_is_told(people: People) -> None:
    made = service.write(people.editor, "Ours", "One", people.project)
    service.change(people.editor, made, "Ours", "Two", seen=1)
    with pytest.raises(ProblemError, match="A newer version of the report was stored"):
        service.change(people.owner, made, "Ours", "Three", seen=1)


def test_viewers_read_and_strangers_know_nothing(people: People, run: Run) -> None:
    made = service.write(people.owner, "Ours", text(run), people.project)
    assert service.get_report(people.viewer, made.pk) == made
    with pytest.raises(NotAllowed):
        service.change(people.viewer, made, "Mine", "")
    for number in (made.pk, made.pk + 1, "x"):
        with pytest.raises(NotVisible):
            service.get_report(people.stranger, number)
    with pytest.raises(NotVisible):
        service.version_of(people.viewer, made, 7)


def test_runs_must_be_for_the_writer_to_see(people: People, run: Run) -> None:
    with pytest.raises(ProblemError, match="runs that you can see"):
        service.write(people.stranger, "Spied", text(run), personal_project(people.stranger))
    with pytest.raises(
        ProblemError, match=f"text, line 1: must be a number below {run.design_count}, the designs of run {run.pk}"
    ):
        service.write(people.owner, "Ours", f"[[front run={run.pk} design=999]]", people.project)
    with pytest.raises(ProblemError, match="title"):
        service.write(people.owner, "  ", "", people.project)


def test_runs_that_somebody_does_not_see_stay_in_what_they_change(people: People, run: Run) -> None:
    made = service.write(people.owner, "Ours", text(run), people.project)
    pins = service.version_of(people.owner, made).pins
    Run.objects.filter(pk=run.pk).update(project=personal_project(people.owner))
    assert service.change(people.editor, made, "Ours", f"{text(run)}More.").pins == pins


def test_blocks_are_added_at_the_end(people: People, run: Run) -> None:
    made = service.write(people.owner, "Ours", "Words.", people.project)
    service.add(people.editor, made, [Block("front", (run.pk,), 1), Block("caveats")])
    expected = f"Words.\n\n[[front run={run.pk} design=1]]\n\n[[caveats]]\n"
    assert service.version_of(people.owner, made).text == expected


def test_a_link_opens_the_report_and_those_of_its_runs_that_its_maker_sees(people: People, run: Run) -> None:
    other = finished_run(people, steps=2, designs_per_step=4)
    made = service.write(people.owner, "Ours", text(run), people.project)
    link = make_link(people.owner, "report", made.pk, 7).link
    guest = Guest(opened_rows(still_open([link.pk])))
    assert service.get_report(guest, made.pk) == made
    assert service.version_of(guest, made).number == 1
    assert set(service.runs_of(guest, [run.pk, other.pk])) == {run.pk}


def test_the_change_log_has_every_version(people: People) -> None:
    with command_line():
        made = service.write(people.owner, "Ours", "One", people.project)
        service.change(people.owner, made, "Ours", "Two")
    rows = Change.objects.filter(project=people.project, content_type__model="reportversion")
    assert rows.count() == 2
