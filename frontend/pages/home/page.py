"""Home: how the team stands, and its runs. Follows by itself, once a second while something runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import dash
import dash_mantine_components as dmc
from dash import ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, dcc, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from frontend.components.button import link_button, segmented
from frontend.components.card import card_title
from frontend.components.followed_list import RIGHT, every_ms, list_table, moment_column
from frontend.components.icon import icon
from frontend.components.items.mark_filters import mark_filters
from frontend.components.shell.tour import tour_invitation
from frontend.figures.numbers import integer
from frontend.ids.home import HomeIds
from frontend.pages.home.data import (
    FILTERS,
    MOST_ROWS,
    MOST_UNFOLDED,
    AskedRuns,
    HomeView,
    TeamLine,
    home_view,
    read_asked,
)
from frontend.pages.home.first_steps import examples, first_steps
from frontend.pages.home.reproductions import reproductions_section
from frontend.pages.words import short_count
from frontend.request import current_user
from webapp.comparisons.service import FEWEST, MOST

_WHAT = (
    "Paretoscope finds how a neural network runs best on a board or a chiplet package. It shows which unit "
    "runs which layer, how fast and with how much energy, by published methods."
)


def layout(**query: str) -> Component:
    """Return the page for the signed-in user; the address says which runs are shown (`read_asked`)."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    asked = read_asked(query)
    view = home_view(principal, asked)
    return html.Div(
        [
            dcc.Location(id=HomeIds.LOCATION, refresh="callback-nav"),
            dcc.Store(id=HomeIds.DIGEST, data=_shown(view.digest, asked) | {"empty": not view.team.total}),
            dcc.Store(id=HomeIds.FOLD),
            dcc.Interval(id=HomeIds.TICK, interval=every_ms(view.live)),
            html.Div(
                [
                    html.Div(team_line(view.team), id=HomeIds.TEAM, className="row g24 wrap"),
                    html.Div(
                        [
                            link_button("Import a run", "/import-run", icon="upload", kind="quiet"),
                            link_button("Estimate your network", "/survey", icon="cpu"),
                            link_button("New run", "/new", icon="plus", kind="primary", keys="N"),
                        ],
                        className="row",
                    ),
                ],
                className="row between home-head",
            ),
            html.P(_WHAT, className="home-what sm t2"),
            tour_invitation(),
            html.Div(runs_card(view, asked), id=HomeIds.RUNS),
            examples(),
            reproductions_section(),
        ],
        className="page home",
    )


dash.register_page(__name__, path="/", name="Home", title="Home · Paretoscope", layout=layout)


def team_line(team: TeamLine) -> list[Component]:
    """Return the project's name and four counts."""
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


def _shown(digest: str, asked: AskedRuns) -> dict[str, Any]:
    """Return the state that the browser stores: digest and address of the shown page."""
    opened = ",".join(map(str, asked.unfolded))
    found = {"digest": digest, "show": asked.kind, "engine": asked.engine, "open": opened}
    return found | {"tag": asked.marks.tag, "star": asked.marks.star}


def runs_card(view: HomeView, asked: AskedRuns) -> Component:
    """Return the first steps where there is no run, else the list with what narrows it down."""
    if not view.team.total:
        # The table and what narrows it down are there, unseen: a callback must find everything that it reads and writes.
        return html.Div([first_steps(current_user()), html.Div([_engines(view, asked), _table(view)], hidden=True)])
    choices = segmented([(each, each) for each in FILTERS], asked.kind, HomeIds.FILTER)
    compare = html.Button(
        [icon("git-compare", "s"), html.Span("Compare", id=HomeIds.COMPARE_WORDS)],
        id=HomeIds.COMPARE,
        className="btn small",
        disabled=True,
        type="button",
        title=f"Select {FEWEST} to {MOST} runs to compare them",
    )
    head = html.Div(
        [
            card_title("Recent runs"),
            html.Span(_count_words(view), className="sm t3"),
            html.Span(className="sp"),
            compare,
            _engines(view, asked),
            choices,
        ],
        className="ch",
    )
    filters = mark_filters("run", view.tags, asked.marks, any(row["star"] for row in view.rows))
    return html.Section([head, filters, _table(view)], className="card", **{"aria-label": "Recent runs"})


def _engines(view: HomeView, asked: AskedRuns) -> Component:
    """Return the selector of the engine whose runs are listed."""
    known = dict(view.engines)
    chosen = {asked.engine: known.get(asked.engine, asked.engine)} if asked.engine else {}
    options = {"": "All engines"} | known | chosen
    select: Component = dmc.Select(
        id=HomeIds.ENGINE,
        data=[{"value": value, "label": label} for value, label in options.items()],
        value=asked.engine,
        allowDeselect=False,
        size="xs",
        w=170,
        **{"aria-label": "Engine"},
    )
    return select


def _count_words(view: HomeView) -> str:
    """Say that there are more runs than the list has lines."""
    return f"the newest of {integer(view.team.total)}" if len(view.rows) >= MOST_ROWS else ""


