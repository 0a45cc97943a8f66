"""A comparison of two to six runs: fronts, measures, schedules on one time axis. Without runs, the list of kept comparisons.

What is compared lives in the address: `/compare?runs=3,5&designs=12,`, or `/compare/7` for one that was kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import dash
import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from frontend.bridge import current_user
from frontend.components.as_table import as_table
from frontend.components.button import button, link_button
from frontend.components.chip import chip
from frontend.components.figure_menu import figure_menu
from frontend.components.icon import icon
from frontend.components.shell import remembered_scheme, remembered_viewport
from frontend.components.states import empty_state, skeleton
from frontend.ids.compare import CompareIds
from frontend.pages.compare_asked import asked_entries, study_entries
from frontend.pages.compare_data import Side, axis_choices, sides_of, usual_axes
from frontend.pages.compare_export import PATH
from frontend.pages.compare_list import list_page
from frontend.pages.compare_measures import metric_rows
from frontend.pages.compare_tables import fronts_table
from frontend.pages.compare_view import (
    differences_line,
    fronts_counts,
    fronts_picture,
    fronts_sentence,
    metric_table,
    pairs_table,
    run_chips,
)
from webapp.comparisons.models import Comparison
from webapp.comparisons.service import FEWEST, MOST, entries_of, get_comparison
from webapp.runs.service import visible_runs
from webapp.teams.visibility import NotVisible, Principal, may_edit

FRONTS_HEIGHT_PX = 300
MOST_CHOICES = 300
MANY = 4  # from so many runs on the table needs more room than the picture
_GRAPH = {"displayModeBar": False, "responsive": True, "doubleClick": "reset"}


def layout(number: str = "", **query: str) -> Component:
    """The page for the signed-in user."""
    user = current_user()
    if not user.is_authenticated:
        return html.Div()
    comparison = None
    if number:
        try:
            comparison = get_comparison(user, number)
        except NotVisible:
            words = "It does not exist, or it belongs to a project that you are not a member of."
            return _nothing("There is no such comparison here", words)
    chosen = asked_entries(query) or study_entries(user, query) or (comparison.entries if comparison else [])
    if "study" in query and not chosen:
        words = "No run of it has ended with a design, or it belongs to a project that you are not a member of."
        return _nothing("Nothing of this study can be compared", words)
    if not chosen and comparison is None:
        return list_page(user)
    sides = sides_of(entries_of(user, chosen))
    wanted = {**(comparison.axes if comparison else {}), **{k: query[k] for k in ("x", "y") if k in query}}
    return _page(user, comparison, sides, usual_axes(sides, wanted.get("x"), wanted.get("y")))


dash.register_page(__name__, path="/compare", name="Compare", title="Compare · Paretoscope", layout=layout)
dash.register_page(
    f"{__name__}.kept",
    path_template="/compare/<number>",
    name="Comparison",
    title="Compare · Paretoscope",
    layout=layout,
)


def _nothing(title: str, words: str) -> Component:
    actions = [link_button("All comparisons", "/compare", kind="primary", size="small")]
    return html.Div(
        html.Section(empty_state("search", title, words, actions), className="card home-empty"), className="page"
    )


def _page(
    user: Principal, comparison: Comparison | None, sides: Sequence[Side], axes: tuple[str, str] | None
) -> Component:
    entries = [{"run": side.run.pk, "design": side.number} for side in sides]
    return html.Div(
        [
            dcc.Location(id=CompareIds.LOCATION, refresh="callback-nav"),
            dcc.Store(id=CompareIds.NUMBER, data=comparison.pk if comparison else 0),
            dcc.Store(id=CompareIds.ENTRIES, data=entries),
            dcc.Store(id=CompareIds.SELECTED, data={str(item["run"]): item["design"] for item in entries}),
            dcc.Store(id=CompareIds.CURSOR, data={}),
            dcc.Store(id=CompareIds.AXES, data=dict(zip("xy", axes or (), strict=False))),
            _header(user, comparison, sides, axes),
            html.Div(
                [
                    html.Div(
                        [_fronts_card(sides, axes), _metrics_card(sides)],
                        className="compare-upper many" if len(sides) >= MANY else "compare-upper",
                    ),
                    _strips_card(sides),
                    html.Div(id=CompareIds.TRACES),
                ]
                if len(sides) >= FEWEST
                else [_too_few(sides)],
                className="page compare-page",
            ),
        ],
        id="compare-here",
    )


def _too_few(sides: Sequence[Side]) -> Component:
    words = "Add a run above: comparing takes two to six of the runs that you can see."
    title = "One run is no comparison yet" if sides else "None of these runs can be shown"
    return html.Section(empty_state("git-compare", title, words), className="card home-empty")


# -- head -------------------------------------------------------------------------------------------------------------


def _header(
    user: Principal, comparison: Comparison | None, sides: Sequence[Side], axes: tuple[str, str] | None
) -> Component:
    crumb = html.Nav(
        [
            dcc.Link("Comparisons", href="/compare"),
            icon("chevron-right", "s"),
            html.Span(comparison.project.title if comparison else "not kept yet"),
        ],
        className="crumb",
        **{"aria-label": "Where you are"},
    )
    editable = comparison is None or may_edit(user, comparison)
    title = dmc.TextInput(
        id=CompareIds.TITLE,
        value=comparison.title if comparison else "",
        placeholder="What is the question?",
        classNames={"root": "grow", "input": "compare-title"},
        variant="unstyled",
        readOnly=not editable,
        **{"aria-label": "Question or name of the comparison"},
    )
    kept = chip("kept", tone="good") if comparison else chip("not kept")
    return html.Div(
        [
            crumb,
            html.Div(
                [
                    html.Div([html.H1("Comparison", className="visually-hidden"), title, kept], className="row grow"),
                    html.Div(_actions(user, comparison, sides, axes, editable), className="row"),
                ],
                className="row between",
            ),
            html.Div(id=CompareIds.ERROR, role="alert"),
            html.Div(run_chips(sides, removable=True), className="row wrap compare-runs"),
            html.Div(differences_line(sides), className="row wrap compare-differs") if len(sides) > 1 else None,
        ],
        className="head edge compare-head",
    )


def _actions(
    user: Principal,
    comparison: Comparison | None,
    sides: Sequence[Side],
    axes: tuple[str, str] | None,
    editable: bool,
) -> list[Component | None]:
    here = {side.run.pk for side in sides}
    add = dmc.Select(
        id=CompareIds.ADD,
        data=run_choices(user, here),
        value=None,
        placeholder="Add run",
        disabled=len(sides) >= MOST,
        searchable=True,
        nothingFoundMessage="No run is called that",
        leftSection=icon("plus", "s"),
        w=220,
        comboboxProps={"width": 420, "position": "bottom-end"},
        **{"aria-label": "Add a run"},
    )
    action = CompareIds.ACTION_TYPE
    swap = button("Swap", id={"type": action, "name": "swap"}, icon="refresh", title="The other way round")
    export = html.A(
        [icon("download", "s"), "HTML"], id=CompareIds.EXPORT, className="btn", title="One file that needs no server",
        href=export_address(sides, comparison.title if comparison else "", axes), download="",
    )  # fmt: skip
    words = "Keep changes" if comparison else "Keep"
    save = button(words, id={"type": action, "name": "keep"}, kind="primary")
    remove = html.Button(
        "Delete",
        id={"type": action, "name": "delete"},
        className="btn quiet",
        type="button",
        **{"data-confirm": "Delete this comparison? Its runs stay."},
    )
    return [
        add,
        swap if len(sides) == 2 else None,
        export if len(sides) >= FEWEST else None,
        remove if comparison and editable else None,
        save if editable and len(sides) >= FEWEST else None,
    ]


def export_address(sides: Sequence[Side], title: str, axes: tuple[str, str] | None) -> str:
    """Where the comparison lies as a file, as the page opens; the browser keeps it up with what is picked."""
    query = {"runs": ",".join(str(side.run.pk) for side in sides), "title": title}
    query["designs"] = ",".join("" if side.number is None else str(side.number) for side in sides)
    return f"{PATH}?{urlencode(query | dict(zip('xy', axes or (), strict=False)))}"


def run_choices(user: Principal, without: set[int]) -> list[dict[str, str]]:
    """The newest runs with designs that the user sees, as a list to pick from."""
    runs = visible_runs(user).filter(design_count__gt=0).exclude(pk__in=without).order_by("-pk")
    rows = runs.values_list("pk", "title", "engine")[:MOST_CHOICES]
    return [{"value": str(pk), "label": f"{pk:04d}  {title} ({engine})"} for pk, title, engine in rows]


# -- cards ------------------------------------------------------------------------------------------------------------


def fronts_width(viewport: Any, count: int) -> int:
    """Pixels of the picture of the fronts of so many runs in a window of that width: a wide table leaves it less."""
    width = int(viewport["width"])
    if width < 1100:
        return width - 36
    return (width - 44) * 2 // 5 if count >= MANY else (width - 44) // 2


def _fronts_card(sides: Sequence[Side], axes: tuple[str, str] | None) -> Component:
    size = (fronts_width(remembered_viewport(), len(sides)), FRONTS_HEIGHT_PX)
    if axes is None:
        words = "The runs share fewer than two quantities: there is no picture over which all can be laid."
        body: Component = empty_state("chart-scatter", "No common axes", words)
        selects: list[Component] = []
    else:
        picture = fronts_picture(sides, axes, remembered_scheme(), size)
        graph = dcc.Graph(id=CompareIds.FRONTS, figure=picture, config=_GRAPH, className="run-graph")
        words = fronts_sentence(sides, axes)
        figure = html.Div(graph, id=CompareIds.FRONTS_SUMMARY, className="figure", role="img", **{"aria-label": words})
        table = html.Div(fronts_table(sides, axes), id=CompareIds.FRONTS_TABLE)
        body = html.Div([figure, as_table(table)])
        data = [{"value": q.name, "label": q.title} for q in axis_choices(sides)]
        selects = [
            part
            for label, select_id, value in zip("xy", (CompareIds.X_AXIS, CompareIds.Y_AXIS), axes, strict=True)
            for part in (html.Span(label, className="sm t3"), _axis(select_id, label, data, value))
        ]
    counts = html.Span(fronts_counts(sides) if len(sides) < MANY else None, className="row g4 nw")
    head = html.Div([html.H3("Fronts"), counts, html.Span(className="sp"), *selects, figure_menu()], className="ch")
    return html.Section([head, body], className="card", **{"aria-label": "Fronts"})


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
            html.H3("Selected designs and fronts"),
            html.Span(className="sp"),
            html.Span(_legend(sides), className="sm t3"),
        ],
        className="ch",
    )
    table = html.Div(metric_table(metric_rows(sides), sides), id=CompareIds.METRICS)
    body = html.Div([table, pairs_table(sides)], className="table-scroll")
    return html.Section([head, body], className="card compare-metrics", **{"aria-label": "Measures"})


def _legend(sides: Sequence[Side]) -> str:
    """What marks in the table mean, as far as any is there."""
    marks = ["bold is better", *(["× is over A"] if len(sides) > 2 else [])]
    unsure = any(row.inside_error for row in metric_rows(sides))
    return ", ".join([*marks, *(["≈ differs by less than its estimate may be off"] if unsure else [])])


def _strips_card(sides: Sequence[Side]) -> Component:
    head = html.Div(
        [
            html.H3("Schedules on one time axis"),
            html.Span(id="compare-cursor-words", className="sm t2 num", **{"aria-live": "polite"}),
            html.Span(className="sp"),
            html.Div(id=CompareIds.LEGEND, className="row g12 wrap"),
        ],
        className="ch",
    )
    waiting = [html.Div(skeleton(200), className="compare-strip") for _ in sides]
    return html.Section(
        [head, html.Div(waiting, id=CompareIds.STRIPS)], className="card compare-strips", **{"aria-label": "Schedules"}
    )


from frontend.pages import compare_callbacks  # noqa: E402, F401  (the callbacks belong to the layout above)
