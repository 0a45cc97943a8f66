"""Callbacks of the page of a system on a chip: the roofline by power mode, reports of values, measured values."""

from __future__ import annotations

from typing import Any

from dash import ALL, Input, Output, State, callback, no_update
from dash.exceptions import PreventUpdate

from engines.contract.errors import ProblemError
from frontend.components.clicks import clicked_id
from frontend.components.draft import stored_mark
from frontend.components.states import notice
from frontend.ids.catalogue import BoardIds, DocumentIds
from frontend.ids.shell import ShellIds
from frontend.pages.catalogue.document.frame import shown_of
from frontend.pages.catalogue.document_cache import loaded
from frontend.pages.catalogue.hardware.board import reports_list, roofline
from frontend.pages.catalogue.hardware.measured_values import measured_picture
from frontend.request import chosen_project, current_user
from hardware.soc.model import Soc
from webapp.catalogue.value_reports import report_value
from webapp.measuring.board_points import board_points
from webapp.measuring.models import ValueImport
from webapp.measuring.value_imports import delete_import
from webapp.teams.permissions import NotAllowed, NotVisible
from webapp.teams.visibility import require_visible


@callback(
    Output(BoardIds.ROOFLINE, "children"),
    Input(ShellIds.SCHEME, "data"),
    Input(BoardIds.MODE, "value"),
    State(DocumentIds.DOCUMENT, "data"),
    prevent_initial_call=True,
)
def draw_roofline(scheme: Any, mode: str | None, document: dict[str, Any]) -> Any:
    """Return the roofline in the colours of the scheme, under the picked power mode."""
    soc = loaded(shown_of(document).entry)
    if not isinstance(soc, Soc):
        raise PreventUpdate
    return roofline(soc, mode, scheme)


@callback(
    Output(BoardIds.MEASURED, "children"),
    Input(ShellIds.SCHEME, "data"),
    Input(BoardIds.MEASURED_RUNTIME, "value"),
    Input(BoardIds.MEASURED_PRECISION, "value"),
    State(DocumentIds.DOCUMENT, "data"),
    prevent_initial_call=True,
)
def draw_measured(scheme: Any, runtime: str | None, precision: str | None, document: dict[str, Any]) -> Any:
    """Return the measured values of a runtime and a precision."""
    return measured_picture(board_points(current_user(), shown_of(document).entry), runtime, precision, scheme)


@callback(
    Output(BoardIds.IMPORT_GONE, "children"),
    Input({"type": BoardIds.IMPORT_TYPE, "number": ALL}, "n_clicks"),
    prevent_initial_call=True,
)
def drop_import(clicks: list[int | None]) -> Any:
    """Delete an import with all its values."""
    person, number = current_user(), clicked_id(clicks)["number"]
    try:
        origin = require_visible(person, ValueImport.objects.all(), pk=number)
        delete_import(person, origin)
    except (NotAllowed, NotVisible) as error:
        return notice(str(error), tone="bad")
    return notice(f"{origin.file} is deleted with all its values. Open the tab again to see the others.")


@callback(
    Output(BoardIds.REPORT_ANSWER, "children"),
    Output(BoardIds.REPORTS, "children"),
    Input(BoardIds.REPORT, "n_clicks"),
    State(BoardIds.REPORT_KEY, "value"),
    State(BoardIds.REPORT_VALUE, "value"),
    State(BoardIds.REPORT_SOURCE, "value"),
    State(DocumentIds.DOCUMENT, "data"),
    prevent_initial_call=True,
)
def report(clicks: int | None, key: str | None, value: str | None, source: str | None, document: dict[str, Any]) -> Any:
    """Store what was typed in the project that is chosen in the header."""
    if not clicks:
        raise PreventUpdate
    person = current_user()
    try:
        stored = report_value(person, chosen_project(person), str(document["name"]), key, value or "", source or "")
    except (ProblemError, NotAllowed) as error:
        return notice(str(error), tone="bad"), no_update
    words = f"Stored. Members of {stored.project.title} see it; administrators review it."
    return [notice(words), stored_mark()], reports_list(person, stored.device)
