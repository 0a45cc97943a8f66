"""The tab in which figures of the hardware are moved: the design and the front are evaluated again as one drags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, dcc, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import BusyError, EngineError
from frontend.components.card import card
from frontend.components.states import empty_state, notice
from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.ids.what_if import WhatIfIds
from frontend.pages.run.design.card import refused
from frontend.pages.run.run_reader import designs_of, open_run
from frontend.pages.run.tab import RunTab, TabQuery
from frontend.pages.run.what_if.data import described, front_sentence, moved_figures, read_positions
from frontend.pages.run.what_if.view import design_content, front_card, front_figure, kept_content, sliders_card
from frontend.pages.run.why.changes_view import population_of
from frontend.request import current_user
from webapp.comparisons.certainty import estimator_of
from webapp.runs.models import Run
from webapp.runs.results.design_variants import try_on
from webapp.runs.results.moved_hardware import keep, movable_of, values_at
from webapp.teams.permissions import NotAllowed
from webapp.teams.visibility import may_edit

_NOTHING = "This run has no hardware values that can be changed here."


def what_if_panel(asked: TabQuery) -> Component:
    """Return the tab, with everything as it is stored."""
    documents, designs = movable_of(asked.run), designs_of(asked.run)
    if not documents:
        return empty_state("adjustments-horizontal", "Nothing to move", _NOTHING)
    if asked.design is None:
        return empty_state("layout-grid", "No design selected yet", "Designs appear as soon as the first are stored.")
    estimator = estimator_of(asked.run)
    stored = designs.values_of(asked.design)
    factors = {} if estimator is None else dict(estimator.error_factors)
    figures = moved_figures(designs, asked.design, stored, factors)
    numbers = population_of(designs).front
    picture = front_figure(designs, numbers, None, (asked.design, stored), factors, asked.scheme)
    content = design_content(designs, asked.design, figures, "", estimator)
    right = html.Div(
        [front_card(picture), card("The selected design", html.Div(content, id=WhatIfIds.MOVED), flush=True)],
        className="what-if-right",
    )
    stores = [
        dcc.Store(id=WhatIfIds.FIGURES, data=described(documents)),
        dcc.Store(id=WhatIfIds.POSITION, data={}),
        dcc.Store(id=WhatIfIds.TOGETHER, data={}),
        dcc.Store(id=WhatIfIds.ANSWERED, data={}),
        dcc.Store(id=WhatIfIds.DRAWN, data={}),
    ]
    left = sliders_card(documents, may_edit(current_user(), asked.run))
    return html.Div([*stores, left, right], className="what-if-cards")


TAB = RunTab("what-if", "What if", what_if_panel)


# -- callbacks --------------------------------------------------------------------------------------------------------


# The browser says what sliders stand for, sends one position at a time and drops answers to older ones.
clientside_callback(
    ClientsideFunction("whatIf", "moved"),
    Output({"type": WhatIfIds.VALUE_TYPE, "slot": ALL, "name": ALL}, "children"),
    Output({"type": WhatIfIds.FIGURE_TYPE, "slot": ALL, "name": ALL}, "className"),
    Output(WhatIfIds.KEEP, "disabled"),
    Input({"type": WhatIfIds.SLIDER_TYPE, "slot": ALL, "name": ALL}, "value"),
    State(WhatIfIds.FIGURES, "data"),
    prevent_initial_call=True,
)
clientside_callback(
    ClientsideFunction("whatIf", "reset"),
    Output({"type": WhatIfIds.SLIDER_TYPE, "slot": ALL, "name": ALL}, "value"),
    Input(WhatIfIds.RESET, "n_clicks"),
    Input({"type": WhatIfIds.BACK_TYPE, "slot": ALL, "name": ALL}, "n_clicks"),
    State({"type": WhatIfIds.SLIDER_TYPE, "slot": ALL, "name": ALL}, "value"),
    State(WhatIfIds.FIGURES, "data"),
    prevent_initial_call=True,
)
clientside_callback(
    ClientsideFunction("whatIf", "answered"),
    Output(WhatIfIds.ANSWERED, "modified_timestamp"),
    Input(WhatIfIds.ANSWERED, "data"),
    Input(WhatIfIds.DRAWN, "data"),
    prevent_initial_call=True,
)


@callback(
    Output(WhatIfIds.MOVED, "children"),
    Output(WhatIfIds.ANSWERED, "data"),
    Input(WhatIfIds.POSITION, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_design(position: Mapping[str, Any] | None, selection: dict[str, Any] | None, run_id: int) -> Any:
    """Return the selected design where the sliders stand."""
    number = (selection or {}).get("design")
    if number is None or not position or "n" not in position:
        raise PreventUpdate
    run = open_run(run_id)
    designs, told = designs_of(run), {"n": position["n"]}
    try:
        values = values_at(movable_of(run), read_positions(position))
        moved = try_on(run, values, int(number), False, lambda: population_of(designs))
    except BusyError:
        return no_update, {**told, "again": True}
    except (EngineError, LookupError) as error:
        return _refused(run, error), told
    estimator = estimator_of(run)
    factors = {} if estimator is None else dict(estimator.error_factors)
    figures = moved_figures(designs, int(number), moved.design, factors)
    content = design_content(designs, int(number), figures, moved.why_not, estimator)
    return content, {**told, "design": moved.design}


@callback(
    Output(WhatIfIds.FRONT, "figure"),
    Output(WhatIfIds.FRONT_WORDS, "children"),
    Output(WhatIfIds.DRAWN, "data"),
    Input(WhatIfIds.TOGETHER, "data"),
    State(ShellIds.SCHEME, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_front(position: Mapping[str, Any] | None, scheme: Any, selection: dict[str, Any] | None, run_id: int) -> Any:
    """Return the designs of the front where the sliders rest."""
    if not position or "n" not in position:
        raise PreventUpdate
    run, number = open_run(run_id), (selection or {}).get("design")
    designs, told = designs_of(run), {"n": position["n"]}
    try:
        values = values_at(movable_of(run), read_positions(position))
        moved = try_on(run, values, None, True, lambda: population_of(designs))
    except BusyError:
        return no_update, "The server is busy; trying again.", {**told, "again": True}
    except (EngineError, LookupError) as error:
        return no_update, str(error), told
    estimator = estimator_of(run)
    factors = {} if estimator is None else dict(estimator.error_factors)
    chosen = None if number is None else (int(number), _values(position.get("design")))
    figure = front_figure(designs, moved.numbers, moved.front, chosen, factors, scheme)
    return (no_update if figure is None else figure), front_sentence(moved, designs), told


def _values(found: Any) -> dict[str, float]:
    return {str(k): float(v) for k, v in found.items() if isinstance(v, int | float)} if isinstance(found, dict) else {}


def _refused(run: Run, error: Exception) -> Component:
    return notice(str(error), tone="warn") if isinstance(error, LookupError) else refused(run, error)


@callback(
    Output(WhatIfIds.KEPT, "children"),
    Input(WhatIfIds.KEEP, "n_clicks"),
    State(WhatIfIds.POSITION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def keep_hardware(clicks: int | None, position: Mapping[str, Any] | None, run_id: int) -> Any:
    """Store the changed hardware, and show its address."""
    if not clicks:
        raise PreventUpdate
    run = open_run(run_id)
    try:
        return kept_content(run, keep(current_user(), run, read_positions(position)))
    except (EngineError, NotAllowed) as error:
        return notice(str(error), tone="warn")
