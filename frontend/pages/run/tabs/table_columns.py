"""Which columns the table of designs shows: the chooser, and what an address says of it.

    columns=-energy_j,decision.clocks_mhz.gpu

names what differs from the usual: with a minus what is hidden, without one what is shown next to it. Usual are all columns of
figures, and those decisions in which designs differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.button import button
from frontend.designs.run_decisions import FIELD, RunDecisions
from frontend.designs.run_designs import RunDesigns
from frontend.ids.run import RunIds
from frontend.pages.run.tabs.table import FOUND


@dataclass(frozen=True)
class Choosable:
    """A column that can be hidden: its title, whether it is a decision, and whether it is shown by default."""

    title: str
    decision: bool
    usual: bool


def choosable(designs: RunDesigns, decisions: RunDecisions) -> Mapping[str, Choosable]:
    """Return field -> what may be hidden, in the order of the table; the design's number and kind always show."""
    found = {
        each.name: Choosable(each.title, False, each.name not in designs.besides or designs.besides[each.name].usual)
        for each in designs.quantities
    }
    for column in decisions.columns:
        found[f"{FIELD}{column.name}"] = Choosable(column.title, True, column.varies)
    return {**found, FOUND: Choosable("Found at evaluation", False, True)}


def read_columns(text: str, columns: Mapping[str, Choosable]) -> list[str]:
    """Return the fields that an address shows; what it names and is not there is left out."""
    shown = {field: column.usual for field, column in columns.items()}
    for part in text.split(","):
        field = part.removeprefix("-")
        if field in shown:
            shown[field] = not part.startswith("-")
    return [field for field, there in shown.items() if there]


def columns_menu(columns: Mapping[str, Choosable], shown: list[str]) -> Component:
    """Return the button that opens the chooser, which the browser answers (`assets/table.js`)."""
    groups = []
    for title, decision in (("Figures", False), ("Decisions", True)):
        boxes = [
            dmc.Checkbox(label=column.title, value=field, size="xs")
            for field, column in columns.items()
            if column.decision == decision
        ]
        if boxes:
            groups.append(html.Div([html.Div(title, className="xs t3"), *boxes], className="column-choice"))
    usual = [field for field, column in columns.items() if column.usual]
    chooser: Component = dmc.Popover(
        [
            dmc.PopoverTarget(html.Div(button("Columns", icon="table", size="small"))),
            dmc.PopoverDropdown(
                dmc.CheckboxGroup(html.Div(groups, className="column-choices"), id=RunIds.TABLE_COLUMNS, value=shown),
                p=12,
            ),
        ],
        position="bottom-end",
        shadow=None,
        withinPortal=False,
        keepMounted=True,
        trapFocus=True,
    )
    return html.Span([chooser, dcc.Store(id=RunIds.TABLE_USUAL, data=usual)])
