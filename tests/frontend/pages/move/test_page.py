"""Moving and copying from the page, used as a browser uses it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.support.callbacks import ask, key_of, page_at
from tests.support.stored_runs import People, make_people
from webapp.items.registry import items
from webapp.runs.models import Run

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db: Any) -> People:
    return make_people()


@pytest.fixture
def run(people: People) -> Run:
    values = {"project": people.project, "owner": people.owner, "title": "x", "engine": "toy", "engine_version": 1}
    return Run.objects.create(**values, problem_hash="0" * 64, status="done")


def press(person: Any, run: Run, name: str, slug: str) -> str:
    client = Client()
    client.force_login(person)
    button = {"type": "move-action", "name": name, "kind": "run", "number": run.pk}
    patterns = {"move-action.n_clicks": [(button, 1)]}
    answer = ask(client, "move-content.children", {"move-project.value": slug}, patterns, key_of(button, "n_clicks"))
    assert answer.status_code == 200
    return json.dumps(answer.json(), ensure_ascii=False)


def test_a_run_is_copied_and_moved(people: People, run: Run) -> None:
    assert "was copied to vic's project" in press(people.viewer, run, "copy", "vic")
    assert "was moved to ann's project" in press(people.owner, run, "move", "ann")
    assert {each.project.slug for each in Run.objects.all()} == {"vic", "ann"}


def test_who_may_not_is_told_and_nothing_goes(people: People, run: Run) -> None:
    assert "needs the role maintainer" in press(people.viewer, run, "move", "vic")
    told = [
        press(people.stranger, each, "move", "sam").replace(f"run {each.pk} ", "run N ")
        for each in (run, Run(pk=99_999))
    ]
    assert told[0] == told[1] and "There is no run N here" in told[0]
    assert "already" in press(people.owner, run, "copy", "lab")
    assert Run.objects.get().project == people.project


@pytest.mark.parametrize("kind", items("movable"))
def test_each_kind_that_moves_says_what_goes_along(people: People, kind: str) -> None:
    names = {"title": "x", "slug": "x", "owner": people.owner, "kind": "hardware", "engine": "toy", "engine_version": 1}
    model = items()[kind].rows.model
    taken = {name: value for name, value in names.items() if name in {field.name for field in model._meta.fields}}
    needed = {"study": {"document": {}}, "comparison": {"entries": []}, "run": {"problem_hash": "0" * 64}}
    thing = model.objects.create(project=people.project, **taken, **needed.get(kind, {}))
    client = Client()
    client.force_login(people.owner)
    words = json.dumps(page_at(client, "/move", f"?kind={kind}&number={thing.pk}").json(), ensure_ascii=False)
    assert f"New project of the {kind} " in words and items()[kind].companions in words
