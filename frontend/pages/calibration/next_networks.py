"""The card of a measured device's calibration that says what to measure next, and queues it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import ALL, Input, Output, State, callback, ctx, dcc, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import BusyError, EngineError
from frontend.components.button import button
from frontend.components.card import card
from frontend.components.states import notice, skeleton_rows
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import MISSING, many, percent
from frontend.ids.calibration import CalibrationIds
from frontend.pages.catalogue.document.frame import DocumentView, shown_of
from frontend.request import current_user
from webapp.measuring.jobs import ask
from webapp.measuring.next_networks import Candidate, MeasuredPlace, next_networks, place_of
from webapp.teams.permissions import NotAllowed, NotVisible, Principal

_COLUMNS = (Column("Network"), Column("Largest error", number=True), Column("Why"))
_WORDS = (
    "Networks with the largest uncertainty in the calibration. It weighs the error of each kind of "
    "operator by its estimated share of the time. Networks with unstable measurements are listed as well."
)
_NAME = "next"


def next_card(principal: Principal, shown: DocumentView) -> Component | None:
    """Return the card, filled once the page is there; None where the calibration is of no device with an agent that one may ask."""
    version = next((each for each in shown.versions if each.number == shown.entry.version), None)
    if version is None or not shown.current or place_of(principal, version) is None:
        return None
    content = html.Div(
        skeleton_rows(3), id={"type": CalibrationIds.NEXT_TYPE, "name": _NAME}, **{"aria-live": "polite"}
    )
    return card("Next measurements", html.Div([html.P(_WORDS, className="sm t2"), content], className="stack g12"))


def _content(found: Sequence[Candidate], place: MeasuredPlace, told: Component | None = None) -> list[Component]:
    if not found:
        words = (
            "No further network would improve the calibration: every small network of the zoo is measured or queued."
        )
        return [*([told] if told else []), html.P(words, className="sm t3")]
    rows = [_row(each) for each in found]
    words = (
        f"Measure these {len(found)} on {place.device.name}" if len(found) > 1 else f"Measure it on {place.device.name}"
    )
    asks = html.Div(
        button(words, id={"type": CalibrationIds.NEXT_ACTION_TYPE, "name": _NAME}, icon="player-play"), className="row"
    )
    table = html.Div(plain_table(_COLUMNS, rows, tight=True), className="table-scroll")
    return [*([told] if told else []), table, asks]


def _row(each: Candidate) -> list[Component | str]:
    link = dcc.Link(each.network, href=f"/catalogue/workload/{each.network}", className="link", title=each.title)
    if each.half_width is not None:
        return [link, percent(each.half_width, 1), "its measurement did not settle"]
    if each.kind is None:
        return [link, MISSING, f"no fitted network has {', '.join(each.unknown)}"]
    kind, off, share = each.kind
    return [link, percent(each.off, 1), f"{kind}: error {percent(off)} with {percent(share)} of its time"]


@callback(
    Output({"type": CalibrationIds.NEXT_TYPE, "name": ALL}, "children"),
    Input(CalibrationIds.DOCUMENT, "data"),
    Input({"type": CalibrationIds.NEXT_ACTION_TYPE, "name": ALL}, "n_clicks"),
    State({"type": CalibrationIds.NEXT_TYPE, "name": ALL}, "id"),
)
def show_next(document: dict[str, Any], clicks: list[int | None], places: list[dict[str, str]]) -> Any:
    """Return the list of networks to measure next; the button queues them first."""
    pressed = isinstance(ctx.triggered_id, dict)
    if not places or (pressed and not any(clicks)):  # the button was drawn anew
        raise PreventUpdate
    return [_answered(document, pressed) for _ in places]


def _answered(document: dict[str, Any], pressed: bool) -> list[Component]:
    person = current_user()
    try:
        shown = shown_of(document)
        version = next(each for each in shown.versions if each.number == shown.entry.version)
        place = place_of(person, version)
        if place is None:
            raise PreventUpdate
        found, told = next_networks(person, place, version), None
        if pressed and found:
            again = [each.network for each in found if each.half_width is not None]
            fresh = [each.network for each in found if each.half_width is None]
            waiting = sum(
                len(ask(person, place.device, names, [place.threads], once_more).waiting)
                for names, once_more in ((fresh, False), (again, True))
                if names
            )
            told = notice(
                f"{many(waiting, 'measurement waits', 'measurements wait')} for the agent of {place.device.name}.",
                icon="check",
            )
            found = next_networks(person, place, version)
        return _content(found, place, told)
    except (NotAllowed, NotVisible, EngineError, BusyError) as error:
        return [notice(str(error), tone="warn")]
