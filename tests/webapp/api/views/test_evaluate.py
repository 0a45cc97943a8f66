"""Designs of one's own over REST."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from engines.contract.errors import BusyError
from engines.contract.quantities import Quantity
from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from tests.webapp.api.views.evaluations_for_tests import GOOD
from webapp.runs.models import Run
from webapp.runs.results import evaluation, readers


def _post(client: APIClient, run: Run, body: Any) -> Any:
    return client.post(f"/api/v1/runs/{run.pk}/evaluate/", body, format="json")


def test_it_scores_stored_and_own_decisions_alike(client: APIClient, run: Run) -> None:
    stored, table = readers.load_decision(run, 5), readers.load_designs(run)
    answer = _post(client, run, {"decisions": [stored, GOOD]})
    assert answer.status_code == 200
    body = answer.json()
    assert (body["run"], body["count"], body["decision"]) == (run.pk, 2, [stored, GOOD])
    columns = {column["name"]: column for column in body["columns"]}
    assert list(columns) == ["latency_s", "energy_j", "spread"]
    assert columns["energy_j"]["values"] == [table.columns["energy_j"][5], 2.25]
    assert (columns["latency_s"]["unit"], columns["latency_s"]["values"][1]) == ("s", 1.5)
    assert (body["feasible"], body["broken"]) == ([True, True], [[], []])
    assert run.design_count == Run.objects.get(pk=run.pk).design_count  # nothing was stored


def test_it_names_the_limits_that_are_broken(client: APIClient, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = Quantity("spread", "Limit slack", "", "none", "constraint")
    monkeypatch.setattr(evaluation, "broken_limits", lambda _quantities, designs: [(), (limit,)])
    body = _post(client, run, {"decisions": [GOOD, GOOD]}).json()
    assert (body["feasible"], body["broken"]) == ([True, False], [[], ["spread"]])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ([], "decisions"),
        ({}, "decisions"),
        ({"decisions": []}, "decisions"),
        ({"decisions": "x"}, "decisions"),
        ({"decisions": [GOOD], "seed": 1}, "seed"),
        ({"decisions": [GOOD, 3]}, "decisions.1"),
        ({"decisions": [GOOD, {"x": [0, 0, 2]}]}, "decisions.1.x"),
        ({"decisions": [GOOD] * 101}, "decisions"),
    ],
)
def test_it_names_the_decision_and_the_field(client: APIClient, run: Run, body: Any, field: str) -> None:
    answer = _post(client, run, body)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_it_is_for_all_who_see_the_run(people: People, run: Run) -> None:
    assert _post(client_of(people.viewer), run, {"decisions": [GOOD]}).status_code == 200
    assert _post(client_of(people.stranger), run, {"decisions": [GOOD]}).status_code == 404
    assert _post(client_of(None), run, {"decisions": [GOOD]}).status_code == 401


def test_it_says_that_others_are_at_work(client: APIClient, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: Any) -> None:
        raise BusyError("decisions")

    monkeypatch.setattr(evaluation, "evaluate_in_child", busy)
    answer = _post(client, run, {"decisions": [GOOD]})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Try again in 5 s" in answer.json()["message"]
