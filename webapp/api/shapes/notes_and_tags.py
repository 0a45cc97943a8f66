"""Notes, tags and stars, as the interface takes and shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from webapp.annotations.marks import MOST_TAGS
from webapp.api.shapes.base import AcceptedValues, Body, OneOf, Shape
from webapp.items.registry import items


def _name(account: Any) -> str:
    return account if isinstance(account, str) else str(account.get_username())


class Note(Shape):
    """A note on an item."""

    id: int
    kind: Annotated[str, OneOf(items("annotatable"))]
    number: int = Field(description="Number of the item; for `version` the id of the stored version.")
    design: int | None = Field(description="Design of the run that the note is about; null: the whole item.")
    pinned: bool = Field(description="Whether it is shown at the design everywhere.")
    author: Annotated[str, BeforeValidator(_name)]
    text: str = Field(description="Markdown.")
    html: str = Field(description="The same as safe HTML.")
    created: datetime
    edited: datetime | None


class WrittenNote(Note):
    """A note that was just written or changed."""

    not_told: list[str] = Field(description="Mentioned names that no viewer of the item has; they got no notification.")


class NewNote(Body):
    """A note to write."""

    text: Annotated[str, AcceptedValues("Markdown")]
    design: Annotated[int | None, AcceptedValues("the number of a design of the run, or null")] = None
    pinned: Annotated[bool, AcceptedValues("true or false")] = False


class NoteChange(Body):
    """A change of one's own note; fields that are left out stay."""

    text: Annotated[str | None, AcceptedValues("Markdown")] = None
    pinned: Annotated[bool | None, AcceptedValues("true or false")] = None


class TagCount(Shape):
    """A tag, and how many things that you see have it."""

    word: str
    things: int


class Tags(Shape):
    """The tags of a thing, in the order of their letters."""

    tags: list[str]


class TagsBody(Body):
    """The tags that a thing is to have."""

    tags: Annotated[list[str], Field(max_length=MOST_TAGS), AcceptedValues(f"a list of at most {MOST_TAGS} words")]


class Favourite(Shape):
    """Something that you gave a star."""

    kind: Annotated[str, OneOf(items("markable"))]
    number: int
    title: str
    project: str
