"""What stands at an address that leads nowhere. Dash finds this page by the name of its module."""

from __future__ import annotations

import dash
from dash.development.base_component import Component

from frontend.components.button import link_button
from frontend.components.items.deleted_item import nothing_page


def layout(**_query: str) -> Component:
    """Where to go from here."""
    words = "Nothing with this address exists, or it belongs to a project that you are not a member of."
    actions = [link_button("Go home", "/", kind="primary", size="small")]
    return nothing_page("There is nothing here", words, actions)


dash.register_page(__name__, name="Nothing here", title="Nothing here · Paretoscope", layout=layout)
