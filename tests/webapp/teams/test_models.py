"""Rows of projects, memberships and invitations."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.support.stored_runs import People
from webapp.teams.models import Invitation, Membership, Project


def test_a_site_has_one_shelf_of_its_own(people: People) -> None:
    Project.objects.update_or_create(official=True, defaults={"slug": "official", "title": "Official"})
    with pytest.raises(IntegrityError), transaction.atomic():
        Project.objects.create(slug="another", title="Another", official=True)


def test_a_person_is_in_a_project_once(people: People) -> None:
    found = Membership.objects.get(project=people.project, user=people.editor)
    assert str(found) == "eve is editor of Lab" and str(people.project) == "Lab"
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(project=people.project, user=people.editor, role="viewer")


def test_the_newest_invitation_is_first_and_a_secret_is_there_once(people: People) -> None:
    given = {"project": people.project, "made_by": people.owner, "expires": timezone.now() + timedelta(days=1)}
    for name in ("nina", "tom"):
        Invitation.objects.create(person=name, digest=name * 8, **given)
    assert [str(each) for each in Invitation.objects.all()] == ["tom to Lab", "nina to Lab"]
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.create(person="kim", digest="tom" * 8, **given)
