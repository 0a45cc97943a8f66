"""Actions on notes and tags."""

from __future__ import annotations

from webapp.items.registry import Item, declare

declare(
    Item(
        name="note",
        model="talk.Note",
        columns=("text", "kind", "number", "owner"),
        remains="The item that it is about stays.",
        deletable=True,
        logged=("project", "kind", "number", "design", "pinned", "owner", "text", "deleted"),
    ),
    Item(name="tag", model="talk.Tag", logged=("project", "kind", "number", "word")),
)
