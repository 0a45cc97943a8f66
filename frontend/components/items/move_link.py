"""The link to the page that moves or copies an item to another project."""

from __future__ import annotations

from dash import dcc
from dash.development.base_component import Component

from frontend.components.icon import icon


def move_link(kind: str, number: int) -> Component:
    """Return a link to the page that asks where to.

    Args:
        kind: a movable one.
        number: key of the thing.
    """
    words = f"Move or copy this {kind} to another project"
    link: Component = dcc.Link(
        icon("arrow-right", "s"), href=f"/move?kind={kind}&number={number}", className="ib", title=words
    )
    return link
