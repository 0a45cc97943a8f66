"""Making projects and looking after their members. A project always keeps a maintainer."""

from __future__ import annotations

import string
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import get_random_string
from django.utils.text import slugify

from engines.contract.errors import ProblemError
from engines.contract.titles import checked_title
from webapp.teams.errors import TeamError
from webapp.teams.models import Membership, Project
from webapp.teams.permissions import Action, NotVisible, Principal, Role, known, require
from webapp.teams.visibility import visible_projects

_LONGEST_TITLE = 120
_RANDOM = 5


def create_project(person: Principal, title: str) -> Project:
    """Return a new project, whose maintainer is `person`.

    Its address ends in random letters, always: one that only followed on a name that is taken would tell of hidden projects.

    Raises:
        TeamError: no title, or one of the person's projects has it.
        NotVisible: nobody is signed in.
    """
    if not known(person):
        raise NotVisible("Only users who are signed in can see this. Sign in first.")
    words = _free_title(person, title)
    with transaction.atomic():
        ending = get_random_string(_RANDOM, string.ascii_lowercase + string.digits)
        slug = free_slug(f"{slugify(words)[:50] or 'project'}-{ending}")
        project = Project.objects.create(slug=slug, title=words)
        Membership.objects.create(project=project, user_id=int(person.pk or 0), role=Role.MAINTAINER)
    return project


def rename_project(person: Principal, project: Project, title: str) -> None:
    """Change the title; the name in addresses and on the command line stays.

    Raises:
        NotVisible, NotAllowed: `person` is no maintainer.
        TeamError: as `create_project`.
    """
    require(person, Action.MANAGE, project)
    words = " ".join(title.split())
    if words != project.title:
        project.title = _free_title(person, words)
        project.save(update_fields=["title"])


def members_of(project: Project) -> QuerySet[Membership]:
    """Return the members by name, with their accounts."""
    return project.memberships.select_related("user").order_by("user__username")


def change_role(person: Principal, project: Project, member: Any, role: str) -> None:
    """Change the role of a member.

    Args:
        person: a maintainer.
        project: whose member it is.
        member: key of the member's account.
        role: one of `Membership.Role`.

    Raises:
        NotVisible, NotAllowed: `person` is no maintainer, or there is no such member.
        TeamError: the project would be without a maintainer, or it is the personal one of that member.
    """
    require(person, Action.MANAGE, project)
    if role not in Role.values:
        raise TeamError(f"The role must be one of {', '.join(Role.values)}.")
    with transaction.atomic():
        found = _member(project, member)
        if role != Role.MAINTAINER:
            _keep_maintainer(found, "cannot take a lower role")
        found.role = role
        found.save(update_fields=["role"])


def remove_member(person: Principal, project: Project, member: Any) -> None:
    """End a membership. What the member made stays in the project.

    Raises:
        NotVisible, NotAllowed, TeamError: as `change_role`.
    """
    require(person, Action.MANAGE, project)
    with transaction.atomic():
        found = _member(project, member)
        _keep_maintainer(found, "cannot be removed")
        found.delete()


def leave(person: Principal, project: Project) -> None:
    """End one's own membership.

    Raises:
        NotVisible: `person` is no member.
        TeamError: as `change_role`.
    """
    require(person, Action.VIEW, project)
    with transaction.atomic():
        found = _member(project, person.pk)
        _keep_maintainer(found, "cannot leave")
        found.delete()


def hand_over(person: Principal, project: Project, member: Any) -> None:
    """Make a member the maintainer; `person` is an editor from then on.

    Raises:
        NotVisible, NotAllowed: as `change_role`.
        TeamError: it is a personal project, or `member` is `person`.
    """
    require(person, Action.MANAGE, project)
    if project.personal_of_id is not None:
        raise TeamError("A personal project cannot have another owner.")
    with transaction.atomic():
        own, other = _member(project, person.pk), _member(project, member)
        if own.pk == other.pk:
            raise TeamError("You own the project already. Choose another member.")
        other.role, own.role = Role.MAINTAINER, Role.EDITOR
        for each in (other, own):
            each.save(update_fields=["role"])


def is_key(number: Any) -> bool:
    """Return whether a value that a browser sent can be the key of a row."""
    text = str(number)
    return text.isascii() and text.isdigit() and len(text) < 18


def free_slug(title: str) -> str:
    """Return a slug that no project has."""
    base = slugify(title)[:60] or "project"
    taken = set(Project.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    candidates = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return base if base not in taken else next(slug for slug in candidates if slug not in taken)


def _free_title(person: Principal, title: str) -> str:
    try:
        words = checked_title("name", title, _LONGEST_TITLE)
    except ProblemError as error:
        raise TeamError(f"A project needs a name of 1 to {_LONGEST_TITLE} characters. {error}") from error
    # Only among those that the person sees: who may not see a project is not told that there is one.
    if visible_projects(person).filter(title__iexact=words).exists():
        raise TeamError(f"You are a member of a project called “{words}” already. Choose another name.")
    return words


def _member(project: Project, number: Any) -> Membership:
    """Return the membership, with those of the whole project locked until the transaction ends."""
    Project.objects.select_for_update().get(pk=project.pk)
    found = members_of(project).filter(user_id=number).first() if is_key(number) else None
    if found is None:
        raise NotVisible("This project has no such member.")
    return found


def _keep_maintainer(member: Membership, words: str) -> None:
    project = member.project
    if project.personal_of_id == member.user_id:
        raise TeamError(f"{member.user} {words}: this is their personal project.")
    others = project.memberships.filter(role=Role.MAINTAINER).exclude(pk=member.pk)
    if member.role == Role.MAINTAINER and not others.exists():
        raise TeamError(f"{member.user} {words}: a project needs a maintainer. Hand it over to another member first.")
