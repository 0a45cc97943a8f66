"""Curves: series over any quantity."""

from __future__ import annotations

import plotly.graph_objects as go

from engines.contract.results import Curve
from frontend.figures.generic import curve_figure
from frontend.results.plot_views import plotted
from frontend.results.view import CardPicture, CardRoom
from frontend.theme import Scheme

_LEAST_PX = 280.0
_CARD_PANEL_SHARE = 0.8  # as `curve_figure` counts heights of several panels


def _figure(curve: Curve, scheme: Scheme, _width_px: float, least_px: float) -> go.Figure:
    return curve_figure(curve, scheme, height_px=max(least_px, _LEAST_PX))


def _sentence(curve: Curve) -> str:
    return f"{curve.title}: {', '.join(s.title for s in curve.series)} over {curve.x_title.lower()}."


def _panels(curve: Curve) -> int:
    return len({series.unit for series in curve.series})


def _on_card(curve: Curve, scheme: Scheme, _width_px: float, height_px: float) -> go.Figure:
    panels = _panels(curve)
    each = height_px / (panels * _CARD_PANEL_SHARE) if panels > 1 else height_px
    return curve_figure(curve, scheme, height_px=each, heading=curve.title)


VIEW = plotted(Curve, _figure, _sentence, CardPicture(lambda curve, *_: CardRoom(60 + 80 * _panels(curve)), _on_card))
