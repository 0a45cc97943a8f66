"""A comparison as one HTML file: figures that still zoom and answer to the pointer, tables, and everything that differs.

It needs no server and nothing from elsewhere, and prints as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import flask
from dash import html
from django.utils import timezone

from frontend.components.html_file import FILE_WIDTH_PX, FileFigures, html_file
from frontend.components.static_html import static_html
from frontend.figures.schedule.schedule import lane_count, schedule_figure
from frontend.figures.summary import schedule_sentence
from frontend.pages.compare.data import Side, Strip, logarithmic, sides_of, strip_of, usual_axes, usual_scale
from frontend.pages.compare.measurements import table_rows
from frontend.pages.compare.query import asked_entries
from frontend.pages.compare.strips import TimeAxis, common_axis, small_grid, strips_legend
from frontend.pages.compare.tables import fronts_table, schedule_table
from frontend.pages.compare.traces import group_figures, trace_groups
from frontend.pages.compare.view import (
    differences_line,
    differences_table,
    fronts_picture,
    fronts_sentence,
    letter,
    metric_table,
    pairs_table,
    unlike_notice,
)
from frontend.request import current_user
from frontend.results.registry import result_sentence
from webapp.comparisons.service import FEWEST, entries_of

PATH = "/compare/page.html"
_FRONTS_PX, _LANE_PX, _HEAD_PX = 340, 18, 60


def comparison_page(sides: Sequence[Side], title: str, axes: tuple[str, str] | None, scale: str | None = None) -> str:
    """Return the whole file as text."""
    figures = FileFigures()
    drawn = figures.drawn
    strips = [strip_of(side) for side in sides]
    axis = common_axis(strips)
    parts: list[Any] = [
        html.H1(title),
        html.Div([_name(side) for side in sides], className="names"),
        html.Div(differences_line(sides), className="row wrap compare-differs"),
        *([found] if (found := unlike_notice(sides)) else []),
    ]
    if axes is not None:
        log = logarithmic(sides, axes, usual_scale(sides, axes, scale))
        picture = fronts_picture(sides, axes, "light", (FILE_WIDTH_PX, _FRONTS_PX), log)
        parts += [
            html.H2("Fronts"),
            html.Div(
                [fronts_sentence(sides, axes), drawn(picture, _FRONTS_PX), _folded(fronts_table(sides, axes))],
                className="card",
            ),
        ]
    parts += [
        html.H2("Selected designs and fronts"),
        html.Div([metric_table(table_rows(sides), sides), pairs_table(sides)], className="card"),
    ]
    parts += [html.H2("Schedules on one time axis"), html.Div(strips_legend(strips), className="pair")]
    parts += [html.Div(_strip(strip, axis, drawn), className="card") for strip in strips]
    parts += _traces(strips, drawn)
    parts += [html.H2("All differences of the problems"), html.Div(differences_table(sides), className="card")]
    made = f"Made with Paretoscope on {timezone.now():%Y-%m-%d %H:%M} UTC."
    return html_file(title, static_html([*parts, html.P(made, className="sm t3")]), figures)


def _name(side: Side) -> Any:
    words = f"run {side.run.pk:04d}, {side.run.engine} v{side.run.engine_version}, seed {side.run.seed}"
    return html.Div([letter(side.style), html.B(side.run.title), html.Span(words, className="t3")])


def _strip(strip: Strip, axis: TimeAxis, drawn: Any) -> list[Any]:
    name = html.Div([letter(strip.side.style), " ", strip.side.words, " ", strip.problem])
    parts: list[Any] = [name]
    if strip.grid is not None:
        grids = [drawn(small_grid(strip, at, "light"), 188, 300) for at in range(len(strip.grid.windows))]
        parts.append(html.Div(grids, className="pair"))
    if strip.schedule is not None:
        height = _HEAD_PX + _LANE_PX * lane_count(strip.schedule, "chiplets")
        figure = schedule_figure(
            strip.schedule,
            "light",
            width_px=FILE_WIDTH_PX,
            height_px=height,
            end_s=axis.end_s,
            least_left_px=axis.left_px,
        )
        parts += [drawn(figure, height, group="schedule"), html.P(schedule_sentence(strip.schedule), className="sm t2")]
        parts.append(_folded(schedule_table(strip.schedule)))
    return parts


def _traces(strips: Sequence[Strip], drawn: Any) -> list[Any]:
    parts: list[Any] = []
    for group in trace_groups(strips):
        parts.append(html.H2(group.title))
        for (side, trace), figure in zip(group.members, group_figures(group, "light", 60, 150), strict=True):
            name = [letter(side.style), " ", side.words]
            plotted = drawn(figure, int(figure.layout.height), group=group.name)
            parts.append(
                html.Div([html.Div(name), plotted, html.P(result_sentence(trace), className="sm t2")], className="card")
            )
    return parts


def _folded(table: Any) -> Any:
    return html.Details([html.Summary("Show as table", className="sm"), table], className="as-table")


def answer_page() -> flask.Response:
    """Return the comparison that the address names, as a file to save."""
    query = flask.request.args
    sides = sides_of(entries_of(current_user(), asked_entries(query)))
    if len(sides) < FEWEST:
        return flask.Response(
            f"A comparison needs at least {FEWEST} runs that you can see.", 404, mimetype="text/plain"
        )
    title = query.get("title", "").strip()[:200] or "Comparison"
    page = comparison_page(sides, title, usual_axes(sides, query.get("x"), query.get("y")), query.get("scale"))
    name = "-".join(["comparison", *[str(side.run.pk) for side in sides]])
    return flask.Response(
        page, mimetype="text/html", headers={"Content-Disposition": f'attachment; filename="{name}.html"'}
    )


def add_page_route(server: flask.Flask) -> None:
    """Serve comparisons as files under `PATH`."""
    server.add_url_rule(PATH, "comparison_page", answer_page, methods=["GET"])
