"""Breakdowns: bars of stacked parts."""

from __future__ import annotations

import plotly.graph_objects as go

from engines.contract.results import Breakdown
from frontend.figures.costs.breakdown import breakdown_figure
from frontend.figures.costs.profile import MOST_LYING_BARS, PROFILE_PX
from frontend.figures.summary import breakdown_sentence
from frontend.results.plot_views import plotted
from frontend.results.view import CardPicture, CardRoom
from frontend.theme import Scheme

_LEAST_ON_CARD_PX = 130


def _lying(breakdown: Breakdown) -> bool:
    """Return whether its bars lie, each with its name: it is then as high as their number asks for."""
    return len(breakdown.bars) <= MOST_LYING_BARS


def _figure(breakdown: Breakdown, scheme: Scheme, width_px: float, least_px: float) -> go.Figure:
    height_px = None if _lying(breakdown) else max(least_px, PROFILE_PX)
    return breakdown_figure(breakdown, scheme, width_px=width_px, height_px=height_px)


def _room(breakdown: Breakdown, _width_px: float, _height_px: float) -> CardRoom:
    bars = len(breakdown.bars)
    return CardRoom(84 + 20 * bars, 90 + 56 * bars) if _lying(breakdown) else CardRoom(_LEAST_ON_CARD_PX)


def _on_card(breakdown: Breakdown, scheme: Scheme, width_px: float, height_px: float) -> go.Figure:
    return breakdown_figure(breakdown, scheme, height_px=height_px, width_px=width_px, named=False)


VIEW = plotted(
    Breakdown, _figure, breakdown_sentence, CardPicture(_room, _on_card), wide=lambda breakdown: not _lying(breakdown)
)
