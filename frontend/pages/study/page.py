"""One study: progress, the table of medians as a heat map, and the runs of the picked cell. Follows while it runs.

Axes, quantity and the picked cell are kept in the address.
"""

from __future__ import annotations

from typing import Any

import dash
import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.engine import Engine
from frontend.addresses import visible_at
from frontend.components.button import button, link_button
from frontend.components.card import card_title
from frontend.components.chip import chip
from frontend.components.icon import icon
from frontend.components.items.changes_link import changes_link
from frontend.components.items.delete_link import delete_link
from frontend.components.items.deleted_item import gone_page
from frontend.components.items.marks import marks_line
from frontend.components.items.move_link import move_link
from frontend.components.items.notes import notes_card
from frontend.components.items.share import share_control
from frontend.components.shell.shell import remembered_scheme
from frontend.components.states import empty_state
from frontend.designs.run_words import engine_of, engine_title
from frontend.ids.study import StudyIds
from frontend.pages.study.head import progress_view, single_values, size_words
from frontend.pages.study.seeds import (
    AskedSeeds,
    asked_statistics,
    axis_choices,
    compare_link,
    measure_choices,
    place_choices,
    seeds_view,
)
from frontend.pages.study.seeds import digest_of as seeds_digest
from frontend.pages.study.view import (
    StudyQuery,
    asked_table,
    cell_view,
    digest_of,
    legend,
    table_view,
)
from frontend.pages.study.words import axis_title, study_state
from frontend.request import current_user, name_page, page_title
from webapp.annotations.marks import Marks, marks_of
from webapp.studies.models import Study
from webapp.studies.service import Progress, get_study, grid_of, progress
from webapp.studies.statistics import StudyStatistics, group_axes, measures
from webapp.studies.tables import column_choices, row_choices
from webapp.studies.values import tabulated
from webapp.teams.permissions import somebody
from webapp.teams.visibility import NotVisible, may_edit

POLL_EVERY_MS = 1000
NONE = "none"  # a single column or group, as the address and the control say it
_DIGITS = 9


def layout(study_id: str = "", **query: str) -> Component:
    """Return the page of a study for the signed-in user; the same answer where it does not exist and where it is not theirs."""
    user = current_user()
    if not somebody(user):
        return html.Div()
    try:
        study = get_study(user, study_id)
    except NotVisible:
        actions = [link_button("All studies", "/studies", kind="primary", size="small")]
        return gone_page(user, "study", study_id, "This study does not exist here", actions)
    name_page(f"{study.title} (study {study.pk})")
    engine = engine_of(study.engine)
    if engine is None:
        return _nothing("This study cannot be shown", f"Its engine, {study.engine}, is no longer installed.")
    columns = query.get("columns")
    asked = StudyQuery(query.get("rows"), "" if columns == NONE else columns, query.get("quantity"), query.get("cell"))
    seeds = asked_seeds(query.get("by"), query.get("at"), query.get("measure"), query.get("x"), query.get("y"))
    return page(study, engine, asked, may_edit(user, study), seeds)


def asked_seeds(by: str | None, at: str | None, measure: str | None, x: str | None, y: str | None) -> AskedSeeds:
    """Return the query of the address or the controls for the card over the seeds."""
    place = int(at) if at and at.isascii() and at.isdigit() and len(at) < _DIGITS else None
    return AskedSeeds("" if by == NONE else by or None, place, measure or None, x or None, y or None)


dash.register_page(
    __name__,
    path_template="/studies/<study_id>",
    exists=visible_at(get_study),
    name="Study",
    title=page_title("Study"),
    layout=layout,
)


def page(study: Study, engine: Engine, asked: StudyQuery, editable: bool, seeds: AskedSeeds) -> Component:
    """Return the content of the page below the navigation bar."""
    table, asked = asked_table(study, asked)
    statistics, seeds = asked_statistics(study, seeds)
    found = progress(study)
    return html.Div(
        [
            dcc.Location(id=StudyIds.LOCATION, refresh="callback-nav"),
            dcc.Store(id=StudyIds.STUDY, data=study.pk),
            dcc.Store(id=StudyIds.SELECTED, data=asked.cell),
            dcc.Store(id=StudyIds.DIGEST, data=digest_of(table, found, asked)),
            dcc.Store(id=StudyIds.SEEDS_DIGEST, data=seeds_digest(statistics, seeds)),
            dcc.Interval(id=StudyIds.TICK, interval=POLL_EVERY_MS, disabled=not found.live),
            _header(study, engine, found, editable, marks_of(current_user(), "study", [study.pk])[study.pk]),
            html.Div(
                [
                    html.Section(
                        [
                            _controls(study, engine, asked),
                            html.Div(legend(table), id=StudyIds.LEGEND, className="row wrap study-legend"),
                            html.Div(
                                table_view(table, study, engine, asked.cell),
                                id=StudyIds.TABLE,
                                className="table-scroll",
                            ),
                        ],
                        className="card study-card",
                        **{"aria-label": "Table of the study"},
                    ),
                    html.Div(cell_view(table, study, engine, asked.cell), id=StudyIds.CELL, **{"aria-live": "polite"}),
                    _seeds_card(study, engine, statistics, seeds),
                    notes_card("study", study.pk, editable),
                ],
                className="page study-page",
            ),
        ]
    )


def _nothing(title: str, words: str) -> Component:
    actions = [link_button("All studies", "/studies", kind="primary", size="small")]
    return html.Div(
        html.Section(empty_state("search", title, words, actions, level=1), className="card home-empty"),
        className="page",
    )


