"""Visibility as queries. The rule itself stands in `webapp.teams.permissions`; nothing else decides.

`AnonymousUser` and inactive users see nothing; who holds a read-only link sees what it opens.
"""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

from hardware.errors import MOST_LETTERS, clipped
from webapp.teams.deletable import deletion_path
from webapp.teams.models import Membership, Project
from webapp.teams.permissions import (
    Action,
    NotAllowed,
    NotVisible,
    Principal,
    known,
    limits_of,
    may,
    official_path,
    project_path,
    refused_words,
    roles_for,
    shared_rows,
    user_number,
)

__all__ = [
    "NotAllowed",
    "NotVisible",
    "Principal",
    "editable_projects",
    "known",
    "may_edit",
    "personal_project",
    "projects_where",
    "require_edit",
    "require_visible",
    "visible",
    "visible_projects",
    "visible_with_deleted",
]

ModelType = TypeVar("ModelType", bound=Model)


def visible(principal: Principal, queryset: QuerySet[ModelType], *, official: bool = True) -> QuerySet[ModelType]:
    """Return the rows of `queryset` that `principal` may see.

    The model has a `project` key, or names the path to it in `PROJECT_PATH` ("run__project"); `Project` itself has the
    path "pk". What is deleted, or belongs to what is, nobody sees. Lists of one's own leave out what is `official`.
    """
    path = deletion_path(queryset.model, project_path(queryset.model))
    rows = visible_with_deleted(principal, queryset, official=official)
    return rows if path is None else rows.filter(**{f"{path}__isnull": True})


def visible_with_deleted(
    principal: Principal, queryset: QuerySet[ModelType], *, official: bool = True
) -> QuerySet[ModelType]:
    """Return rows like `visible`, with the deleted ones: for bringing them back."""
    shared = shared_rows(principal, queryset.model)
    if not known(principal):
        return queryset.none() if shared is None else queryset.filter(shared)
    rows = Q(**{f"{project_path(queryset.model)}__in": _projects_of(principal, Action.VIEW)})
    shelf = official_path(queryset.model) if official else None
    if shelf is not None and getattr(limits_of(principal), "project", None) is None:
        rows |= Q(**{shelf: True})
    return queryset.filter(rows if shared is None else rows | shared)


def require_visible(principal: Principal, queryset: QuerySet[ModelType], **lookup: Any) -> ModelType:
    """Return the one row that `lookup` names.

    Raises:
        NotVisible: there is none, or `principal` may not see it; the two cannot be distinguished.
    """
    try:
        found = visible(principal, queryset).filter(**lookup).first()
    except (ValueError, TypeError, OverflowError):
        found = None
    if found is None:
        raise NotVisible(f"There is no {queryset.model._meta.verbose_name} {_words(lookup)} here.")
    return found


def may_edit(principal: Principal, obj: Model) -> bool:
    """Return whether `principal` is an editor or maintainer of the project that `obj` belongs to."""
    return may(principal, Action.EDIT, obj)


def require_edit(principal: Principal, obj: Model) -> None:
    """Raise `NotAllowed` unless `principal` may change `obj`, which they see."""
    if not may_edit(principal, obj):
        raise NotAllowed(refused_words(principal, Action.EDIT, obj))


def visible_projects(principal: Principal) -> QuerySet[Project]:
    """Return the projects that `principal` belongs to."""
    return visible(principal, Project.objects.all())


def editable_projects(principal: Principal) -> QuerySet[Project]:
    """Return the projects in which `principal` may start runs and store documents."""
    return projects_where(principal, Action.EDIT)


def projects_where(principal: Principal, action: Action) -> QuerySet[Project]:
    """Return the projects in which the role of `principal` lets them do this, whosever it is done to."""
    if not known(principal):
        return Project.objects.none()
    return Project.objects.filter(pk__in=_projects_of(principal, action))


def personal_project(principal: Principal) -> Project:
    """Return the principal's personal project; for a token of one project, that project.

    Raises:
        NotVisible: the principal is anonymous.
    """
    limits = limits_of(principal)
    if limits is not None and limits.project is not None:
        return require_visible(principal, Project.objects.all(), pk=limits.project)
    return require_visible(principal, Project.objects.all(), personal_of_id=principal.pk)


def _projects_of(principal: Principal, action: Action) -> QuerySet[Any, Any]:
    """Return the keys of the projects in which `principal` may do this."""
    found = Membership.objects.filter(user_id=user_number(principal))
    limits = limits_of(principal)
    if limits is not None:
        found = found if action in limits.actions else found.none()
        found = found if limits.project is None else found.filter(project_id=limits.project)
    if action != Action.VIEW:
        found = found.filter(role__in=roles_for(action))
    return found.values("project")


def _words(lookup: dict[str, Any]) -> str:
    words = {key: value[:MOST_LETTERS] if isinstance(value, str) else clipped(value) for key, value in lookup.items()}
    return ", ".join(value if key == "pk" else f"{key} {value}" for key, value in words.items())
