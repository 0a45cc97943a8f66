"""One rule: roles in projects, administrators of the site, links and limits of tokens."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.support.stored_runs import People
from webapp.comparisons.models import Comparison
from webapp.runs.models import LogLine, Run
from webapp.teams.models import Membership, Project
from webapp.teams.permissions import (
    LADDER,
    Action,
    Guest,
    Limits,
    NotAllowed,
    NotVisible,
    Role,
    limited,
    may,
    require,
    roles_for,
)
from webapp.teams.visibility import editable_projects, require_visible, visible, visible_projects

pytestmark = pytest.mark.django_db
IN_PROJECTS = [action for action in Action if action != Action.ADMINISTER]


def a_run(people: People, owner: Any = None) -> Run:
    owner = owner or people.owner
    return Run.objects.create(
        project=people.project, owner=owner, title="x", engine="toy", engine_version=1, problem_hash="0" * 64
    )


def test_every_action_has_a_rule_and_a_higher_role_may_all_that_a_lower_one_may() -> None:
    assert all(roles_for(action) for action in IN_PROJECTS) and roles_for(Action.ADMINISTER) == ()
    for lower, higher in pairwise(LADDER):
        may_lower, may_higher = ({action for action in Action if role in roles_for(action)} for role in (lower, higher))
        assert may_lower < may_higher


@pytest.mark.parametrize("action", [action for action in IN_PROJECTS if action != Action.AMEND])
def test_roles_decide_in_a_project(people: People, action: Action) -> None:
    run = a_run(people)
    allowed = {"viewer": people.viewer, "editor": people.editor, "maintainer": people.owner}
    for obj in (run, people.project):
        assert [role for role, person in allowed.items() if may(person, action, obj)] == list(roles_for(action))
        assert not may(people.stranger, action, obj) and not may(AnonymousUser(), action, obj)


def test_an_editor_moves_what_is_their_own(people: People) -> None:
    assert may(people.editor, Action.MOVE, a_run(people, people.editor))
    assert not may(people.editor, Action.MOVE, a_run(people))
    Membership.objects.filter(user=people.editor).update(role=Role.VIEWER)
    assert not may(people.editor, Action.MOVE, a_run(people, people.editor))


def test_people_amend_what_is_their_own_and_an_editor_takes_it_away(people: People) -> None:
    theirs, of_others = a_run(people, people.editor), a_run(people)
    for action in (Action.AMEND, Action.WITHDRAW):
        assert may(people.editor, action, theirs) and not may(people.editor, action, of_others)
    assert not may(people.owner, Action.AMEND, theirs) and may(people.owner, Action.WITHDRAW, theirs)
    Membership.objects.filter(user=people.editor).update(role=Role.VIEWER)
    assert not may(people.editor, Action.AMEND, theirs) and not may(people.editor, Action.WITHDRAW, theirs)


def test_administrators_have_no_role_in_projects(people: People, django_user_model: Any) -> None:
    root = django_user_model.objects.create_superuser("root")
    assert may(root, Action.ADMINISTER) and not may(people.owner, Action.ADMINISTER)
    assert not any(may(root, action, people.project) for action in IN_PROJECTS)
    root.is_active = False
    assert not may(root, Action.ADMINISTER)


def test_what_is_not_seen_is_not_there_and_what_is_seen_names_the_role(people: People) -> None:
    with pytest.raises(NotVisible):
        require(people.stranger, Action.EDIT, people.project)
    with pytest.raises(NotAllowed, match="editor or maintainer"):
        require(people.viewer, Action.EDIT, people.project)
    with pytest.raises(NotAllowed, match="the role maintainer"):
        require(people.editor, Action.MANAGE, people.project)
    require(people.owner, Action.MANAGE, people.project)


def test_a_guest_sees_what_the_link_opens_and_nothing_else(people: People) -> None:
    run, other = a_run(people), a_run(people)
    lines = [LogLine.objects.create(run=each, number=1, attempt=1, level="info", text="x") for each in (run, other)]
    guest = Guest({"runs.Run": {"pk": frozenset({run.pk})}})
    assert list(visible(guest, Run.objects.all())) == [run]
    assert list(visible(guest, LogLine.objects.all())) == lines[:1]
    for model in (Project, Comparison):
        assert not visible(guest, model.objects.all()).exists()
    with pytest.raises(NotVisible):
        require_visible(guest, Run.objects.all(), pk=other.pk)
    assert [action for action in Action if may(guest, action, run)] == [Action.VIEW]
    assert not any(may(guest, action, other) for action in Action) and not editable_projects(guest).exists()


def test_a_person_with_a_link_sees_it_beside_what_is_theirs(people: People) -> None:
    run = a_run(people)
    people.stranger.shared = {"runs.Run": {"pk": frozenset({run.pk})}}
    assert list(visible(people.stranger, Run.objects.all())) == [run]
    assert [action for action in Action if may(people.stranger, action, run)] == [Action.VIEW]


def test_limits_hold_whatever_the_role(people: People) -> None:
    run, elsewhere = a_run(people), people.owner.personal_project
    token = limited(people.owner, Limits(frozenset({Action.VIEW}), people.project.pk))
    assert [action for action in Action if may(token, action, run)] == [Action.VIEW]
    assert not may(token, Action.VIEW, elsewhere) and list(visible_projects(token)) == [people.project]
    assert not editable_projects(token).exists()
    assert not visible(limited(people.owner, Limits(frozenset())), Run.objects.all()).exists()


def test_asking_takes_one_query(people: People, django_assert_num_queries: Any) -> None:
    run = a_run(people)
    with django_assert_num_queries(1):
        may(people.editor, Action.EDIT, run)
