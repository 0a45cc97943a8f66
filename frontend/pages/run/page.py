"""One run: live progress, front, the selected design's grid and schedule, table, convergence, provenance and log.

One selection, kept in a store and in the address, drives all pictures.
"""

from __future__ import annotations

from typing import Any

import dash
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.fronts.non_dominated import TOLERANCE
from engines.registry import JOBS
from frontend.addresses import visible_at
from frontend.components.button import icon_button, link_button, segmented
from frontend.components.card import card_title
from frontend.components.icon import icon
from frontend.components.items.deleted_item import gone_page
from frontend.components.items.notes import notes_card
from frontend.components.pictures.figure_menu import data_link, figure_menu
from frontend.components.pictures.time_strip import values_at_cursor
from frontend.components.shell.shell import remembered_scheme, remembered_viewport
from frontend.components.states import notice, skeleton_rows
from frontend.components.tab_bar import tab_bar
from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import announcement
from frontend.figures.numbers import integer, many
from frontend.ids.run import RunIds
from frontend.ids.why import WhyIds
from frontend.pages.asked_number import asked_number
from frontend.pages.run.design.card import DESIGN_CLASS
from frontend.pages.run.design.own import own_design_controls
from frontend.pages.run.design_callbacks import empty_lower_card
from frontend.pages.run.front.choices import read_choices, read_limits, read_region, region_data
from frontend.pages.run.front.controls import front_controls
from frontend.pages.run.front.front_view import FrontView, drawn_note, front_shown
from frontend.pages.run.front.query import FrontQuery
from frontend.pages.run.front.rail import open_rail_button, rail
from frontend.pages.run.front.short_list import read_ranking
from frontend.pages.run.header import header
from frontend.pages.run.measurements.columns import with_measured
from frontend.pages.run.measurements.tab import measured_stores, to_measuring
from frontend.pages.run.result_remarks import result_remarks
from frontend.pages.run.run_prefetch import found_run
from frontend.pages.run.run_reader import decisions_of, designs_of, open_run, remarks_of, stage_of, status_of
from frontend.pages.run.sizes import blank_figure, sizes
from frontend.pages.run.states.cards import errata_strip, state_card
from frontend.pages.run.states.own_results import overview_class, own_results, place_of
from frontend.pages.run.tabs.designs import designs_tab
from frontend.pages.run.tabs.difference import pin_controls, pinned_from
from frontend.pages.run.tabs.registry import TABS, lacking_tabs
from frontend.request import current_user, name_page, page_title
from webapp.annotations.marks import marks_of
from webapp.measuring.designs import measurable_of
from webapp.runs.models import Run
from webapp.teams.permissions import somebody
from webapp.teams.visibility import NotVisible, may_edit

_NAMES = tuple(tab.name for tab in TABS)
_FRONT_HELP = f"Designs that no other design dominates. Values that differ by less than {TOLERANCE:g} of their size count as equal."
_GRAPH = {"displayModeBar": False, "responsive": True, "doubleClick": "reset"}


def layout(run_id: str = "", **query: str) -> Component:
    """Return the page of a run for the signed-in user; the same answer where it does not exist and where it is not theirs."""
    user = current_user()
    if not somebody(user):
        return html.Div()
    try:
        run = open_run(run_id)
    except NotVisible:
        actions = [link_button("All runs", "/", kind="primary", size="small")]
        return gone_page(user, "run", run_id, "There is no such run here", actions)
    name_page(f"{run.title} (run {run.pk})")
    editable = may_edit(user, run)
    designs = designs_of(run)
    first = "data" if run.engine in JOBS else "overview"  # a job has tables and no designs
    tab = query.get("tab", first) if query.get("tab") in _NAMES else first
    asked = _asked(run, designs, query)
    shown = front_shown(run, designs, asked)
    return html.Div(
        [
            *_stores(run, asked, shown, tab),
            dcc.Store(id=RunIds.PIN, data=pinned_from(query.get("pin", ""), designs)),
            header(run, designs, editable, marks_of(user, "run", [run.pk])[run.pk]),
            _tabs(tab, len(designs), lacking_tabs(run)),
            errata_strip(run),
            _missing_design(run, designs, query.get("design")),
            html.Div(state_card(run, editable), id=RunIds.STATE_CARD),
            html.Div(
                [_panel(name, tab, run, designs, asked, shown, editable) for name in _NAMES], className="page run-page"
            ),
        ],
        id="run-keys-here",
    )


