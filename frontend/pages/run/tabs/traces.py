"""The traces tab of the run page: every trace of the selected design with a readout next to it, and what was said of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.results import GroundTrack, Note, Result, Series, Table, Trace
from frontend.components.card import card
from frontend.components.pictures.figure_menu import data_item, figure_menu
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import duration, scale_of, significant
from frontend.ids.run import RunIds
from frontend.pages.run.tab import CARD_BORDERS_PX, result_tab
from frontend.results.registry import draw
from frontend.theme import Scheme

_READOUT_PX = 420
_BESIDE_PX = 1000  # below this width the readout stands under its trace
_GAP_PX = 12


def traces_tab(results: Sequence[Result], scheme: Scheme, width_px: int) -> Component:
    """Return a card per trace, drives from above before theirs; tables and remarks that belong to it stand below it.

    Args:
        results: results of the selected design.
        scheme: light or dark.
        width_px: width of the page's content.
    """
    traces = [result for result in results if isinstance(result, Trace)]
    parts: list[Component] = []
    for trace in traces:
        tracks = [each for each in results if isinstance(each, GroundTrack) and each.belongs_to == trace.name]
        parts += [card(track.title, draw(track, scheme, width_px), flush=True) for track in tracks]
        parts.append(_trace_card(trace, scheme, width_px))
        related = [result for result in results if result.belongs_to == trace.name and isinstance(result, Note | Table)]
        parts += [draw(result, scheme) for result in related if isinstance(result, Note)]
        parts += [
            card(result.title, draw(result, scheme, width_px), flush=True)
            for result in related
            if isinstance(result, Table)
        ]
    return html.Div([*parts, _measured_hint()], className="stack g12")


def _trace_card(trace: Trace, scheme: Scheme, width_px: int) -> Component:
    beside = width_px >= _BESIDE_PX
    plot_px = width_px - _READOUT_PX - _GAP_PX if beside else width_px
    item = data_item("Data as CSV", {"type": RunIds.RESULT_TYPE, "of": "design", "name": trace.name})
    columns = f"minmax(0, 1fr) {_READOUT_PX}px" if beside else "minmax(0, 1fr)"
    body = html.Div(
        [html.Div(draw(trace, scheme, plot_px)), html.Div(readout(trace), className="table-scroll")],
        className="run-trace",
        style={"gridTemplateColumns": columns},
    )
    return card(trace.title, body, actions=[figure_menu(item, figure_data=f"design:{trace.name}")], flush=True)


def readout(trace: Trace) -> Component:
    """Return least, mean, largest and last value of every series, and the events with their times."""
    rows = [_row(series, trace) for series in trace.series]
    columns = [Column("Series"), *(Column(name, number=True) for name in ("Least", "Mean", "Most", "Last"))]
    parts: list[Component] = [plain_table(columns, rows)]
    if trace.events:
        told = [[html.Span(event.title), duration(event.time_s)] for event in trace.events]
        parts.append(plain_table([Column("Event"), Column("At", number=True)], told))
    return html.Div(parts, className="stack g8")


def _row(series: Series, trace: Trace) -> list[Component | str]:
    values = np.asarray(series.y, np.float64)
    finite = np.isfinite(values)
    scale = scale_of(values[finite] if finite.any() else [0.0], series.unit)
    name = f"{series.title} ({scale.unit})" if scale.unit else series.title
    if not finite.any():
        return [name, "–", "–", "–", "–"]
    shown = values[finite] * scale.factor
    times = np.asarray(trace.time_s, np.float64)[finite]
    span = float(times[-1] - times[0])
    mean = float(np.trapezoid(shown, times) / span) if span > 0 else float(shown.mean())
    return [name, *(significant(float(each)) for each in (shown.min(), mean, shown.max(), shown[-1]))]


def _measured_hint() -> Component:
    """Return the hint on how to add a measured series to the traces."""
    words = [
        "A measured series of power or charge can be laid over a simulated one: ",
        dcc.Link("add it as CSV", href="/catalogue/upload"),
        " with a column time_s and columns such as power_w, then duplicate this run with it as the input ",
        html.B("Measured"),
        ". Its error is shown here.",
    ]
    return html.P(words, className="sm t3")


TAB = result_tab(
    "traces",
    "Traces",
    Trace,
    lambda results, asked: traces_tab(results, asked.scheme, asked.width_px - CARD_BORDERS_PX),
    ("chart-line", "This design has no traces"),
)
