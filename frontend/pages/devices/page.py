"""Machines on which an agent measures: what they measured, how far the model is off, what waits; asking for more, revoking."""

from __future__ import annotations

from typing import Any

import dash
from dash import ALL, Input, Output, State, callback, html
from dash.development.base_component import Component

from engines.contract.errors import BusyError, ProblemError
from frontend.components.clicks import clicked_id
from frontend.components.states import notice
from frontend.ids.devices import DevicesIds
from frontend.pages.devices.actions import done_on
from frontend.pages.devices.view import content, done
from frontend.request import current_user
from webapp.measuring import devices
from webapp.teams.permissions import NotAllowed, NotVisible
from webapp.teams.visibility import require_visible


def layout(**_query: str) -> Component:
    """Return the page for the signed-in user."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    head = html.Div(html.H1("Devices"), className="head row")
    body = html.Div(
        content(principal), id=DevicesIds.CONTENT, className="page catalogue stack g12", **{"aria-live": "polite"}
    )
    return html.Div([head, body])


dash.register_page(__name__, path="/devices", name="Devices", title="Devices · Paretoscope", layout=layout)


@callback(
    Output(DevicesIds.CONTENT, "children"),
    Input({"type": DevicesIds.ACTION_TYPE, "name": ALL, "number": ALL}, "n_clicks"),
    State({"type": DevicesIds.NETWORKS_TYPE, "number": ALL}, "value"),
    State({"type": DevicesIds.NETWORKS_TYPE, "number": ALL}, "id"),
    State({"type": DevicesIds.BOARD_TYPE, "number": ALL}, "value"),
    State({"type": DevicesIds.BOARD_TYPE, "number": ALL}, "id"),
    prevent_initial_call=True,
)
def act(
    clicks: list[int | None],
    texts: list[str | None],
    fields: list[dict[str, Any]],
    boards: list[str | None],
    lists: list[dict[str, Any]],
) -> Any:
    """Do what the button says, and show the devices as they are then."""
    asked = clicked_id(clicks)
    principal, typed = current_user(), {field["number"]: text or "" for field, text in zip(fields, texts, strict=True)}
    try:
        device = require_visible(principal, devices.devices_of(principal), pk=asked["number"])
        chosen = {each["number"]: board or "" for each, board in zip(lists, boards, strict=True)}
        text = (chosen if asked["name"] == "share" else typed).get(device.pk, "")
        told = done(done_on(principal, device, str(asked["name"]), text))
        if asked["name"] == "these":
            typed.pop(device.pk, None)
    except (NotAllowed, NotVisible, ProblemError, BusyError) as error:
        told = notice(str(error), tone="bad")
    return content(principal, told, typed)
