"""A hardware document: picture, figures with units and sources, versions, what differs, YAML."""

from __future__ import annotations

import dash
from dash import html
from dash.development.base_component import Component

from frontend.pages.catalogue.document.frame import exists, find, not_found
from frontend.pages.catalogue.hardware.view import page
from frontend.request import current_user, page_title


def layout(name: str = "", version: str = "", tab: str = "overview", versus: str = "", **_query: str) -> Component:
    """Return the page of a hardware document for the signed-in user."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    shown = find(principal, "hardware", name, version)
    return not_found(principal, "hardware", name) if shown is None else page(principal, shown, tab, versus)


dash.register_page(
    __name__,
    path_template="/catalogue/hardware/<name>",
    exists=exists("hardware"),
    name="Hardware",
    title=page_title("Hardware"),
    layout=layout,
)
