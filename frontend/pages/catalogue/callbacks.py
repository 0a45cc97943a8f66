"""Callbacks that the pages of hardware and workloads share."""

from __future__ import annotations

from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, no_update
from dash.exceptions import PreventUpdate

from frontend.components.clicks import clicked_id
from frontend.ids.catalogue import DocumentIds
from frontend.ids.shell import ShellIds
from frontend.pages.catalogue.document.frame import DocumentView, rail_entries, shown_of, tab_class
from frontend.pages.catalogue.document.versions import difference_view
from frontend.pages.catalogue.document_cache import loaded
from frontend.pages.catalogue.hardware import view as hardware_view
from frontend.pages.catalogue.workload import view as workload_view
from frontend.pages.catalogue.workload.comparison_parts import network_of
from frontend.pages.catalogue.workload.layers.query import ASKED, asked_of
from frontend.request import current_user

TAB_BUTTONS = {"type": DocumentIds.TAB_TYPE, "name": ALL}


@callback(
    Output(DocumentIds.LIST, "children"),
    Input(DocumentIds.LIST_SEARCH, "value"),
    State(DocumentIds.DOCUMENT, "data"),
    prevent_initial_call=True,
)
def filter_rail(query: str | None, document: dict[str, Any]) -> Any:
    """Return the documents at the left that match."""
    return rail_entries(current_user(), document["kind"], document["name"], (query or "")[:100])


clientside_callback(
    ClientsideFunction("catalogue", "showChosen"),
    Output(DocumentIds.LIST, "title"),
    Input(DocumentIds.DOCUMENT, "data"),
)


@callback(
    Output(DocumentIds.TAB, "data"),
    Output(DocumentIds.OVERVIEW, "hidden"),
    Output(DocumentIds.PANEL, "children"),
    Output(TAB_BUTTONS, "className"),
    Output(TAB_BUTTONS, "aria-selected"),
    Input(TAB_BUTTONS, "n_clicks"),
    State(TAB_BUTTONS, "id"),
    State(DocumentIds.DOCUMENT, "data"),
    State({"type": DocumentIds.ASKED_TYPE, "of": ALL}, "data"),
    prevent_initial_call=True,
)
def open_tab(clicks: list[int | None], ids: list[dict[str, str]], document: dict[str, Any], asked: list[Any]) -> Any:
    """Open another tab. The overview is hidden but keeps its selections."""
    tab = clicked_id(clicks)["name"]
    names = [each["name"] for each in ids]
    content = _panel(shown_of(document), tab, asked[0] if asked else {})
    return tab, tab != "overview", content, [tab_class(n, tab) for n in names], [str(n == tab).lower() for n in names]


clientside_callback(
    ClientsideFunction("catalogue", "tabAddress"),
    Output(DocumentIds.TAB, "modified_timestamp"),
    Input(DocumentIds.TAB, "data"),
    prevent_initial_call=True,
)


def _panel(shown: DocumentView, tab: str, asked: dict[str, Any]) -> Any:
    principal = current_user()
    if shown.entry.kind == "hardware":
        return hardware_view.panel(principal, shown, tab)
    return workload_view.panel(principal, shown, tab, asked_of(principal, asked))


@callback(
    Output(DocumentIds.DIFFERENCES, "children"),
    Input(DocumentIds.VERSUS, "value"),
    State(DocumentIds.DOCUMENT, "data"),
    prevent_initial_call=True,
)
def compare(versus: str | None, document: dict[str, Any]) -> Any:
    """Return the differences from the selected version or document."""
    return difference_view(current_user(), shown_of(document), versus)


@callback(
    Output(DocumentIds.PICTURE, "children"),
    Output(DocumentIds.LADDER, "children"),
    Input(ShellIds.SCHEME, "data"),
    Input(DocumentIds.MODE, "value"),
    State(ShellIds.VIEWPORT, "data"),
    State(DocumentIds.DOCUMENT, "data"),
    prevent_initial_call=True,
)
def draw_hardware(scheme: Any, mode: str | None, viewport: dict[str, int], document: dict[str, Any]) -> Any:
    """Return the pictures in the colours of the scheme, the clocks of the picked power mode standing out."""
    value = loaded(shown_of(document).entry)
    steps = hardware_view.ladder(value, mode, scheme)
    if ctx.triggered_id == DocumentIds.MODE:
        return no_update, steps
    return hardware_view.picture(value, scheme, int(viewport["width"])), steps


@callback(
    Output(DocumentIds.GRAPH, "children"),
    Input(ShellIds.SCHEME, "data"),
    State(ShellIds.VIEWPORT, "data"),
    State(DocumentIds.DOCUMENT, "data"),
    State(ASKED, "data"),
    prevent_initial_call=True,
)
def draw_graph(scheme: Any, viewport: dict[str, int], document: dict[str, Any], asked: dict[str, Any]) -> Any:
    """Return the graph in the colours of the scheme."""
    model = asked_of(current_user(), asked).model
    network = network_of(loaded(shown_of(document).entry), model)
    if network is None:
        raise PreventUpdate
    return workload_view.graph_card(network, scheme, int(viewport["width"]))
