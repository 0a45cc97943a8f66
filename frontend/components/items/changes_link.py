"""The way from a thing to what was done to it."""

from __future__ import annotations

from dash import dcc
from dash.development.base_component import Component

from frontend.components.icon import icon


def changes_link(kind: str, number: int) -> Component:
    """Return a link to the change log of one thing: its kind, a logged one, and its number."""
    words = f"Changes of this {kind}, by whom and when"
    link: Component = dcc.Link(
        icon("list", "s"),
        href=f"/changes?kind={kind}&number={number}",
        className="ib",
        title=words,
    )
    return link
