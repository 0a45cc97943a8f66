"""What other sites make a browser do, and what somebody who knows a session or an address can make of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.frontend.test_permission_matrix import SITE
from tests.webapp.api.test_permissions import CASES, KNOWN, RUN_URLS
from tests.webapp.site.pages_for_tests import PASSWORD

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"
CHANGING = [(name, method, converters) for name, method, converters in CASES if method != "get"]
# Addresses of another machine, as browsers read them: backslashes are slashes, and white space at the front is left out.
ELSEWHERE = [
    "https://evil.example/", "http://evil.example/", "//evil.example/", "///evil.example/", "/\\evil.example/", "\\\\evil.example/",
    "https:evil.example", "https:/evil.example", "javascript:alert(1)", "data:text/html,x", " //evil.example/", "\t//evil.example/",
    "http://testserver@evil.example/", "http://testserver.evil.example/", "//evil.example\\@testserver/",
]  # fmt: skip


@pytest.fixture
def person(ann: Any) -> Client:
    """Somebody's browser, in which another site sends requests: with the session, without the token of a page."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    return client


def posted_to(entries: list[Any]) -> Iterator[str]:
    """Names of the addresses outside of REST and the admin that take forms."""
    for entry in entries:
        if isinstance(entry, URLResolver) and str(entry.pattern) not in ("admin/", "api/v1/"):
            yield from posted_to(entry.url_patterns)
        elif isinstance(entry, URLPattern) and entry.name in SITE:
            yield entry.name


def test_every_form_needs_the_token_of_its_page(person: Client) -> None:
    names = set(posted_to(get_resolver().url_patterns))
    # They change nothing, whoever asks and however.
    reading = {"health", "livez", "readyz", "metrics", "api-unknown", "schema", "docs"}
    for name in sorted(names - reading):
        answer = person.post(SITE[name][0], {"username": "ann", "password": PASSWORD, "project": "x"})
        assert answer.status_code == 403, name
    assert {"login", "logout", "token", "account", "choose_project"} <= names - reading


@pytest.mark.parametrize(("name", "method", "converters"), CHANGING, ids=str)
def test_rest_needs_it_with_a_session(person: Client, name: str, method: str, converters: tuple[str, ...]) -> None:
    inner = {key: KNOWN.get(key, 1) for key in converters}
    outer = {"run_id": 1} if name in RUN_URLS else {}
    answer = getattr(person, method)(reverse(f"api:{name}", kwargs={**outer, **inner}), "{}", content_type="text/plain")
    assert answer.status_code == 403 and "CSRF" in answer.json()["detail"]


@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_callbacks_need_it(person: Client, kind: str) -> None:
    answer = person.post("/_dash-update-component", json.dumps({"output": "x"}), content_type=kind)
    assert answer.status_code == 403


def test_the_admin_needs_it(person: Client, ann: Any) -> None:
    type(ann).objects.update(is_staff=True, is_superuser=True)
    assert person.post("/admin/auth/user/add/", {"username": "eve"}).status_code == 403


def test_a_session_that_was_there_before_is_not_the_one_signed_in_with(ann: Any) -> None:
    """Whoever planted it would know it."""
    planted = Client()
    planted.get("/")
    planted.cookies[settings.SESSION_COOKIE_NAME] = "planted0123456789planted01234567"
    planted.post(LOGIN, {"username": "ann", "password": PASSWORD})
    key = planted.cookies[settings.SESSION_COOKIE_NAME].value
    assert key != "planted0123456789planted01234567" and key
    watching = Client()
    watching.cookies[settings.SESSION_COOKIE_NAME] = "planted0123456789planted01234567"
    assert watching.get("/accounts/account/").status_code == 302
    own = Client()
    own.force_login(ann)
    before = own.cookies[settings.SESSION_COOKIE_NAME].value
    other = type(ann).objects.create_user("bob", password=PASSWORD)
    own.post(LOGIN, {"username": other.username, "password": PASSWORD})
    assert own.cookies[settings.SESSION_COOKIE_NAME].value != before
    watching.cookies[settings.SESSION_COOKIE_NAME] = before
    assert watching.get("/accounts/account/").status_code == 302, "the session of before is over"


def test_signing_out_ends_the_session_itself(ann: Any) -> None:
    client, copy = Client(), Client()
    client.force_login(ann)
    copy.cookies[settings.SESSION_COOKIE_NAME] = client.cookies[settings.SESSION_COOKIE_NAME].value
    assert copy.get("/accounts/account/").status_code == 200
    client.post("/accounts/logout/")
    assert copy.get("/accounts/account/").status_code == 302


@pytest.mark.parametrize("target", ELSEWHERE)
def test_no_way_in_leads_to_another_machine(ann: Any, target: str, settings: Any) -> None:
    form = {"username": "ann", "password": PASSWORD, "next": target}
    assert Client().post(LOGIN, form).headers["Location"] == "/"
    assert Client().post(f"{LOGIN}?next={target}", {**form, "next": ""}).headers["Location"] == "/"
    settings.PARETOSCOPE_SIGN_UP = "OPEN"
    cache.clear()  # ten new accounts an hour
    words = {"password1": "a-long-enough-word", "password2": "a-long-enough-word"}
    new = {"username": "new", "email": "new@example.org", **words, "next": target}
    assert Client().post("/accounts/sign_up/", new).headers["Location"] == "/"


@pytest.mark.parametrize(
    "came_from",
    [
        *ELSEWHERE,
        "http://testserver//evil.example/",
        "http://testserver/\\evil.example/",
        "http://testserver///evil.example/",
    ],
)
def test_the_way_back_leads_to_no_other_machine(ann: Any, came_from: str) -> None:
    client = Client()
    client.force_login(ann)
    project = ann.personal_project.slug
    answer = client.post("/accounts/project/", {"project": project}, headers={"Referer": came_from})
    where = answer.headers["Location"]
    assert where.startswith("/") and where[1:2] not in ("/", "\\"), where


@pytest.mark.parametrize("path", ["/", LOGIN, "/livez", "/api/v1/engines/", "/accounts/password_reset/", "/nowhere/"])
def test_a_host_that_is_none_of_ours_is_refused(path: str) -> None:
    for host in ("evil.example", "testserver.evil.example", "testserver@evil.example", "testserver:80/evil", "a b"):
        answer = Client(HTTP_HOST=host).get(path)
        assert answer.status_code == 400 and b"evil" not in answer.content, host
    forwarded = Client().get(path, headers={"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"})
    assert b"evil.example" not in forwarded.content and "evil.example" not in str(forwarded.headers)


@pytest.mark.parametrize(
    "path",
    ["/", LOGIN, "/runs/1", "/accounts/account/", "/accounts/token/", "/api/docs/", "/api/v1/engines/", "/api/v1/none/", "/admin/",
     "/nowhere/", "/accounts/none/", "/livez", "/shared/guess/", "/invitations/guess/"],
)  # fmt: skip
def test_no_other_site_shows_a_page_in_a_frame(ann: Any, path: str) -> None:
    type(ann).objects.update(is_staff=True, is_superuser=True)
    signed_in = Client()
    signed_in.force_login(ann)
    for client in (signed_in, Client()):
        headers = client.get(path).headers
        assert headers["X-Frame-Options"] == "DENY", path
        if headers["Content-Type"].startswith("text/html"):
            assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], path
