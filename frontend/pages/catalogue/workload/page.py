"""A workload document: totals, what suits each layer, layers, graph, versions, what differs, YAML."""

from __future__ import annotations

import dash
from dash import html
from dash.development.base_component import Component

from frontend.pages.catalogue.document.frame import exists, find, not_found
from frontend.pages.catalogue.workload.view import page
from frontend.request import current_user, page_title


def layout(name: str = "", version: str = "", **query: str) -> Component:
    """Return the page of a workload document for the signed-in user."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    shown = find(principal, "workload", name, version)
    return not_found(principal, "workload", name) if shown is None else page(principal, shown, query)


dash.register_page(
    __name__,
    path_template="/catalogue/workload/<name>",
    exists=exists("workload"),
    name="Workload",
    title=page_title("Workload"),
    layout=layout,
)
