"""What stands at an address that leads nowhere. Dash finds this page by the name of its module."""

from __future__ import annotations

import dash
from dash import html
from dash.development.base_component import Component

from frontend.components.button import link_button
from frontend.components.states import empty_state


def layout(**_query: str) -> Component:
    """Where to go from here."""
    words = "Nothing with this address exists, or it belongs to a project that you are not a member of."
    actions = [link_button("Go home", "/", kind="primary", size="small")]
    state = empty_state("search", "There is nothing here", words, actions, level=1)
    return html.Div(html.Section(state, className="card home-empty"), className="page")


dash.register_page(__name__, name="Nothing here", title="Nothing here · Paretoscope", layout=layout)
