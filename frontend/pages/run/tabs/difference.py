"""Differences of the pinned design (A) and the selected one (B): schedules on one time axis, moves, and metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError
from engines.contract.results import Result, Schedule, Table
from engines.exchange.schedule_difference_tables import difference_tables
from engines.exchange.schedule_differences import CostChange, compare_costs, compare_schedules
from frontend.components.button import button, icon_button
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.pictures.legend import model_legend
from frontend.components.states import empty_state, notice
from frontend.components.table import Column, plain_table
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import decimals_for, fixed, integer, reads_as_zero, scale_of
from frontend.figures.schedule.schedule import LEAST_WIDTH_PX
from frontend.figures.schedule.schedule_difference import (
    difference_height_px,
    difference_sentence,
    schedule_difference_figure,
    told_differences,
)
from frontend.ids.run import RunIds
from frontend.pages.asked_number import asked_number
from frontend.pages.run.design.card import cost_row, design_name
from frontend.pages.run.run_reader import designs_of, explained, open_run, schedule_of
from frontend.pages.run.tab import CARD_BORDERS_PX, RunTab, TabQuery
from frontend.results.table import result_table
from frontend.theme import Scheme
from webapp.runs.models import Run

OF_DIFFERENCE = "difference"
_DIFFERENCE = "B − A"


def pinned_from(asked: str, designs: RunDesigns) -> int | None:
    """Return the design that an address pins; None where there is no such design."""
    number = asked_number(asked)
    return number if number is not None and number < len(designs) else None


def pin_controls() -> list[Component]:
    """Return the pinned design and the pin button for the head of the selected design's card."""
    words = "Pin this design as A, then pick another one to see what differs (Enter)"
    return [
        html.Span(id=RunIds.PINNED, className="row g4"),
        icon_button("pin", words, id=RunIds.PIN_BUTTON),
    ]


def pinned_chip(designs: RunDesigns, pinned: int | None) -> Component | None:
    """Return the pinned design with a way to the differences and one to let go."""
    if pinned is None or pinned >= len(designs):
        return None
    words = f"A {design_name(designs, pinned)}"
    title = "Differences between this pinned design and the selected one"
    return html.Span(
        [
            button(
                words, id={"type": RunIds.TAB_TYPE, "name": OF_DIFFERENCE, "place": "pin"}, size="small", title=title
            ),
            icon_button("x", "Unpin design", id={"type": RunIds.UNPIN_TYPE, "name": "head"}),
        ],
        className="row g4",
    )


# -- panel ------------------------------------------------------------------------------------------------------------


def difference_panel(run: Run, selected: int | None, pinned: int | None, scheme: Scheme, width_px: int) -> Component:
    """Return the tab: what to do where two designs are not chosen yet, else costs, both schedules and what changed."""
    designs = designs_of(run)
    if pinned is None or pinned >= len(designs):
        words = "Select a design and pin it (the pin in its card, or Enter); then select another one."
        return empty_state("pin", "Pin a design to compare others with it", words)
    if selected is None or selected == pinned:
        words = "Now select another one: on the front, in the short list or in the table."
        return empty_state("pin", f"{design_name(designs, pinned)} is pinned", words)
    names = design_name(designs, pinned), design_name(designs, selected)
    costs = card("Metrics", html.Div(cost_table(costs_of(designs, pinned, selected), names), className="table-scroll"))
    try:
        found = schedules_of(run, pinned, selected)
    except (EngineError, LookupError) as error:
        return html.Div([costs, notice(str(error), tone="warn")], className="stack g12")
    if found is None:
        words = "This engine has no schedules, so moved layers are unknown."
        return html.Div([costs, notice(words)], className="stack g12")
    before, after = found
    differences = told_differences(compare_schedules(before, after))
    height = difference_height_px(before, after)
    picture = schedule_difference_figure(before, after, differences, scheme, width_px=max(LEAST_WIDTH_PX, width_px))
    schedules = card(
        "Schedules on one time axis",
        html.Div(
            plot(picture, height_px=height, summary=difference_sentence(differences)),
            className="schedule-keys",
            tabIndex=0,
            role="group",
            **{"aria-label": "Both schedules; arrows step from block to block"},
        ),
        html.Div([_outlines(), html.Span(className="sp"), model_legend(before.models)], className="row run-legend"),
        subtitle=difference_sentence(differences),
        actions=[figure_menu(table=False)],
        flush=True,
    )
    tables = [_table_card(result) for result in difference_tables(differences)]
    style = {"gridTemplateColumns": f"repeat({2 if width_px >= 1000 else 1}, minmax(0, 1fr))"}
    first, *rest = tables
    upper = html.Div([costs, first], className="run-grids", style=style)
    return html.Div([upper, schedules, html.Div(rest, className="run-grids", style=style)], className="stack g12")


def schedules_of(run: Run, pinned: int, selected: int) -> tuple[Schedule, Schedule] | None:
    """Return both designs' schedules; None where the engine makes none.

    Raises:
        EngineError, LookupError: a design cannot be explained.
    """
    before, after = schedule_of(explained(run, pinned)), schedule_of(explained(run, selected))
    return (before, after) if before is not None and after is not None else None


def difference_results(run: Run, pinned: int, selected: int) -> tuple[Result, ...]:
    """Return the tables of the panel, to save them."""
    found = schedules_of(run, pinned, selected)
    return difference_tables(compare_schedules(*found)) if found else ()


