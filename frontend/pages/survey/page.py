"""The device survey: one network on every board and package, within seconds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dash
from dash import Input, Output, State, callback, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError, ProblemError
from frontend.components.items.deleted_item import gone_lines
from frontend.components.states import notice, skeleton
from frontend.ids.shell import ShellIds
from frontend.ids.survey import SurveyIds
from frontend.ids.upload import UploadIds
from frontend.pages.survey.address import file_words, read_file, read_network, survey_address
from frontend.pages.survey.field import survey_field
from frontend.pages.survey.view import FILTERS, found_view
from frontend.request import current_user
from frontend.theme import Scheme
from webapp.catalogue.service import get_entry
from webapp.catalogue.surveys import survey_of
from webapp.deletions.service import deleted_among

_HEIGHT_PX = 460


def layout(workload: str = "", show: str = "", file: str = "", **_query: str) -> Component:
    """Return the page for the signed-in user; the network and the kind of devices stand in the address."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    kind = show if show in FILTERS else "all"
    head = html.Div(
        [
            html.H1("Estimate your network on every device"),
            html.Span("Latency and energy on every board and package that can run it", className="sm t2"),
        ],
        className="row g12 wrap survey-head",
    )
    waiting = skeleton(_HEIGHT_PX) if workload else None
    return html.Div(
        [
            head,
            survey_field(principal, workload, kind, file),
            html.Div(waiting, id=SurveyIds.FOUND, **{"aria-live": "polite", "aria-busy": str(bool(workload)).lower()}),
        ],
        className="page survey",
    )


dash.register_page(__name__, path="/survey", name="Device survey", title="Device survey · Paretoscope", layout=layout)


@callback(
    Output(SurveyIds.FOUND, "children"),
    Output(SurveyIds.FOUND, "aria-busy"),
    Input(SurveyIds.ASKED, "data"),
    Input(ShellIds.SCHEME, "data"),
    State(ShellIds.VIEWPORT, "data"),
)
def show_survey(asked: dict[str, Any] | None, scheme: Scheme, viewport: Mapping[str, int]) -> Any:
    """Return what the survey found, or why there is none."""
    principal = current_user()
    if not asked or not asked.get("workload") or not principal.is_authenticated:
        raise PreventUpdate
    name, kind = str(asked["workload"]), str(asked.get("show"))
    try:
        entry = get_entry(principal, "workload", name)
        found = survey_of(principal, entry)
    except (ProblemError, EngineError) as error:
        gone = gone_lines(principal, deleted_among(principal, "document", [f"workload/{name}"]))
        return notice(html.Div(gone) if gone else str(error), tone="warn"), "false"
    words = file_words(str(asked.get("file") or ""), name)
    view = found_view(found, name, kind, scheme, int(viewport["width"]), 0 if entry.builtin else entry.version)
    return [notice(words) if words else None, view], "false"


@callback(
    Output(SurveyIds.LOCATION, "href"),
    Input(SurveyIds.NETWORK, "value"),
    Input(UploadIds.ANSWER, "data"),
    State(SurveyIds.ASKED, "data"),
    prevent_initial_call=True,
)
def go(network: str | None, answer: Any, asked: dict[str, Any] | None) -> Any:
    """Open the survey of a selected network, or of a file that was read completely."""
    file = ""
    if dash.ctx.triggered_id == UploadIds.ANSWER and (network := read_network(answer)):
        file = read_file(answer)
    if not network or (not file and network == (asked or {}).get("workload")):
        return no_update
    return survey_address(network, file=file)