def _table(view: HomeView) -> Component:
    words = {"cellRenderer": "Words"}
    unsorted = {"sortable": False, "cellDataType": False}
    columns: list[dict[str, Any]] = [
        {"field": "title", "headerName": "Run", "cellRenderer": "RunTitle", "flex": 2.2, "minWidth": 210},
        {"field": "engine", "headerName": "Engine", "flex": 1.3, "minWidth": 124, **words},
        {"field": "hardware", "headerName": "Hardware", "flex": 1.4, "minWidth": 132, **words},
        {"field": "workload", "headerName": "Workload", "flex": 1.5, "minWidth": 132, **words},
        {"field": "spark", "headerName": "Hypervolume", "cellRenderer": "Sparkline", "width": 96, **unsorted},
        {
            "field": "best", "headerName": "Best", "cellRenderer": "Best", "width": 140,
            "cellClass": "ag-right-aligned-cell", **unsorted, **RIGHT,
        },
        {"field": "state", "headerName": "State", "cellRenderer": "RunState", "width": 132},
        {"field": "owner", "headerName": "Owner", "cellRenderer": "Owner", "width": 84},
        moment_column("updated", "Updated", 92),
    ]  # fmt: skip
    picked = {"mode": "multiRow", "headerCheckbox": False, "hideDisabledCheckboxes": True}
    picked["isRowSelectable"] = {"function": "!params.data.study"}
    folded = {"postSortRows": {"function": "keepFolded(params)"}}
    options = {"rowSelection": picked, "selectionColumnDef": {"width": 34, "resizable": False}, **folded}
    return list_table(HomeIds.TABLE, view.rows, columns, options)


@callback(
    Output(HomeIds.TABLE, "rowData"),
    Output(HomeIds.TEAM, "children"),
    Output(HomeIds.TICK, "interval"),
    Output(HomeIds.DIGEST, "data"),
    Output({"type": HomeIds.FILTER, "value": dash.ALL}, "className"),
    Output({"type": HomeIds.FILTER, "value": dash.ALL}, "aria-pressed"),
    Input(HomeIds.TICK, "n_intervals"),
    Input({"type": HomeIds.FILTER, "value": dash.ALL}, "n_clicks"),
    Input(HomeIds.ENGINE, "value"),
    Input(HomeIds.FOLD, "data"),
    State(HomeIds.DIGEST, "data"),
    prevent_initial_call=True,
)
def refresh(
    _ticks: int | None,
    _clicks: list[int | None],
    engine: str | None,
    folded: dict[str, Any] | None,
    shown: dict[str, Any],
) -> Any:
    """Return the new rows where anything changed, nothing at all where nothing did."""
    before = read_asked(shown)
    asked = _asked_now(before, engine, folded)
    view = home_view(current_user(), asked)
    if shown["empty"] or (view.digest == shown["digest"] and asked == before):
        raise PreventUpdate
    classes = ["on" if each == asked.kind else "" for each in FILTERS]
    pressed = [str(each == asked.kind).lower() for each in FILTERS]
    digest = _shown(view.digest, asked) | {"empty": False}
    return (
        list(view.rows),
        team_line(view.team),
        every_ms(view.live),
        digest,
        classes,
        pressed,
    )


def _asked_now(before: AskedRuns, engine: str | None, folded: dict[str, Any] | None) -> AskedRuns:
    """Return the query after the last click."""
    source = ctx.triggered_id
    if isinstance(source, dict):
        return replace(before, kind=source["value"])
    if source == HomeIds.ENGINE:
        return replace(before, engine=engine or "")
    study = (folded or {}).get("study") if source == HomeIds.FOLD else None
    if not isinstance(study, int):
        return before
    kept = tuple(number for number in before.unfolded if number != study)
    return replace(before, unfolded=kept if study in before.unfolded else (study, *kept)[:MOST_UNFOLDED])


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
    return runs_card(view, AskedRuns()), _shown("", AskedRuns()) | {"empty": False}


clientside_callback(
    ClientsideFunction("pages", "homeAddress"),
    Output(HomeIds.DIGEST, "modified_timestamp"),
    Input(HomeIds.DIGEST, "data"),
    prevent_initial_call=True,
)


clientside_callback(
    ClientsideFunction("pages", "compareRuns"),
    Output(HomeIds.COMPARE, "disabled"),
    Output(HomeIds.COMPARE, "title"),
    Output(HomeIds.COMPARE_WORDS, "children"),
    Input(HomeIds.TABLE, "selectedRows"),
    prevent_initial_call=True,
)


clientside_callback(
    ClientsideFunction("pages", "openComparison"),
    Output(HomeIds.LOCATION, "href", allow_duplicate=True),
    Input(HomeIds.COMPARE, "n_clicks"),
    State(HomeIds.TABLE, "selectedRows"),
    prevent_initial_call=True,
)


clientside_callback(
    ClientsideFunction("pages", "openRun"),
    Output(HomeIds.LOCATION, "href"),
    Input(HomeIds.TABLE, "cellClicked"),
    prevent_initial_call=True,
)
