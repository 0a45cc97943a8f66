"""Shapes of the change log and of what is deleted."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from webapp.api.shapes.base import OneOf, Shape
from webapp.changes.models import Change as StoredChange
from webapp.items.registry import items


class Difference(Shape):
    """A field and its values; "" means none, and long values are cut."""

    field: str
    before: str
    after: str


class Change(Shape):
    """A change: who, when, by which means, of which item, and the differences."""

    number: int
    at: datetime
    who: str
    means: Annotated[str, OneOf(StoredChange.Means.labels)]
    token: str
    verb: Annotated[str, OneOf(StoredChange.Verb.labels)]
    kind: str
    what: str
    project: str
    request_id: str
    differences: list[Difference]


class Changes(Shape):
    """A page of the log; `before` is the number to continue after, null at the end."""

    before: int | None
    changes: list[Change]


class DeletedItem(Shape):
    """A deleted thing: since when, by whom ("" where the log does not say), and until when you can bring it back."""

    kind: Annotated[str, OneOf(items("deletable"))]
    number: int
    title: str
    project: str
    at: datetime
    until: datetime
    by: str
    restorable: bool
