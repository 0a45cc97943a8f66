"""The page of an address that leads nowhere. Dash finds this page by the name of its module."""

from __future__ import annotations

import dash
from dash.development.base_component import Component

from frontend.components.button import link_button
from frontend.components.items.deleted_item import nothing_page


def layout(**_query: str) -> Component:
    """Return the page for an unknown address, with links."""
    words = "This address does not exist, or it belongs to a project of which you are no member."
    actions = [link_button("Go home", "/", kind="primary", size="small")]
    return nothing_page("Page not found", words, actions)


dash.register_page(__name__, name="Nothing here", title="Page not found · Paretoscope", layout=layout)
