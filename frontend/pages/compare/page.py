"""A comparison of two to six runs: fronts, measures, schedules on one time axis. Without runs, the list of kept comparisons.

What is compared lives in the address: `/compare?runs=3,5&designs=12,`, or `/compare/7` for one that was kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash
import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from frontend.addresses import visible_at
from frontend.components.as_table import as_table
from frontend.components.button import link_button
from frontend.components.card import card_title
from frontend.components.items.deleted_item import UNKNOWN, gone_lines, gone_page
from frontend.components.items.mark_filters import read_marks
from frontend.components.items.notes import notes_card
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.shell.shell import remembered_scheme, remembered_viewport
from frontend.components.states import empty_state, notice, skeleton
from frontend.components.static_part import static_part
from frontend.ids.compare import CompareIds
from frontend.pages.compare.data import Side, axis_choices, logarithmic, sides_of, unlike_rows, usual_axes, usual_scale
from frontend.pages.compare.head import header
from frontend.pages.compare.measurements import table_rows
from frontend.pages.compare.measures import metric_rows
from frontend.pages.compare.query import asked_entries, study_entries
from frontend.pages.compare.remarks import remark_lines
from frontend.pages.compare.saved_comparisons import list_page
from frontend.pages.compare.tables import fronts_table
from frontend.pages.compare.view import (
    fronts_counts,
    fronts_picture,
    fronts_remarks,
    fronts_sentence,
    metric_table,
    pairs_table,
)
from frontend.request import current_user, name_page, page_title
from webapp.comparisons.models import Comparison
from webapp.comparisons.service import FEWEST, Entry, entries_of, get_comparison, state_of
from webapp.deletions.service import deleted_among
from webapp.teams.permissions import known, somebody
from webapp.teams.visibility import NotVisible, Principal, may_edit

FRONTS_HEIGHT_PX, MOST_FRONTS_PX = 300, 460
MANY = 4  # from so many runs on the table needs more room than the picture
_UNKNOWN_RUNS = "They do not exist, belong to projects of which you are no member, or are more than six."
_GRAPH = {"displayModeBar": False, "responsive": True, "doubleClick": "reset"}


def layout(number: str = "", **query: str) -> Component:
    """Return the page for the signed-in user."""
    user = current_user()
    if not somebody(user):
        return html.Div()
    comparison = None
    if number:
        try:
            comparison = get_comparison(user, number)
            name_page(f"{comparison.title} (comparison {comparison.pk})")
        except NotVisible:
            actions = [link_button("All comparisons", "/compare", kind="primary", size="small")]
            return gone_page(user, "comparison", number, "This comparison does not exist here", actions)
    chosen = asked_entries(query) or study_entries(user, query) or (comparison.entries if comparison else [])
    if "study" in query and not chosen:
        words = "None of its runs has ended with a design, or it belongs to another project."
        return _nothing("This study has nothing to compare", words)
    if not chosen and comparison is None:
        return list_page(user, read_marks(query))
    entries = entries_of(user, chosen)
    sides = sides_of(entries)
    wanted = {**(comparison.axes if comparison else {}), **{k: query[k] for k in ("x", "y", "scale") if k in query}}
    return _page(
        user,
        comparison,
        sides,
        usual_axes(sides, wanted.get("x"), wanted.get("y")),
        wanted.get("scale"),
        _missing(user, chosen, entries, named="runs" in query),
    )


dash.register_page(__name__, path="/compare", name="Compare", title="Compare · Paretoscope", layout=layout)
dash.register_page(
    f"{__name__}.kept",
    path_template="/compare/<number>",
    exists=visible_at(get_comparison),
    name="Comparison",
    title=page_title("Comparison"),
    layout=layout,
)


def _missing(
    user: Principal, chosen: Sequence[Mapping[str, Any]], entries: Sequence[Entry], named: bool
) -> Component | None:
    """Return the requested runs that are not shown: deleted ones, and other invisible ones named in the address."""
    shown = {entry.run.pk for entry in entries}
    asked = [item["run"] for item in chosen if item["run"] not in shown]
    gone = deleted_among(user, "run", asked)
    others = (
        [number for number in dict.fromkeys(asked) if number not in {each.number for each in gone}] if named else []
    )
    lines = gone_lines(user, gone)
    if others:
        numbers = ", ".join(map(str, others))
        lines.append(html.Div(f"Not shown: run {numbers}. {UNKNOWN if len(others) == 1 else _UNKNOWN_RUNS}"))
    return html.Div(notice(html.Div(lines), tone="warn"), className="page") if lines else None


def _nothing(title: str, words: str) -> Component:
    actions = [link_button("All comparisons", "/compare", kind="primary", size="small")]
    return html.Div(
        html.Section(empty_state("search", title, words, actions, level=1), className="card home-empty"),
        className="page",
    )


def _page(
    user: Principal,
    comparison: Comparison | None,
    sides: Sequence[Side],
    axes: tuple[str, str] | None,
    scale: str | None,
    missing: Component | None = None,
) -> Component:
    named = dict(zip("xy", axes or (), strict=False)) | ({"scale": scale} if scale in ("log", "linear") else {})
    editable = known(user) and (comparison is None or may_edit(user, comparison))
    entries = [{"run": side.run.pk, "design": side.number} for side in sides]
    return html.Div(
        [
            dcc.Location(id=CompareIds.LOCATION, refresh="callback-nav"),
            dcc.Store(id=CompareIds.NUMBER, data=comparison.pk if comparison else 0),
            dcc.Store(id=CompareIds.SEEN, data=state_of(comparison) if comparison else None),
            dcc.Store(id=CompareIds.ENTRIES, data=entries),
            dcc.Store(id=CompareIds.SELECTED, data={str(item["run"]): item["design"] for item in entries}),
            dcc.Store(id=CompareIds.CURSOR, data={}),
            dcc.Store(id=CompareIds.AXES, data=named),
            header(user, comparison, sides, named, editable),
            missing,
            html.Div(
                [
                    html.Div(
                        [_fronts_card(sides, axes, scale), _metrics_card(sides)],
                        className="compare-upper many" if len(sides) >= MANY else "compare-upper",
                    ),
                    _strips_card(sides),
                    html.Div(id=CompareIds.TRACES),
                ]
                if len(sides) >= FEWEST
                else [_too_few(sides)],
                className="page compare-page",
            ),
            html.Div(
                notes_card("comparison", comparison.pk, editable) if comparison else None,
                className="page compare-notes",
                hidden=comparison is None,
            ),
        ],
        id="compare-here",
    )


def _too_few(sides: Sequence[Side]) -> Component:
    words = "A comparison shows 2 to 6 runs."
    title = "Add a second run" if sides else "None of these runs can be shown"
    return html.Section([empty_state("git-compare", title, words), _no_fronts()], className="card home-empty")


# -- cards ------------------------------------------------------------------------------------------------------------


def fronts_size(viewport: Any, count: int) -> tuple[int, int]:
    """Return the pixels of the picture of the fronts of so many runs in a window of that width: a wide table leaves it less."""
    window = int(viewport["width"])
    width = window - 36 if window < 1100 else (window - 44) * 2 // 5 if count >= MANY else (window - 44) // 2
    return width, min(MOST_FRONTS_PX, max(FRONTS_HEIGHT_PX, width * 3 // 10))


def _fronts_card(sides: Sequence[Side], axes: tuple[str, str] | None, scale: str | None) -> Component:
    size = fronts_size(remembered_viewport(), len(sides))
    if axes is None:
        words = "No two of the runs share two metrics, so no picture can show both. The table has what they share."
        body: Component = html.Div([empty_state("chart-scatter", "No common axes", words, level=3), _no_fronts()])
        selects: list[Component] = []
    else:
        log = logarithmic(sides, axes, usual_scale(sides, axes, scale))
        picture = fronts_picture(sides, axes, remembered_scheme(), size, log)
        graph = dcc.Graph(id=CompareIds.FRONTS, figure=picture, config=_GRAPH, className="run-graph")
        words = fronts_sentence(sides, axes)
        figure = html.Div(graph, id=CompareIds.FRONTS_SUMMARY, className="figure", role="img", **{"aria-label": words})
        remarks = html.P(
            " ".join(fronts_remarks(sides, axes)), id=CompareIds.FRONTS_REMARKS, className="sm t2 compare-nothing"
        )
        body = html.Div([figure, remarks, as_table(fronts_table(sides, axes), id=CompareIds.FRONTS_TABLE)])
        data = [{"value": q.name, "label": q.title} for q in axis_choices(sides)]
        selects = [
            html.Span([html.Span(label, className="sm t3"), _axis(select_id, label, data, value)], className="row g4")
            for label, select_id, value in zip("xy", (CompareIds.X_AXIS, CompareIds.Y_AXIS), axes, strict=True)
        ]
        selects.append(_log_switch(bool(log), possible=bool(logarithmic(sides, axes, "log"))))
    counts = html.Span(fronts_counts(sides) if len(sides) < MANY else None, className="row g4 nw")
    head = html.Div(
        [card_title("Fronts"), counts, html.Span(className="sp"), *selects, figure_menu(table=False) if axes else None],
        className="ch",
    )
    return html.Section([head, body], className="card", **{"aria-label": "Fronts"})


def _no_fronts() -> Component:
    """Return the hidden components that callbacks name, because Dash reports missing ones as mistakes."""
    selects = [dmc.Select(id=select_id, data=[]) for select_id in (CompareIds.X_AXIS, CompareIds.Y_AXIS)]
    named = [
        html.Div(id=each) for each in (CompareIds.FRONTS_SUMMARY, CompareIds.FRONTS_TABLE, CompareIds.FRONTS_REMARKS)
    ]
    selects.append(_log_switch(False, possible=False))
    return html.Div([*selects, dcc.Graph(id=CompareIds.FRONTS), *named], hidden=True)


def _log_switch(checked: bool, possible: bool) -> Component:
    control: Component = dmc.Switch(
        id=CompareIds.LOG,
        label="log",
        checked=checked,
        disabled=not possible,
        size="xs",
        color="accent",
        withThumbIndicator=False,
        **{"aria-label": "Logarithmic axes"},
    )
    return control


def _axis(select_id: str, label: str, data: list[dict[str, str]], value: str) -> Component:
    control: Component = dmc.Select(
        id=select_id,
        data=data,
        value=value,
        allowDeselect=False,
        size="xs",
        w=104,
        comboboxProps={"width": 200},
        **{"aria-label": f"{label} axis"},
    )
    return control


def _metrics_card(sides: Sequence[Side]) -> Component:
    head = html.Div(
        [
            card_title("Selected designs and fronts"),
            html.Span(className="sp"),
            html.Span(_legend(sides), className="sm t3"),
        ],
        className="ch",
    )
    table = static_part([remark_lines(sides), metric_table(table_rows(sides), sides)], id=CompareIds.METRICS)
    body = html.Div([table, static_part(pairs_table(sides))], className="table-scroll")
    return html.Section([head, body], className="card compare-metrics", **{"aria-label": "Measures"})


def _legend(sides: Sequence[Side]) -> str:
    """Return the legend of the marks in the table; empty without marks."""
    marks = [
        *([] if unlike_rows(sides) else ["bold is better"]),
        *(["× and ÷ are against A"] if len(sides) > 2 else []),
    ]
    unsure = any(row.inside_error for row in metric_rows(sides))
    return ", ".join([*marks, *(["≈ differs by less than the error of its estimate"] if unsure else [])])


def _strips_card(sides: Sequence[Side]) -> Component:
    head = html.Div(
        [
            card_title("Schedules on one time axis"),
            html.Span(id="compare-cursor-words", className="sm t2 num", **{"aria-live": "polite"}),
            html.Span(className="sp"),
            html.Div(id=CompareIds.LEGEND, className="row g12 wrap"),
        ],
        className="ch",
    )
    waiting = [html.Div(skeleton(200), className="compare-strip") for _ in sides]
    return html.Section(
        [head, html.Div(waiting, id=CompareIds.STRIPS)],
        id=CompareIds.STRIPS_CARD,
        className="card compare-strips",
        **{"aria-label": "Schedules"},
    )
