"""The studies that one may see, with their progress. Follows by itself while something runs."""

from __future__ import annotations

from typing import Any

import dash
import dash_ag_grid as dag
from dash import ClientsideFunction, Input, Output, State, callback, clientside_callback, dcc, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from frontend.bridge import current_user
from frontend.components.button import link_button
from frontend.components.card import card_title
from frontend.components.states import empty_state
from frontend.components.table import grid_options
from frontend.figures.numbers import integer
from frontend.ids.study import StudyListIds
from frontend.pages.study_list_data import StudyListView, list_view

LIVE_EVERY_MS = 1000
IDLE_EVERY_MS = 5000


def layout(**_query: str) -> Component:
    """The page for the signed-in user."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    view = list_view(principal)
    head = [html.H1("Studies"), link_button("New study", "/studies/new", icon="plus", kind="primary")]
    return html.Div(
        [
            dcc.Location(id=StudyListIds.LOCATION, refresh="callback-nav"),
            dcc.Store(id=StudyListIds.DIGEST, data=view.digest),
            dcc.Interval(id=StudyListIds.TICK, interval=LIVE_EVERY_MS if view.live else IDLE_EVERY_MS),
            html.Div(head, className="row between home-head"),
            html.Div(list_card(view), id=StudyListIds.CARD),
        ],
        className="page home",
    )


dash.register_page(__name__, path="/studies", name="Studies", title="Studies · Paretoscope", layout=layout)


def list_card(view: StudyListView) -> Component:
    """The table of studies, or what to do where there is none."""
    if not view.rows:
        words = "A study runs one engine over several inputs, parameters and seeds, and shows the medians as one table."
        actions = [link_button("New study", "/studies/new", icon="player-play", kind="primary", size="small")]
        return html.Section(empty_state("table", "No studies here yet", words, actions), className="card home-empty")
    head = html.Div([card_title("Studies"), html.Span(integer(len(view.rows)), className="sm t3 num")], className="ch")
    return html.Section([head, _table(view)], className="card", **{"aria-label": "Studies"})


def _table(view: StudyListView) -> Component:
    words = {"cellClass": "el-cell"}
    right = {"type": "rightAligned"}
    columns: list[dict[str, Any]] = [
        {"field": "title", "headerName": "Study", "cellRenderer": "StudyTitle", "flex": 2, "minWidth": 220},
        {"field": "engine", "headerName": "Engine", "width": 110, **words},
        {"field": "project", "headerName": "Project", "flex": 1, "minWidth": 120, **words},
        {"field": "runs", "headerName": "Runs", "width": 80, "cellClass": "num ag-right-aligned-cell", **right},
        {"field": "share", "headerName": "Progress", "cellRenderer": "StudyShare", "width": 150},
        {"field": "state", "headerName": "State", "cellRenderer": "RunState", "width": 190},
        {"field": "owner", "headerName": "Owner", "cellRenderer": "Owner", "width": 120},
        {
            "field": "created", "headerName": "Created", "width": 110, "tooltipField": "exact", "sortable": False,
            "cellClass": "t2 ag-right-aligned-cell", **right,
        },
    ]  # fmt: skip
    return dag.AgGrid(
        id=StudyListIds.TABLE,
        rowData=list(view.rows),
        columnDefs=columns,
        defaultColDef={"resizable": True, "suppressHeaderMenuButton": True, "sortable": True},
        getRowId="params.data.id",
        dashGridOptions=grid_options(domLayout="autoHeight", tooltipShowDelay=300),
        className="home-table",
        style={"height": None, "width": "100%"},
    )


@callback(
    Output(StudyListIds.TABLE, "rowData"),
    Output(StudyListIds.TICK, "interval"),
    Output(StudyListIds.DIGEST, "data"),
    Input(StudyListIds.TICK, "n_intervals"),
    State(StudyListIds.DIGEST, "data"),
    prevent_initial_call=True,
)
def refresh(_ticks: int | None, shown: str) -> Any:
    """New rows where anything changed, nothing at all where nothing did."""
    view = list_view(current_user())
    if view.digest == shown or not view.rows:
        raise PreventUpdate
    return list(view.rows), LIVE_EVERY_MS if view.live else IDLE_EVERY_MS, view.digest


clientside_callback(
    ClientsideFunction("study", "openStudy"),
    Output(StudyListIds.LOCATION, "href"),
    Input(StudyListIds.TABLE, "cellClicked"),
    prevent_initial_call=True,
)
