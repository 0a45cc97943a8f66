"""The studies that one may see, with their progress. Follows by itself while something runs."""

from __future__ import annotations

from typing import Any

import dash
from dash import ClientsideFunction, Input, Output, State, callback, clientside_callback, dcc, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from frontend.components.button import link_button
from frontend.components.card import card_title
from frontend.components.followed_list import RIGHT, every_ms, list_table, moment_column
from frontend.components.items.mark_filters import NONE_MARKED, mark_filters, read_marks
from frontend.components.states import empty_state
from frontend.figures.numbers import integer
from frontend.ids.study import StudyListIds
from frontend.pages.study.listing_data import EVERY, StudyListView, list_view
from frontend.request import current_user
from webapp.annotations.marks import AskedMarks


def layout(**query: str) -> Component:
    """Return the page for the signed-in user."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    asked = read_marks(query)
    view = list_view(principal, asked=asked)
    head = [html.H1("Studies"), link_button("New study", "/studies/new", icon="plus", kind="primary")]
    return html.Div(
        [
            dcc.Location(id=StudyListIds.LOCATION, refresh="callback-nav"),
            dcc.Store(id=StudyListIds.DIGEST, data=view.digest),
            dcc.Store(id=StudyListIds.ASKED, data={"tag": asked.tag, "star": asked.star}),
            dcc.Interval(id=StudyListIds.TICK, interval=every_ms(view.live)),
            html.Div(head, className="row between home-head"),
            mark_filters("study", view.tags, asked, any(row["star"] for row in view.rows)),
            html.Div(list_card(view, asked), id=StudyListIds.CARD),
        ],
        className="page home",
    )


dash.register_page(__name__, path="/studies", name="Studies", title="Studies · Paretoscope", layout=layout)


def list_card(view: StudyListView, asked: AskedMarks = EVERY) -> Component:
    """Return the table of studies, or the empty state.

    The one that does not apply is hidden: callbacks name both.
    """
    words = "A study runs one engine over several inputs, parameters and seeds, and shows the medians as one table."
    actions = [link_button("New study", "/studies/new", icon="player-play", kind="primary", size="small")]
    empty = html.Section(
        empty_state("table", "No studies here yet", words, actions) if asked == EVERY else empty_state(*NONE_MARKED),
        id=StudyListIds.EMPTY,
        className="card home-empty",
        hidden=bool(view.rows),
    )
    count = html.Span(integer(len(view.rows)), id=StudyListIds.COUNT, className="sm t3 num")
    head = html.Div([card_title("Studies"), count], className="ch")
    there = html.Section(
        [head, _table(view)],
        id=StudyListIds.THERE,
        className="card",
        hidden=not view.rows,
        **{"aria-label": "Studies"},
    )
    return html.Div([empty, there])


def _table(view: StudyListView) -> Component:
    words = {"cellRenderer": "Words"}
    columns: list[dict[str, Any]] = [
        {"field": "title", "headerName": "Study", "cellRenderer": "StudyTitle", "flex": 2, "minWidth": 220},
        {"field": "engine", "headerName": "Engine", "width": 110, **words},
        {"field": "project", "headerName": "Project", "flex": 1, "minWidth": 120, **words},
        {"field": "runs", "headerName": "Runs", "width": 80, "cellClass": "num ag-right-aligned-cell", **RIGHT},
        {"field": "share", "headerName": "Progress", "cellRenderer": "StudyShare", "width": 150},
        {"field": "state", "headerName": "State", "cellRenderer": "RunState", "width": 190},
        {"field": "owner", "headerName": "Owner", "cellRenderer": "Owner", "width": 120},
        moment_column("created", "Created", 110),
    ]  # fmt: skip
    return list_table(StudyListIds.TABLE, view.rows, columns)


@callback(
    Output(StudyListIds.TABLE, "rowData"),
    Output(StudyListIds.TICK, "interval"),
    Output(StudyListIds.DIGEST, "data"),
    Output(StudyListIds.COUNT, "children"),
    Output(StudyListIds.EMPTY, "hidden"),
    Output(StudyListIds.THERE, "hidden"),
    Input(StudyListIds.TICK, "n_intervals"),
    State(StudyListIds.DIGEST, "data"),
    State(StudyListIds.ASKED, "data"),
    prevent_initial_call=True,
)
def refresh(_ticks: int | None, shown: str, asked: dict[str, Any] | None) -> Any:
    """Return the new rows where anything changed, nothing at all where nothing did."""
    view = list_view(current_user(), asked=read_marks(asked or {}))
    if view.digest == shown:
        raise PreventUpdate
    beat, some = every_ms(view.live), bool(view.rows)
    return list(view.rows), beat, view.digest, integer(len(view.rows)), some, not some


clientside_callback(
    ClientsideFunction("study", "openStudy"),
    Output(StudyListIds.LOCATION, "href"),
    Input(StudyListIds.TABLE, "cellClicked"),
    prevent_initial_call=True,
)
