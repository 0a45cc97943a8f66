"""Comparisons: who may keep, see and change them, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, finished_run
from tests.webapp.comparisons.cases import entries
from webapp.comparisons import service
from webapp.deletions import service as deletions
from webapp.teams.visibility import NotAllowed, NotVisible


def test_it_is_kept_changed_and_deleted(people: People, runs: list[Any]) -> None:
    made = service.keep(people.editor, "  Does it pay? ", entries(people, *runs), {"x": "latency_s"})
    assert (made.title, made.project, made.owner) == ("Does it pay?", people.project, people.editor)
    assert made.entries == [{"run": run.pk, "design": None} for run in runs]
    turned = [service.Entry(runs[1], 2), service.Entry(runs[0])]
    again = service.keep(people.owner, "Turned", turned, {}, made)
    assert again.pk == made.pk
    made.refresh_from_db()
    assert (made.title, made.entries[0]) == ("Turned", {"run": runs[1].pk, "design": 2})
    deletions.delete(people.owner, "comparison", made.pk)
    assert not service.visible_comparisons(people.owner).exists()
    assert all(type(run).objects.filter(pk=run.pk).exists() for run in runs)


def test_viewers_look_and_strangers_know_nothing(people: People, runs: list[Any]) -> None:
    made = service.keep(people.owner, "Ours", entries(people, *runs), {})
    assert service.get_comparison(people.viewer, made.pk) == made
    with pytest.raises(NotAllowed):
        service.keep(people.viewer, "Mine", entries(people, *runs), {}, made)
    for number in (made.pk, made.pk + 1, "x", "9" * 40):
        with pytest.raises(NotVisible):
            service.get_comparison(people.stranger, number)
    assert service.entries_of(people.stranger, made.entries) == []


def test_a_viewer_keeps_a_comparison_of_visible_runs_as_their_own(people: People, runs: list[Any]) -> None:
    from webapp.teams.visibility import personal_project

    made = service.keep(people.viewer, "Mine", entries(people, *runs), {})
    assert made.project == personal_project(people.viewer)


def test_runs_that_somebody_does_not_see_stay_in_what_they_change(people: People, runs: list[Any]) -> None:
    from webapp.teams.visibility import personal_project

    hidden = finished_run(people, steps=2, designs_per_step=4)
    type(hidden).objects.filter(pk=hidden.pk).update(project=personal_project(people.owner))
    made = service.keep(people.owner, "Ours", entries(people, hidden, *runs), {})
    made.project = people.project
    made.save()
    seen = service.entries_of(people.editor, made.entries)
    assert [entry.run for entry in seen] == runs
    service.keep(people.editor, "Turned", seen[::-1], {}, made)
    assert [item["run"] for item in made.entries] == [runs[1].pk, runs[0].pk, hidden.pk]


def test_entries_that_are_none_are_left_out(people: People, runs: list[Any]) -> None:
    asked = [
        {"run": runs[0].pk, "design": 3},
        {"run": runs[0].pk},
        {"run": 10**9},
        {"run": "x"},
        {},
        {"run": runs[1].pk, "design": 99},
    ]
    found = service.entries_of(people.owner, asked)
    assert [(entry.run, entry.design) for entry in found] == [(runs[0], None), (runs[1], None)]
