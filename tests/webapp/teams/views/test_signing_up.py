"""Making an account."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.support.stored_runs import People
from tests.webapp.teams.views.cases import path_of
from webapp.teams.invitations import invite

pytestmark = pytest.mark.django_db


ACCOUNT = {
    "username": "new",
    "email": "new@example.org",
    "password1": "a-long-enough-word",
    "password2": "a-long-enough-word",
}


@pytest.fixture(autouse=True)
def _nobody_counted() -> None:
    cache.clear()


@pytest.mark.parametrize(
    ("setting", "without", "invited"), [("OFF", 404, 404), ("INVITED", 404, 200), ("OPEN", 200, 200)]
)
def test_who_may_make_an_account(people: People, settings: Any, setting: str, without: int, invited: int) -> None:
    settings.PARETOSCOPE_SIGN_UP = setting
    path = path_of(invite(people.owner, people.project, "new@example.org", "editor").address)
    client = Client()
    assert client.get("/accounts/sign_up/").status_code == without
    assert client.get("/accounts/sign_up/", {"next": "/invitations/guessed/"}).status_code == without
    page = client.get("/accounts/sign_up/", {"next": path})
    assert page.status_code == invited
    if invited == 200:
        assert "new@example.org" in page.content.decode()
        answer = client.post("/accounts/sign_up/", {**ACCOUNT, "next": path})
        assert (answer.status_code, answer.url) == (302, path)
        assert client.post(path).url == "/team/lab"


def test_an_account_leads_nowhere_else(settings: Any) -> None:
    settings.PARETOSCOPE_SIGN_UP = "OPEN"
    answer = Client().post("/accounts/sign_up/", {**ACCOUNT, "next": "https://example.org/"})
    assert answer.url == "/"
    short = Client().post(
        "/accounts/sign_up/", {**ACCOUNT, "username": "x", "password1": "a", "password2": "a", "email": ""}
    )
    assert short.status_code == 200 and short.content.decode().count('class="site-error"') >= 2
