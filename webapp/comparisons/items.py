"""Actions on comparisons."""

from __future__ import annotations

from webapp.items.registry import Item, declare

declare(
    Item(
        name="comparison",
        model="comparisons.Comparison",
        page="/compare/{}",
        listing="/compare",
        columns=("title", "owner"),
        plural="Comparisons",
        icon="git-compare",
        remains="Its runs stay.",
        companions="Its runs stay in their projects. People who cannot see one of them still see the others.",
        annotatable=True,
        markable=True,
        movable=True,
        shareable=True,
        deletable=True,
        searchable=True,
        logged=("project", "owner", "title", "entries", "axes", "deleted"),
    )
)
