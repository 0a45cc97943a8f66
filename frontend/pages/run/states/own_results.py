"""Reports of a run on its overview, in place of front and design until there are designs, as for a training.

Below them it stays for engines whose designs have neither a schedule nor a trace. Only what changed is drawn again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from dash import ALL, Input, Output, State, callback, ctx, dcc, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.results import Curve, Result
from engines.registry import JOBS
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.states import empty_state
from frontend.designs.run_designs import RunDesigns
from frontend.figures.generic import curve_figure
from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.pages.run.run_reader import designs_of, has_lower, open_run
from frontend.pages.run.sizes import sizes
from frontend.results.registry import draw, result_sentence, view_of
from frontend.results.view import Kind
from frontend.theme import Scheme
from webapp.runs.models import Run
from webapp.runs.results import readers

Place = Literal["instead", "below", ""]
_KINDS: tuple[Kind, ...] = ("figure", "table", "words")  # in this order
_GAP_PX, _TWO_COLUMNS_PX, _GUTTERS_PX = 12, 1000, 32
_LEAST_PX, _MOST_PX = 230, 520
_AROUND_PX = 44  # a card's head and borders
_STRIP_PX = 24  # of a run that waits or was stopped


def place_of(run: Run, designs: RunDesigns) -> Place:
    """Return the position of the run's own results on its overview; "" if the overview omits them."""
    if run.engine in JOBS:  # its page opens on them
        return ""
    if not len(designs):
        return "instead"
    return "" if has_lower(run) else "below"


def overview_class(run: Run, designs: RunDesigns) -> str:
    """Return the classes of the overview; `run.js` drops `without-designs` with the first design."""
    return "run-overview" + (" own-below" * (not has_lower(run))) + (" without-designs" * (not len(designs)))


def own_results(run: Run, place: Place, scheme: Scheme, viewport: Mapping[str, Any]) -> list[Component]:
    """Return the run's own results at their position, and the store that records them."""
    found, state = _found(run, place)
    return [
        html.Div(_content(found, place, bool(run.active), scheme, viewport), id=RunIds.OWN, className="run-own"),
        dcc.Store(id=RunIds.OWN_SHOWN, data=state),
        dcc.Store(id=RunIds.OWN_TURN, data=0),
    ]


@callback(
    Output(RunIds.OWN, "children"),
    Output({"type": RunIds.OWN_TYPE, "name": ALL}, "figure"),
    Output(RunIds.OWN_SHOWN, "data"),
    Input(RunIds.OWN_TURN, "data"),
    Input(ShellIds.SCHEME, "data"),
    Input(ShellIds.VIEWPORT, "data"),
    State(RunIds.OWN_SHOWN, "data"),
    State({"type": RunIds.OWN_TYPE, "name": ALL}, "id"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_own_results(
    _turn: Any,
    scheme: Scheme,
    viewport: Mapping[str, Any],
    shown: Mapping[str, Any],
    curves: Sequence[Mapping[str, str]],
    run_id: int,
) -> Any:
    """Return the update of the results: grown curves, or all cards after another change."""
    run = open_run(run_id)
    place, redrawn = place_of(run, designs_of(run)), ctx.triggered_id != RunIds.OWN_TURN
    if not redrawn and _state(run, place) == shown:
        raise PreventUpdate
    found, state = _found(run, place)
    news = {name for name, step in state["steps"].items() if step != shown["steps"].get(name)}
    kept = {**state, "steps": [*state["steps"]]} == {**shown, "steps": [*shown["steps"]]}
    drawn = [each["name"] for each in curves]
    if redrawn or not kept or not news <= {*drawn}:
        return _content(found, place, bool(run.active), scheme, viewport), [no_update] * len(curves), state
    height = _card_size(found, place, viewport)[1]
    figures = {each.name: each for each in found if isinstance(each, Curve) and each.name in news}
    grown = [
        curve_figure(figures[name], scheme, height_px=height, heading=figures[name].title)
        if name in figures
        else no_update
        for name in drawn
    ]
    return no_update, grown, state


def _state(run: Run, place: Place) -> dict[str, Any]:
    steps = readers.result_steps(run) if place else {}
    waiting = bool(run.active) and not steps
    return {"place": place, "waiting": waiting, "steps": steps}


def _found(run: Run, place: Place) -> tuple[list[Result], dict[str, Any]]:
    """Return the results in the order in which they are shown, curves of the progress first, and which they are."""
    state = _state(run, place)  # first: what comes between the two reads is read again
    own = readers.results(run) if place else {}
    shown = [result for result in own.values() if place == "instead" or result.role == "progress"]
    shown = [
        result for result in shown if result.role not in ("document", "measured") and view_of(result).kind != "placed"
    ]
    return sorted(shown, key=_rank), state


def _rank(result: Result) -> int:
    return 0 if result.role == "progress" else 1 + _KINDS.index(view_of(result).kind)


def _content(
    found: Sequence[Result], place: Place, live: bool, scheme: Scheme, viewport: Mapping[str, Any]
) -> list[Component]:
    if not found:
        return [_nothing(live)] if place == "instead" else []
    width, height = _card_size(found, place, viewport)
    columns = f"repeat({_columns(found, viewport)}, minmax(0, 1fr))"
    cards = [_card(each, scheme, width, height) for each in found]
    return [html.Div(cards, className="run-grids results run-own-cards", style={"gridTemplateColumns": columns})]


def _card(result: Result, scheme: Scheme, width_px: float, height_px: int) -> Component:
    if isinstance(result, Curve):
        plot_id = {"type": RunIds.OWN_TYPE, "name": result.name}
        picture = curve_figure(result, scheme, height_px=height_px, heading=result.title)
        body: Component = plot(picture, height_px=height_px, summary=result_sentence(result), id=plot_id)
    else:
        body = draw(result, scheme, width_px)
    kind = view_of(result).kind
    actions = [figure_menu(figure_data=f"run:{result.name}")] if kind == "figure" else []
    return card(result.title, body, actions=actions, flush=kind != "words")


def _nothing(live: bool) -> Component:
    words = (
        "Designs, and the curves and tables of the run, appear here as soon as the first are stored."
        if live
        else "This run stored none."
    )
    title = "No designs yet" if live else "No designs"
    return html.Section(empty_state("chart-scatter", title, words), className="card run-own-empty")


def _columns(found: Sequence[Result], viewport: Mapping[str, Any]) -> int:
    return 2 if int(viewport["width"]) >= _TWO_COLUMNS_PX and len(found) > 1 else 1


def _card_size(found: Sequence[Result], place: Place, viewport: Mapping[str, Any]) -> tuple[float, int]:
    """Return the width of a card, and height of a curve: what the first screen has room for."""
    size, columns = sizes(viewport), _columns(found, viewport)
    width = (int(viewport["width"]) - _GUTTERS_PX - _GAP_PX * (columns - 1)) / columns
    if place == "below":
        return width, size.lower - _AROUND_PX
    curves = sum(result.role == "progress" for result in found)
    rows = max(1, -(-curves // columns))
    room = (size.upper + size.lower - _STRIP_PX) // rows - _GAP_PX - _AROUND_PX
    return width, max(_LEAST_PX, min(_MOST_PX, room))
