"""Signing in and out stands in the change log."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.support.stored_runs import People, make_people
from webapp.changes.models import Change
from webapp.changes.service import ChangeQuery, visible_changes

pytestmark = pytest.mark.django_db
SIGN_IN = {"username": "ann", "password": "a-long-enough-word"}


@pytest.fixture
def people(db: Any) -> People:
    cache.clear()
    found = make_people()
    found.owner.set_password(SIGN_IN["password"])
    found.owner.save()
    return found


def told(verb: str) -> list[tuple[str, str]]:
    return list(Change.objects.filter(verb=verb).values_list("who", "object_repr"))


def test_signing_in_and_out_is_told_to_the_person_and_to_nobody_else(people: People) -> None:
    client = Client(REMOTE_ADDR="192.0.2.9", HTTP_USER_AGENT="Firefox")
    client.post("/accounts/login/", SIGN_IN)
    client.post("/accounts/logout/")
    assert told("signed-in") == told("signed-out") == [("ann", "ann")]
    entry = Change.objects.get(verb="signed-in")
    assert entry.changes == {"address": ["", "192.0.2.9"], "browser": ["", "Firefox"]} and entry.project is None
    assert visible_changes(people.owner, ChangeQuery(verb="signed-in")).count() == 1
    for person in (people.editor, people.viewer, people.stranger):
        assert not visible_changes(person, ChangeQuery(verb="signed-in")).exists()


def test_a_wrong_password_is_told_and_what_was_typed_is_not(people: People) -> None:
    Client().post("/accounts/login/", {"username": "ann", "password": "wrong-horse"})
    Client().post("/accounts/login/", {"username": "correct-battery", "password": "x"})
    assert sorted(told("refused")) == [("", "a name that no account has"), ("", "ann")]
    rows = repr(list(Change.objects.filter(verb="refused").values()))
    assert "wrong-horse" not in rows and "correct-battery" not in rows
    assert not visible_changes(people.owner, ChangeQuery(verb="refused")).exists(), "administrators see these"


def test_an_administrator_sees_them_in_the_admin(people: People, admin_client: Client) -> None:
    Client(REMOTE_ADDR="192.0.2.9").post("/accounts/login/", {"username": "nobody", "password": "x"})
    page = admin_client.get("/admin/changes/change/?verb__exact=refused").content.decode()
    assert "a name that no account has" in page
    entry = Change.objects.get(verb="refused")
    assert "192.0.2.9" in admin_client.get(f"/admin/changes/change/{entry.pk}/change/").content.decode()


def test_thousands_of_guesses_do_not_fill_the_log(people: People) -> None:
    for _ in range(33):
        Client(REMOTE_ADDR="192.0.2.9").post("/accounts/login/", {"username": "nobody", "password": "x"})
    Client(REMOTE_ADDR="192.0.2.10").post("/accounts/login/", {"username": "nobody", "password": "x"})
    assert Change.objects.filter(verb="refused").count() == 31
