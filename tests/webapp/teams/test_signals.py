"""Every account gets a project of its own."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from webapp.teams.models import Membership, Project
from webapp.teams.signals import give_personal_project

pytestmark = pytest.mark.django_db


def test_a_new_account_looks_after_a_project_whose_name_is_free() -> None:
    Project.objects.create(slug="kim", title="Taken")
    kim = get_user_model().objects.create_user("kim")
    own = kim.personal_project
    assert own.slug != "kim" and own.title == "kim's project"
    assert Membership.objects.get(project=own).role == "maintainer"
    kim.first_name = "Kim"
    kim.save()
    assert Project.objects.filter(personal_of=kim).count() == 1


@pytest.mark.parametrize("given", [{"created": False}, {"created": True, "raw": True}])
def test_changes_and_fixtures_make_none(given: dict[str, Any]) -> None:
    before = Project.objects.count()
    give_personal_project(get_user_model(), get_user_model()(username="tom"), **given)
    assert Project.objects.count() == before
