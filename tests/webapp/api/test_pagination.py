"""Lists by page and by cursor."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from webapp.runs.models import Run


def _runs(client: APIClient, count: int) -> list[int]:
    return [client.post("/api/v1/runs/", {"engine": "toy"}, format="json").json()["id"] for _ in range(count)]


def _all(client: APIClient, address: str) -> list[int]:
    found: list[int] = []
    while address:
        page = client.get(address).json()
        assert page["count"] is None and len(page["results"]) <= 2
        found += [each["id"] for each in page["results"]]
        address = page["next"]
    return found


@pytest.mark.parametrize("at_once", [False, True], ids=["one after the other", "all at one time"])
def test_a_cursor_gives_everything_once(client: APIClient, at_once: bool) -> None:
    made = _runs(client, 5)
    if at_once:  # rows of one transaction have one time
        Run.objects.update(created=Run.objects.get(pk=made[0]).created)
    assert _all(client, "/api/v1/runs/?cursor=&page_size=2") == made[::-1]


def test_what_comes_in_meanwhile_moves_nothing(client: APIClient) -> None:
    made = _runs(client, 3)
    first = client.get("/api/v1/runs/?cursor=&page_size=2").json()
    _runs(client, 2)
    assert [each["id"] for each in client.get(first["next"]).json()["results"]] == made[:1]


def test_it_goes_back_and_filters(client: APIClient) -> None:
    made = _runs(client, 3)
    second = client.get(client.get("/api/v1/runs/?cursor=&page_size=2&status=queued").json()["next"]).json()
    assert [each["id"] for each in client.get(second["previous"]).json()["results"]] == made[:0:-1]
    assert client.get("/api/v1/runs/?cursor=&status=done").json()["results"] == []


def test_it_counts_only_by_number(client: APIClient) -> None:
    _runs(client, 1)
    with_count = client.get("/api/v1/runs/").json()
    assert with_count["count"] == 1 and client.get("/api/v1/studies/?cursor=").json()["count"] is None


@pytest.mark.parametrize("address", ["runs/?cursor=x", "studies/?cursor=%00", "documents/?cursor="])
def test_a_cursor_that_is_none_is_refused(client: APIClient, address: str) -> None:
    assert client.get(f"/api/v1/{address}").status_code in (400, 404)


@pytest.mark.parametrize(("query", "most"), [("", 2), ("&cursor=", 3)])
def test_what_is_on_a_page_is_decided_by_numbers_alone(client: APIClient, query: str, most: int) -> None:
    made = _runs(client, 3)
    with CaptureQueriesContext(connection) as queries:
        found = client.get(f"/api/v1/runs/?page_size=2{query}").json()["results"]
    assert [each["id"] for each in found] == made[:0:-1]
    deciding = [each["sql"] for each in queries if f"LIMIT {most}" in each["sql"]]
    assert deciding and all("JOIN" not in each for each in deciding)
