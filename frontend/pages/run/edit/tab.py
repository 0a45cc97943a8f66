"""The tab in which a design is changed by hand: the browser draws the boards and asks, the child that has the problem answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import ClientsideFunction, Input, Output, State, callback, clientside_callback, dcc, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.engine import Engine
from engines.contract.errors import BusyError, EngineError
from frontend.components.card import card
from frontend.components.states import empty_state, notice
from frontend.ids.edit import EditIds
from frontend.ids.run import RunIds
from frontend.pages.run.design.card import design_name, refused
from frontend.pages.run.edit.view import HELP, edited_content, kept_content, said_words
from frontend.pages.run.run_reader import bounds_of, designs_of, open_run
from frontend.pages.run.tab import RunTab, TabQuery
from frontend.pages.run.why.changes_view import population_of
from frontend.request import current_user
from frontend.theme import HARDWARE
from webapp.comparisons.certainty import estimator_of
from webapp.runs.errors import RunStateError
from webapp.runs.results.design_variants import try_edit
from webapp.runs.results.own_designs import keep_edited
from webapp.teams.permissions import NotAllowed
from webapp.teams.visibility import may_edit

_MOST_MOVES, _LONGEST_NAME = 200, 200
_KINDS = {kind: style.short for kind, style in HARDWARE.items()}
_NOTHING = "The engine of this run does not support manual editing."


def edit_panel(asked: TabQuery) -> Component:
    """Return the tab; the boards come as soon as it is there."""
    if asked.design is None:
        return empty_state("layout-grid", "No design selected yet", "Designs appear as soon as the first are stored.")
    name = design_name(designs_of(asked.run), asked.design)
    boards = html.Div(id=EditIds.BOARDS, className="edit-boards", role="group", **{"aria-label": f"Boards of {name}"})
    left = card(
        f"Edit {name}",
        html.P("Reading movable parts …", id=EditIds.SAID, className="edit-said", role="status"),
        boards,
        html.Span(HELP, id="edit-help", className="visually-hidden"),
        flush=True,
    )
    right = card("The design", html.Div(id=EditIds.FIGURES), flush=True)
    stores = [dcc.Store(id=EditIds.ASKED, data={}), dcc.Store(id=EditIds.ANSWERED, data={"design": asked.design})]
    return html.Div([*stores, left, right], className="edit-cards")


def _lets_nothing_be_moved(engine: Engine) -> bool:
    return not engine.is_editable


TAB = RunTab("edit", "Edit", edit_panel, lacks=_lets_nothing_be_moved)


def read_moves(data: Any) -> list[tuple[str, str]]:
    """Return the moves that the browser sent, up to the first invalid one."""
    found: list[tuple[str, str]] = []
    moves = data.get("moves") if isinstance(data, Mapping) else None
    for move in moves[:_MOST_MOVES] if isinstance(moves, list) else []:
        if not isinstance(move, list) or len(move) != 2 or not all(isinstance(each, str) for each in move):
            break
        found.append((move[0][:_LONGEST_NAME], move[1][:_LONGEST_NAME]))
    return found


# -- callbacks --------------------------------------------------------------------------------------------------------


# The browser draws what came, and asks for the newest of what was moved meanwhile.
clientside_callback(
    ClientsideFunction("edit", "answered"),
    Output(EditIds.ANSWERED, "modified_timestamp"),
    Input(EditIds.ANSWERED, "data"),
)


@callback(
    Output(EditIds.SAID, "children"),
    Output(EditIds.FIGURES, "children"),
    Output(EditIds.ANSWERED, "data"),
    Input(EditIds.ASKED, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_edited(asked: Mapping[str, Any] | None, selection: dict[str, Any] | None, run_id: int) -> Any:
    """Return the selected design after the moves."""
    number = (selection or {}).get("design")
    if number is None or not asked or "n" not in asked:
        raise PreventUpdate
    run, moves, told = open_run(run_id), read_moves(asked), {"n": asked["n"]}
    designs = designs_of(run)
    try:
        edited = try_edit(run, int(number), moves, lambda: population_of(designs))
    except BusyError:
        return "The server is busy; trying again.", no_update, {**told, "again": True}
    except (EngineError, LookupError) as error:
        words = notice(str(error), tone="warn") if isinstance(error, LookupError) else refused(run, error)
        return "This design cannot be changed here.", words, told
    if edited.boards is None:
        return _NOTHING, None, told
    editable = may_edit(current_user(), run)
    said = said_words(designs, int(number), edited, len(moves))
    content = edited_content(run, designs, int(number), edited, bounds_of(run, designs), estimator_of(run), editable)
    return said, content, {**told, "boards": edited.boards, "taken": edited.taken, "kinds": _KINDS}


@callback(
    Output(EditIds.KEPT, "children"),
    Input(EditIds.KEEP, "n_clicks"),
    State(EditIds.ASKED, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def keep_design(
    clicks: int | None, asked: Mapping[str, Any] | None, selection: dict[str, Any] | None, run_id: int
) -> Any:
    """Store the design in the run, and show its address."""
    number = (selection or {}).get("design")
    if not clicks or number is None:
        raise PreventUpdate
    run = open_run(run_id)
    designs = designs_of(run)
    try:
        kept = keep_edited(current_user(), run, int(number), read_moves(asked), lambda: population_of(designs))
    except (EngineError, LookupError, NotAllowed, RunStateError) as error:
        return notice(str(error), tone="warn")
    return kept_content(run, kept)
