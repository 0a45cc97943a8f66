"""Comparisons: who may keep, see and change them, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, finished_run, give_other_engine, give_workload, make_people
from tests.support.toy_engine import ToyEngine
from webapp.comparisons import service
from webapp.comparisons.differing import differing, unlike
from webapp.comparisons.errors import ComparisonError
from webapp.runs.models import Run
from webapp.teams.visibility import NotAllowed, NotVisible


@pytest.fixture
def people(db: Any, toys: None) -> People:
    return make_people()


@pytest.fixture
def runs(people: People) -> list[Any]:
    return [finished_run(people, steps=steps, designs_per_step=4) for steps in (2, 3)]


def entries(people: People, *runs: Any, **designs: Any) -> list[service.Entry]:
    return service.entries_of(people.owner, [{"run": run.pk, "design": designs.get(f"d{run.pk}")} for run in runs])


def test_it_is_kept_changed_and_deleted(people: People, runs: list[Any]) -> None:
    made = service.keep(people.editor, "  Does it pay? ", entries(people, *runs), {"x": "latency_s"})
    assert (made.title, made.project, made.owner) == ("Does it pay?", people.project, people.editor)
    assert made.entries == [{"run": run.pk, "design": None} for run in runs]
    turned = [service.Entry(runs[1], 2), service.Entry(runs[0])]
    again = service.keep(people.owner, "Turned", turned, {}, made)
    assert again.pk == made.pk
    made.refresh_from_db()
    assert (made.title, made.entries[0]) == ("Turned", {"run": runs[1].pk, "design": 2})
    service.delete(people.owner, made)
    assert not service.visible_comparisons(people.owner).exists()
    assert all(type(run).objects.filter(pk=run.pk).exists() for run in runs)


def test_viewers_look_and_strangers_know_nothing(people: People, runs: list[Any]) -> None:
    made = service.keep(people.owner, "Ours", entries(people, *runs), {})
    assert service.get_comparison(people.viewer, made.pk) == made
    with pytest.raises(NotAllowed):
        service.keep(people.viewer, "Mine", entries(people, *runs), {}, made)
    with pytest.raises(NotAllowed):
        service.delete(people.viewer, made)
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


def test_what_cannot_be_kept_is_named(people: People, runs: list[Any]) -> None:
    with pytest.raises(ComparisonError, match="title: takes a question or a name"):
        service.keep(people.owner, "   ", entries(people, *runs), {})
    with pytest.raises(ComparisonError, match=r"runs: takes 2 to 6 runs .* Got 1"):
        service.keep(people.owner, "One", entries(people, runs[0]), {})


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


def test_only_what_differs_is_named(people: People, runs: list[Any]) -> None:
    rows = {row.name: row.values for row in differing(runs)}
    assert rows == {"steps": ("2", "3"), "evaluations": ("8", "12")}
    assert differing([runs[0], runs[0]]) == []


def test_workload_model_and_estimator_decide_whether_runs_are_alike(
    people: People, runs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unlike(differing(runs)) == [], "another parameter only"
    give_other_engine(monkeypatch, runs[1])
    assert unlike(differing(runs)) == [], "another engine that computes the same by the same estimator"
    give_workload(monkeypatch, runs[0], "gpt-2")
    (row,) = unlike(differing(runs))
    assert row.name == "workload" and row.values == ("gpt-2 v1", "none") and row.telling, "an engine without that input"
    Run.objects.filter(pk=runs[1].pk).update(engine="toy")
    runs[1].refresh_from_db()
    runs[1].inputs.create(slot="workload", kind="workload", slug="copy", version=4, content={}, content_hash="a" * 64)
    assert unlike(differing(runs)) == [], "the same content under another name"

    cost = ToyEngine
    monkeypatch.setattr(cost, "estimator", lambda self, problem: (f"by {problem.params.steps} steps", "fitted"))
    monkeypatch.setattr(cost, "model", lambda self, problem: "toy net" if problem.params.steps == 2 else "")
    rows = {row.name: row.values for row in unlike(differing(runs))}
    assert rows == {"estimator": ("by 2 steps", "by 3 steps"), "model": ("toy net", "of its workload")}
    runs[1].engine_version += 1
    rows = {row.name: row.values for row in unlike(differing(runs))}
    assert rows["estimator"][1] == "of toy v2, not installed any more"


def test_documents_of_one_name_and_other_content_differ(people: People, runs: list[Any]) -> None:
    for run, digit in zip(runs, "ab", strict=True):
        run.inputs.create(slot="hardware", kind="hardware", slug="mine", version=1, content={}, content_hash=digit * 64)
        run.inputs.create(slot="workload", kind="workload", slug="same", version=1, content={}, content_hash="c" * 64)
    rows = {row.name: row.values for row in differing(runs)}
    assert rows["hardware"] == ("mine v1 (aaaaaaaa)", "mine v1 (bbbbbbbb)")
    assert "workload" not in rows
