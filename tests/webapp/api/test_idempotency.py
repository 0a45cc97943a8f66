"""A request with an `Idempotency-Key` starts one thing, however often it is sent."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from webapp.api.idempotency import KEPT
from webapp.api.models import StartedOnce
from webapp.runs import service
from webapp.runs.inputs import planning
from webapp.runs.models import Run
from webapp.studies.models import Study

RUNS, STUDIES = "/api/v1/runs/", "/api/v1/studies/"
PROBLEM = {"engine": "toy", "seed": 5}


def _post(client: APIClient, body: Any = None, key: str = "one", address: str = RUNS) -> Any:
    return client.post(address, body or PROBLEM, format="json", headers={"Idempotency-Key": key})


@pytest.mark.parametrize(("address", "model"), [(RUNS, Run), (STUDIES, Study)])
def test_the_same_request_starts_one_thing(client: APIClient, address: str, model: Any) -> None:
    first, again = (_post(client, {"engine": "toy"}, address=address) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["id"] == again.json()["id"] and model.objects.count() == 1
    assert "Idempotency-Replayed" not in first.headers and again.headers["Idempotency-Replayed"] == "true"
    assert _post(client, {"engine": "toy"}, key="two", address=address).json()["id"] != first.json()["id"]


def test_without_a_key_every_request_starts_one(client: APIClient) -> None:
    assert (
        client.post(RUNS, PROBLEM, format="json").json()["id"] != client.post(RUNS, PROBLEM, format="json").json()["id"]
    )
    assert not StartedOnce.objects.exists()


def test_another_body_or_address_is_refused(client: APIClient) -> None:
    _post(client)
    assert _post(client, {**PROBLEM, "seed": 6}).status_code == 422
    assert _post(client, address=STUDIES).status_code == 422 and Run.objects.count() == 1


def test_keys_of_others_are_others(client: APIClient, people: People) -> None:
    assert _post(client).json()["id"] != _post(client_of(people.editor)).json()["id"]


def test_what_was_refused_may_be_sent_again(client: APIClient) -> None:
    assert _post(client, {"engine": "toy", "seed": -1}).status_code == 400
    assert _post(client, {"engine": "toy", "seed": 1}).status_code == 201


def test_one_at_work_is_waited_for_and_one_that_is_gone_is_replaced(client: APIClient, people: People) -> None:
    _post(client)
    Run.objects.all().delete()
    StartedOnce.objects.update(made=None, since=timezone.now())
    at_work = _post(client)
    assert at_work.status_code == 409 and at_work.headers["Retry-After"] == "2" and not Run.objects.exists()
    StartedOnce.objects.update(since=timezone.now() - timedelta(minutes=11))
    assert _post(client).status_code == 201 and Run.objects.count() == 1


def test_one_that_is_gone_holds_nothing_up_after_the_clock_was_set_back(client: APIClient) -> None:
    _post(client)
    Run.objects.all().delete()
    StartedOnce.objects.update(made=None, since=timezone.now() + timedelta(hours=1))
    assert _post(client).status_code == 201 and Run.objects.count() == 1


def test_who_lost_the_key_stores_nothing(client: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another request takes over while the first is still planning."""

    def slow(problem: Any) -> Any:
        StartedOnce.objects.update(since=timezone.now() + timedelta(seconds=1))
        return planned(problem)

    planned = planning.plan_of
    monkeypatch.setattr(service, "plan_of", slow)
    assert _post(client).status_code == 409
    assert not Run.objects.exists() and StartedOnce.objects.count() == 1


def test_a_key_is_kept_for_a_day(client: APIClient) -> None:
    first = _post(client).json()["id"]
    StartedOnce.objects.update(since=timezone.now() - KEPT - timedelta(seconds=1))
    assert _post(client).json()["id"] != first


@pytest.mark.parametrize("key", ["", "x" * 201, "käse"])
def test_a_key_is_plain_text(client: APIClient, key: str) -> None:
    answer = _post(client, key=key)
    assert (answer.status_code, answer.json()["field"]) == (400, "Idempotency-Key")


def test_what_is_not_seen_any_more_is_not_replayed(client: APIClient) -> None:
    _post(client)
    Run.objects.all().delete()
    assert _post(client).status_code == 404