dash.register_page(
    __name__,
    path_template="/runs/<run_id>",
    exists=visible_at(found_run),
    name="Run",
    title=page_title("Run"),
    layout=layout,
)


def _asked(run: Run, designs: RunDesigns, query: dict[str, str]) -> FrontQuery:
    """Return the query of the address, with defaults for unknown values."""
    number = asked_number(query.get("design"))
    known = number is not None and number < len(designs)
    selection = {
        "design": number if known else designs.first_choice,
        "window": max(0, (asked_number(query.get("window")) or 0) - 1),
        "follow": not known,
    }
    data = {"count": len(designs), "attempt": run.attempt, "live": run.active, "seen": None}
    return FrontQuery(
        read_choices({**query, "hidden": query.get("hide", "")}, designs),
        read_limits(query.get("limits", ""), designs),
        read_region(query.get("lasso"), designs),
        remembered_scheme(),
        remembered_viewport(),
        selection,
        None,
        data,
        read_ranking(query.get("rank", ""), designs),
        "models" if query.get("lanes") == "models" else "chiplets",
        "linear" if query.get("scale") == "linear" else "logarithmic",
        (query.get("sort", ""), query.get("filter", ""), query.get("columns", "")),
        (query.get("of", ""), query.get("by", "")),
        (query.get("figure", ""), query.get("parts", ""), query.get("against", "")),
    )


def _missing_design(run: Run, designs: RunDesigns, given: str | None) -> Component | None:
    """Say that the design of the address is missing from an ended run."""
    number = asked_number(given)
    if run.active or not given or (number is not None and number < len(designs)):
        return None
    return notice(f"This run has no design {given[:12]}, only {many(len(designs), 'design')} from 0 on.", tone="warn")


def _stores(run: Run, asked: FrontQuery, shown: FrontView, tab: str) -> list[Component]:
    return [
        dcc.Location(id=RunIds.LOCATION, refresh="callback-nav"),
        dcc.Store(id=RunIds.RUN, data=run.pk),
        dcc.Store(id=RunIds.STATUS, data=status_of(run)),
        dcc.Store(id=RunIds.STAGE, data=stage_of(run)),
        dcc.Store(id=RunIds.QUEUE, data=""),
        dcc.Store(id=RunIds.DATA, data=asked.data),
        dcc.Store(id=RunIds.LISTED, data={}),
        dcc.Store(id=RunIds.SELECTION, data=asked.selection),
        dcc.Store(id=RunIds.FOLLOWED, data={}),
        # Never None: Dash would call what follows an empty store as soon as the page is there.
        dcc.Store(id=RunIds.LIMITS, data=dict(asked.limits)),
        dcc.Store(id=RunIds.REGION, data=region_data(asked.region)),
        dcc.Store(id=RunIds.CHOICES, data=asked.choices.to_json()),
        dcc.Store(id=RunIds.RANKING, data=asked.ranking.to_json()),
        dcc.Store(id=RunIds.VIEW, data=shown.view),
        dcc.Store(id=RunIds.FRONT_ORDER, data=shown.order),
        dcc.Store(id=RunIds.KEYS, data={}),
        dcc.Store(id=RunIds.UNDO, data={}),
        dcc.Store(id=RunIds.UNDO_CHOICES, data={}),
        dcc.Store(id=RunIds.SCALE, data=asked.scale),
        dcc.Download(id=RunIds.DOWNLOAD),
        dcc.Store(id=RunIds.TAB, data=tab),
        dcc.Store(id=RunIds.PANEL_TURN, data=0),
        dcc.Store(id=RunIds.FIGURES_TURN, data=""),
        dcc.Store(id=RunIds.DECIDED, data={"of": asked.decided[0], "by": asked.decided[1]}),
        dcc.Store(id=WhyIds.CHOSEN, data=dict(zip(("of", "how", "against"), asked.why, strict=True))),
        dcc.Store(id=RunIds.CURVE_TURN, data=0),
        *measured_stores(run),
        dcc.Store(id=RunIds.DESIGN_WORDS),
        html.Div(announcement(run), id=RunIds.ANNOUNCE, className="visually-hidden", **{"aria-live": "polite"}),
    ]


