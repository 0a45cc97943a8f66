"""The link from an item to its change log."""

from __future__ import annotations

from dash import dcc
from dash.development.base_component import Component

from frontend.components.icon import icon


def changes_link(kind: str, number: int) -> Component:
    """Return a link to the change log of an item, by its kind and number."""
    words = f"Changes of this {kind}, by whom and when"
    link: Component = dcc.Link(
        icon("list", "s"),
        href=f"/changes?kind={kind}&number={number}",
        className="ib",
        title=words,
    )
    return link
