"""Callbacks of the comparison of dataflows on the page of a workload."""

from __future__ import annotations

from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx

from frontend.ids.catalogue import DocumentIds, LayerIds
from frontend.ids.shell import ShellIds
from frontend.pages.catalogue.workload.comparison_parts import compared_network, pick_in
from frontend.pages.catalogue.workload.layers.query import ASKED, asked_of
from frontend.pages.catalogue.workload.layers.view import comparison_view
from frontend.request import current_user

STEPS = {"type": LayerIds.STEP_TYPE, "step": ALL}


@callback(
    Output(LayerIds.LEGEND, "children"),
    Output(LayerIds.HEAT, "children"),
    Output(LayerIds.TOTALS, "children"),
    Output(LayerIds.DETAIL, "children"),
    Output(LayerIds.LAYER, "data"),
    Output(LayerIds.LAYER, "value"),
    Output(ASKED, "data"),
    Input(LayerIds.PACKAGE, "value"),
    Input(LayerIds.SIZES, "value"),
    Input(LayerIds.MAPPINGS, "value"),
    Input(LayerIds.SHOW, "value"),
    Input(LayerIds.REFERENCE, "value"),
    Input(LayerIds.MODEL, "value"),
    Input(LayerIds.LAYER, "value"),
    Input(STEPS, "n_clicks"),
    Input(ShellIds.SCHEME, "data"),
    State(ShellIds.VIEWPORT, "data"),
    State(DocumentIds.DOCUMENT, "data"),
    prevent_initial_call=True,
)
def compare_layers(
    package: str,
    sizes: list[str],
    mappings: list[str],
    show: str,
    reference: str,
    model: str | None,
    layer: str | None,
    _steps: list[int | None],
    scheme: Any,
    viewport: dict[str, int],
    document: dict[str, Any],
) -> Any:
    """Draw the comparison again; another model starts at its first layer."""
    principal = current_user()
    network = compared_network(document, model)
    index = int(layer) if layer else 0
    changed = ctx.triggered_id
    if changed == LayerIds.MODEL:
        index = 0
    elif isinstance(changed, dict):
        index += int(changed["step"])
    index = min(max(index, 0), len(network.layers) - 1)
    given = {"package": package, "sizes": sizes, "mappings": mappings, "show": show, "reference": reference}
    asked = asked_of(principal, given | {"layer": index + 1, "model": int(model or 0) + 1})
    view = comparison_view(principal, network, asked, scheme, int(viewport["width"]))
    options = [{"value": str(each.index), "label": f"{each.index + 1} {each.name}"} for each in network.layers]
    return view.legend, view.heat, view.totals, view.detail, options, str(index), asked.to_json()


pick_in(LayerIds.GRAPH, LayerIds.LAYER)
clientside_callback(
    ClientsideFunction("catalogue", "layersAddress"),
    Output(LayerIds.LEGEND, "title"),
    Input(LayerIds.PACKAGE, "value"),
    Input(LayerIds.SIZES, "value"),
    Input(LayerIds.MAPPINGS, "value"),
    Input(LayerIds.SHOW, "value"),
    Input(LayerIds.REFERENCE, "value"),
    Input(LayerIds.MODEL, "value"),
    Input(LayerIds.LAYER, "value"),
    prevent_initial_call=True,
)