def _tabs(tab: str, count: int, lacking: frozenset[str]) -> Component:
    buttons = []
    for each in TABS:
        name = each.name
        number = (
            html.Span(integer(count) if count else "", className="n num", id=RunIds.TABLE_COUNT)
            if name == "designs"
            else None
        )
        buttons.append(
            html.Button(
                [each.title, number],
                id={"type": RunIds.TAB_TYPE, "name": name, "place": "bar"},
                className=tab_class(name, tab),
                hidden=name in lacking and name != tab,
                type="button",
                role="tab",
                **{"aria-selected": str(name == tab).lower()},
            )
        )
    return tab_bar(buttons, "Views of the run")


def tab_class(name: str, tab: str) -> str:
    """Return the classes of a tab's button."""
    return "ptab on" if name == tab else "ptab"


def _panel(
    name: str, tab: str, run: Run, designs: RunDesigns, asked: FrontQuery, shown: FrontView, editable: bool
) -> Component:
    content = {
        "overview": lambda: _overview(run, designs, asked, shown),
        "designs": lambda: designs_tab(
            with_measured(run, designs),
            decisions_of(run, designs),
            run.evaluations,
            asked.table,
            remarks=bool(remarks_of(run)),
            actions=[to_measuring("table")] if measurable_of(run) is not None else [],
        ),
        "notes": lambda: notes_card("run", run.pk, editable, designs=len(designs), opened=tab == "notes"),
    }.get(name)
    return html.Div(
        content() if content else skeleton_rows(1, 240),
        id={"type": RunIds.PANEL_TYPE, "name": name},
        hidden=name != tab,
        role="tabpanel",
        className=f"run-panel panel-{name}",
    )


# -- overview ---------------------------------------------------------------------------------------------------------


def _overview(run: Run, designs: RunDesigns, asked: FrontQuery, shown: FrontView) -> Component:
    upper = html.Div([_front_card(run, designs, asked, shown), _design_card()], className="run-upper")
    own = own_results(run, place_of(run, designs), asked.scheme, asked.viewport)
    remarks = html.Ul(result_remarks(run, designs), id=RunIds.RESULT_REMARKS, className="result-remarks sm")
    more = [html.Div(id=name, className="run-more-figures") for name in (RunIds.DESIGN_FIGURES, RunIds.RUN_FIGURES)]
    lower = [_schedule_card(asked.lanes, *empty_lower_card(run)), *own, *more]
    figures = html.Div([remarks, upper, *lower], className="grow run-figures")
    return html.Div(
        [rail(designs, asked, shown.remaining), figures],
        id=RunIds.OVERVIEW,
        className=overview_class(run, designs),
    )


def _front_card(run: Run, designs: RunDesigns, asked: FrontQuery, shown: FrontView) -> Component:
    head = html.Div(
        [
            open_rail_button(),
            card_title(html.Span("Pareto front", title=_FRONT_HELP)),
            html.Span(className="sp"),
            html.Span(shown.news, id=RunIds.FRONT_NEW, className="row g4 front-new"),
            *front_controls(designs, asked.choices),
            *([to_measuring("front")] if measurable_of(run) is not None else []),
            _as_table("designs", "front"),
            figure_menu(
                data_link("Designs as CSV", f"/api/v1/runs/{run.pk}/designs.csv?bom=1"),
                figure_data=f"/api/v1/runs/{run.pk}/designs.csv",
                table=False,
            ),
        ],
        className="ch",
    )
    # In the layout: the first picture then needs no callback, which would wait for all of the page's others.
    graph = dcc.Graph(id=RunIds.FRONT, figure=shown.figure, config=_GRAPH, className="run-graph")
    picture = html.Div(graph, id=RunIds.FRONT_SUMMARY, className="figure", role="img", **{"aria-label": shown.summary})
    return html.Section(
        [
            head,
            picture,
            html.Div(drawn_note(shown.drawn), id=RunIds.FRONT_DRAWN, className="run-drawn xs t3 num"),
            html.Div(shown.over, id=RunIds.FRONT_EMPTY, className="run-over"),
        ],
        className="card run-front",
        **{"aria-label": "Pareto front"},
    )


