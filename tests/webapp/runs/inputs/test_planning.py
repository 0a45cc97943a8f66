"""Problems are loaded and planned in the web's process only where that is known to be quick."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from engines.contract.engine import Document
from engines.documents.builtin import builtin_documents, get_builtin
from engines.registry import get_engine
from engines.running.runner import limited_process
from frontend.pages.drafts import Draft
from frontend.pages.new.summary import judge
from tests.engines.methods.soc_mapping.problems import tiny_network
from tests.support.stored_runs import People, make_people
from webapp.catalogue.service import store_version
from webapp.runs import service
from webapp.runs.inputs import planning
from webapp.runs.inputs.documents import problem_from_document
from webapp.runs.inputs.planning import is_quick
from webapp.runs.inputs.problems import pinned_problem
from webapp.runs.results import readers

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> People:
    return make_people()


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    planning._plans.clear()
    yield
    planning._plans.clear()


@pytest.fixture
def heavy(people: People) -> dict[str, Any]:
    """A problem document whose network is larger than what is loaded in the web's process."""
    content = {**tiny_network(301).content, "slug": "long"}
    store_version(people.owner, people.project, "workload", content)
    return {"engine": "soc-mapping", "inputs": {"hardware": "jetson-agx-xavier", "workload": "long"}}


def test_what_comes_with_the_product_is_quick() -> None:
    for kind in ("hardware", "environment", "calibration", "data"):
        for slug, document in builtin_documents(kind).items():
            assert is_quick({kind: document}), slug
    for slug in ("mlperf-scenario-5", "xrbench-ar-assistant", "resnet50"):
        assert is_quick({"workload": get_builtin("workload", slug)}), slug


@pytest.mark.parametrize(("blocks", "quick"), [(300, True), (301, False)])
def test_written_networks_are_counted_however_often_they_stand_there(blocks: int, quick: bool) -> None:
    assert is_quick({"workload": tiny_network(blocks)}) is quick
    models = [{"network": dict(tiny_network(blocks // 2).content), "batch": 1}] * (2 if quick else 3)
    scenario = Document("workload", "s", 1, {"schema": "scenario/1", "models": models})
    assert is_quick({"workload": scenario}) is quick


def test_recordings_of_people_and_large_documents_are_left_to_the_child() -> None:
    data = get_builtin("data", next(iter(builtin_documents("data"))))
    assert not is_quick({"data": Document("data", "mine", 1, dict(data.content))})
    board = get_builtin("hardware", "jetson-agx-xavier")
    assert is_quick({"hardware": Document("hardware", "mine", 1, dict(board.content))})
    assert not is_quick({"hardware": Document("hardware", "mine", 1, {**board.content, "notes": "x" * 100_000})})


def test_a_large_problem_is_planned_once_in_a_child_and_started(people: People, heavy: dict[str, Any]) -> None:
    problem = problem_from_document(people.owner, heavy)
    assert not problem.values and len(planning._plans) == 1
    run = service.start(people.owner, heavy | {"seed": 5}, people.project)
    assert len(planning._plans) == 1
    assert run.seed == 5 and run.plan["evaluations"] == planning.plan_of(problem).evaluations
    assert not pinned_problem(run).values
    assert readers.problem_of(run).hash() == run.problem_hash


def test_a_busy_site_answers_503_with_a_time_to_come_back(
    people: People, heavy: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited_process, "_SLOTS", limited_process.FairSlots(slots=0))
    monkeypatch.setattr(limited_process, "_WAIT_S", 0.0)
    client = APIClient()
    client.force_login(people.owner)
    answer = client.post("/api/v1/plan/", heavy, format="json")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Try again in 5 s" in answer.json()["message"]
    study = {"title": "Busy", "engine": heavy["engine"], "inputs": heavy["inputs"], "seeds": [1, 2]}
    answer = client.post("/api/v1/studies/plan/", study, format="json")
    assert (answer.status_code, answer.get("Retry-After")) == (503, "5"), answer.json()
    draft = Draft("soc-mapping", heavy["inputs"])
    assert "Try again in 5 s" in judge(people.owner, draft, get_engine("soc-mapping")).other
    quick = {"engine": "soc-mapping", "inputs": {"hardware": "jetson-agx-xavier", "workload": "magnas-vig-s-gin"}}
    assert client.post("/api/v1/plan/", quick, format="json").status_code == 200
