"""The page of an invitation."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from tests.support.stored_runs import People
from tests.webapp.teams.views.cases import path_of, signed_in
from webapp.teams.invitations import invite
from webapp.teams.permissions import role_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_counted() -> None:
    cache.clear()


def test_an_invitation_leads_from_the_link_into_the_project(people: People) -> None:
    path = path_of(invite(people.owner, people.project, "sam", "viewer").address)
    told = Client().get(path).content.decode()
    assert "Sign in to join" in told and "Make an account" not in told and "administrator" in told
    client = signed_in(people.stranger)
    assert "Join as sam" in client.get(path).content.decode()
    assert role_of(people.stranger, people.project) is None, "looking is not joining"
    answer = client.post(path)
    assert (answer.status_code, answer.url) == (302, "/team/lab")
    assert role_of(people.stranger, people.project) == "viewer"
    again = client.post(path)
    assert again.status_code == 410 and "accepted already" in again.content.decode()


def test_who_was_not_invited_is_told_for_whom_it_is(people: People) -> None:
    path = path_of(invite(people.owner, people.project, "sam", "viewer").address)
    client = signed_in(people.editor)
    page = client.get(path).content.decode()
    assert "for sam. You are signed in as eve" in page and "Join as" not in page
    assert client.post(path).status_code == 410 and Client().post(path).status_code == 200
    assert Client().get("/invitations/none/").status_code == 410


def test_links_cannot_be_guessed_quickly() -> None:
    client = Client(REMOTE_ADDR="192.0.2.7")
    for path in ("/invitations/guess/", "/shared/guess/"):
        codes = [client.get(path).status_code for _ in range(31)]
        assert codes[:30] == [410 if "invitations" in path else 404] * 30 and codes[30] == 429
    assert Client(REMOTE_ADDR="192.0.2.8").get("/shared/guess/").status_code == 404
