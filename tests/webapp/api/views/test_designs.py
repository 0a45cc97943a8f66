"""Designs as columns, the front, one design and its explanation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rest_framework.test import APIClient

from engines.contract.encoding.result_json import from_json
from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.results import Schedule
from engines.running.inspection import evaluate
from tests.webapp.api.views.cases import get
from webapp.runs.models import Run
from webapp.runs.results import readers


def test_it_gives_columns_with_units(client: APIClient, run: Run) -> None:
    body = get(client, run, "designs/")
    stored = readers.load_designs(run)
    assert (body["total"], body["count"], body["last_chunk"]) == (12, 12, 12)
    assert body["design"] == list(range(12)) and body["found_at_evaluation"] == list(range(1, 13))
    latency, energy, spread = body["columns"]
    assert (latency["name"], latency["unit"], latency["sense"], latency["role"]) == (
        "latency_s",
        "s",
        "minimise",
        "objective",
    )
    assert energy["values"] == stored.columns["energy_j"].tolist()
    assert spread["role"] == "metric"


@pytest.mark.parametrize(("first", "limit"), [(0, 3), (3, 4), (5, 6), (11, 5), (12, 5), (100, 1)])
def test_it_pages_across_chunks(client: APIClient, run: Run, first: int, limit: int) -> None:
    body = get(client, run, "designs/", first=first, limit=limit, columns="energy_j")
    expected = readers.load_designs(run).columns["energy_j"][first : first + limit].tolist()
    assert body["columns"][0]["values"] == expected and len(body["columns"]) == 1
    assert body["design"] == list(range(first, first + len(expected)))


def test_it_gives_only_what_is_newer(client: APIClient, run: Run) -> None:
    body = get(client, run, "designs/", after=8)
    assert (body["design"], body["last_chunk"]) == ([8, 9, 10, 11], 12)
    nothing = get(client, run, "designs/", after=12)
    assert (nothing["count"], nothing["last_chunk"], nothing["columns"][0]["values"]) == (0, 12, [])


def test_it_reads_only_the_chunks_of_the_page(client: APIClient, run: Run, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(6):  # session, user, run, schema, one chunk, is there another
        get(client, run, "designs/", first=4, limit=4)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": "0"}, "limit"),
        ({"limit": "20001"}, "limit"),
        ({"first": "-1"}, "first"),
        ({"columns": "nonsense"}, "columns"),
    ],
)
def test_it_refuses_other_queries(client: APIClient, run: Run, query: dict[str, str], field: str) -> None:
    answer = client.get(f"/api/v1/runs/{run.pk}/designs/", query)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_it_gives_the_front(client: APIClient, run: Run) -> None:
    body = get(client, run, "front/")
    table = readers.load_designs(run)
    mask = non_dominated(table.matrix(["latency_s", "energy_j"]), ["minimise", "minimise"])
    assert body["design"] == np.flatnonzero(mask).tolist() and 0 < body["count"] < 12
    assert body["columns"][0]["values"] == table.columns["latency_s"][mask].tolist()


def test_the_front_comes_page_by_page(client: APIClient, run: Run) -> None:
    whole = get(client, run, "front/")
    assert whole["front_count"] == whole["count"] >= 2
    first, rest = (client.get(f"/api/v1/runs/{run.pk}/front/", query).json() for query in ({"limit": 1}, {"first": 1}))
    assert first["design"] + rest["design"] == whole["design"] and first["front_count"] == whole["count"]
    refused = client.get(f"/api/v1/runs/{run.pk}/front/", {"limit": 20_001})
    assert (refused.status_code, refused.json()["field"]) == (400, "limit")


def test_it_gives_a_design_that_can_be_rebuilt(client: APIClient, run: Run) -> None:
    body = get(client, run, "design/7/")
    problem = readers.problem_of(run)
    again = evaluate(problem, [body["decision"]])
    assert {name: values[0] for name, values in again.columns.items()} == body["values"]
    assert (body["design"], body["found_at_evaluation"], body["origin"]) == (7, 8, "search")


def test_it_explains_a_design(client: APIClient, run: Run) -> None:
    results = [from_json(entry) for entry in get(client, run, "design/7/explain/")["results"]]
    schedule = next(result for result in results if isinstance(result, Schedule))
    assert schedule.bar_end_s.max() == get(client, run, "design/7/")["values"]["latency_s"]


@pytest.mark.parametrize(
    "rest", ["design/12/", "design/12/explain/", "schedule.json?design=12", "design/99999999999999999999/"]
)
def test_it_knows_no_other_designs(client: APIClient, run: Run, rest: str) -> None:
    answer = client.get(f"/api/v1/runs/{run.pk}/{rest}")
    assert answer.status_code == 404 and answer.json()["message"]


def test_it_serves_a_run_without_designs(client: APIClient) -> None:
    number = client.post("/api/v1/runs/", {"engine": "toy"}, format="json").json()["id"]
    run = Run.objects.get(pk=number)
    assert get(client, run, "designs/")["count"] == 0
    assert get(client, run, "front/")["design"] == []
