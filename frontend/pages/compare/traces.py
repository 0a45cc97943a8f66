"""Traces of several runs under each other: one time axis, one scale per unit, one cursor with the values under it. No callbacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from dash import html
from dash.development.base_component import Component

from engines.contract.results import Trace
from frontend.components.as_table import as_table
from frontend.components.card import card_title
from frontend.components.name import cut_name
from frontend.components.pictures.figure_menu import picture_menu
from frontend.components.pictures.time_strip import time_strip, values_at_cursor
from frontend.figures.generic import trace_figure
from frontend.figures.lines import extent_of
from frontend.pages.compare.data import Side, Strip
from frontend.pages.compare.view import letter
from frontend.pages.run.tabs.traces import readout
from frontend.results.registry import result_sentence
from frontend.theme import Scheme

_PANEL_PX, _EDGES_PX = 120, 70
_ROOM = 0.05  # of a span, above and below


@dataclass(frozen=True)
class TraceGroup:
    """Traces of one name, of the runs that have it.

    Attributes:
        end_s: end of the latest of them.
        spans: unit -> least and largest value of all of them.
    """

    name: str
    title: str
    members: tuple[tuple[Side, Trace], ...]
    end_s: float
    spans: dict[str, tuple[float, float]]


def trace_groups(strips: Sequence[Strip]) -> list[TraceGroup]:
    """Return the traces of all runs by name, in the order in which the first run that has one reports it."""
    names = dict.fromkeys(trace.name for strip in strips for trace in strip.traces)
    groups = []
    for name in names:
        members = tuple((strip.side, trace) for strip in strips for trace in strip.traces if trace.name == name)
        traces = [trace for _, trace in members]
        end_s = max((float(trace.time_s[-1]) for trace in traces if len(trace.time_s)), default=0.0)
        groups.append(TraceGroup(name, traces[0].title, members, end_s, _spans(traces)))
    return groups


def _spans(traces: Sequence[Trace]) -> dict[str, tuple[float, float]]:
    spans = {}
    for unit in dict.fromkeys(series.unit for trace in traces for series in trace.series):
        values = np.concatenate([*_values(traces, unit)])
        values = values[np.isfinite(values)]
        if len(values):
            low, high = float(values.min()), float(values.max())
            room = _ROOM * extent_of(low, high)
            spans[unit] = (low - room, high + room)
    return spans


def _values(traces: Sequence[Trace], unit: str) -> Iterator[np.ndarray]:
    for trace in traces:
        for series in trace.series:
            if series.unit == unit:
                yield from (np.asarray(part, np.float64) for part in (series.y, series.low, series.high))
        yield np.array([limit.value for limit in trace.thresholds if limit.unit == unit], np.float64)


def traces_card(strips: Sequence[Strip], scheme: Scheme) -> Component | None:
    """Return all traces of the picked designs, run under run; None where no engine makes any."""
    groups = trace_groups(strips)
    if not groups:
        return None
    head = html.Div(
        [
            card_title("Traces on one time axis"),
            html.Span("traces that end together share cursor and zoom", className="sm t3"),
        ],
        className="ch",
    )
    return html.Section(
        [head, *[_group(group, scheme) for group in groups]],
        className="card compare-traces",
        **{"aria-label": "Traces"},
    )


def _group(group: TraceGroup, scheme: Scheme) -> Component:
    pictures = group_figures(group, scheme, _EDGES_PX, _PANEL_PX)
    rows = [_row(group, *member, picture) for member, picture in zip(group.members, pictures, strict=True)]
    return html.Div([html.H3(group.title), *rows], className="compare-trace-group")


def group_figures(group: TraceGroup, scheme: Scheme, edges_px: int, panel_px: int) -> list[go.Figure]:
    """Return a figure per member, with axes that begin and end at the same places: the names next to the lines take space."""
    pictures = []
    for side, trace in group.members:
        height = panel_px * len({series.unit for series in trace.series}) + edges_px
        end_s, style = group.end_s or None, side.style
        pictures.append(trace_figure(trace, scheme, height_px=height, end_s=end_s, spans=group.spans, run=style))
    for edge in ("l", "r"):
        widest = max(picture.layout.margin[edge] or 0 for picture in pictures)
        for picture in pictures:
            picture.layout.margin[edge] = widest
    return pictures


def _row(group: TraceGroup, side: Side, trace: Trace, picture: go.Figure) -> Component:
    menu = picture_menu(f"design:{trace.name}", run=side.run.pk, design=side.number or 0, as_shown=1)
    design = cut_name(side.words, "m5")
    name = html.Div([letter(side.style), design, values_at_cursor(), html.Span(className="sp"), menu], className="row")
    words = f"Run {side.style.letter}. {result_sentence(trace)} Arrow keys move the time cursor of all traces that end with it."
    figure = time_strip(picture, summary=words, **{"data-letter": side.style.letter})
    return html.Div(
        [name, figure, as_table(readout(trace))],
        className="compare-trace picture",
        **{"data-name": f"{trace.name} {side.style.letter}", "data-label": f"{trace.title} of run {side.style.letter}"},
    )
