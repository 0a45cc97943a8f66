"""The token page, and tokens at work."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from tests.support.stored_runs import People
from webapp.api.models import ApiToken

PAGE = "/accounts/token/"


def _make(people: People) -> tuple[Client, str]:
    client = Client()
    client.force_login(people.owner)
    page = client.post(PAGE).content.decode()
    found = re.search(r"pts_[\w-]{40,}", page)
    assert found is not None
    return client, found.group()


def _status(text: str, keyword: str = "Token") -> int:
    return APIClient().get("/api/v1/engines/", headers={"Authorization": f"{keyword} {text}"}).status_code


def test_it_asks_to_sign_in(db: None) -> None:
    answer = Client().get(PAGE)
    assert answer.status_code == 302 and answer.headers["Location"] == f"/accounts/login/?next={PAGE}"


def test_it_shows_a_token_once(people: People) -> None:
    client, text = _make(people)
    assert text not in client.get(PAGE).content.decode()
    stored = ApiToken.objects.get()
    assert text not in (stored.digest, stored.hint) and text.startswith(stored.hint)


def test_it_lets_the_token_in(people: People) -> None:
    _, text = _make(people)
    assert (_status(text), _status(text, "Bearer"), _status(text, "token")) == (200, 200, 200)
    assert ApiToken.objects.get().last_used is not None


def test_it_replaces_the_token(people: People) -> None:
    _, first = _make(people)
    client, second = _make(people)
    assert (_status(first), _status(second)) == (401, 200)
    assert ApiToken.objects.count() == 1
    client.post(PAGE, {"action": "end"})
    assert _status(second) == 401


def test_it_refuses_other_tokens(people: People) -> None:
    _, text = _make(people)
    for wrong in ("", "pts_x", text[:-1], text + "x", text.upper()):
        assert _status(wrong) == 401
    answer = APIClient().get("/api/v1/engines/", headers={"Authorization": "Token pts_x"})
    assert answer.json()["message"].startswith("This token is not valid")
    assert answer.headers["WWW-Authenticate"].startswith("Token")
    people.owner.is_active = False
    people.owner.save()
    assert _status(text) == 401


def test_it_sees_what_its_user_sees(people: People, run: Any) -> None:
    _, text = _make(people)
    assert APIClient().get(f"/api/v1/runs/{run.pk}/", headers={"Authorization": f"Token {text}"}).status_code == 200
    stranger = ApiToken.make(people.stranger)
    assert APIClient().get(f"/api/v1/runs/{run.pk}/", headers={"Authorization": f"Token {stranger}"}).status_code == 404


def test_it_writes_the_use_at_most_once_a_minute(people: People, django_assert_num_queries: Any) -> None:
    token = ApiToken.find(ApiToken.make(people.owner))
    assert token is not None
    with django_assert_num_queries(1):
        token.note_use()
    token.refresh_from_db()
    with django_assert_num_queries(0):
        token.note_use()
    token.last_used = timezone.now() - timedelta(minutes=2)
    with django_assert_num_queries(1):
        token.note_use()


def test_a_session_needs_a_csrf_token(people: People) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(people.owner)
    answer = client.post("/api/v1/plan/", {"engine": "toy"}, format="json")
    assert answer.status_code == 403 and "CSRF" in answer.json()["message"]


def test_a_new_password_ends_the_token(people: People) -> None:
    _, text = _make(people)
    people.owner.save()
    assert _status(text) == 200
    people.owner.set_password("another long word")
    people.owner.save()
    assert _status(text) == 401 and not ApiToken.objects.exists()


def test_a_hash_that_is_made_anew_leaves_the_token(people: People, settings: Any) -> None:
    people.owner.set_password("a long word")
    people.owner.save()
    _, text = _make(people)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    assert people.owner.check_password("a long word") and people.owner.password.startswith("pbkdf2")
    assert _status(text) == 200


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Token pts_x"}], ids=["no token", "a wrong one"])
def test_requests_that_nobody_is_signed_in_for_are_counted(headers: dict[str, str], people: People) -> None:
    client = APIClient()
    codes = [client.get("/api/v1/engines/", headers=headers, REMOTE_ADDR="192.0.2.1").status_code for _ in range(61)]
    assert codes == [401] * 60 + [429]
    answer = client.get("/api/v1/engines/", headers=headers, REMOTE_ADDR="192.0.2.1")
    assert int(answer.headers["Retry-After"]) > 0 and answer.json()["message"]
    assert client.get("/api/v1/engines/", headers=headers, REMOTE_ADDR="192.0.2.2").status_code == 401
    spoofed = {**headers, "X-Forwarded-For": "192.0.2.3"}
    assert client.get("/api/v1/engines/", headers=spoofed, REMOTE_ADDR="192.0.2.1").status_code == 429


def test_the_address_is_the_one_that_the_proxy_saw(settings: Any, people: People) -> None:
    settings.PARETOSCOPE_PROXIES = 1
    client = APIClient()
    for number in range(61):
        headers = {"X-Forwarded-For": f"10.0.0.{number}, 192.0.2.1"}
        answer = client.get("/api/v1/engines/", headers=headers, REMOTE_ADDR="127.0.0.1")
    assert answer.status_code == 429
    other = {"X-Forwarded-For": "192.0.2.9"}
    assert client.get("/api/v1/engines/", headers=other, REMOTE_ADDR="127.0.0.1").status_code == 401
