from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError

from tests.support.stored_runs import People
from webapp.teams.command_line import LOCAL_USER, command_project, command_user

pytestmark = pytest.mark.django_db


def test_without_a_name_it_is_demo_or_one_user_made_on_first_use() -> None:
    local = command_user(None)
    assert local.username == LOCAL_USER and command_user(None) == local
    demo = get_user_model().objects.create_user("demo")
    assert command_user(None) == demo


def test_a_name_that_nobody_has_is_refused_with_those_that_exist(people: People) -> None:
    assert command_user(people.owner.username) == people.owner
    with pytest.raises(CommandError, match=rf"--user must be one of .*{people.owner.username}.*Got 'nobody'"):
        command_user("nobody")


def test_a_project_that_one_does_not_see_is_refused(people: People) -> None:
    assert command_project(people.owner, people.project.slug) == people.project
    assert command_project(people.owner, None) is None
    with pytest.raises(CommandError, match=f"Got {people.project.slug!r}"):
        command_project(people.stranger, people.project.slug)
