"""The tab in which designs are measured on a machine, and what of the page follows once they are."""

from __future__ import annotations

from typing import Any

from dash import ALL, Input, Output, State, callback, dcc, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import BusyError, EngineError
from frontend.components.button import icon_button
from frontend.components.card import card
from frontend.components.states import empty_state, notice
from frontend.ids.measurements import MeasuredIds
from frontend.ids.run import RunIds
from frontend.pages.run.measurements.data import front_numbers, measured_of, turn_of
from frontend.pages.run.measurements.view import ALL as ALL_DESIGNS
from frontend.pages.run.measurements.view import SELECTED, asked_words, asking_card, found_content
from frontend.pages.run.measurements.while_searching import while_searching_card
from frontend.pages.run.run_reader import designs_of, open_run
from frontend.pages.run.tab import RunTab, TabQuery
from frontend.request import current_user
from webapp.measuring.designs import ask_designs, measurable_of
from webapp.measuring.devices import devices_of
from webapp.runs.models import Run
from webapp.teams.permissions import NotAllowed, NotVisible
from webapp.teams.visibility import require_visible

NAME = "measured"
_EVERY_MS = 4000
_NOT_HERE = "The engine of this run does not support measurements of designs."


def measured_panel(asked: TabQuery) -> Component:
    """Return the content of the tab."""
    run, measurable = asked.run, measurable_of(asked.run)
    if measurable is None:
        return empty_state("cpu", "Designs of this run cannot be measured", _NOT_HERE)
    designs, person = designs_of(run), current_user()
    found = html.Div(_found(run), id={"type": MeasuredIds.FOUND_TYPE, "name": NAME}, className="stack g12")
    asking = [asking_card(person, run, designs, asked.design, measurable)] if person.is_authenticated else []
    return html.Div([*asking, found], className="stack g12")


def _found(run: Run) -> list[Component]:
    measured = html.Div(found_content(run, designs_of(run)), className="stack g12")
    return [*while_searching_card(run), card("Measured and predicted", measured)]


def _may_change(run: Run, turn: dict[str, int]) -> bool:
    """Return whether the page has to look again: something waits, or the run may ask for more."""
    return bool(turn["waiting"]) or (bool(run.measure) and run.active)


def measured_stores(run: Run) -> list[Component]:
    """Return what the page follows: how much was measured, looked at again while something waits."""
    turn = turn_of(measured_of(run))
    return [
        dcc.Store(id=MeasuredIds.TURN, data=turn),
        dcc.Interval(id=MeasuredIds.EVERY, interval=_EVERY_MS, disabled=not _may_change(run, turn)),
    ]


def to_measuring(place: str) -> Component:
    """Return the button that leads from a picture or table to measuring its designs."""
    title = "Measure these designs on a machine"
    return icon_button("cpu", title, id={"type": RunIds.TAB_TYPE, "name": NAME, "place": place})


TAB = RunTab(NAME, "Measured", measured_panel)


# -- callbacks --------------------------------------------------------------------------------------------------------


@callback(
    Output(MeasuredIds.TOLD, "children"),
    Output(MeasuredIds.TURN, "data", allow_duplicate=True),
    Output(MeasuredIds.EVERY, "disabled", allow_duplicate=True),
    Input(MeasuredIds.MEASURE, "n_clicks"),
    State(MeasuredIds.WHICH, "value"),
    State(MeasuredIds.PLACES, "value"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def measure_designs(
    clicks: int | None, which: str | None, places: list[str] | None, selection: dict[str, Any] | None, run_id: int
) -> Any:
    """Queue the designs for the agents of the devices, and say what became of it."""
    if not clicks or not places:
        raise PreventUpdate
    run = open_run(run_id)
    designs, chosen = designs_of(run), (selection or {}).get("design")
    numbers = list(range(len(designs))) if which == ALL_DESIGNS else front_numbers(designs)
    if which == SELECTED and chosen is not None:
        numbers = [int(chosen)]
    try:
        told = _ask(run, numbers, places)
    except (NotAllowed, NotVisible, EngineError, BusyError) as error:
        return notice(str(error), tone="bad"), no_update, no_update
    turn = turn_of(measured_of(run))
    return told, turn, not _may_change(run, turn)


def _ask(run: Run, numbers: list[int], places: list[str]) -> Component:
    """Ask for designs at each of the places, which `places_of` offered."""
    person = current_user()
    waiting, known, refused, names = 0, 0, dict[int, str](), dict[str, None]()
    for place in places:
        number, threads, provider = place.split(":", 2)
        device = require_visible(person, devices_of(person), pk=number)
        asked = ask_designs(person, run, numbers, device, int(threads), provider=provider)
        waiting, known = waiting + asked.waiting, known + asked.known
        refused |= asked.refused
        names[device.name] = None
    return asked_words(waiting, known, refused, list(names))


@callback(
    Output(MeasuredIds.TURN, "data"),
    Output(MeasuredIds.EVERY, "disabled"),
    Input(MeasuredIds.EVERY, "n_intervals"),
    State(MeasuredIds.TURN, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def follow(_count: int | None, known: dict[str, int] | None, run_id: int) -> Any:
    """Return the number of measurements; the page changes only with a new one."""
    run = open_run(run_id)
    turn = turn_of(measured_of(run))
    return (no_update if turn == known else turn), not _may_change(run, turn)


@callback(
    Output({"type": MeasuredIds.FOUND_TYPE, "name": ALL}, "children"),
    Input(MeasuredIds.TURN, "data"),
    State({"type": MeasuredIds.FOUND_TYPE, "name": ALL}, "id"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_found(_turn: Any, places: list[dict[str, str]], run_id: int) -> Any:
    """Return the measurements of the open tab."""
    if not places:
        raise PreventUpdate
    run = open_run(run_id)
    return [_found(run) for _ in places]
