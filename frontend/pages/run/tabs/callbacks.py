"""Callbacks of the run page that show its other tabs, and that save a result."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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
    html,
    no_update,
)
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError
from engines.contract.results import Curve, Note
from frontend.components.states import empty_state
from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.pages.run.design.callbacks import BY, refused
from frontend.pages.run.design.card import (
    design_name,
)
from frontend.pages.run.reading import (
    bounds_of,
    curve_of,
    designs_of,
    explained,
    grid_of,
    open_run,
    schedule_of,
)
from frontend.pages.run.tabs import content, convergence
from frontend.pages.run.tabs.difference import OF_DIFFERENCE, difference_panel, difference_results
from frontend.pages.run.tabs.files import files_card
from frontend.pages.run.tabs.results import OF_RUN, result_file, results_tab
from frontend.pages.run.tabs.statistics import statistics_section
from frontend.pages.run.tabs.traces import traces_tab
from webapp.runs import readers

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
    run_id: int,
) -> Any:
    """The content of the open tab, where it is made on demand."""
    makers: dict[str, Callable[..., Any]] = {
        "schedule": _schedule_panel,
        "grid": _grid_panel,
        "traces": _traces_panel,
        "difference": partial(_difference_panel, pinned=pinned),
        "convergence": partial(_convergence_panel, scale=scale),
        "data": _data_panel,
        "provenance": _provenance_panel,
        "log": _log_panel,
    }
    if tab not in makers:
        raise PreventUpdate
    content = makers[tab](open_run(run_id), selection, scheme, viewport)
    return [content if each["name"] == tab else no_update for each in panels]


def _schedule_panel(run: Any, selection: dict[str, Any], scheme: Any, viewport: Any) -> Any:
    found = _explained_or_words(run, selection)
    schedule = schedule_of(found) if isinstance(found, tuple) else None
    if schedule is None:
        return found if not isinstance(found, tuple) else empty_state("chart-line", "This engine makes no schedules")
    return content.schedule_tab(schedule, scheme, int(viewport["width"]) - 34)


def _grid_panel(run: Any, selection: dict[str, Any], scheme: Any, viewport: Any) -> Any:
    found = _explained_or_words(run, selection)
    grid = grid_of(found) if isinstance(found, tuple) else None
    if grid is None:
        return (
            found
            if not isinstance(found, tuple)
            else empty_state("layout-grid", "This engine places nothing on chiplets")
        )
    return content.grids_tab(grid, scheme, int(viewport["width"]) - 32)


def _traces_panel(run: Any, selection: dict[str, Any], scheme: Any, viewport: Any) -> Any:
    found = _explained_or_words(run, selection)
    if not isinstance(found, tuple):
        return found
    return traces_tab(found, scheme, int(viewport["width"]) - 34)


def _difference_panel(run: Any, selection: dict[str, Any], scheme: Any, viewport: Any, pinned: int | None) -> Any:
    return difference_panel(run, selection.get("design"), pinned, scheme, int(viewport["width"]) - 34)


def _explained_or_words(run: Any, selection: dict[str, Any]) -> Any:
    number = selection.get("design")
    if number is None:
        return empty_state("layout-grid", "No design selected yet", "Designs appear as soon as the first are stored.")
    try:
        return explained(run, int(number))
    except (EngineError, LookupError) as error:
        return refused(run, error)


def _convergence_panel(run: Any, _selection: Any, scheme: Any, viewport: Any, scale: str) -> Any:
    cards, own = _convergence_cards(run, scheme, viewport, scale)
    notes = [result for result in own if isinstance(result, Note)]
    scalable = len(cards) + len(notes) > len(own)
    return convergence.convergence_tab(cards, notes, scalable, viewport, scale)


def _convergence_cards(
    run: Any, scheme: Any, viewport: Any, scale: str
) -> tuple[list[convergence.CurveCard], list[Curve | Note]]:
    """The curves, and what of them is the engine's own."""
    curve, designs = curve_of(run), designs_of(run)
    known = convergence.known_values(designs, bounds_of(run, designs))
    own = convergence.of_convergence(readers.results(run))
    cards = convergence.convergence_cards(run.pk, curve, designs, scheme, viewport, scale, known, own)
    return cards, own


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
    """The curves of the open tab as they are now, in their places; the whole tab where there are others."""
    cards = _convergence_cards(open_run(run_id), scheme, viewport, scale)[0]
    same = [each["name"] for each in shown]
    if [each.name for each in cards] != same:
        return [no_update] * len(same), [no_update] * len(same), [no_update] * len(same), turn
    return [
        [each.figure for each in cards],
        [each.words for each in cards],
        [each.subtitle for each in cards],
        no_update,
    ]


def _data_panel(run: Any, selection: dict[str, Any], scheme: Any, viewport: Any) -> Any:
    number, designs = selection.get("design"), designs_of(run)
    found = _explained_or_words(run, selection) if number is not None else ()
    of_design = found if isinstance(found, tuple) else ()
    words = design_name(designs, int(number)) if number is not None else ""
    tab = results_tab(readers.results(run), of_design, words, scheme, int(viewport["width"]) - 32, run.active)
    rest = [] if isinstance(found, tuple) else [found]
    return html.Div([statistics_section(run.pk, designs), files_card(run), tab, *rest], className="stack g16")


@callback(
    Output(RunIds.SCALE, "data"),
    Input({"type": RunIds.SCALE_TYPE, "value": ALL}, "n_clicks"),
    prevent_initial_call=True,
)
def choose_scale(clicks: list[int | None]) -> Any:
    """Linear or logarithmic evaluations."""
    if not any(clicks) or not isinstance(ctx.triggered_id, dict):
        raise PreventUpdate
    return ctx.triggered_id["value"]


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
    """A result as a file."""
    source = ctx.triggered_id
    if not any(clicks) or not isinstance(source, dict):
        raise PreventUpdate
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


def _provenance_panel(run: Any, _selection: Any, _scheme: Any, _viewport: Any) -> Any:
    return content.provenance_tab(run)


def _log_panel(run: Any, _selection: Any, _scheme: Any, _viewport: Any) -> Any:
    return content.log_lines(readers.log_lines(run))
