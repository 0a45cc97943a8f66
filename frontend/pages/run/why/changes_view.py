"""The card of single changes: asked for piece by piece, so that a table grows, and so that one can stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dash_mantine_components as dmc
import numpy as np
from dash import ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, dcc, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError
from engines.contract.quantities import Quantity
from frontend.components.button import button
from frontend.components.card import card
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.designs.run_designs import RunDesigns
from frontend.ids.run import RunIds
from frontend.ids.why import WhyIds
from frontend.pages.run.design.card import refused
from frontend.pages.run.run_reader import designs_of, open_run
from frontend.pages.run.why.changes import (
    MOST_S,
    PIECE_S,
    Tally,
    begun,
    best_of,
    best_words,
    helps,
    ranked_quantities,
    signed_percent,
    tally_words,
    with_more,
)
from webapp.runs.results.design_variants import MOST_BORROWED, MOST_TOGETHER, Population, try_changes

_TITLE = "Which single change helps most"


def population_of(designs: RunDesigns) -> Population:
    """Return the front, thinned where it is large, and a sample of the other designs that meet the limits."""
    front = designs.front
    if len(front) > MOST_TOGETHER:
        front = front[np.linspace(0, len(front) - 1, MOST_TOGETHER).astype(int)]
    kept = np.flatnonzero(designs.searched & designs.feasible)
    drawn = kept[np.argsort(designs.draw_order[kept], kind="stable")[:MOST_BORROWED]]
    others = np.unique(np.concatenate([front[:MOST_BORROWED], drawn]))[:MOST_BORROWED]
    return Population(front.tolist(), others.tolist())


def changes_card(designs: RunDesigns) -> Component:
    """Return the card before any attempt."""
    quantities = ranked_quantities(designs)
    if not quantities:
        return card(_TITLE, notice("This run has no metric with a better direction."))
    chosen = dmc.Select(
        id=WhyIds.FOR, value=quantities[0].name, size="xs", w=180, allowDeselect=False, **{"aria-label": "For which figure"},
        data=[{"value": q.name, "label": q.title} for q in quantities],
    )  # fmt: skip
    controls = html.Div(
        [
            html.Span("for", className="sm t2"),
            chosen,
            button("Try changes", id=WhyIds.TRY, size="small", title="Evaluate single changes of the selected design"),
            html.Span(button("Stop", id=WhyIds.STOP, kind="quiet", size="small"), id=WhyIds.STOPPABLE, hidden=True),
        ],
        className="row g8 wrap why-words",
    )
    words = f"Each is evaluated like the designs of the run, for at most {MOST_S:g} s; nothing is stored."
    content = html.Div(html.P(words, className="sm t3 why-words"), id=WhyIds.CHANGES, **{"aria-live": "polite"})
    stores = [dcc.Store(id=WhyIds.TALLY, data={}), dcc.Store(id=WhyIds.TURN, data=0)]
    return card(_TITLE, *stores, controls, content, flush=True)


def changes_content(tally: Tally, designs: RunDesigns, name: str) -> Component:
    """Return the sentences and table for a figure."""
    quantities = ranked_quantities(designs)
    quantity = next((q for q in quantities if q.name == name), quantities[0])
    rows = best_of(tally["rows"], quantity)
    parts: list[Component] = [html.P(best_words(tally, quantity, quantities), className="sm why-words")]
    if rows:
        heads = [Column("Change"), *(Column(q.title, number=True) for q in quantities), Column("")]
        table = plain_table(heads, [_row(row, quantity, quantities) for row in rows], tight=True)
        parts.append(html.Div(table, className="table-scroll"))
    return html.Div([*parts, html.P(tally_words(tally), className="xs t3 why-words")])


def _row(row: Mapping[str, Any], quantity: Quantity, quantities: list[Quantity]) -> list[Component | str]:
    figures = [_figure(row["change"].get(q.name), q) for q in quantities]
    note = f"violates a limit: {row['broken']}" if row["broken"] else ""
    words = html.B(row["words"]) if helps(row, quantity) else row["words"]
    return [html.Span(words, className="why-change"), *figures, html.Span(note, className="xs warn")]


def _figure(share: float | None, quantity: Quantity) -> Component:
    better = None if not share else (share > 0) == (quantity.sense == "maximise")
    classes = {None: "", True: "good", False: "warn"}[better]
    title = {None: "", True: "better", False: "worse"}[better]
    return html.Span(signed_percent(share), className=classes, title=title)


# -- callbacks --------------------------------------------------------------------------------------------------------


@callback(
    Output(WhyIds.CHANGES, "children"),
    Output(WhyIds.TALLY, "data"),
    Input(WhyIds.TRY, "n_clicks"),
    Input(WhyIds.TURN, "data"),
    State(WhyIds.TALLY, "data"),
    State(WhyIds.FOR, "value"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def try_more(
    clicks: int | None,
    turn: Any,
    tally: dict[str, Any] | None,
    name: str,
    selection: dict[str, Any] | None,
    run_id: int,
) -> Any:
    """Return the next piece of the changes, or the first."""
    number, tally = (selection or {}).get("design"), tally or {}
    if number is None or not (clicks or turn):
        raise PreventUpdate
    run = open_run(run_id)
    designs = designs_of(run)
    if ctx.triggered_id == WhyIds.TRY or tally.get("design") != number:
        tally = begun(int(number), clicks or 0)
    try:
        more = try_changes(run, int(number), tally["next"], PIECE_S, lambda: population_of(designs))
    except LookupError as error:
        return notice(str(error), tone="warn"), {}
    except EngineError as error:
        return refused(run, error), {}
    constraints = [quantity for quantity in designs.quantities if quantity.role == "constraint"]
    found = with_more(tally, more, ranked_quantities(designs), constraints)
    return changes_content(found, designs, name), found


@callback(
    Output(WhyIds.CHANGES, "children", allow_duplicate=True),
    Input(WhyIds.FOR, "value"),
    State(WhyIds.TALLY, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def rank_changes(name: str, tally: dict[str, Any] | None, run_id: int) -> Any:
    """Return the same changes for another figure."""
    if not tally:
        raise PreventUpdate
    return changes_content(tally, designs_of(open_run(run_id)), name)


# There is something to stop from the click on.
clientside_callback(
    ClientsideFunction("why", "begun"),
    Output(WhyIds.STOPPABLE, "hidden", allow_duplicate=True),
    Input(WhyIds.TRY, "n_clicks"),
    prevent_initial_call=True,
)
# The next piece is asked for when one has come, until all are tried, time is over or somebody stops it.
clientside_callback(
    ClientsideFunction("why", "goOn"),
    Output(WhyIds.TURN, "data"),
    Output(WhyIds.STOPPABLE, "hidden"),
    Input(WhyIds.TALLY, "data"),
    Input(WhyIds.STOP, "n_clicks"),
    State(WhyIds.TURN, "data"),
    prevent_initial_call=True,
)
