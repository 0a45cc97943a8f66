"""The section of the New run page in which designs are measured while the run searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dash_mantine_components as dmc
from dash import ALL, Input, Output, State, callback, dcc, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.engine import Engine
from frontend.components.form import FieldSpec, format_value, parse_value
from frontend.ids.new import NewIds
from webapp.measuring.designs import MOST_DESIGNS
from webapp.measuring.places import run_words
from webapp.measuring.run_measurements import WAIT_MINUTES, places_of
from webapp.teams.permissions import Principal

PLACE, DESIGNS, WAIT = "place", "designs", "wait_minutes"
_USUAL_DESIGNS = 8
_DESIGNS = FieldSpec(DESIGNS, "Designs, at most", "integer", _USUAL_DESIGNS, unit="designs")
_WAIT = FieldSpec(WAIT, "Time limit of an answer", "number", WAIT_MINUTES, unit="min")
_HELP = (
    f"Up to {MOST_DESIGNS} of the most informative designs on the front. Measurements correct the latencies "
    "that the search ranks by; predictions stay visible. A machine that does not answer in time is left "
    "out. Waiting adds to the run's time."
)


def measuring_section(person: Principal, engine: Engine, measure: Mapping[str, Any] | None) -> Component | None:
    """Return the fields; None of an engine whose designs machines cannot run."""
    if engine.measurable is None:
        return None
    places = places_of(person) if person.is_authenticated else []
    if not places:
        link = dcc.Link("Devices", href="/devices", className="link")
        told = ["A machine of yours with an agent can measure designs during the search: ", link]
        return html.Div(told, className="sm t3")
    given = measure or {}
    offered: Any = [
        {"value": f"{device.pk}:{peak['threads']}", "label": f"{device.name}, {run_words(peak['threads'])}"}
        for device in places
        for peak in device.machine["peaks"]
    ]
    chosen = f"{given['device']}:{given.get('threads', 1)}" if given.get("device") is not None else None
    select = dmc.Select(
        id={"type": NewIds.MEASURE_TYPE, "name": PLACE},
        data=offered,
        value=chosen,
        clearable=True,
        placeholder="on no machine",
        size="xs",
        w=250,
        **{"aria-label": "Measuring device and threads"},
    )
    boxes = [
        _box(_DESIGNS, given.get(DESIGNS, _USUAL_DESIGNS), 110),
        _box(_WAIT, given.get(WAIT, WAIT_MINUTES), 110),
    ]
    field = html.Div([html.Label("Measured on"), select], className="field")
    row = html.Div([field, *boxes], className="row g12 wrap top")
    help_line = html.Div(_HELP, className="sm t2", title=engine.measurable.words)
    return html.Div(html.Div([row, help_line], className="cb stack g8"), className="card")


def _box(spec: FieldSpec, value: Any, width_px: int) -> Component:
    box = dmc.TextInput(
        id={"type": NewIds.MEASURE_TYPE, "name": spec.name},
        value=format_value(spec, value),
        debounce=250,
        size="xs",
        w=width_px,
        autoComplete="off",
        rightSection=html.Span(spec.unit, className="field-unit"),
        rightSectionWidth="5em" if spec.unit == "designs" else "3em",
        **{"aria-label": spec.title},
    )
    return html.Div([html.Label(spec.title), box], className="field")


@callback(
    Output(NewIds.DRAFT, "data", allow_duplicate=True),
    Input({"type": NewIds.MEASURE_TYPE, "name": ALL}, "value"),
    State({"type": NewIds.MEASURE_TYPE, "name": ALL}, "id"),
    State(NewIds.DRAFT, "data"),
    prevent_initial_call=True,
)
def choose_measuring(values: list[Any], ids: list[dict[str, str]], data: dict[str, Any]) -> Any:
    """Return the draft with the requested measurements during the search."""
    measure = read_measuring({each["name"]: value for each, value in zip(ids, values, strict=True)})
    if not ids or measure == data.get("measure"):
        raise PreventUpdate
    return {**data, "measure": measure}


def read_measuring(typed: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the entry `measure` of a problem document; None without a device. Text that is not a number stays for the refusal."""
    device, _, threads = str(typed.get(PLACE) or "").partition(":")
    if not device.isdigit() or not threads.isdigit():
        return None
    return {
        "device": int(device),
        "threads": int(threads),
        DESIGNS: parse_value(_DESIGNS, typed.get(DESIGNS)),
        WAIT: parse_value(_WAIT, typed.get(WAIT)),
    }
