"""What gives a run's figures is asked without loading large documents in the web's process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engines.contract.engine import Problem
from engines.running import inspection
from tests.engines.methods.soc_mapping.problems import tiny_network
from tests.support.stored_runs import People, make_people
from webapp.catalogue.service import store_version
from webapp.runs import service
from webapp.runs.inputs import estimators, problems
from webapp.runs.inputs.estimators import estimator_of
from webapp.runs.inputs.problems import read_problem
from webapp.runs.models import Run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    estimators._of_children.clear()
    yield
    estimators._of_children.clear()


def started(people: People, blocks: int) -> Run:
    """A run of a network of so many blocks."""
    content = {**tiny_network(blocks).content, "slug": "mine"}
    store_version(people.owner, people.project, "workload", content)
    document = {"engine": "soc-mapping", "inputs": {"hardware": "jetson-agx-xavier", "workload": "mine"}}
    return service.create(people.owner, document, people.project)


def test_a_large_problem_is_asked_once_in_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    run = started(make_people(), 301)
    asked = []
    ask, kept = estimators.estimator_in_child, problems.kept_problem

    def refuse(*arguments: Any, load: bool) -> Problem:
        assert not load, "a large document was loaded here"
        return kept(*arguments, load=load)

    monkeypatch.setattr(problems, "kept_problem", refuse)
    monkeypatch.setattr(estimators, "estimator_in_child", lambda problem: asked.append(problem) or ask(problem))
    found = estimator_of(run)
    assert estimator_of(Run.objects.get(pk=run.pk)) is found and len(asked) == 1
    monkeypatch.undo()
    assert found == inspection.estimator(read_problem(run))


def test_a_small_one_is_asked_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimators, "estimator_in_child", None)
    assert estimator_of(started(make_people(), 3)).words.startswith("roofline")
