"""What is refused before anything reads it, and in which words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from psycopg_pool import PoolTimeout

from engines.exchange.bundle import MAX_BUNDLE_BYTES
from webapp.site import error_pages
from webapp.site.request_limits import AWAY_S, CALLBACK_BYTES, FORM_BYTES, RequestLimitsMiddleware, most_bytes

FORM = "multipart/form-data; boundary=x"


class Unreadable:
    """A body that nobody may read."""

    def read(self, *size: int) -> bytes:
        raise AssertionError("the body was read")

    readline = read


def ask(path: str, **facts: Any) -> HttpResponse:
    """A request with a body that must not be read."""
    request = RequestFactory().generic(facts.pop("method", "POST"), path, **facts)
    request._read_started = False
    request._stream = Unreadable()
    found = RequestLimitsMiddleware(lambda request: HttpResponse("passed"))(request)
    assert isinstance(found, HttpResponse)
    return found


@pytest.mark.parametrize(
    ("path", "content_type", "length"),
    [
        ("/accounts/login/", FORM, 600_000_000),
        ("/accounts/login/", FORM, FORM_BYTES + 1),
        ("/_dash-update-component", FORM, FORM_BYTES + 1),
        ("/_dash-update-component", "application/json", 21_000_000),
        ("/_dash-update-component", "application/json", CALLBACK_BYTES + 1),
        ("/api/v1/runs/", FORM, FORM_BYTES + 1),
        ("/api/v1/runs/", "application/json", 21_000_000),
        ("/api/v1/runs/import/", FORM, MAX_BUNDLE_BYTES + FORM_BYTES + 1),
        ("/anything", "text/plain", FORM_BYTES + 1),
        ("/accounts/login/", FORM, -1),
    ],
)
def test_a_body_that_is_too_large_is_not_read(path: str, content_type: str, length: int) -> None:
    answer = ask(path, CONTENT_TYPE=content_type, CONTENT_LENGTH=str(length))
    assert answer.status_code == 413 and b"body" in answer.content


def test_a_body_without_a_length_is_not_read() -> None:
    answer = ask("/api/v1/runs/", HTTP_TRANSFER_ENCODING="chunked")
    assert answer.status_code == 411 and json.loads(answer.content)["field"] == "body"


def test_what_is_within_its_limit_passes() -> None:
    for path, content_type in (
        ("/api/v1/runs/import/", FORM),
        ("/accounts/login/", FORM),
        ("/", ""),
        ("/_dash-update-component", "application/json"),
    ):
        answer = ask(path, CONTENT_TYPE=content_type, CONTENT_LENGTH=str(most_bytes(path, content_type)))
        assert answer.content == b"passed"


@pytest.mark.parametrize("path", ["/api/v1/runs/?engine=%00", "/api/v1/runs/?project=a&project=b%00", "/api/%00/"])
def test_an_address_with_nul_is_refused_with_its_field(path: str) -> None:
    answer = ask(path, method="GET")
    facts = json.loads(answer.content)
    assert answer.status_code == 400 and facts["field"] in ("engine", "project", "address")


def test_a_cookie_with_nul_is_refused() -> None:
    assert ask("/", method="GET", HTTP_COOKIE='sessionid="a\\000b"').status_code == 400


@pytest.mark.django_db
def test_an_api_view_that_fails_answers_in_json(monkeypatch: pytest.MonkeyPatch, django_user_model: Any) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(django_user_model.objects.create_user("ann"))
    monkeypatch.setattr("webapp.api.views.engines.engine_names", lambda: 1 / 0)
    answer = client.get("/api/v1/engines/")
    assert answer.status_code == 500 and answer.json()["message"]
    assert Client(enforce_csrf_checks=True).post("/api/none/").json()["message"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/engines/", "/_dash-layout", "/accounts/token/"])
def test_a_database_that_is_away_is_503_and_says_when_to_try_again(
    path: str, monkeypatch: pytest.MonkeyPatch, django_user_model: Any
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(django_user_model.objects.create_user("ann"))

    def away(*values: Any) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("webapp.site.sessions.SessionStore.load", away)
    answer = client.get(path)
    assert answer.status_code == 503 and int(answer.headers["Retry-After"]) > 0
    if path != "/accounts/token/":
        assert "database" in answer.json()["message"]


def test_while_the_database_is_away_one_request_at_a_time_looks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, asked = [100.0], []

    def away(request: Any) -> HttpResponse:
        asked.append(request.path_info)
        error = OperationalError("no connection")
        error.__cause__ = PoolTimeout()
        return error_pages.unavailable(request, error) if clock[0] < 105 else HttpResponse("here")

    site = RequestLimitsMiddleware(away)

    def status(path: str = "/api/v1/runs/") -> int:
        return site(RequestFactory().get(path)).status_code

    monkeypatch.setattr("webapp.site.request_limits.time.monotonic", lambda: clock[0])
    assert [status() for _ in range(5)] == [503] * 5 and len(asked) == 1
    assert [status(path) for path in ("/assets/base.css", "/favicon.ico")] == [503] * 2
    assert len(asked) == 3, "goes on to where files are served"
    clock[0] += AWAY_S
    assert status() == 503 and len(asked) == 4
    clock[0] = 106.0
    assert [status() for _ in range(3)] == [200] * 3


def test_a_database_that_is_locked_keeps_nobody_else_out() -> None:
    site = RequestLimitsMiddleware(lambda request: error_pages.unavailable(request, OperationalError("locked")))
    site(RequestFactory().get("/"))
    assert site._look_again is None
