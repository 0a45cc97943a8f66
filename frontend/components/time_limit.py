"""The field for "stop after N minutes", for forms that start something and for a run that continues."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from engines.contract.errors import ProblemError
from engines.running.time_limits import read_minutes
from frontend.components.form import FieldSpec, format_value, parse_value

SPEC = FieldSpec("stop_after_minutes", "Stop after", "number", None, unit="min", optional=True)
HELP = "Minutes of compute time. Designs found by then are stored, and the run can continue. Empty: runs to its end"


def read_limit(raw: Any) -> Any:
    """Return the minutes as typed, None for an empty field; what is no number stays as typed, so that a check can name it."""
    return parse_value(SPEC, raw)


def limit_error(minutes: Any) -> str:
    """Return the error message for a time limit in minutes; "" if it is valid."""
    try:
        read_minutes(minutes)
    except ProblemError as error:
        return error.explained(f"Must be {error.accepted}. Got {format_value(SPEC, error.got)} instead")
    return ""


def time_limit_field(minutes: Any, input_id: str, help_id: str) -> Component:
    """Label, box with the unit inside, and one line of help; the id of the box around them ends in "-field"."""
    return html.Div(
        [
            html.Label(SPEC.title, htmlFor=input_id, title=SPEC.name),
            minutes_box(minutes, input_id, "no limit", **{"aria-describedby": help_id}),
            html.Div(HELP, id=help_id, className="h"),
        ],
        id=f"{input_id}-field",
        className=field_class(""),
    )


def minutes_box(minutes: Any, input_id: Any, placeholder: str, label: str = SPEC.title, **more: Any) -> Component:
    """Return the input box for minutes without its label."""
    box: Component = dmc.TextInput(
        id=input_id,
        value=format_value(SPEC, minutes),
        debounce=250,
        size="xs",
        autoComplete="off",
        spellCheck=False,
        placeholder=placeholder,
        rightSection=html.Span("min", className="field-unit"),
        rightSectionWidth="3em",
        **{"aria-label": f"{label}, minutes", **more},
    )
    return box


def field_class(wrong: str) -> str:
    """Return the classes of the box around the field."""
    return "field invalid time-limit" if wrong else "field time-limit"
