"""Home: how the team stands, and its runs. Follows by itself, once a second while something runs."""

from __future__ import annotations

from typing import Any

import dash
from dash import ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, dcc, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from frontend.components.button import link_button, segmented
from frontend.components.card import card_title
from frontend.components.followed_list import RIGHT, every_ms, list_table, moment_column
from frontend.components.mark_filters import mark_filters, read_marks
from frontend.components.tour import tour_invitation
from frontend.figures.numbers import integer
from frontend.ids.home import HomeIds
from frontend.pages.home.data import EVERY, FILTERS, HomeView, TeamLine, home_view
from frontend.pages.home.first_steps import first_steps
from frontend.pages.home.reproductions import reproductions_section
from frontend.pages.words import short_count
from frontend.request import current_user
from webapp.talk.marks import AskedMarks


def layout(**query: str) -> Component:
    """The page for the signed-in user; `show` of the address is one of `FILTERS`."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    kind = next((each for each in FILTERS if each == query.get("show")), "All")
    asked = read_marks(query)
    view = home_view(principal, kind, asked=asked)
    return html.Div(
        [
            dcc.Location(id=HomeIds.LOCATION, refresh="callback-nav"),
            dcc.Store(id=HomeIds.DIGEST, data=_shown(view.digest, kind, asked) | {"empty": not view.team.total}),
            dcc.Interval(id=HomeIds.TICK, interval=every_ms(view.live)),
            html.Div(
                [
                    html.Div(team_line(view.team), id=HomeIds.TEAM, className="row g24 wrap"),
                    html.Div(
                        [
                            link_button("Import a run", "/import-run", icon="upload", kind="quiet"),
                            link_button("Survey devices", "/survey", icon="cpu"),
                            link_button("New exploration", "/new", icon="plus", kind="primary", keys="N"),
                        ],
                        className="row",
                    ),
                ],
                className="row between home-head",
            ),
            tour_invitation(),
            html.Div(_runs_card(view, kind, asked), id=HomeIds.RUNS),
            reproductions_section(),
        ],
        className="page home",
    )


dash.register_page(__name__, path="/", name="Home", title="Home · Paretoscope", layout=layout)


def team_line(team: TeamLine) -> list[Component]:
    """The project's name and four counts."""
    counts = (
        (integer(team.running), "running"),
        (integer(team.queued), "queued"),
        (integer(team.this_week), "runs this week"),
        (short_count(team.evaluated), "designs evaluated"),
    )
    facts = [
        html.Span([html.Span(value, className="b num"), html.Span(words, className="sm t2")], className="row fact")
        for value, words in counts
    ]
    return [html.H1(team.title), *facts]


def _shown(digest: str, kind: str, asked: AskedMarks) -> dict[str, Any]:
    """What the browser keeps of what it shows."""
    return {"digest": digest, "kind": kind, "tag": asked.tag, "star": asked.star}


def _runs_card(view: HomeView, kind: str = "All", asked: AskedMarks = EVERY) -> Component:
    if not view.team.total:
        # The table is there, unseen: a callback must find everything that it writes to.
        return html.Div([first_steps(current_user()), html.Div(_table(view), hidden=True)])
    choices = segmented([(each, each) for each in FILTERS], kind, HomeIds.FILTER)
    head = html.Div(
        [
            card_title("Recent runs"),
            html.Span(_count_words(view), className="sm t3"),
            html.Span(className="sp"),
            choices,
        ],
        className="ch",
    )
    filters = mark_filters("run", view.tags, asked, any(row["star"] for row in view.rows))
    return html.Section([head, filters, _table(view)], className="card", **{"aria-label": "Recent runs"})


def _count_words(view: HomeView) -> str:
    shown = len(view.rows)
    return "" if shown == view.team.total else f"the newest {integer(shown)} of {integer(view.team.total)}"


