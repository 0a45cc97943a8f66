"""A calibration of a system on a chip: how far it is off, row by row, and its parameters."""

from __future__ import annotations

from typing import Any

import dash
from dash import Input, Output, State, callback, html
from dash.development.base_component import Component

from frontend.ids.calibration import CalibrationIds
from frontend.ids.shell import ShellIds
from frontend.pages.calibration.next_networks import next_card
from frontend.pages.calibration.view import page, picture_of
from frontend.pages.catalogue.document.frame import exists, find, not_found, shown_of
from frontend.request import current_user, page_title
from hardware.calibration.loader import load_calibration


def layout(name: str = "", version: str = "", **_query: str) -> Component:
    """Return the page of a calibration for the signed-in user."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    shown = find(principal, "calibration", name, version)
    return (
        not_found(principal, "calibration", name)
        if shown is None
        else page(principal, shown, next_card(principal, shown))
    )


dash.register_page(
    __name__,
    path_template="/catalogue/calibration/<name>",
    exists=exists("calibration"),
    name="Calibration",
    title=page_title("Calibration"),
    layout=layout,
)


@callback(
    Output(CalibrationIds.PICTURE, "children"),
    Input(ShellIds.SCHEME, "data"),
    State(CalibrationIds.DOCUMENT, "data"),
    prevent_initial_call=True,
)
def draw(scheme: Any, document: dict[str, Any]) -> Component:
    """Return the residuals in the colours of the scheme."""
    return picture_of(load_calibration(shown_of(document).entry.content), scheme)