def _as_table(tab: str, place: str) -> Component:
    """Return the button that leads from a picture to its numbers."""
    return icon_button("table", "Show as table", id={"type": RunIds.TAB_TYPE, "name": tab, "place": place})


def _design_card() -> Component:
    height = sizes(remembered_viewport()).grid_plot[1]
    grid_menu = html.Span(figure_menu(figure_data="design:grid"), className="grid-menu")
    return html.Section(
        [
            html.Div(
                [
                    html.Div(card_title("Selected design"), id=RunIds.DESIGN_HEAD, className="row grow"),
                    *pin_controls(),
                    *own_design_controls(),
                    icon_button(
                        "message",
                        "A note on this design",
                        id={"type": RunIds.TAB_TYPE, "name": "notes", "place": "design"},
                    ),
                    grid_menu,
                ],
                className="ch",
            ),
            html.Div(id=RunIds.WINDOWS, className="run-windows"),
            _picture(RunIds.PICTURE, RunIds.PICTURE_TITLE, RunIds.GRID, RunIds.GRID_SUMMARY, height),
            _picture(RunIds.BELOW, RunIds.BELOW_TITLE, RunIds.BELOW_PLOT, RunIds.BELOW_SUMMARY, 1),
            html.Div(id=RunIds.GRID_LEGEND, className="row run-legend"),
        ],
        id=RunIds.DESIGN_CARD,
        className=DESIGN_CLASS,
        **{"aria-label": "Selected design"},
    )


def _picture(place: RunIds, title: RunIds, plot: RunIds, summary: RunIds, height_px: int) -> Component:
    """Return a picture of the selected design; its head shows where it is no chiplet grid."""
    graph = dcc.Graph(id=plot, figure=blank_figure(height_px), config=_GRAPH, className="run-graph")
    head = html.Div(
        [html.H3(id=title, className="el grow"), figure_menu(figure_data="design:shown")], className="picture-head"
    )
    picture = html.Div(graph, id=summary, className="figure", role="img", **{"aria-label": "Chiplet grid"})
    return html.Div([head, picture], id=place, className="picture below" if place == RunIds.BELOW else "picture")


def _schedule_card(chosen: str, title: str, classes: str) -> Component:
    lanes: Any = html.Span("Chiplets", id=RunIds.LANES_WORD)
    by = segmented([("chiplets", lanes), ("models", "Models")], chosen, RunIds.BY_TYPE)
    head = html.Div(
        [
            card_title(title, id=RunIds.SCHEDULE_TITLE),
            html.Span(id=RunIds.BLOCK_WORDS, className="sm t3 el"),
            html.Span(className="sp"),
            by,
            _as_table("schedule", "schedule"),
            html.A(
                [icon("download", "s"), "Perfetto"],
                id=RunIds.PERFETTO,
                className="btn quiet small",
                href="",
                download="",
                title="Chrome trace; opens in Perfetto",
            ),
            figure_menu(figure_data="design:schedule", table=False),
        ],
        className="ch",
    )
    height = sizes(remembered_viewport()).schedule_plot[1]
    graph = dcc.Graph(id=RunIds.SCHEDULE, figure=blank_figure(height), config=_GRAPH, className="run-graph")
    return html.Section(
        [
            head,
            html.Div(
                graph,
                id=RunIds.SCHEDULE_SUMMARY,
                className="figure schedule-keys time-strip",
                tabIndex=0,
                role="group",
                **{"aria-label": "Schedule", "aria-keyshortcuts": "ArrowLeft ArrowRight ArrowUp ArrowDown + -"},
            ),
            values_at_cursor(),
            html.Div(id=RunIds.SCHEDULE_LEGEND, className="row run-legend"),
        ],
        id=RunIds.SCHEDULE_CARD,
        className=classes,
        **{"aria-label": "Schedule"},
    )


# Callbacks of the layout above.
