"""Glossary: the terms of the product, and every metric of every engine at an address of its own."""

from __future__ import annotations

import dash
import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from frontend.components.icon import icon
from frontend.glossary import PATH
from frontend.pages.glossary.view import contents
from frontend.request import current_user


def layout(**_query: str) -> Component:
    """Return the page for the signed-in user. `glossary.js` filters it and scrolls to the term that the address names."""
    if not current_user().is_authenticated:
        return html.Div()
    words = "Filter terms and metrics"
    field = dmc.TextInput(
        id="glossary-filter", placeholder=words, leftSection=icon("search", "s"), **{"aria-label": words}
    )
    head = html.Div([html.H1("Glossary"), html.Span(className="sp"), field], className="head row wrap")
    return html.Div([head, contents()])


dash.register_page(__name__, path=PATH, name="Glossary", title="Glossary · Paretoscope", layout=layout)
