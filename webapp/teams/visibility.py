"""Who may see and change what. Every page, callback, endpoint and command asks here, and nowhere else.

A principal is a Django user; `AnonymousUser` and inactive users see nothing.
"""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Model, QuerySet
from django.http import Http404

from webapp.teams.models import Membership, Project

Principal = AbstractBaseUser | AnonymousUser
ModelType = TypeVar("ModelType", bound=Model)

EDITING_ROLES = (Membership.Role.EDITOR, Membership.Role.ADMIN)


class NotVisible(Http404):
    """There is no such thing for this principal; whether it exists for somebody else is not told."""


class NotAllowed(Exception):
    """The principal sees the thing but may not change it; the message says which role may."""


def visible(principal: Principal, queryset: QuerySet[ModelType]) -> QuerySet[ModelType]:
    """The rows of `queryset` that `principal` may see.

    The model has a `project` key, or names the path to it in `PROJECT_PATH` ("run__project"); `Project` itself has the
    path "pk".
    """
    if not known(principal):
        return queryset.none()
    return queryset.filter(**{f"{_project_path(queryset.model)}__in": _projects_of(principal)})


def require_visible(principal: Principal, queryset: QuerySet[ModelType], **lookup: Any) -> ModelType:
    """The one row that `lookup` names.

    Raises:
        NotVisible: there is none, or `principal` may not see it; the two cannot be told apart.
    """
    try:
        found = visible(principal, queryset).filter(**lookup).first()
    except (ValueError, TypeError, OverflowError):
        found = None
    if found is None:
        raise NotVisible(f"There is no {queryset.model._meta.verbose_name} {_words(lookup)} here.")
    return found


def may_edit(principal: Principal, obj: Model) -> bool:
    """Whether `principal` is an editor or admin of the project that `obj` belongs to."""
    if not known(principal):
        return False
    key = _project_of(obj)
    return Membership.objects.filter(user_id=_user_id(principal), project_id=key, role__in=EDITING_ROLES).exists()


def require_edit(principal: Principal, obj: Model) -> None:
    """Raise `NotAllowed` unless `principal` may change `obj`."""
    if not may_edit(principal, obj):
        name = obj._meta.verbose_name
        raise NotAllowed(
            f"Changing this {name} takes the role editor or admin in its project. Ask an administrator of this site."
        )


def visible_projects(principal: Principal) -> QuerySet[Project]:
    """The projects that `principal` belongs to."""
    return visible(principal, Project.objects.all())


def editable_projects(principal: Principal) -> QuerySet[Project]:
    """The projects in which `principal` may start runs and store documents."""
    if not known(principal):
        return Project.objects.none()
    return Project.objects.filter(memberships__user_id=_user_id(principal), memberships__role__in=EDITING_ROLES)


def personal_project(principal: Principal) -> Project:
    """The principal's own project.

    Raises:
        NotVisible: the principal is anonymous.
    """
    return require_visible(principal, Project.objects.all(), personal_of_id=principal.pk)


def known(principal: Principal) -> bool:
    """Whether anybody is there at all: signed in, and not switched off."""
    return bool(principal.is_authenticated and principal.is_active)


def _projects_of(principal: Principal) -> QuerySet[Any, Any]:
    return Membership.objects.filter(user_id=_user_id(principal)).values("project")


def _user_id(principal: Principal) -> int:
    return int(principal.pk or 0)


def _project_path(model: type[Model]) -> str:
    return "pk" if model is Project else getattr(model, "PROJECT_PATH", "project")


def _project_of(obj: Model) -> Any:
    if isinstance(obj, Project):
        return obj.pk
    value: Any = obj
    for part in _project_path(type(obj)).split("__"):
        value = getattr(value, part)
    return value.pk


def _words(lookup: dict[str, Any]) -> str:
    return ", ".join(str(value) if key == "pk" else f"{key} {value}" for key, value in lookup.items())
