"""Invitations: once, until a day, for one person; by link, and by e-mail where the site sends any."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from tests.support.stored_runs import People
from webapp.teams.errors import InvitationError, TeamError
from webapp.teams.invitations import accept, find, invite, open_invitations, withdraw
from webapp.teams.models import Invitation
from webapp.teams.permissions import NotAllowed, NotVisible, role_of

pytestmark = pytest.mark.django_db


def secret_of(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def test_an_invitation_is_taken_once(people: People) -> None:
    made = invite(people.owner, people.project, "sam", "editor")
    secret = secret_of(made.address)
    assert secret not in str(Invitation.objects.values().get()) and not made.mailed
    assert accept(people.stranger, secret) == people.project
    assert role_of(people.stranger, people.project) == "editor"
    for person in (people.stranger, people.viewer):
        with pytest.raises(InvitationError, match="accepted already"):
            accept(person, secret)


def test_it_is_for_one_person(people: People, django_user_model: Any) -> None:
    people.stranger.email = "Sam@example.org"
    people.stranger.save()
    by_name = secret_of(invite(people.owner, people.project, "sam", "viewer").address)
    by_mail = secret_of(invite(people.owner, people.project, "sam@EXAMPLE.org", "viewer").address)
    other = django_user_model.objects.create_user("eva", email="eva@example.org")
    with pytest.raises(InvitationError, match=r"is for sam\. You are signed in as eva"):
        accept(other, by_name)
    with pytest.raises(InvitationError, match=r"whose e-mail address is eva@example\.org"):
        accept(other, by_mail)
    other.email = ""
    with pytest.raises(InvitationError, match="without an e-mail address"):
        accept(other, by_mail)
    accept(people.stranger, by_mail)
    assert role_of(people.stranger, people.project) == "viewer" and role_of(other, people.project) is None


def test_it_ends(people: People) -> None:
    secret = secret_of(invite(people.owner, people.project, "sam", "viewer", 1).address)
    find(secret)
    Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    with pytest.raises(InvitationError, match="ended on"):
        accept(people.stranger, secret)
    with pytest.raises(InvitationError, match="no such invitation"):
        find("guessed")


def test_another_one_for_the_same_person_ends_the_first(people: People) -> None:
    first = secret_of(invite(people.owner, people.project, "sam", "viewer").address)
    second = secret_of(invite(people.owner, people.project, "Sam", "editor").address)
    with pytest.raises(InvitationError, match="no such"):
        find(first)
    assert find(second).role == "editor"


def test_a_higher_role_stays(people: People) -> None:
    people.editor.email = "eve@example.org"  # not stored: the project cannot know that the address is a member's
    for role, after in (("viewer", "editor"), ("maintainer", "maintainer")):
        accept(people.editor, secret_of(invite(people.owner, people.project, people.editor.email, role).address))
        assert role_of(people.editor, people.project) == after


@pytest.mark.parametrize(
    ("whom", "role", "days", "words"),
    [("", "viewer", 7, "Say whom"), ("a@", "viewer", 7, "no e-mail address"), ("x", "admin", 7, "The role must be one of"),
     ("x", "viewer", 3, "1, 7, 30"), ("VIC", "viewer", 7, "member already"), ("x" * 255, "viewer", 7, "Say whom")],
)  # fmt: skip
def test_what_is_no_invitation_is_told(people: People, whom: str, role: str, days: int, words: str) -> None:
    with pytest.raises(TeamError, match=words):
        invite(people.owner, people.project, whom, role, days)
    assert not Invitation.objects.exists()


def test_maintainers_invite_and_withdraw_and_nobody_else(people: People) -> None:
    made = invite(people.owner, people.project, "sam", "viewer").invitation
    for person, error in ((people.editor, NotAllowed), (people.stranger, NotVisible)):
        with pytest.raises(error):
            invite(person, people.project, "sam", "viewer")
        with pytest.raises(error):
            withdraw(person, people.project, made.pk)
    withdraw(people.owner, people.project, made.pk)
    assert not open_invitations(people.project).exists()
    with pytest.raises(NotVisible):
        withdraw(people.owner, people.project, made.pk)


def test_it_is_mailed_where_the_site_sends_mail(people: People, settings: Any) -> None:
    settings.PARETOSCOPE_SENDS_MAIL = True
    made = invite(people.owner, people.project, "new@example.org", "viewer")
    assert made.mailed and mail.outbox[0].to == ["new@example.org"]
    assert made.address in mail.outbox[0].body and "ann invites you to Lab" in mail.outbox[0].subject


@pytest.mark.parametrize("sends", [True, False])
def test_the_link_works_without_mail(people: People, settings: Any, sends: bool) -> None:
    settings.PARETOSCOPE_SENDS_MAIL = sends
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # where nobody listens
    made = invite(people.owner, people.project, "new@example.org", "viewer")
    told = "send the link yourself" if sends else "pass the link on yourself"
    assert not made.mailed and told in made.trouble
    assert find(secret_of(made.address)) == made.invitation
