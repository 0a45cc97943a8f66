"""Deletion by users: delete an item, list deleted items, restore them. Pages and REST call these functions.

Every function asks `webapp.teams.visibility` what the principal may see and change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from engines.contract.errors import ProblemError
from webapp.annotations.models import Note
from webapp.annotations.notes import get_note, make_room
from webapp.changes.models import Change
from webapp.changes.service import who_did
from webapp.items.registry import Item, items
from webapp.runs.models import Run
from webapp.runs.service import wish_stop
from webapp.teams.permissions import Action, NotVisible, Principal, is_official, known, may, require, user_number
from webapp.teams.projects import is_key
from webapp.teams.visibility import editable_projects, projects_where, require_visible, visible_with_deleted

KEPT = timedelta(days=30)
MOST_SHOWN = 200


@dataclass(frozen=True)
class DeletedItem:
    """A deleted item: what it is, when it was deleted, and until when it can be restored.

    Attributes:
        by: name of the account that deleted it; "" where the change log does not say.
        restorable: whether who asked may bring it back.
    """

    kind: str
    number: int
    title: str
    project: str
    at: datetime
    until: datetime
    by: str = ""
    restorable: bool = False


def delete(principal: Principal, kind: str, number: Any) -> DeletedItem:
    """Delete an item; references to it stay. A queued or running run is stopped.

    Raises:
        ProblemError: there are no such things. NotVisible, NotAllowed: `principal` does not see it, or only views its project.
    """
    found = _editable(principal, kind, number)
    with transaction.atomic():
        if isinstance(found, Run) and found.active:
            wish_stop(found)
        found.deleted = timezone.now()
        found.save(update_fields=["deleted"])
    return _line(kind, found)


def asked_about(principal: Principal, kind: str, number: Any) -> DeletedItem:
    """Return what `delete` would delete, as if it were now. Raises as `delete`."""
    return _line(kind, _editable(principal, kind, number))


def restore(principal: Principal, kind: str, number: Any) -> DeletedItem:
    """Bring a deleted thing back as it was; a run stays stopped. One that is there already stays as it is.

    Raises:
        ProblemError: there are no such things. NotVisible, NotAllowed: as `delete`; what was removed for good is not there.
    """
    rows = visible_with_deleted(principal, _item(kind).rows.select_related("project"))
    found = rows.filter(pk=number).first() if is_key(number) else None
    if found is None:
        raise NotVisible(f"There is no {kind} {number} here.")
    require(principal, _taken(found), found)
    line = _line(kind, found)
    if found.deleted is not None:
        with transaction.atomic():
            if isinstance(found, Note):
                make_room(found)
            found.deleted = None
            found.save(update_fields=["deleted"])
    return line


def deleted_things(principal: Principal) -> list[DeletedItem]:
    """Return the deleted items that `principal` may restore, newest first."""
    projects = editable_projects(principal).values("pk")
    found = []
    for kind, item in items("deletable").items():
        rows = _small(item).filter(project__in=projects)
        if kind == "note":
            maintained = projects_where(principal, Action.WITHDRAW).values("pk")
            rows = rows.filter(Q(owner_id=user_number(principal)) | Q(project__in=maintained))
        found += [replace(each, restorable=True) for each in _lines(kind, rows.order_by("-deleted")[:MOST_SHOWN])]
    return sorted(found, key=lambda each: each.at, reverse=True)[:MOST_SHOWN]


def deleted_among(principal: Principal, kind: str, asked: Sequence[Any]) -> list[DeletedItem]:
    """Return the deleted ones among these items, if `principal` could otherwise see them; empty for guests.

    Args:
        principal: who asks.
        kind: a deletable one.
        asked: numbers, or of documents also "kind/slug" and "kind/project/slug".
    """
    if not asked or not known(principal):
        return []
    wanted = Q(pk__in=[int(each) for each in asked if is_key(each)])
    if kind == "document":
        for of, *project, slug in (str(each).partition("@")[0].split("/") for each in asked if "/" in str(each)):
            wanted |= Q(kind=of, slug=slug, **({"project__slug": project[0]} if project else {}))
    rows = list(visible_with_deleted(principal, _small(_item(kind))).filter(wanted))
    return [
        replace(each, restorable=may(principal, _taken(row), row))
        for each, row in zip(_lines(kind, rows), rows, strict=True)
    ]


def long_deleted(kind: str, days: float) -> QuerySet[Any]:
    """Return the things of a kind that were deleted at least so many days ago, oldest first."""
    return _small(_item(kind)).filter(deleted__lte=timezone.now() - timedelta(days=days)).order_by("deleted", "pk")


def title_of(kind: str, found: Any) -> str:
    """Return the title of an item for pages."""
    return _item(kind).label(found)


def _editable(principal: Principal, kind: str, number: Any) -> Any:
    if kind == "note":
        found: Any = get_note(principal, number)  # whoever sees what it is about
    else:
        found = require_visible(principal, _item(kind).rows.select_related("project"), pk=number)
    require(principal, _taken(found), found)
    if kind != "note" and is_official(found):
        raise ProblemError(
            kind, title_of(kind, found), "a document that is not official", remedies=["Retire the document."]
        )
    return found


def _taken(found: Any) -> Action:
    """Return the usage that deleting an item frees, and restoring it takes."""
    return Action.WITHDRAW if isinstance(found, Note) else Action.EDIT


def _small(item: Item) -> QuerySet[Any]:
    """Return the deleted rows without their large columns."""
    rows = item.rows.filter(deleted__isnull=False).select_related("project")
    return rows.only(*item.columns, "deleted", "project__title")


def _item(kind: str) -> Item:
    found = items("deletable")
    if kind not in found:
        raise ProblemError("kind", kind, f"one of {', '.join(found)}")
    return found[kind]


def _lines(kind: str, rows: Iterable[Any]) -> list[DeletedItem]:
    """Return the lines of deleted rows, with who deleted each."""
    found = list(rows)
    by = who_did(Change.Verb.DELETED, _item(kind).rows.model, [row.pk for row in found]) if found else {}
    return [replace(_line(kind, row), by=by.get(row.pk, "")) for row in found]


def _line(kind: str, found: Any) -> DeletedItem:
    at = found.deleted or timezone.now()
    return DeletedItem(kind, found.pk, title_of(kind, found), found.project.title, at, at + KEPT)
