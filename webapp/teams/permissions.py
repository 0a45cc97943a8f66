"""Permissions: the single check for pages, callbacks, endpoints, Django's admin, commands and links.

A principal is a Django user, or a person without an account who holds a read-only link or visits the gallery (`Guest`). Three
roles in a project include one another; administrators look after the site and what is official there, which gives them no role in
anybody's project.
`webapp.teams.visibility` turns the same rule into queries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Model, Q
from django.http import Http404

from webapp.teams.models import Membership, Project

Principal = AbstractBaseUser | AnonymousUser
Role = Membership.Role
# Label of a model -> lookup -> values: rows that a link opens ({"runs.Run": {"pk": {7}}}).
Shared = Mapping[str, Mapping[str, frozenset[int]]]


class NotVisible(Http404):
    """An error for an item that does not exist or that the principal may not see; it does not reveal which."""


class NotAllowed(Exception):
    """An error for an action that the principal, who sees the item, may not perform; the message names the required role."""


class Action(StrEnum):
    """An action on anything that belongs to a project, or on the site."""

    VIEW = "view"  # read it, and all that belongs to it
    RUN = "run"  # start, stop and continue runs and studies
    EDIT = "edit"  # store, rename, delete; make all other things in the project
    STAR = "star"  # keep a star of one's own at what one sees
    AMEND = "amend"  # change the words that one wrote
    WITHDRAW = "withdraw"  # take away what somebody wrote
    SHARE = "share"  # make and end read-only links
    MOVE = "move"  # take it away from its project
    CONNECT = "connect"  # tell other programs what ends in it
    MEASURE = "measure"  # be a device's agent: take what is to be measured on it, and answer
    WORK = "work"  # be a worker: take queued runs, and store what they find
    MANAGE = "manage"  # members, their roles, the project's name
    ADMINISTER = "administer"  # the site, and what is official on it


LADDER = (Role.VIEWER, Role.EDITOR, Role.MAINTAINER)
# The lowest role that may. An editor may move and withdraw what is their own, and nobody amends what is not: see `may`.
NEEDED: Mapping[Action, str] = {
    Action.VIEW: Role.VIEWER,
    Action.RUN: Role.EDITOR,
    Action.EDIT: Role.EDITOR,
    Action.STAR: Role.VIEWER,
    Action.AMEND: Role.EDITOR,
    Action.WITHDRAW: Role.MAINTAINER,
    Action.SHARE: Role.EDITOR,
    Action.MOVE: Role.MAINTAINER,
    Action.CONNECT: Role.MAINTAINER,
    Action.MEASURE: Role.EDITOR,
    Action.WORK: Role.EDITOR,
    Action.MANAGE: Role.MAINTAINER,
}


@dataclass(frozen=True)
class Limits:
    """The limits of a person's rights, whatever their roles: the scope of a token.

    Attributes:
        actions: all others are refused.
        project: key of the only project that is there for them; None is every one of theirs.
        token: number of the token that brings them; 0 without one.
    """

    actions: frozenset[Action]
    project: int | None = None
    token: int = 0


# The runs of the gallery, which stand on the official shelf.
GALLERY: Shared = {"runs.Run": {"project__official": frozenset({True})}}


class Guest(AnonymousUser):
    """A person without an account, who holds read-only links or visits the gallery of a site that takes guests.

    Attributes:
        shared: items that the links and the gallery open.
        name: of a visitor of the gallery, for fair shares and their own networks; "" for those with links alone.
    """

    def __init__(self, shared: Shared, name: str = "") -> None:
        super().__init__()
        self.shared = {**shared, "runs.Run": {**shared.get("runs.Run", {}), **GALLERY["runs.Run"]}} if name else shared
        self.name = name


def roles_for(action: Action) -> tuple[str, ...]:
    """Return the roles that may perform `action`, lowest first; empty if it requires an administrator."""
    return LADDER[LADDER.index(Role(NEEDED[action])) :] if action in NEEDED else ()


def may(person: Principal, action: Action, obj: Model | None = None) -> bool:
    """Return whether `person` may perform `action` on `obj`; at most one query if the project of `obj` is loaded.

    Args:
        person: who asks.
        action: action to perform.
        obj: a project, or anything that belongs to one; None for the site as a whole, which only administrators have a say in.
    """
    limits = limits_of(person)
    if limits is not None and action not in limits.actions:
        return False
    if action == Action.ADMINISTER:
        return known(person) and bool(getattr(person, "is_staff", False))
    if obj is None:
        return False
    if action == Action.VIEW and _is_shared(person, obj):
        return True
    role = role_of(person, obj)
    own = getattr(obj, "owner_id", None) == person.pk
    if action in (Action.MOVE, Action.WITHDRAW) and role == Role.EDITOR and own:
        return True
    if action == Action.AMEND and not own:
        return False
    return role in roles_for(action) or _may_as_official(person, action, obj)


def require(person: Principal, action: Action, obj: Model) -> None:
    """Raise unless `person` may perform `action` on `obj`.

    Raises:
        NotVisible: `person` does not even see it.
        NotAllowed: it takes another role; the message says which.
    """
    if may(person, action, obj):
        return
    if not may(person, Action.VIEW, obj):
        raise NotVisible(f"There is no {obj._meta.verbose_name} {obj.pk} here.")
    raise NotAllowed(refused_words(person, action, obj))


def refused_words(person: Principal, action: Action, obj: Model) -> str:
    """Return why `person`, who sees `obj`, may not perform `action`, and who may."""
    words, limits = _words(action, str(obj._meta.verbose_name)), limits_of(person)
    if limits is not None and action not in limits.actions:
        return f"{words} needs a token with another scope. This one may only {', '.join(sorted(limits.actions))}."
    if action == Action.AMEND:
        return "Only its author may change it, as an editor or maintainer of its project."
    if is_official(obj):
        return f"{words} is official. Only an administrator may change it."
    return f"{words} needs {_roles_words(action)} in its project. Ask one of its maintainers."


def role_of(person: Principal, obj: Model) -> str | None:
    """Return the role of `person` in the project of `obj`; None where they are no member."""
    key = project_of(obj)
    limits = limits_of(person)
    if not known(person) or (limits is not None and limits.project not in (None, key)):
        return None
    return Membership.objects.filter(user_id=user_number(person), project_id=key).values_list("role", flat=True).first()


def known(principal: Principal) -> bool:
    """Return whether a person with an account is there: signed in, and not switched off."""
    return bool(principal.is_authenticated and principal.is_active)


def offered_builtins(principal: Principal) -> bool:
    """Return whether the documents that every site brings along are there for `principal`."""
    return known(principal) or bool(visitor_name(principal))


def visitor_name(principal: Any) -> str:
    """Return the name of a visitor of the gallery; "" for everybody else."""
    return principal.name if isinstance(principal, Guest) else ""


def somebody(principal: Principal) -> bool:
    """Return whether `principal` has an account or a link."""
    return known(principal) or bool(shared_with(principal))


def limits_of(person: Principal) -> Limits | None:
    """Return the limits on the rights of `person`; None without a limit."""
    found: Limits | None = getattr(person, "limits", None)
    return found


def limited(person: Any, limits: Limits) -> Any:
    """Return `person` with rights reduced to `limits`."""
    person.limits = limits
    return person


def shared_with(principal: Principal) -> Shared:
    """Return the items that links open for `principal`; empty if no link was followed."""
    found: Shared = getattr(principal, "shared", None) or {}
    return found


def shared_rows(principal: Principal, model: type[Model]) -> Q | None:
    """Return the rows of `model` that the links of `principal` open; None without such rows.

    What belongs to a shared row, by the first step of its path to a project, is open with it.
    """
    shared, first = shared_with(principal), project_path(model).split("__")[0]
    found = [Q(**{f"{lookup}__in": values}) for lookup, values in shared.get(model._meta.label, {}).items()]
    if not found and "__" in project_path(model):
        owner: Any = model._meta.get_field(first).related_model
        opened = shared.get(owner._meta.label, {})
        found = [Q(**{f"{first}__{lookup}__in": values}) for lookup, values in opened.items()]
    rows = found[0] if found else None
    for each in found[1:]:
        rows = each if rows is None else rows | each
    return rows


def project_path(model: type[Model]) -> str:
    """Return the query path from `model` to its project: "project", or its `PROJECT_PATH` ("run__project")."""
    return "pk" if model is Project else str(getattr(model, "PROJECT_PATH", "project"))


def project_of(obj: Model) -> Any:
    """Return the key of the project that `obj` belongs to, or is."""
    if isinstance(obj, Project):
        return obj.pk
    *path, last = project_path(type(obj)).split("__")
    value: Any = obj
    for part in path:
        value = getattr(value, part)
    return getattr(value, f"{last}_id")


def user_number(principal: Principal) -> int:
    """Return the key of the account; 0 without one."""
    return int(principal.pk or 0)


def official_path(model: type[Model]) -> str | None:
    """Return the query path from `model` to its official flag; None for models that are never official."""
    found: str | None = getattr(model, "OFFICIAL_PATH", None)
    return found


def is_official(obj: Model) -> bool:
    """Return whether `obj` is the site's own shelf, or stands on it."""
    path = "official" if isinstance(obj, Project) else official_path(type(obj))
    value: Any = None if path is None else obj
    for part in (path or "").split("__") if path else ():
        value = getattr(value, part)
    return bool(value)


