"""Callbacks of the run page that show its other tabs, and that save a result."""

from __future__ import annotations

from typing import Any

from dash import (
    ALL,
    ClientsideFunction,
    Input,
    Output,
    State,
    callback,
    clientside_callback,
    ctx,
    dcc,
    no_update,
)
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError
from frontend.components.clicks import clicked_id
from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.ids.why import WhyIds
from frontend.pages.run.run_reader import (
    explained,
    open_run,
)
from frontend.pages.run.tab import TabQuery
from frontend.pages.run.tabs.convergence import cards_of_run
from frontend.pages.run.tabs.difference import OF_DIFFERENCE, difference_results
from frontend.pages.run.tabs.registry import TABS
from frontend.pages.run.tabs.results import (
    OF_DESIGN,
    OF_RUN,
    figure_cards,
    overview_figures,
    result_file,
)
from webapp.runs.results import readers

_MAKERS = {tab.name: tab.make for tab in TABS if tab.make is not None}

# Told apart in the browser, past Dash's own graph: there, a live run's polling would hold a panel back for as long as it
# lasts, and a call that answers with nothing would displace the slow one before it.
clientside_callback(
    ClientsideFunction("run", "panelOpened"),
    Output(RunIds.PANEL_TURN, "modified_timestamp"),
    Input(RunIds.TAB, "data"),
    Input(RunIds.SCALE, "data"),
)
clientside_callback(
    ClientsideFunction("run", "panelChanged"),
    Output(RunIds.PANEL_TURN, "modified_timestamp", allow_duplicate=True),
    Input(RunIds.SELECTION, "data"),
    Input(RunIds.DATA, "data"),
    Input(RunIds.STATUS, "data"),
    Input(RunIds.PIN, "data"),
    State(RunIds.TAB, "data"),
    prevent_initial_call=True,
)


BY = {"type": RunIds.BY_TYPE, "value": ALL}


@callback(
    Output({"type": RunIds.PANEL_TYPE, "name": ALL}, "children"),
    Input(RunIds.PANEL_TURN, "data"),
    Input(ShellIds.SCHEME, "data"),
    Input(ShellIds.VIEWPORT, "data"),
    State(RunIds.TAB, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.SCALE, "data"),
    State(RunIds.PIN, "data"),
    State({"type": RunIds.PANEL_TYPE, "name": ALL}, "id"),
    State(RunIds.DECIDED, "data"),
    State(WhyIds.CHOSEN, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_panel(
    _turn: Any,
    scheme: Any,
    viewport: Any,
    tab: str,
    selection: dict[str, Any],
    scale: str,
    pinned: int | None,
    panels: list[dict[str, str]],
    decided: dict[str, str] | None,
    why: dict[str, str] | None,
    run_id: int,
) -> Any:
    """Return the content of the open tab, where it is made on demand."""
    make = _MAKERS.get(tab)
    if make is None:
        raise PreventUpdate
    number = selection.get("design")
    chosen = (decided or {}).get("of", ""), (decided or {}).get("by", "")
    asked_why = (why or {}).get("of", ""), (why or {}).get("how", ""), (why or {}).get("against", "")
    design = None if number is None else int(number)
    asked = TabQuery(open_run(run_id), design, pinned, scale, scheme, viewport, chosen, asked_why)
    content = make(asked)
    return [content if each["name"] == tab else no_update for each in panels]


@callback(
    Output(RunIds.DESIGN_FIGURES, "children"),
    Output(RunIds.RUN_FIGURES, "children"),
    Input(RunIds.FIGURES_TURN, "data"),
    Input(ShellIds.SCHEME, "data"),
    Input(ShellIds.VIEWPORT, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_figures(turn: str, scheme: Any, viewport: Any, selection: dict[str, Any], run_id: int) -> Any:
    """Return the figures below the cards of the overview; after a pick only those of the design."""
    run, number = open_run(run_id), selection.get("design")
    try:
        of_design = () if number is None else explained(run, int(number))
    except (EngineError, LookupError):  # the card of the design says why
        of_design = ()
    design, own = overview_figures(readers.results(run) if number is not None else {}, of_design, viewport)
    picked = ctx.triggered_id == RunIds.FIGURES_TURN and turn.startswith(OF_DESIGN)
    cards = figure_cards(own, OF_RUN, scheme, viewport) if not picked else no_update
    return figure_cards(design, OF_DESIGN, scheme, viewport), cards


@callback(
    Output({"type": RunIds.CURVE_TYPE, "name": ALL}, "figure"),
    Output({"type": RunIds.CURVE_BOX_TYPE, "name": ALL}, "aria-label"),
    Output({"type": RunIds.CURVE_WORDS_TYPE, "name": ALL}, "children"),
    Output(RunIds.PANEL_TURN, "data"),
    Input(RunIds.CURVE_TURN, "data"),
    State({"type": RunIds.CURVE_TYPE, "name": ALL}, "id"),
    State(ShellIds.SCHEME, "data"),
    State(ShellIds.VIEWPORT, "data"),
    State(RunIds.SCALE, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def grow_curves(turn: Any, shown: list[dict[str, str]], scheme: Any, viewport: Any, scale: str, run_id: int) -> Any:
    """Return the curves of the open tab as they are now, in their places; the whole tab where there are others."""
    cards = cards_of_run(open_run(run_id), scheme, viewport, scale)[0]
    same = [each["name"] for each in shown]
    if [each.name for each in cards] != same:
        return [no_update] * len(same), [no_update] * len(same), [no_update] * len(same), turn
    return [
        [each.figure for each in cards],
        [each.words for each in cards],
        [each.subtitle for each in cards],
        no_update,
    ]


@callback(
    Output(RunIds.SCALE, "data"),
    Input({"type": RunIds.SCALE_TYPE, "value": ALL}, "n_clicks"),
    prevent_initial_call=True,
)
def choose_scale(clicks: list[int | None]) -> Any:
    """Return the linear or logarithmic evaluations."""
    return clicked_id(clicks)["value"]


# Both stand in the address, so that a reload shows the same.
clientside_callback(
    ClientsideFunction("run", "viewAddress"),
    Output(RunIds.SCALE, "modified_timestamp"),
    Input(RunIds.SCALE, "data"),
    Input(BY, "className"),
    State(BY, "id"),
    prevent_initial_call=True,
)


@callback(
    Output(RunIds.DOWNLOAD, "data"),
    Input({"type": RunIds.RESULT_TYPE, "of": ALL, "name": ALL}, "n_clicks"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.PIN, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def save_result(clicks: list[int | None], selection: dict[str, Any], pinned: int | None, run_id: int) -> Any:
    """Return a result as a file."""
    source = clicked_id(clicks)
    run, number = open_run(run_id), selection.get("design")
    if source["of"] == OF_DIFFERENCE and pinned is not None and number is not None:
        results = difference_results(run, pinned, int(number))
        place = f"run-{run.pk}-designs-{pinned}-{number}"
    elif source["of"] == OF_RUN or number is None:
        results, place = tuple(readers.results(run).values()), f"run-{run.pk}"
    else:
        results, place = explained(run, int(number)), f"run-{run.pk}-design-{number}"
    content, name = result_file(results, source["name"])
    return dcc.send_bytes(content, f"{place}-{name}")
