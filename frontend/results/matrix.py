"""Matrices: heat maps."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from engines.contract.results import Matrix
from frontend.figures.generic import matrix_figure
from frontend.figures.numbers import si
from frontend.results.plot_views import plotted
from frontend.results.view import CardPicture, CardRoom
from frontend.theme import Scheme


def _figure(matrix: Matrix, scheme: Scheme, _width_px: float, _least_px: float) -> go.Figure:
    return matrix_figure(matrix, scheme)


def _sentence(matrix: Matrix) -> str:
    values = matrix.values
    if not values.size:
        return f"{matrix.title}: {matrix.value_title.lower()}."
    low, high = (si(float(each(values)), matrix.unit) for each in (np.nanmin, np.nanmax))
    return f"{matrix.title}: {matrix.value_title.lower()} from {low} to {high}."


def _room(matrix: Matrix, _width_px: float, _height_px: float) -> CardRoom:
    rows = max(4, len(matrix.row_titles))
    return CardRoom(64 + 18 * rows, 70 + 44 * rows)


def _on_card(matrix: Matrix, scheme: Scheme, _width_px: float, height_px: float) -> go.Figure:
    return matrix_figure(matrix, scheme, height_px=height_px)


VIEW = plotted(Matrix, _figure, _sentence, CardPicture(_room, _on_card))
