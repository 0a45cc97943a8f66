"""Traces: series over time that share a cursor."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from dash import html
from dash.development.base_component import Component

from engines.contract.results import Trace
from frontend.components.pictures.time_strip import HINT, time_strip, values_at_cursor
from frontend.figures.generic import trace_figure
from frontend.figures.numbers import si
from frontend.results.view import ResultView
from frontend.theme import Scheme


def _figure(trace: Trace, scheme: Scheme, _width_px: float, _least_px: float) -> go.Figure:
    return trace_figure(trace, scheme)


def _sentence(trace: Trace) -> str:
    series = ", ".join(f"{s.title} up to {si(float(np.nanmax(s.y)), s.unit)}" for s in trace.series if len(s.y))
    return f"{trace.title}: {series}."


def _component(trace: Trace, scheme: Scheme, _width_px: float) -> Component:
    words = f"{_sentence(trace)} Arrow keys move a time cursor."
    return html.Div([time_strip(trace_figure(trace, scheme), summary=words), values_at_cursor(HINT)], className="trace")


VIEW = ResultView(Trace, "figure", _sentence, _component, _figure)
