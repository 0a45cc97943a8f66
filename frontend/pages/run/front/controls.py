"""The controls in the head of the front's card: axes, view, and a box with colour, size and scales."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from frontend.components.button import icon_button
from frontend.components.icon import icon
from frontend.designs.run_designs import RunDesigns
from frontend.ids.run import RunIds
from frontend.pages.run.front.choices import VIEWS, Choices, may_be_log

_GROUPS = {"objective": "Objectives", "constraint": "Constraints", "metric": "Metrics", "decision": "Decisions"}
_LABELS = {
    "x": "Horizontal axis", "y": "Vertical axis", "z": "Third axis", "colour": "Colour of the designs",
    "size": "Size of the designs",
}  # fmt: skip


def front_controls(designs: RunDesigns, choices: Choices) -> list[Component]:
    """Return axes, view, lasso and the box of further choices."""
    axes = html.Span(
        [
            column_select(designs, "x", choices.x, 136),
            column_select(designs, "y", choices.y, 136),
        ],
        className="row g4 front-axes",
        id={"type": RunIds.FRONT_BOX_TYPE, "name": "axes"},
        hidden=choices.view in ("matrix", "parallel"),
    )
    lasso = icon_button("lasso", "Lasso: draw around designs to see only those")
    lasso.id = {"type": RunIds.FRONT_BOX_TYPE, "name": "lasso"}
    setattr(lasso, "data-lasso", "")
    setattr(lasso, "aria-pressed", "false")
    lasso.hidden = choices.view != "2d"
    return [axes, view_switch(choices, "head"), lasso, _more(designs, choices)]


def view_switch(choices: Choices, place: str) -> Component:
    """Return 2-D, 3-D, matrix or parallel axes."""
    buttons = [
        html.Button(
            words,
            id={"type": RunIds.FRONT_VIEW_TYPE, "value": value, "place": place},
            type="button",
            **{"aria-pressed": str(value == choices.view).lower()},
        )
        for value, words in VIEWS
    ]
    return html.Div(buttons, className=f"seg front-view in-{place}", role="group", **{"aria-label": "View"})


def column_select(designs: RunDesigns, name: str, value: str, width_px: int) -> Component:
    """Return a select of the run's columns by their role."""
    data: list[Any] = [{"value": "", "label": "None"}] if name in ("colour", "size") else []
    for role, words in _GROUPS.items():
        items = [
            {"value": quantity.name, "label": quantity.title}
            for quantity in designs.quantities
            if quantity.role == role and (quantity in designs.shown or quantity.name == value or not len(designs))
        ]
        data += [{"group": words, "items": items}] if items else []
    control: Component = dmc.Select(
        id={"type": RunIds.CHOICE_TYPE, "name": name},
        data=data,
        value=value,
        allowDeselect=False,
        size="xs",
        w=width_px,
        comboboxProps={"width": 180, "withinPortal": name in ("x", "y")},
        **{"aria-label": _LABELS[name]},
    )
    return control


def _more(designs: RunDesigns, choices: Choices) -> Component:
    rows = [
        html.Div(
            [html.Span(words, className="sm"), column_select(designs, name, getattr(choices, name), 132)],
            className="row between",
        )
        for name, words in (("z", "z, in 3-D"), ("colour", "Colour"), ("size", "Size"))
    ]
    logs = [
        dmc.Switch(
            id={"type": RunIds.LOG_TYPE, "name": letter},
            label=f"Logarithmic {letter}",
            checked=letter in choices.log,
            size="xs",
            color="accent",
            withThumbIndicator=False,
            disabled=not may_be_log(designs, getattr(choices, letter)),
        )
        for letter in "xyz"
    ]
    button = html.Button(
        icon("adjustments-horizontal"),
        className="ib",
        type="button",
        title="Colour, size and scales",
        **{"aria-label": "Colour, size and scales of the front"},
    )
    inside = html.Div([view_switch(choices, "box"), *rows, *logs], className="stack g8 run-switches front-more")
    popover: Component = dmc.Popover(
        [dmc.PopoverTarget(html.Div(button)), dmc.PopoverDropdown(inside, p=12)],
        position="bottom-end",
        shadow=None,
        width=240,
        withinPortal=False,
        keepMounted=True,
        trapFocus=True,
    )
    return popover
