from __future__ import annotations

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from webapp.api.tokens import make_token

pytestmark = pytest.mark.django_db
NEW = {"url": "https://example.org/hook", "events": ["run.done", "study.done"], "project": "lab"}


def made(client: APIClient, **changed: Any) -> Any:
    return client.post("/api/v1/webhooks/", {**NEW, **changed}, format="json")


def test_a_program_makes_looks_after_and_ends_a_webhook(people: People) -> None:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {make_token(people.owner, 'Cluster')[1]}")
    answer = made(client)
    assert answer.status_code == 201 and answer.json()["secret"].startswith("whsec_")
    hook = answer.json()["webhook"]
    assert (hook["project"], hook["active"], hook["events"]) == ("lab", True, NEW["events"])
    place = f"/api/v1/webhooks/{hook['id']}/"
    assert client.get("/api/v1/webhooks/", {"project": "lab"}).json() == [hook] and client.get(place).json() == hook
    assert client.get("/api/v1/webhooks/").json() == [], "those of the own project"
    sent = client.post(f"{place}test/").json()
    assert (sent["status"], sent["event"]) == ("waiting", "ping") and json.loads(sent["body"])["id"] == sent[
        "identifier"
    ]
    assert client.get(f"{place}deliveries/").json() == [sent]
    assert client.post(f"{place}deliveries/{sent['id']}/send-again/").json()["identifier"] == sent["identifier"]
    changed = client.patch(place, {"active": False, "events": ["run.failed"]}, format="json").json()
    assert (changed["active"], changed["events"]) == (False, ["run.failed"])
    refused = client.post(f"{place}test/")
    assert refused.status_code == 400 and refused.json()["field"] == "active"
    assert client.delete(place).status_code == 204 and client.get(place).status_code == 404


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"url": "https://127.0.0.1/"}, "url"),
        ({"url": "http://example.org/"}, "url"),
        ({"url": 3}, "url"),
        ({"events": []}, "events"),
        ({"events": ["run.begun"]}, "events"),
        ({"events": "run.done"}, "events"),
        ({"secret": "mine"}, "secret"),
    ],
)
def test_what_is_wrong_is_named(people: People, changed: dict[str, Any], field: str) -> None:
    answer = made(client_of(people.owner), **changed)
    assert answer.status_code == 400 and answer.json()["field"] == field and answer.json()["accepted"]


def test_whether_there_is_one_is_not_told_to_strangers(people: People) -> None:
    place = f"/api/v1/webhooks/{made(client_of(people.owner)).json()['webhook']['id']}/"
    stranger = client_of(people.stranger)
    answers = [stranger.get(path) for path in (place, "/api/v1/webhooks/99999/")]
    assert [each.status_code for each in answers] == [404, 404]
    assert made(stranger).status_code == 404 and made(client_of(people.editor)).status_code == 403
