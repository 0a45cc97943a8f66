"""The catalogue: hardware as cards, workloads as a table, with search and filters that stand in the address."""

from __future__ import annotations

from typing import Any

import dash
from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, html
from dash.development.base_component import Component

from frontend.ids.catalogue import BrowseIds
from frontend.pages.catalogue.listing import KINDS, page, results
from frontend.request import current_user


def layout(kind: str = "hardware", q: str = "", **query: str) -> Component:
    """Return the page for the signed-in user; `kind`, `q` and the filters stand in the address."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    kind = kind if kind in KINDS else "hardware"
    return page(principal, kind, q[:100], query)


dash.register_page(__name__, path="/catalogue", name="Catalogue", title="Catalogue · Paretoscope", layout=layout)

_FILTERS = {"type": BrowseIds.FILTER_TYPE, "name": ALL}


@callback(
    Output(BrowseIds.RESULTS, "children"),
    Output(BrowseIds.COUNT, "children"),
    Input(BrowseIds.SEARCH, "value"),
    Input(_FILTERS, "value"),
    State(_FILTERS, "id"),
    State(BrowseIds.KIND, "data"),
    prevent_initial_call=True,
)
def browse(search: str | None, values: list[str | None], ids: list[dict[str, str]], kind: str) -> Any:
    """Return the documents that match."""
    filters = {each["name"]: value for each, value in zip(ids, values, strict=True)}
    return results(current_user(), kind, (search or "")[:100], filters)


clientside_callback(
    ClientsideFunction("catalogue", "browseAddress"),
    Output(BrowseIds.KIND, "modified_timestamp"),
    Input(BrowseIds.SEARCH, "value"),
    Input(_FILTERS, "value"),
    State(_FILTERS, "id"),
    State(BrowseIds.KIND, "data"),
    prevent_initial_call=True,
)
