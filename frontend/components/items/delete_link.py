"""The way to the page on which a thing is deleted."""

from __future__ import annotations

from dash import dcc
from dash.development.base_component import Component

from frontend.components.icon import icon


def delete_link(kind: str, number: int, editable: bool) -> list[Component]:
    """Return a link to the page that confirms and deletes; an empty list for users who may not delete.

    Args:
        kind: a deletable one.
        number: key of the thing.
        editable: whether who looks may change it.
    """
    words = f"Delete this {kind}"
    found: Component = dcc.Link(
        icon("trash", "s"),
        href=f"/deleted?kind={kind}&number={number}",
        className="ib",
        title=words,
    )
    return [found] if editable else []