def _may_as_official(person: Principal, action: Action, obj: Model) -> bool:
    """Return whether the person may act on an official document: everybody reads, administrators store them and write notes."""
    limits = limits_of(person)
    if not known(person) or (limits is not None and limits.project is not None) or not is_official(obj):
        return False
    if action in (Action.EDIT, Action.AMEND, Action.WITHDRAW):
        return bool(getattr(person, "is_staff", False))
    return action in (Action.VIEW, Action.STAR) and not isinstance(obj, Project)


def _is_shared(person: Principal, obj: Model) -> bool:
    if not shared_with(person):
        return False
    rows = shared_rows(person, type(obj))
    return rows is not None and type(obj)._default_manager.filter(rows, pk=obj.pk).exists()


def _words(action: Action, name: str) -> str:
    return {
        Action.RUN: "Starting runs" if name == "project" else f"Starting or stopping this {name}",
        Action.SHARE: f"Sharing this {name}",
        Action.MOVE: f"Moving this {name}",
        Action.STAR: f"A star at this {name}",
        Action.WITHDRAW: f"Deleting this {name}",
        Action.CONNECT: "Looking after webhooks" if name == "project" else f"Looking after this {name}",
        Action.MEASURE: f"Measuring for this {name}",
        Action.WORK: f"Executing runs of this {name}",
        Action.MANAGE: f"Changing members of this {name}",
        Action.ADMINISTER: f"Administering this {name}",
    }.get(action, f"Changing this {name}")


def _roles_words(action: Action) -> str:
    roles = roles_for(action)
    return f"the role {' or '.join(roles)}" if roles else "an administrator of the site"
