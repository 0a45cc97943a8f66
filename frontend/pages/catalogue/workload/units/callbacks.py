"""Callbacks of the comparison of a device's units on the page of a workload."""

from __future__ import annotations

from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, no_update
from dash.exceptions import PreventUpdate

from frontend.ids.catalogue import DocumentIds, LayerIds
from frontend.ids.shell import ShellIds
from frontend.ids.units import UnitIds
from frontend.pages.catalogue.document_cache import loaded
from frontend.pages.catalogue.workload.comparison_parts import compared_network, pick_in
from frontend.pages.catalogue.workload.units.query import devices, units_asked
from frontend.pages.catalogue.workload.units.view import calibration_options, clock_controls, units_view
from frontend.request import current_user

_CLOCKS = {"type": UnitIds.CLOCK_TYPE, "name": ALL}


@callback(
    Output(UnitIds.LEGEND, "children"),
    Output(UnitIds.HEAT, "children"),
    Output(UnitIds.TOTALS, "children"),
    Output(UnitIds.DETAIL, "children"),
    Output(UnitIds.OPERATION, "data"),
    Output(UnitIds.OPERATION, "value"),
    Output(UnitIds.CALIBRATION, "data"),
    Output(UnitIds.CALIBRATION, "value"),
    Output(UnitIds.CLOCKS, "children"),
    Input(UnitIds.SOC, "value"),
    Input(UnitIds.CALIBRATION, "value"),
    Input(UnitIds.SHOW, "value"),
    Input(UnitIds.FALLBACK, "value"),
    Input(_CLOCKS, "value"),
    Input(UnitIds.OPERATION, "value"),
    Input(LayerIds.MODEL, "value"),
    Input(ShellIds.SCHEME, "data"),
    State(_CLOCKS, "id"),
    State(ShellIds.VIEWPORT, "data"),
    State(DocumentIds.DOCUMENT, "data"),
    prevent_initial_call=True,
)
def compare_units(
    soc: str | None, calibration: str | None, show: str, fallback: str, clocks: list[str | None], operation: str | None,
    model: str | None, scheme: Any, ids: list[dict[str, str]], viewport: dict[str, int], document: dict[str, Any],
) -> Any:  # fmt: skip
    """Draw the comparison again; another device starts at its highest clocks, with the calibration that covers most."""
    principal = current_user()
    network = compared_network(document, model)
    if not soc:
        raise PreventUpdate
    other = ctx.triggered_id == UnitIds.SOC
    settings = {} if other else {each["name"]: value for each, value in zip(ids, clocks, strict=True) if value}
    place = 0 if ctx.triggered_id == LayerIds.MODEL else int(operation or 0)
    given = {"soc": soc, "calibration": None if other else calibration, "show": show, "fallback": fallback,
             "clocks": settings, "operation": place}  # fmt: skip
    asked = units_asked(principal, network, given)
    view = units_view(principal, network, asked, scheme, int(viewport["width"]))
    shown = min(asked.operation, max(len(view.operations) - 1, 0))
    parts = (view.legend, view.heat, view.totals, view.detail, view.operations, str(shown))
    if not other:
        return *parts, no_update, no_update, no_update
    device = next(loaded(entry) for entry in devices(principal) if entry.name == asked.soc)
    return *parts, calibration_options(principal, device), asked.calibration, clock_controls(device, {})


pick_in(UnitIds.GRAPH, UnitIds.OPERATION)
clientside_callback(
    ClientsideFunction("catalogue", "unitsAddress"),
    Output(UnitIds.LEGEND, "title"),
    Input(UnitIds.SOC, "value"),
    Input(UnitIds.CALIBRATION, "value"),
    Input(UnitIds.SHOW, "value"),
    Input(UnitIds.FALLBACK, "value"),
    Input(_CLOCKS, "value"),
    State(_CLOCKS, "id"),
)
