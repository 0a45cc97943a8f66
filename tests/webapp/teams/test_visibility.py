"""Visibility: one function for everything that belongs to a project."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db import models

from webapp.runs.models import LogLine, Run
from webapp.teams.models import Membership, Project
from webapp.teams.visibility import (
    NotAllowed,
    NotVisible,
    editable_projects,
    may_edit,
    personal_project,
    require_edit,
    require_visible,
    visible,
    visible_projects,
)

pytestmark = pytest.mark.django_db
# Rows that belong to no project, with the reason.
EXEMPT = {
    "gallery.VisitorNetwork": "of a visitor, who alone sees it; deleted within a day",
    "runs.FileBlob": "content without a name; reached only through RunFile",
    "runs.FilePart": "part of a FileBlob",
    "runs.DocumentFile": "link of a document's version to a FileBlob; a run's files ask whether its owner sees the document",
    "runs.WorkerBeat": "workers serve every project",
    "teams.Membership": "decides visibility itself",
    "api.ApiToken": "belongs to a user",
    "api.LastWrite": "when the site was last asked whether it can write; no page shows it",
    "api.StartedOnce": "belongs to a user",
    "limits.PersonLimits": "of a person, in all projects together; administrators set them",
    "measuring.RunnableFile": "content without a name; reached only through Measurement",
    "talk.Favourite": "a star belongs to a user, and nobody else sees it",
    "retention.LastRetention": "when the site was last tidied; no page shows it",
    "reproductions.Reproduction": "facts about the product, the same for everybody",
}


@pytest.fixture
def people() -> list:
    return [get_user_model().objects.create_user(name) for name in ("ann", "bob")]


def a_run(user: object) -> Run:
    return Run.objects.create(
        project=personal_project(user), owner=user, title="x", engine="toy", engine_version=1, problem_hash="0" * 64
    )


def test_everybody_gets_a_project_of_their_own(people: list) -> None:
    for user in people:
        project = personal_project(user)
        assert project.personal_of == user and Membership.objects.get(project=project).role == "maintainer"
    twin = get_user_model().objects.create_user("Ann!")
    assert personal_project(twin).slug == "ann-2"
    twin.first_name = "A"
    twin.save()
    assert Project.objects.filter(personal_of=twin).count() == 1
    with pytest.raises(NotVisible):
        personal_project(AnonymousUser())


def test_members_see_their_projects_and_nobody_else_does(people: list) -> None:
    ann, bob = people
    run = a_run(ann)
    line = LogLine.objects.create(run=run, number=1, attempt=1, level="info", text="x")
    for queryset, row in (
        (Run.objects.all(), run),
        (LogLine.objects.all(), line),
        (Project.objects.all(), run.project),
    ):
        assert row in visible(ann, queryset) and row not in visible(bob, queryset)
        assert not visible(AnonymousUser(), queryset).exists()
        assert require_visible(ann, queryset, pk=row.pk) == row
        with pytest.raises(NotVisible):
            require_visible(bob, queryset, pk=row.pk)
        assert may_edit(ann, row) and not may_edit(bob, row) and not may_edit(AnonymousUser(), row)


def test_staff_see_no_more_than_others_outside_the_admin(people: list) -> None:
    run = a_run(people[0])
    root = get_user_model().objects.create_superuser("root")
    assert run not in visible(root, Run.objects.all())


def test_an_inactive_user_sees_nothing(people: list) -> None:
    ann = people[0]
    a_run(ann)
    ann.is_active = False
    assert not visible(ann, Run.objects.all()).exists() and not visible_projects(ann).exists()


def test_roles(people: list) -> None:
    ann, bob = people
    project = personal_project(ann)
    membership = Membership.objects.create(project=project, user=bob, role="viewer")
    assert project in visible_projects(bob) and project not in editable_projects(bob)
    with pytest.raises(NotAllowed, match="editor"):
        require_edit(bob, project)
    membership.role = "editor"
    membership.save()
    assert project in editable_projects(bob)
    require_edit(bob, project)


@pytest.mark.parametrize("lookup", ["x", "1e9", None, 10**30, {"a": 1}])
def test_a_number_that_is_none_is_not_visible(people: list, lookup: object) -> None:
    with pytest.raises(NotVisible):
        require_visible(people[0], Run.objects.all(), pk=lookup)


def test_every_model_belongs_to_a_project_or_is_exempt_with_a_reason() -> None:
    for model in apps.get_models():
        if not model.__module__.startswith("webapp.") or model._meta.label in EXEMPT or model is Project:
            continue
        path = getattr(model, "PROJECT_PATH", "project").split("__")
        current: type[models.Model] = model
        for part in path:
            current = current._meta.get_field(part).related_model
        assert current is Project, f"{model._meta.label} has no way to its project"