def costs_of(designs: RunDesigns, pinned: int, selected: int) -> tuple[CostChange, ...]:
    """Return every quantity of both designs."""
    before, after = (designs.values_of(number) for number in (pinned, selected))
    return compare_costs(designs.shown, before, after)


def cost_table(costs: Sequence[CostChange], names: tuple[str, str]) -> Component:
    """Return one row per quantity that differs: both values, what B adds and the ratio; the better value is bold."""
    heads = [
        Column("Quantity"),
        Column(f"A {names[0]}", number=True),
        Column(f"B {names[1]}", number=True),
        Column("B − A", number=True),
        Column("B / A", number=True),
    ]
    apart = [cost for cost in costs if not _reads_equal(cost)]
    return html.Div(
        [plain_table(heads, [cost_row(cost) for cost in apart]), equal_note(len(costs) - len(apart), "quantity")]
    )


def _reads_equal(cost: CostChange) -> bool:
    """Return whether both values read the same, or neither is there."""
    scale = scale_of([cost.before, cost.after], cost.quantity.unit)
    before, after = cost.before * scale.factor, cost.after * scale.factor
    places = decimals_for([abs(before), abs(after)])
    return fixed(before, places) == fixed(after, places)


def equal_note(count: int, what: str) -> Component | None:
    """Return the note on the number of rows with equal values in both designs; None without such rows."""
    words = {"quantity": "quantities"}.get(what, f"{what}s")
    told = f"1 {what} is equal in both." if count == 1 else f"{integer(count)} {words} are equal in both."
    return html.P(told, className="sm t3 equal-note") if count else None


def without_equal(table: Table) -> tuple[Table, int]:
    """Return the rows whose *B − A* reads other than 0, as many digits as its column shows; and how many are left out."""
    named = {column.title: column for column in table.table_columns}
    if _DIFFERENCE not in named:
        return table, 0
    values = np.asarray(named[_DIFFERENCE].values, np.float64)
    both = np.concatenate([np.asarray(named[name].values, np.float64) for name in ("In A", "In B")])
    keep = np.flatnonzero(~reads_as_zero(values, both, named[_DIFFERENCE].unit))
    columns = tuple(
        replace(
            column,
            values=column.values[keep]
            if isinstance(column.values, np.ndarray)
            else tuple(column.values[int(row)] for row in keep),
        )
        for column in table.table_columns
    )
    return replace(table, table_columns=columns), len(values) - len(keep)


def _outlines() -> Component:
    words = (("solid", "moved"), ("dashed", "longer"), ("dotted", "shorter"))
    marks = [
        html.Span([html.Span(className=f"outline-key {style}"), name], className="row g4 sm t2")
        for style, name in words
    ]
    return html.Div([*marks, html.Span("equal parts are dimmed", className="sm t3")], className="row g12")


def _table_card(result: Result) -> Component:
    assert isinstance(result, Table)
    save = button(
        "CSV",
        id={"type": RunIds.RESULT_TYPE, "of": OF_DIFFERENCE, "name": result.name},
        icon="download",
        kind="quiet",
        size="small",
    )
    told, equal = without_equal(result)
    note = equal_note(equal, "lane" if result.name == "lanes" else "part")
    if not len(told.table_columns[0].values):
        return card(result.title, html.Div(["Nothing.", note], className="sm t2 pad"), flush=True)
    return card(result.title, html.Div([result_table(told), note]), actions=[save], flush=True)


def _made(asked: TabQuery) -> Component:
    return difference_panel(asked.run, asked.design, asked.pinned, asked.scheme, asked.width_px - CARD_BORDERS_PX)


TAB = RunTab(OF_DIFFERENCE, "Difference", _made)


# -- callbacks --------------------------------------------------------------------------------------------------------


@callback(
    Output(RunIds.PIN, "data"),
    Input(RunIds.PIN_BUTTON, "n_clicks"),
    Input({"type": RunIds.UNPIN_TYPE, "name": ALL}, "n_clicks"),
    Input(RunIds.KEYS, "data"),
    State(RunIds.SELECTION, "data"),
    prevent_initial_call=True,
)
def pin(clicks: int | None, let_go: list[int | None], key: Any, selection: Mapping[str, Any]) -> Any:
    """Pin the selected design, or let go."""
    if isinstance(ctx.triggered_id, dict):
        if any(let_go):
            return None
        raise PreventUpdate
    asked = bool(clicks) if ctx.triggered_id == RunIds.PIN_BUTTON else (key or {}).get("what") == "pin"
    number = selection.get("design")
    if not asked or number is None:
        raise PreventUpdate
    return int(number)


@callback(
    Output(RunIds.PINNED, "children"),
    Input(RunIds.PIN, "data"),
    State(RunIds.RUN, "data"),
)
def show_pinned(pinned: int | None, run_id: int) -> Any:
    """Return the chip of the pinned design; the same whatever is selected, so that a pick asks nothing for it."""
    if pinned is None:
        return [] if ctx.triggered_id == RunIds.PIN else no_update
    return pinned_chip(designs_of(open_run(run_id)), pinned)


clientside_callback(
    ClientsideFunction("run", "pinAddress"), Output(RunIds.PIN, "modified_timestamp"), Input(RunIds.PIN, "data")
)
