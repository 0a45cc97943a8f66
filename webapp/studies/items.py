"""Actions on studies."""

from __future__ import annotations

from webapp.items.registry import Item, declare

declare(
    Item(
        name="study",
        model="studies.Study",
        page="/studies/{}",
        listing="/studies",
        columns=("title", "engine", "owner"),
        plural="Studies",
        icon="table",
        remains="Its runs stay, each on its own.",
        companions="Its runs go along.",
        annotatable=True,
        markable=True,
        movable=True,
        shareable=True,
        deletable=True,
        searchable=True,
        logged=("project", "owner", "title", "engine", "engine_version", "document", "deleted"),
    )
)