def _header(study: Study, engine: Engine, found: Progress, editable: bool, marks: Marks) -> Component:
    crumb = html.Nav(
        [
            dcc.Link("Studies", href="/studies"),
            icon("chevron-right", "s"),
            html.Span(study.project.title),
            icon("chevron-right", "s"),
            html.Span(f"study {study.pk:04d}", className="mono"),
        ],
        className="crumb",
        **{"aria-label": "Where you are"},
    )
    title = html.Div(
        [
            html.H1(study.title, className="el", title=study.title),
            html.Span(state_chip(found), id=StudyIds.HEADER),
            chip(f"{engine_title(study.engine)} {study.engine_version}"),
            chip(size_words(study)),
            marks_line(current_user(), "study", study.pk, marks, editable),
            changes_link("study", study.pk),
            move_link("study", study.pk),
            *delete_link("study", study.pk, editable),
        ],
        className="row grow run-title-row",
    )
    acting = html.Div(
        [
            share_control("study", study.pk),
            html.Div(actions(study, found, editable), id=StudyIds.ACTIONS, className="row"),
        ],
        className="row",
    )
    return html.Div(
        [
            crumb,
            html.Div([title, acting], className="row between"),
            html.Div(id=StudyIds.ACTION_ERROR, role="alert"),
            html.Div(progress_view(found), id=StudyIds.PROGRESS, className="row g24 run-line"),
            html.Div(single_values(study, engine), className="row wrap study-same"),
        ],
        className="head edge",
    )


def state_chip(found: Progress) -> Component:
    """Return the state of the study in one word."""
    state = study_state(found)
    dot = html.Span(className=f"dot {state.kind}".strip())
    return chip(dot, state.word, tone=state.kind or "plain")


def actions(study: Study, found: Progress, editable: bool) -> list[Component]:
    """Return the buttons: stop, continue, start a copy."""
    shown: list[Component] = []
    if editable and found.live:
        shown.append(button("Stop all", id={"type": StudyIds.ACTION_TYPE, "name": "stop"}, icon="player-stop"))
    if editable and found.to_continue:
        words = f"Continue {found.to_continue}"
        shown.append(button(words, id={"type": StudyIds.ACTION_TYPE, "name": "continue"}, icon="player-play"))
    return [*shown, link_button("New from this", f"/studies/new?from={study.pk}", icon="copy")]


def _controls(study: Study, engine: Engine, asked: StudyQuery) -> Component:
    grid = grid_of(study)
    rows: list[tuple[str, str]] = [(name, axis_title(name, engine)) for name in row_choices(grid)] or [("", "Nothing")]
    columns = [(name or NONE, axis_title(name, engine)) for name in column_choices(grid)]
    quantities = [(quantity.name, quantity.title) for quantity in tabulated(engine.quantities)]
    return html.Div(
        [
            card_title("Medians"),
            html.Span(className="sp"),
            *_labelled("Quantity", StudyIds.QUANTITY, quantities, asked.quantity),
            *_labelled("Rows", StudyIds.ROWS, rows, asked.rows),
            *_labelled("Columns", StudyIds.COLUMNS, columns, asked.columns or NONE),
            html.A(
                [icon("download", "s"), "CSV"],
                id=StudyIds.CSV,
                className="btn quiet small",
                href=f"/api/v1/studies/{study.pk}/table.csv?bom=1",
                download="",
            ),
        ],
        className="ch",
    )


def _seeds_card(study: Study, engine: Engine, found: StudyStatistics, asked: AskedSeeds) -> Component:
    grid = grid_of(study)
    by = axis_choices(group_axes(grid), engine)
    at = place_choices(study, found.axis, engine)
    controls = [
        *_labelled("Compare", StudyIds.BY, [(item["value"], item["label"]) for item in by], asked.by or NONE),
        *_labelled("at", StudyIds.AT, [(item["value"], item["label"]) for item in at], str(asked.at or 0)),
    ]
    by_measure = [(item["value"], item["label"]) for item in measure_choices(measures(grid))]
    controls += _labelled("by", StudyIds.MEASURE, by_measure, asked.measure)
    names = [(quantity.name, quantity.title) for quantity in found.objectives]
    axes = [*_labelled("x", StudyIds.X_AXIS, names, asked.x), *_labelled("y", StudyIds.Y_AXIS, names, asked.y)]
    return html.Section(
        [
            html.Div(
                [
                    card_title("Over the seeds"),
                    html.Span(compare_link(found), id=StudyIds.SEEDS_COMPARE),
                    html.Span(className="sp"),
                    *controls,
                    # With two objectives there is nothing to choose.
                    html.Span(axes, className="row", hidden=len(names) < 3),
                ],
                className="ch",
            ),
            html.Div(seeds_view(found, asked, study, engine, remembered_scheme()), id=StudyIds.SEEDS),
        ],
        className="card study-card",
        **{"aria-label": "Over the seeds"},
    )


def _labelled(label: str, control_id: str, options: list[tuple[str, str]], value: Any) -> list[Component]:
    select: Component = dmc.Select(
        id=control_id,
        data=[{"value": name, "label": words} for name, words in options],
        value=value,
        allowDeselect=False,
        size="xs",
        w=150,
        comboboxProps={"width": 240},
        **{"aria-label": label},
    )
    return [html.Span(label, className="sm t3"), select]
