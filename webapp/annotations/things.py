"""Items that can have notes: kinds as the change log calls them, addresses of their pages, and removal with the item."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db.models import Model, QuerySet
from django.db.models.signals import post_delete

from webapp.annotations.models import Favourite, Note, Tag
from webapp.items.registry import Ability, items
from webapp.teams.models import Project
from webapp.teams.permissions import NotVisible, Principal, project_path
from webapp.teams.projects import is_key
from webapp.teams.visibility import require_visible, visible


def noted_thing(person: Principal, kind: str, number: Any) -> Any:
    """Return the item of the notes, with its project.

    Raises:
        NotVisible: there is none, or `person` may not see it; the two cannot be distinguished.
    """
    return _thing(person, "annotatable", kind, number)


def marked_thing(person: Principal, kind: str, number: Any) -> Any:
    """Return the item of tags and stars, with its project; raise as `noted_thing`."""
    return _thing(person, "markable", kind, number)


def seen_things(person: Principal, wanted: Mapping[str, set[int]]) -> dict[tuple[str, int], Any]:
    """Return the items, numbers by kind, that `person` sees: (kind, number) -> item. One query for each kind."""
    found: dict[tuple[str, int], Any] = {}
    for kind, numbers in wanted.items():
        rows = visible(person, _rows(kind)).in_bulk(numbers)
        found |= {(kind, number): row for number, row in rows.items()}
    return found


def project_holding(thing: Any) -> Project:
    """Return the project that a thing belongs to."""
    found: Any = thing
    for step in project_path(type(thing)).split("__"):
        found = getattr(found, step)
    project: Project = found
    return project


def title_of(kind: str, thing: Any) -> str:
    """Return the title of an item for pages."""
    return items()[kind].label(thing)


def place_of(kind: str, thing: Any, design: int | None = None) -> str:
    """Return the path of its page; with a design, of that design there."""
    item = items()[kind]
    notes = item.notes + (f"&design={design}" if item.notes and design is not None else "")
    return item.path(thing) + notes


def take_along(kind: str, numbers: list[int], target: Project) -> None:
    """Move notes and tags with their things to the new project; a document's versions go with it."""
    for model in (Note, Tag):
        model._default_manager.filter(kind=kind, number__in=numbers).update(project=target)
    if kind == "document":
        versions = items()["version"].rows.filter(document__in=numbers)
        take_along("version", list(versions.values_list("pk", flat=True)), target)


def connect() -> None:
    """Remove the notes and tags of a thing for good with it."""
    for kind, item in {**items("annotatable"), **items("markable")}.items():
        post_delete.connect(partial(_gone, kind), sender=item.rows.model, dispatch_uid=f"talk.{kind}.gone", weak=False)


def _gone(kind: str, sender: type[Model], instance: Any, **_facts: Any) -> None:
    for model in (Note, Tag, Favourite):
        model._default_manager.filter(kind=kind, number=instance.pk).delete()


def _thing(person: Principal, ability: Ability, kind: str, number: Any) -> Any:
    if kind not in items(ability) or not is_key(number):
        raise NotVisible(f"There is no {kind} {number} here.")
    return require_visible(person, _rows(kind), pk=number)


def _rows(kind: str) -> QuerySet[Any]:
    rows = items()[kind].rows
    path = project_path(rows.model)
    names = [*items()[kind].columns, f"{path}__slug", f"{path}__title", f"{path}__official"]
    return rows.select_related(path).only(*names)
