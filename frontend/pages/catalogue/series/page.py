"""An environment or a recording of the catalogue: what changes over time, tracks, sources, versions."""

from __future__ import annotations

from typing import Any

import dash
from dash import Input, Output, State, callback, html
from dash.development.base_component import Component

from engines.recordings.family import RECORDING
from frontend.ids.catalogue import SeriesIds
from frontend.ids.shell import ShellIds
from frontend.pages.catalogue.document.frame import exists, find, not_found, shown_of
from frontend.pages.catalogue.series.view import page, picture_of
from frontend.request import current_user, page_title


def layout(name: str = "", version: str = "", **_query: str) -> Component:
    """Return the page of an environment for the signed-in user."""
    return _page("environment", name, version)


def recording_layout(name: str = "", version: str = "", **_query: str) -> Component:
    """Return the page of a recording for the signed-in user."""
    return _page("data", name, version)


def _page(kind: str, name: str, version: str) -> Component:
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    shown = find(principal, kind, name, version)
    # Other data (images) have no page: nothing of them changes over time.
    if shown is None or (kind == "data" and shown.entry.schema != RECORDING.schema):
        return not_found(principal, kind, name)
    return page(principal, shown)


dash.register_page(
    __name__,
    path_template="/catalogue/environment/<name>",
    exists=exists("environment"),
    name="Environment",
    title=page_title("Environment"),
    layout=layout,
)
dash.register_page(
    f"{__name__}.recording",
    path_template="/catalogue/data/<name>",
    exists=exists("data", RECORDING.schema),
    name="Recording",
    title=page_title("Recording"),
    layout=recording_layout,
)


@callback(
    Output(SeriesIds.PICTURE, "children"),
    Input(ShellIds.SCHEME, "data"),
    State(SeriesIds.DOCUMENT, "data"),
    prevent_initial_call=True,
)
def redraw(scheme: Any, document: dict[str, Any]) -> Component:
    """Return the picture in the colours of the scheme."""
    return picture_of(shown_of(document), scheme)
