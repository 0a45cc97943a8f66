"""What people can do with notes and tags."""

from __future__ import annotations

from webapp.items.registry import Item, declare

declare(
    Item(
        name="note",
        model="talk.Note",
        columns=("text", "kind", "number", "owner"),
        remains="What it is about stays.",
        deletable=True,
        logged=("project", "kind", "number", "design", "pinned", "owner", "text", "deleted"),
    ),
    Item(name="tag", model="talk.Tag", logged=("project", "kind", "number", "word")),
)