def _table(view: HomeView) -> Component:
    words = {"cellRenderer": "Words"}
    unsorted = {"sortable": False, "cellDataType": False}
    columns: list[dict[str, Any]] = [
        {"field": "title", "headerName": "Run", "cellRenderer": "RunTitle", "flex": 2, "minWidth": 190, "tooltipField": "title"},
        {"field": "engine", "headerName": "Engine", "width": 112, "tooltipField": "engine", **words},
        {"field": "hardware", "headerName": "Hardware", "flex": 1.2, "minWidth": 124, "tooltipField": "hardware", **words},
        {"field": "workload", "headerName": "Workload", "flex": 2, "minWidth": 150, "tooltipField": "workload", **words},
        {"field": "spark", "headerName": "Hypervolume", "cellRenderer": "Sparkline", "width": 112, **unsorted},
        {
            "field": "best", "headerName": "Best", "cellRenderer": "Best", "width": 140,
            "cellClass": "ag-right-aligned-cell", **unsorted, **RIGHT,
        },
        {"field": "state", "headerName": "State", "cellRenderer": "RunState", "width": 150},
        {"field": "owner", "headerName": "Owner", "cellRenderer": "Owner", "width": 96},
        moment_column("updated", "Updated", 100),
    ]  # fmt: skip
    return list_table(HomeIds.TABLE, view.rows, columns)


@callback(
    Output(HomeIds.TABLE, "rowData"),
    Output(HomeIds.TEAM, "children"),
    Output(HomeIds.TICK, "interval"),
    Output(HomeIds.DIGEST, "data"),
    Output({"type": HomeIds.FILTER, "value": dash.ALL}, "className"),
    Output({"type": HomeIds.FILTER, "value": dash.ALL}, "aria-pressed"),
    Input(HomeIds.TICK, "n_intervals"),
    Input({"type": HomeIds.FILTER, "value": dash.ALL}, "n_clicks"),
    State(HomeIds.DIGEST, "data"),
    prevent_initial_call=True,
)
def refresh(_ticks: int | None, _clicks: list[int | None], shown: dict[str, Any]) -> Any:
    """New rows where anything changed, nothing at all where nothing did."""
    triggered = ctx.triggered_id
    kind = triggered["value"] if isinstance(triggered, dict) else shown["kind"]
    asked = read_marks(shown)
    view = home_view(current_user(), kind, asked=asked)
    if shown["empty"] or (view.digest == shown["digest"] and kind == shown["kind"]):
        raise PreventUpdate
    classes = ["on" if each == kind else "" for each in FILTERS]
    pressed = [str(each == kind).lower() for each in FILTERS]
    digest = _shown(view.digest, kind, asked) | {"empty": False}
    return (
        list(view.rows),
        team_line(view.team),
        every_ms(view.live),
        digest,
        classes,
        pressed,
    )


@callback(
    Output(HomeIds.RUNS, "children"),
    Output(HomeIds.DIGEST, "data", allow_duplicate=True),
    Input(HomeIds.TICK, "n_intervals"),
    State(HomeIds.DIGEST, "data"),
    prevent_initial_call=True,
)
def first_run(_ticks: int | None, shown: dict[str, Any]) -> Any:
    """Replace the empty state once the first run is there."""
    if not shown["empty"]:
        raise PreventUpdate
    view = home_view(current_user())
    if not view.team.total:
        raise PreventUpdate
    return _runs_card(view), _shown("", "All", EVERY) | {"empty": False}


clientside_callback(
    ClientsideFunction("pages", "homeAddress"),
    Output(HomeIds.DIGEST, "modified_timestamp"),
    Input(HomeIds.DIGEST, "data"),
    prevent_initial_call=True,
)


clientside_callback(
    ClientsideFunction("pages", "openRun"),
    Output(HomeIds.LOCATION, "href"),
    Input(HomeIds.TABLE, "cellClicked"),
    prevent_initial_call=True,
)
