"""Inviting people to a project by a link, which an e-mail may carry: once, until a day, for one person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from webapp.base.sub_path import absolute
from webapp.teams.errors import InvitationError, TeamError
from webapp.teams.mail import mail
from webapp.teams.models import Invitation, Membership, Project
from webapp.teams.permissions import LADDER, Action, NotVisible, Principal, Role, require
from webapp.teams.projects import is_key
from webapp.teams.secret_texts import digest_of, new_secret

DAYS = (1, 7, 30)
_LONGEST_NAME = 254
_UNKNOWN = "There is no such invitation. Ask for a new link."


@dataclass(frozen=True)
class NewInvitation:
    """An invitation that has just been made.

    Attributes:
        invitation: as stored.
        address: address of the link; the only time that it can be told.
        mailed: whether an e-mail carries it.
        trouble: why none does, "" where none was meant to.
    """

    invitation: Invitation
    address: str
    mailed: bool
    trouble: str = ""


def invite(person: Principal, project: Project, whom: str, role: str, days: int = 7) -> NewInvitation:
    """Invite a user; an older invitation of the same user to the project ends.

    Args:
        person: a maintainer.
        project: target project.
        whom: an e-mail address or the name of an account. Whether there is such an account is not told.
        role: role of the new member.
        days: out of `DAYS`, after which the link is over.

    Raises:
        NotVisible, NotAllowed: `person` is no maintainer.
        TeamError: no address, no such role or time, or they are a member already.
    """
    require(person, Action.MANAGE, project)
    whom = whom.strip()
    _check(project, whom, role, days)
    secret = new_secret()
    with transaction.atomic():
        open_invitations(project).filter(person__iexact=whom).delete()
        invitation = Invitation.objects.create(
            project=project,
            person=whom,
            role=role,
            made_by_id=int(person.pk or 0),
            digest=digest_of(secret),
            expires=timezone.now() + timedelta(days=days),
        )
    address = absolute(reverse("invitation", args=(secret,)))
    mailed, trouble = _mail(invitation, address) if "@" in whom else (False, "")
    return NewInvitation(invitation, address, mailed, trouble)


def open_invitations(project: Project) -> QuerySet[Invitation]:
    """Return the invitations that are still open, newest first; some may have expired."""
    return project.invitations.filter(accepted=None).select_related("made_by")


def withdraw(person: Principal, project: Project, number: Any) -> None:
    """End an open invitation.

    Raises:
        NotVisible, NotAllowed: `person` is no maintainer, or there is no such invitation.
    """
    require(person, Action.MANAGE, project)
    if not is_key(number) or not open_invitations(project).filter(pk=number).delete()[0]:
        raise NotVisible("There is no such invitation here.")


def find(secret: str) -> Invitation:
    """Return the invitation of a link that can still be taken.

    Raises:
        InvitationError: there is none, it was taken, or it is over.
    """
    found = Invitation.objects.select_related("project", "made_by").filter(digest=digest_of(secret)).first()
    return _usable(found)


def accept(person: Any, secret: str) -> Project:
    """Take an invitation; a role that is higher already stays.

    Args:
        person: the account that takes it.
        secret: secret of the link.

    Raises:
        InvitationError: it cannot be taken, or is for another person.
    """
    with transaction.atomic():
        found = _usable(Invitation.objects.select_for_update().filter(digest=digest_of(secret)).first())
        if not is_for(person, found):
            raise InvitationError(other_person_words(person, found))
        member, new = Membership.objects.get_or_create(
            project=found.project, user=person, defaults={"role": found.role}
        )
        if not new and LADDER.index(Role(member.role)) < LADDER.index(Role(found.role)):
            member.role = found.role
            member.save(update_fields=["role"])
        found.accepted = timezone.now()
        found.save(update_fields=["accepted"])
    return found.project


def is_for(person: Any, invitation: Invitation) -> bool:
    """Return whether the account is that of the person who was invited."""
    own = str(person.email) if "@" in invitation.person else str(person.get_username())
    return bool(own) and own.casefold() == invitation.person.casefold()


def other_person_words(person: Any, invitation: Invitation) -> str:
    """Return the message for another user, or for a user whose account lacks the invited address."""
    words = f"This invitation is for {invitation.person}. You are signed in as {person.get_username()}"
    if "@" not in invitation.person:
        return f"{words}. Sign in with the account that was invited."
    has = f", whose e-mail address is {person.email}" if person.email else ", an account without an e-mail address"
    return f"{words}{has}. Sign in with the account that was invited, or give this one that address."


def _usable(found: Invitation | None) -> Invitation:
    if found is None:
        raise InvitationError(_UNKNOWN)
    if found.accepted is not None:
        raise InvitationError(
            "This invitation was accepted already. Each can be used once; ask for another if you need one."
        )
    if found.expires <= timezone.now():
        raise InvitationError(f"This invitation ended on {found.expires:%-d %B %Y}. Ask for a new one.")
    return found


def _check(project: Project, whom: str, role: str, days: int) -> None:
    if not whom or len(whom) > _LONGEST_NAME:
        raise TeamError("Say whom to invite: an e-mail address, or the name of an account here.")
    if "@" in whom and not _is_address(whom):
        raise TeamError(f"“{whom}” is no e-mail address. It must look like name@example.org.")
    if role not in Role.values:
        raise TeamError(f"The role must be one of {', '.join(Role.values)}.")
    if days not in DAYS:
        raise TeamError(f"The number of days must be one of {', '.join(map(str, DAYS))}.")
    field = "user__email__iexact" if "@" in whom else "user__username__iexact"
    if project.memberships.filter(**{field: whom}).exists():
        raise TeamError(f"{whom} is a member already. Change the role in the list of members.")


def _is_address(text: str) -> bool:
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


def _mail(invitation: Invitation, address: str) -> tuple[bool, str]:
    """Return whether an e-mail is on its way, and why not."""
    if not settings.PARETOSCOPE_SENDS_MAIL:
        return False, "This site sends no e-mail: pass the link on yourself."
    words = {"invitation": invitation, "address": address}
    subject = f"{invitation.made_by} invites you to {invitation.project} on Paretoscope"
    if mail(subject, render_to_string("teams/invitation.txt", words), invitation.person):
        return True, ""
    return False, "The e-mail could not be sent. The invitation is valid: send the link yourself."
