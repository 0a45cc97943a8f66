"""Projects and their members: who may change what, and that a maintainer always stays."""

from __future__ import annotations

import re

import pytest

from tests.support.stored_runs import People
from webapp.teams.errors import TeamError
from webapp.teams.models import Membership, Project
from webapp.teams.permissions import NotAllowed, NotVisible, Role, role_of
from webapp.teams.projects import change_role, create_project, hand_over, leave, remove_member, rename_project

pytestmark = pytest.mark.django_db


def test_who_makes_a_project_maintains_it(people: People) -> None:
    made = create_project(people.stranger, "  Edge   study ")
    assert (made.title, role_of(people.stranger, made)) == ("Edge study", "maintainer")
    assert re.fullmatch("edge-study-[a-z0-9]{5}", made.slug)


@pytest.mark.parametrize("title", ["", "   ", "x" * 121])
def test_a_project_needs_a_name(people: People, title: str) -> None:
    with pytest.raises(TeamError, match="needs a name"):
        create_project(people.owner, title)


def test_names_collide_only_among_projects_that_one_sees(people: People) -> None:
    with pytest.raises(TeamError, match="member of a project called “lab”"):
        create_project(people.viewer, "lab")
    create_project(people.stranger, "Lab")
    assert Project.objects.filter(title__iexact="lab").count() == 2


@pytest.mark.parametrize("title", ["Hidden", "ⅷ" * 100, "数字"])
def test_an_address_does_not_tell_whether_a_name_is_taken(people: People, title: str) -> None:
    first, second = create_project(people.owner, title).slug, create_project(people.stranger, title).slug
    assert len(first) == len(second) <= 60 and first != second
    assert first.rpartition("-")[0] == second.rpartition("-")[0], "what follows on the name is as for any other"


def test_a_maintainer_renames_and_nobody_else(people: People) -> None:
    rename_project(people.owner, people.project, "Lab")
    rename_project(people.owner, people.project, "Edge lab")
    assert Project.objects.get(pk=people.project.pk).title == "Edge lab"
    with pytest.raises(NotAllowed, match="maintainer"):
        rename_project(people.editor, people.project, "Mine")
    with pytest.raises(NotVisible):
        rename_project(people.stranger, people.project, "Mine")


def test_roles_change(people: People) -> None:
    change_role(people.owner, people.project, people.viewer.pk, "maintainer")
    change_role(people.viewer, people.project, people.owner.pk, "viewer")
    assert role_of(people.owner, people.project) == "viewer"
    with pytest.raises(NotAllowed):
        change_role(people.owner, people.project, people.owner.pk, "maintainer")
    with pytest.raises(TeamError, match="one of viewer, editor, maintainer"):
        change_role(people.viewer, people.project, people.owner.pk, "admin")


def test_the_last_maintainer_stays(people: People) -> None:
    for attempt in (
        lambda: leave(people.owner, people.project),
        lambda: remove_member(people.owner, people.project, people.owner.pk),
        lambda: change_role(people.owner, people.project, people.owner.pk, "editor"),
    ):
        with pytest.raises(TeamError, match="needs a maintainer"):
            attempt()
    assert role_of(people.owner, people.project) == Role.MAINTAINER


def test_a_personal_project_stays_its_persons(people: People) -> None:
    own = people.owner.personal_project
    Membership.objects.create(project=own, user=people.editor, role=Role.MAINTAINER)
    with pytest.raises(TeamError, match="personal"):
        remove_member(people.editor, own, people.owner.pk)
    with pytest.raises(TeamError, match="cannot be transferred"):
        hand_over(people.owner, own, people.editor.pk)
    leave(people.editor, own)
    assert role_of(people.editor, own) is None


def test_it_is_handed_over(people: People) -> None:
    hand_over(people.owner, people.project, people.viewer.pk)
    assert (role_of(people.owner, people.project), role_of(people.viewer, people.project)) == ("editor", "maintainer")
    leave(people.owner, people.project)
    with pytest.raises(TeamError, match="yours already"):
        hand_over(people.viewer, people.project, people.viewer.pk)


@pytest.mark.parametrize("member", [0, "x", None, 10**30, "²"])
def test_who_is_no_member_cannot_be_changed(people: People, member: object) -> None:
    for change in (remove_member, hand_over):
        with pytest.raises(NotVisible):
            change(people.owner, people.project, member)
