"""Invitations and new passwords by a real mail server."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.support.mail_server import MailServer, mail_server
from tests.support.stored_runs import People
from webapp.site.environment import Environment
from webapp.teams.invitations import invite, open_invitations
from webapp.teams.mail import await_mails, mail_later
from webapp.teams.permissions import role_of

pytestmark = [pytest.mark.django_db, pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")]


@pytest.fixture(scope="module")
def running() -> Iterator[MailServer]:
    with mail_server() as found:
        yield found


@pytest.fixture
def server(running: MailServer, settings: Any) -> MailServer:
    """The site's settings as `EMAIL_URL` makes them."""
    cache.clear()
    running.received.clear()
    read = Environment({"EMAIL_URL": running.url}).mail("EMAIL_URL")
    for name, value in read.items():
        setattr(settings, name, value)
    settings.PARETOSCOPE_SENDS_MAIL = True
    return running


def link_in(server: MailServer) -> str:
    text = server.received[-1][1].get_content()  # type: ignore[attr-defined]
    found = re.search(r"https?://[^/\s]+(/\S+)", text)
    assert found is not None, text
    return found[1]


def test_an_invitation_arrives_and_its_link_leads_into_the_project(people: People, server: MailServer) -> None:
    people.stranger.email = "sam@example.org"
    people.stranger.save()
    made = invite(people.owner, people.project, "sam@example.org", "editor")
    assert made.mailed and not made.trouble
    ((address, message),) = server.received
    assert address == "sam@example.org" and "ann invites you" in message["Subject"]
    client = Client()
    client.force_login(people.stranger)
    assert client.post(link_in(server)).status_code == 302
    assert role_of(people.stranger, people.project) == "editor"


def test_an_invitation_that_cannot_be_mailed_stands_and_says_so(
    people: People, server: MailServer, settings: Any
) -> None:
    refused = invite(people.owner, people.project, server.refuses, "viewer")
    settings.EMAIL_HOST_PASSWORD = "wrong"
    locked_out = invite(people.owner, people.project, "sam@example.org", "viewer")
    settings.EMAIL_PORT = 1
    away = invite(people.owner, people.project, "eva@example.org", "viewer")
    for made in (refused, locked_out, away):
        assert not made.mailed and "send the link yourself" in made.trouble
    assert not server.received and open_invitations(people.project).count() == 3


def test_a_new_password_arrives_and_works_once(people: People, server: MailServer) -> None:
    people.owner.email = "ann@example.org"
    people.owner.save()
    assert Client().post("/accounts/password_reset/", {"email": "ann@example.org"}).status_code == 302
    assert await_mails()
    assert [address for address, _ in server.received] == ["ann@example.org"]
    client = Client()
    form = client.get(link_in(server)).url
    words = {"new_password1": "another-long-word", "new_password2": "another-long-word"}
    assert client.post(form, words).url == "/accounts/reset/done/"
    assert Client().post("/accounts/login/", {"username": "ann", "password": "another-long-word"}).status_code == 302


@pytest.mark.parametrize("new_password", [False, True])
def test_nobody_waits_for_a_mute_mail_server(
    people: People, settings: Any, caplog: pytest.LogCaptureFixture, new_password: bool
) -> None:
    people.owner.email = "ann@example.org"
    people.owner.save()
    with socket.create_server(("127.0.0.1", 0)) as mute:
        read = Environment({"EMAIL_URL": f"smtp://127.0.0.1:{mute.getsockname()[1]}"}).mail("EMAIL_URL")
        for name, value in read.items():
            setattr(settings, name, value)
        if new_password:
            assert Client().post("/accounts/password_reset/", {"email": "ann@example.org"}).status_code == 302
        else:
            mail_later("One", "Words", "ann@example.org")
        connection, _ = mute.accept()
        assert not await_mails(0.0), "it is being sent"
        connection.close()
    assert await_mails()
    assert "could not be sent (" in caplog.text


def test_an_address_that_no_server_takes_keeps_no_other_mail(server: MailServer) -> None:
    mail_later("One", "Words", server.refuses)
    mail_later("Two", "Words", "eva@example.org")
    assert await_mails()
    assert [address for address, _ in server.received] == ["eva@example.org"]
