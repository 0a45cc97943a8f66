"""Sensitivities: a tornado, and every figure in a table under it."""

from __future__ import annotations

import plotly.graph_objects as go
from dash import html
from dash.development.base_component import Component

from engines.contract.results import Sensitivity, Table, TableColumn
from frontend.components.as_table import as_table
from frontend.components.pictures.figure import plot
from frontend.figures.costs.tornado import tornado_figure, tornado_sentence
from frontend.figures.numbers import amount
from frontend.results.table import result_table
from frontend.results.view import ResultView
from frontend.theme import Scheme


def table_of(sensitivity: Sensitivity) -> Table:
    """Return the value with less and with more of every figure, and what was tried of it."""
    title, unit = sensitivity.value_title, sensitivity.unit
    tried = zip(
        sensitivity.figure_low, sensitivity.figure_given, sensitivity.figure_high, sensitivity.figure_units, strict=True
    )
    return Table(
        sensitivity.name, sensitivity.title,
        (
            TableColumn("Figure", sensitivity.figures),
            TableColumn("Less, given, more", tuple(" / ".join(amount(float(v), u, 4) for v in values) for *values, u in tried)),
            TableColumn(f"{title} with less", sensitivity.low, unit),
            TableColumn("With more", sensitivity.high, unit),
            TableColumn("Swing", sensitivity.swing, unit),
        ),
    )  # fmt: skip


def _figure(sensitivity: Sensitivity, scheme: Scheme, width_px: float, _least_px: float = 0.0) -> go.Figure:
    return tornado_figure(sensitivity, scheme, width_px=width_px)


def _component(sensitivity: Sensitivity, scheme: Scheme, width_px: float) -> Component:
    drawn = plot(_figure(sensitivity, scheme, width_px), summary=tornado_sentence(sensitivity))
    return html.Div([drawn, as_table(result_table(table_of(sensitivity)))])


VIEW = ResultView(Sensitivity, "figure", tornado_sentence, _component, _figure, wide=lambda _: True)
