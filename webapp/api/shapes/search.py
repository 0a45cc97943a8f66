"""Shapes of the search."""

from __future__ import annotations

from typing import Annotated

from webapp.api.shapes.base import OneOf, Shape
from webapp.items.registry import items


class SearchHit(Shape):
    """Something that was found; a document's title is its slug."""

    kind: Annotated[str, OneOf(items("searchable"))]
    number: int
    title: str
    project: str
