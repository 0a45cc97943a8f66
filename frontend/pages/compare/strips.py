"""The strips of a comparison: grid and schedule of every picked design, all schedules on one time axis."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.as_table import as_table
from frontend.components.name import cut_name
from frontend.components.pictures.figure_menu import picture_menu
from frontend.components.pictures.legend import hardware_legend, model_legend
from frontend.components.pictures.time_strip import time_strip
from frontend.components.states import notice
from frontend.figures.chiplets.chiplet_grid import grid_figure
from frontend.figures.numbers import si
from frontend.figures.schedule.schedule import LEAST_WIDTH_PX, lane_count, left_px, schedule_figure
from frontend.figures.summary import grid_sentence, schedule_sentence
from frontend.figures.time_axis import time_meta
from frontend.ids.compare import CompareIds
from frontend.pages.compare.data import Side, Strip, window_times, work_done
from frontend.pages.compare.tables import schedule_table
from frontend.pages.compare.view import letter
from frontend.theme import Scheme

GRID_PX = (300, 188)
_LANE_PX, _STRIP_HEAD_PX = 15, 46
_GRAPH = {"displayModeBar": False, "responsive": True, "doubleClick": "reset"}


def strips_legend(strips: Sequence[Strip]) -> list[Component]:
    """Return the models and dataflows of all strips.

    Colours follow the order of models, so that each workload has models of its own.
    """
    sharing: dict[tuple[str, ...], list[Strip]] = {}
    for strip in strips:
        if strip.schedule is not None:
            sharing.setdefault(strip.schedule.models, []).append(strip)
    parts: list[Component] = []
    for models, members in sharing.items():
        letters = [letter(strip.side.style) for strip in members] if len(sharing) > 1 else []
        parts.append(html.Div([*letters, model_legend(models)], className="row g4 wrap"))
    kinds = [chiplet.dataflow for strip in strips if strip.grid for chiplet in strip.grid.chiplets]
    return [*parts, hardware_legend(kinds)] if kinds else parts


def strip_rows(strips: Sequence[Strip], scheme: Scheme, width_px: int) -> list[Component]:
    """Return one strip per run, all on one time axis."""
    axis = common_axis(strips)
    beside_px = max(LEAST_WIDTH_PX, width_px - GRID_PX[0] - 40)
    return [_strip_row(strip, scheme, beside_px, axis) for strip in strips]


@dataclass(frozen=True)
class TimeAxis:
    """The common parts of all schedules: when the latest ends, and the room that the names of lanes need at the left."""

    end_s: float
    left_px: float


def common_axis(strips: Sequence[Strip]) -> TimeAxis:
    """Return the time axis of all schedules."""
    end_s = max((strip.end_s for strip in strips), default=0.0)
    return TimeAxis(end_s, max((left_px(strip.schedule) for strip in strips if strip.schedule), default=0.0))


def _strip_row(strip: Strip, scheme: Scheme, width_px: int, axis: TimeAxis) -> Component:
    side = strip.side
    name = [letter(side.style), cut_name(side.words, "m5")]
    if strip.problem:
        return html.Div([html.Div(name, className="row"), notice(strip.problem)], className="compare-strip stack g4")
    menu = _menu(side, strip.grid.name) if strip.grid else None
    head = html.Div([*name, html.Span(className="sp"), window_words(strip, 0), menu], className="row")
    label = f"Grid of run {side.style.letter}"
    grid = html.Div([head, _grid(strip, scheme)], className="compare-grid picture", **_saved_as("grid", side, label))
    return html.Div([grid, _schedule(strip, scheme, width_px, axis)], className="compare-strip")


def _menu(side: Side, name: str, **more: Any) -> Component:
    """Return the menu that saves the picture of a strip."""
    return picture_menu(f"design:{name}", run=side.run.pk, design=side.number or 0, **more)


def _saved_as(what: str, side: Side, label: str) -> dict[str, str]:
    """Return the attributes of a part of a card with a menu of its own: what its files are called, and whose legend is its."""
    return {"data-name": f"{what} {side.style.letter}", "data-run-letter": side.style.letter, "data-label": label}


def window_words(strip: Strip, window: int) -> Component:
    """Return the title and duration of the time window in the small grid."""
    return html.Span(
        window_parts(strip, window),
        id={"type": CompareIds.WINDOW_TYPE, "letter": strip.side.style.letter},
        className="sm t2 num nw",
    )


def window_parts(strip: Strip, window: int) -> list[Any]:
    """Return the words of a window; what saves the grid reads its number there."""
    if strip.grid is None or not strip.grid.windows:
        return []
    number = html.Span(f"W{window + 1}", className="b", **{"data-window": str(window)})
    return [number, f" {si(strip.grid.windows[window].duration_s, 's')}"]


def small_grid(strip: Strip, window: int, scheme: Scheme) -> Any:
    """Return the chiplet grid of one window."""
    assert strip.grid is not None
    return grid_figure(strip.grid, window, scheme, width_px=GRID_PX[0], height_px=GRID_PX[1])


def _grid(strip: Strip, scheme: Scheme) -> Component | None:
    if strip.grid is None or not strip.grid.windows:
        return None
    graph = dcc.Graph(
        id={"type": CompareIds.GRID_TYPE, "letter": strip.side.style.letter},
        figure=small_grid(strip, 0, scheme),
        config=_GRAPH,
        style={"width": GRID_PX[0], "height": GRID_PX[1]},
    )
    return html.Div(graph, className="figure", role="img", **{"aria-label": grid_sentence(strip.grid, 0)})


def _schedule(strip: Strip, scheme: Scheme, width_px: int, axis: TimeAxis) -> Component | None:
    if strip.schedule is None:
        return None
    height = max(GRID_PX[1] + 24, _STRIP_HEAD_PX + _LANE_PX * lane_count(strip.schedule, "chiplets"))
    picture = schedule_figure(
        strip.schedule, scheme, width_px=width_px, height_px=height, end_s=axis.end_s, least_left_px=axis.left_px
    )
    windows = window_times(strip)
    picture.layout.meta = time_meta(0.0, axis.end_s, [start for start, _ in windows])
    words = f"{schedule_sentence(strip.schedule)} Arrow keys move the time cursor of all schedules."
    facts = {
        "data-letter": strip.side.style.letter,
        "data-end": repr(axis.end_s),
        "data-windows": json.dumps(windows),
        "data-work": json.dumps(work_done(strip.schedule, axis.end_s)),
    }
    figure = time_strip(picture, summary=words, group="schedule", **facts)
    label = f"Schedule of run {strip.side.style.letter}"
    menu = html.Div(
        _menu(strip.side, strip.schedule.name, by="chiplets", end=repr(axis.end_s)), className="compare-menu"
    )
    return html.Div(
        [figure, menu, as_table(schedule_table(strip.schedule))],
        className="compare-schedule-box picture",
        **_saved_as("schedule", strip.side, label),
    )
