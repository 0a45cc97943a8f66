"""The token page, and tokens at work."""

from __future__ import annotations

from typing import Any

from django.test import Client
from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.tokens_for_tests import PAGE, make, status
from webapp.api.models import ApiToken


def test_it_asks_to_sign_in(db: None) -> None:
    answer = Client().get(PAGE)
    assert answer.status_code == 302 and answer.headers["Location"] == f"/accounts/login/?next={PAGE}"


def test_it_shows_a_token_once(people: People) -> None:
    client, text = make(people)
    assert text not in client.get(PAGE).content.decode()
    stored = ApiToken.objects.get()
    assert text not in (stored.digest, stored.hint) and text.startswith(stored.hint)


def test_it_replaces_the_token(people: People) -> None:
    _, first = make(people)
    client, second = make(people)
    assert (status(first), status(second)) == (401, 200)
    assert ApiToken.objects.count() == 1
    client.post(PAGE, {"action": "end"})
    assert status(second) == 401


def test_it_sees_what_its_user_sees(people: People, run: Any) -> None:
    _, text = make(people)
    assert APIClient().get(f"/api/v1/runs/{run.pk}/", headers={"Authorization": f"Token {text}"}).status_code == 200
    stranger = ApiToken.make(people.stranger)
    assert APIClient().get(f"/api/v1/runs/{run.pk}/", headers={"Authorization": f"Token {stranger}"}).status_code == 404
