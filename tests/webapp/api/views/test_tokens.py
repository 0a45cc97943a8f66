"""The token page, and tokens at work."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.tokens_for_tests import PAGE, make, status
from webapp.api.models import ApiToken
from webapp.api.tokens import make_token


def test_it_asks_to_sign_in(db: None) -> None:
    answer = Client().get(PAGE)
    assert answer.status_code == 302 and answer.headers["Location"] == f"/accounts/login/?next={PAGE}"


def test_it_shows_a_token_once(people: People) -> None:
    client, text = make(people)
    assert text not in client.get(PAGE).content.decode()
    stored = ApiToken.objects.get()
    assert text not in (stored.digest, stored.hint) and text.startswith(stored.hint)


def test_one_may_have_several_and_end_one(people: People) -> None:
    _, first = make(people)
    client, second = make(people, "Cluster")
    assert (status(first), status(second)) == (200, 200)
    page = client.get(PAGE).content.decode()
    assert "Laptop" in page and "Cluster" in page
    client.post(PAGE, {"action": "end", "token": ApiToken.objects.get(name="Laptop").pk})
    assert (status(first), status(second)) == (401, 200)


@pytest.mark.parametrize("number", ["", "x", "0", "99999999999999999999", "somebody else's"])
def test_it_ends_nothing_else(people: People, number: str) -> None:
    other, _ = make_token(people.stranger, "Laptop")
    client, text = make(people)
    wanted = str(other.pk) if number == "somebody else's" else number
    assert client.post(PAGE, {"action": "end", "token": wanted}).status_code == 404
    assert status(text) == 200 and ApiToken.objects.count() == 2


def test_it_says_what_is_wrong_beside_the_field(people: People) -> None:
    client, _ = make(people)
    wrong = {"name": "Laptop", "scope": "all", "project": "nowhere", "days": "90"}
    assert "Select a valid choice" in client.post(PAGE, wrong).content.decode()
    again = client.post(PAGE, {"name": " Laptop ", "scope": "read", "days": "90"}).content.decode()
    assert "a name that none of your tokens has" in again and ApiToken.objects.count() == 1


def test_it_sees_what_its_user_sees(people: People, run: Any) -> None:
    _, text = make(people)
    assert APIClient().get(f"/api/v1/runs/{run.pk}/", headers={"Authorization": f"Token {text}"}).status_code == 200
    _, stranger = make_token(people.stranger, "Laptop")
    assert APIClient().get(f"/api/v1/runs/{run.pk}/", headers={"Authorization": f"Token {stranger}"}).status_code == 404
