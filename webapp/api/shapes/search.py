"""Shapes of the search."""

from __future__ import annotations

from typing import Annotated

from webapp.api.shapes.base import OneOf, Shape
from webapp.items.registry import items


class SearchHit(Shape):
    """A search hit; the title of a document is its slug."""

    kind: Annotated[str, OneOf(items("searchable"))]
    number: int
    title: str
    project: str
