"""Planning, starting, listing, stopping and continuing runs."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.support.stored_runs import People, finished_run
from webapp.runs.models import Run

URL = "/api/v1/runs/"
PROBLEM = {"engine": "toy", "params": {"steps": 4}, "seed": 7}


def test_it_plans_without_storing(client: APIClient) -> None:
    answer = client.post("/api/v1/plan/", PROBLEM, format="json").json()
    assert (answer["evaluations"], answer["determinism"], answer["bounds"]) == (
        16,
        "exact",
        [{"column": "energy_j", "title": "Least energy", "value": 1.0, "unit": "J", "reached": False}],
    )
    assert not Run.objects.exists()


@pytest.mark.parametrize("url", ["/api/v1/plan/", URL])
def test_it_names_the_wrong_parameter(client: APIClient, url: str) -> None:
    answer = client.post(url, {"engine": "toy", "params": {"steps": 0}}, format="json")
    assert answer.status_code == 400
    body = answer.json()
    assert (body["field"], body["got"], body["accepted"]) == ("params.steps", 0, "greater than or equal to 1")
    assert body["message"] == "params.steps: must be greater than or equal to 1. Got 0 instead."
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ([1, 2], "problem"),
        ({"engine": "nonsense"}, "engine"),
        ({"engine": ["toy"]}, "engine"),
        ({"engine": "toy", "seed": -1}, "seed"),
        ({"engine": "toy", "seed": 10**30}, "seed"),
        ({"engine": "toy", "inputs": {"weights": "no-such"}}, "inputs.weights"),
        ({"engine": "toy", "inputs": {"nonsense": "x"}}, "inputs.nonsense"),
        ({"engine": "toy", "inputs": ["x"]}, "inputs"),
        ({"engine": "toy", "params": [1]}, "params"),
        ({"engine": "toy", "surprise": 1}, "surprise"),
        ({"engine": "toy", "title": "a\0b"}, "title"),
        ({"engine": "toy", "inputs": {"weights": {"slug": "x", "version": "abc"}}}, "inputs.weights.version"),
        ({"engine": "toy", "inputs": {"weights": "a\0b"}}, "inputs.weights"),
        ({"engine": "toy", "parent": "x"}, "parent"),
    ],
)
def test_it_names_the_wrong_field(client: APIClient, body: Any, field: str) -> None:
    answer = client.post(URL, body, format="json")
    assert (answer.status_code, answer.json().get("field")) == (400, field)


def test_it_refuses_what_is_no_json(client: APIClient) -> None:
    deep = client.post(URL, "[" * 100_000, content_type="application/json")
    assert deep.status_code == 400 and "nested" in deep.json()["message"]
    half = client.post(URL, '{"engine": "toy", "title": "\\ud800"}', content_type="application/json")
    assert (half.status_code, half.json()["field"]) == (400, "title")
    answer = client.post(URL, "{", content_type="application/json")
    assert answer.status_code == 400 and "JSON" in answer.json()["message"]
    assert client.post(URL, "engine: &a toy\nx: *a", content_type="application/yaml").json()["field"] == "document"


def test_it_starts_a_run(client: APIClient, people: People) -> None:
    answer = client.post(URL, {**PROBLEM, "title": "First", "project": "lab"}, format="json")
    assert answer.status_code == 201
    body = answer.json()
    assert (body["status"], body["title"], body["project"], body["owner"]) == ("queued", "First", "lab", "ann")
    assert body["params"]["steps"] == 4 and body["problem"]["seed"] == 7 and body["plan"]["evaluations"] == 16
    assert Run.objects.get(pk=body["id"]).project == people.project


def test_it_starts_from_yaml_and_from_a_parent(client: APIClient, run: Run) -> None:
    text = client.get(f"{URL}{run.pk}/problem.yaml").content.decode()
    body = client.post(URL, f"{text}\nparent: {run.pk}\n", content_type="application/yaml").json()
    assert (body["parent"], body["problem_hash"]) == (run.pk, run.problem_hash)


def test_it_does_not_start_from_a_foreign_parent(client: APIClient, run: Run, people: People) -> None:
    client.force_login(people.stranger)
    assert client.post(URL, {**PROBLEM, "parent": run.pk}, format="json").status_code == 404


def test_it_lists_and_filters(client: APIClient, run: Run) -> None:
    waiting = client.post(URL, PROBLEM, format="json").json()["id"]
    everything = client.get(URL).json()
    assert everything["count"] == 2
    assert {entry["id"] for entry in everything["results"]} == {run.pk, waiting}
    ids = {
        name: [entry["id"] for entry in client.get(URL, query).json()["results"]]
        for name, query in {
            "done": {"status": "done"}, "two": {"status": "done,queued"}, "engine": {"engine": "scar"},
            "project": {"project": "lab"}, "outcome": {"outcome": "feasible"},
        }.items()
    }  # fmt: skip
    assert ids["done"] == ids["project"] == ids["outcome"] == [run.pk]
    assert ids["engine"] == [] and len(ids["two"]) == 2


def test_it_lists_only_ones_own_on_demand(client: APIClient, run: Run, people: People) -> None:
    client.force_login(people.viewer)
    assert client.get(URL).json()["count"] == 1
    assert client.get(URL, {"mine": "1"}).json()["count"] == 0
    assert client.get(URL, {"mine": "maybe"}).json()["field"] == "mine"


def test_it_refuses_unknown_statuses(client: APIClient) -> None:
    answer = client.get(URL, {"status": "finished"})
    assert answer.status_code == 400
    assert answer.json()["accepted"] == "one of queued, running, stopped, done, failed, importing"


def test_it_pins_the_queries_of_the_list(client: APIClient, people: People, django_assert_num_queries: Any) -> None:
    for _ in range(3):
        finished_run(people, steps=1)
    with django_assert_num_queries(6):  # session, user, count, numbers of the page, page with project and owner, inputs
        assert client.get(URL).json()["count"] == 3


def test_it_shows_progress_and_outcome(client: APIClient, run: Run) -> None:
    body = client.get(f"{URL}{run.pk}/").json()
    assert (body["fraction"], body["evaluations"], body["design_count"], body["outcome"]) == (1.0, 12, 12, "feasible")
    assert body["metrics"]["latency_s"] > 0


def test_it_stops_a_waiting_run(client: APIClient) -> None:
    number = client.post(URL, PROBLEM, format="json").json()["id"]
    assert client.patch(f"{URL}{number}/", {"wish": "stop"}, format="json").json()["status"] == "stopped"
    again = client.post(f"{URL}{number}/continue/")
    assert again.status_code == 200
    assert again.json()["run"]["status"] == "queued" and again.json()["from_step"] == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "wish"),
        ({"wish": "run"}, "wish"),
        ({"wish": "stop", "status": "done"}, "status"),
        ({"status": "done"}, "status"),
    ],
)
def test_it_changes_nothing_else(client: APIClient, run: Run, body: dict[str, str], field: str) -> None:
    answer = client.patch(f"{URL}{run.pk}/", body, format="json")
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    run.refresh_from_db()
    assert run.status == "done"


def test_it_does_not_continue_a_finished_run(client: APIClient, run: Run) -> None:
    answer = client.post(f"{URL}{run.pk}/continue/")
    assert answer.status_code == 409
    assert "stopped or failed" in answer.json()["message"]


def test_it_answers_unknown_addresses_in_json(client: APIClient) -> None:
    for address in ("/api/v1/nonsense/", "/api/v1/runs/12345678901234567890123/", "/api/v1/runs/999999/"):
        answer = client.get(address)
        assert answer.status_code == 404 and answer.json()["message"]


def test_a_run_takes_a_time_limit_and_goes_on_with_more_minutes(client: APIClient) -> None:
    refused = client.post("/api/v1/runs/", {"engine": "toy", "stop_after_minutes": -1}, format="json")
    assert refused.status_code == 400 and refused.json()["field"] == "stop_after_minutes"
    run = client.post("/api/v1/runs/", {"engine": "toy", "stop_after_minutes": 10}, format="json").json()
    assert (run["stop_after_minutes"], run["time_limit_reached"], run["computed_s"]) == (10.0, False, 0.0)
    address = f"/api/v1/runs/{run['id']}/"
    Run.objects.filter(pk=run["id"]).update(status="stopped", computed_s=600.0)
    assert client.get(address).json()["time_limit_reached"] is True
    wrong = client.post(f"{address}continue/", {"more_minutes": "soon"}, format="json")
    assert wrong.status_code == 400 and wrong.json()["field"] == "more_minutes"
    assert (
        client.post(f"{address}continue/", {"more_minutes": 5}, format="json").json()["run"]["stop_after_minutes"] == 15
    )
    Run.objects.filter(pk=run["id"]).update(status="stopped")
    unlimited = client.post(f"{address}continue/", {"more_minutes": None}, format="json").json()
    assert unlimited["run"]["stop_after_minutes"] is None
