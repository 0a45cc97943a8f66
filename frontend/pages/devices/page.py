"""Machines on which an agent measures: what they measured, how far the model is off, what waits; asking for more, revoking."""

from __future__ import annotations

import re
from typing import Any

import dash
from dash import ALL, Input, Output, State, callback, ctx, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import BusyError, ProblemError
from engines.workloads.builtins import builtin_networks
from frontend.components.states import notice
from frontend.ids.devices import DevicesIds
from frontend.pages.devices.view import content, done
from frontend.request import current_user
from webapp.measuring import devices, jobs
from webapp.measuring.calibrations import calibrate_device
from webapp.measuring.models import AgentDevice, Measurement
from webapp.measuring.usual_networks import FITTED, NEVER_FITTED
from webapp.teams.permissions import NotAllowed, NotVisible, Principal
from webapp.teams.visibility import require_visible


def layout(**_query: str) -> Component:
    """The page for the signed-in user."""
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
    prevent_initial_call=True,
)
def act(clicks: list[int | None], texts: list[str | None], fields: list[dict[str, Any]]) -> Any:
    """Do what the button says, and show the devices as they are then."""
    asked = ctx.triggered_id
    if not any(clicks) or not isinstance(asked, dict):
        raise PreventUpdate
    principal = current_user()
    try:
        device = require_visible(principal, devices.devices_of(principal), pk=asked["number"])
        text = {field["number"]: text or "" for field, text in zip(fields, texts, strict=True)}.get(device.pk, "")
        told = done(_done(principal, device, str(asked["name"]), text))
    except (NotAllowed, NotVisible, ProblemError, BusyError) as error:
        told = notice(str(error), tone="bad")
    return content(principal, told)


def _done(principal: Principal, device: AgentDevice, name: str, text: str) -> str:
    """Do it, and say what was done; `text` names the networks for what the button "Measure these" asks."""
    counts = [int(peak["threads"]) for peak in device.machine["peaks"]]
    if name in ("measure", "again", "these"):
        networks = [*FITTED, *NEVER_FITTED] if name == "measure" else _measured(device)
        if name == "these":
            networks = [each for each in re.split(r"[\s,]+", text) if each]
        if not networks:
            raise ProblemError("networks", "none", "names of networks of the catalogue, separated by commas")
        asked = jobs.ask(principal, device, networks, counts, name == "again")
        return f"{len(asked.waiting)} measurements wait for the agent of {device.name}; {len(asked.known)} are known."
    if name == "calibrate":
        measured = device.measurements.filter(state=Measurement.State.DONE, kind=device.kind)
        with_results = [count for count in counts if measured.filter(threads=count).count() > 1]
        for count in with_results:
            calibrate_device(principal, device, count, NEVER_FITTED)
        return f"{device.name} is calibrated to what was measured with {_threads(with_results)}."
    if name == "revoke":
        devices.revoke(principal, device.pk)
        return f"The agent of {device.name} gets nothing more. What it measured stays."
    devices.allow_again(principal, device.pk)
    return f"The agent of {device.name} may register again."


def _measured(device: AgentDevice) -> list[str]:
    """Networks of the zoo that were measured on it."""
    done = device.measurements.filter(state=Measurement.State.DONE, kind=device.kind)
    slugs = done.values_list("network__slug", flat=True).distinct().order_by("network__slug")
    return [slug for slug in slugs if slug in builtin_networks()]


def _threads(counts: list[int]) -> str:
    return " and ".join("1 thread" if count == 1 else f"{count} threads" for count in counts)
