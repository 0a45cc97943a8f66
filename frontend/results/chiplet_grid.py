"""Chiplet grids: a picture per window."""

from __future__ import annotations

import plotly.graph_objects as go
from dash import html
from dash.development.base_component import Component

from engines.contract.results import ChipletGrid
from frontend.components.pictures.figure import plot
from frontend.figures.chiplets.chiplet_grid import grid_figure
from frontend.figures.summary import grid_sentence
from frontend.results.view import FigureQuery, ResultView
from frontend.theme import Scheme

_WIDEST_PX, _ROW_PX, _PAPER_ROW_PX = 640.0, 90.0, 84


def _component(grid: ChipletGrid, scheme: Scheme, width_px: float) -> Component:
    width = min(width_px, _WIDEST_PX)
    pictures = [
        html.Div(
            [
                html.Div(f"W{index + 1}", className="b sm"),
                plot(
                    grid_figure(grid, index, scheme, width_px=width, height_px=_ROW_PX * grid.rows),
                    summary=grid_sentence(grid, index),
                ),
            ],
            style={"width": width},
        )
        for index in range(len(grid.windows))
    ]
    return html.Div(pictures, className="row wrap top g16")


def _paper(grid: ChipletGrid, width_px: float, asked: FigureQuery) -> go.Figure | None:
    if not grid.windows:
        return None
    at = min(max(asked.window, 0), len(grid.windows) - 1)
    return grid_figure(grid, at, "light", width_px=width_px, height_px=_PAPER_ROW_PX * grid.rows)


VIEW = ResultView(ChipletGrid, "placed", lambda grid: grid_sentence(grid, 0), _component, paper=_paper)
