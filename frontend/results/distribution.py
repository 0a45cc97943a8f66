"""Distributions: samples of one metric."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from engines.contract.results import Distribution
from frontend.figures.generic import distribution_figure
from frontend.figures.numbers import many, si
from frontend.results.plot_views import plotted
from frontend.results.view import CardPicture, CardRoom
from frontend.theme import Scheme

_LEAST_PX, _LEAST_ON_CARD_PX = 220.0, 130


def _figure(values: Distribution, scheme: Scheme, _width_px: float, least_px: float) -> go.Figure:
    return distribution_figure(values, scheme, height_px=max(least_px, _LEAST_PX))


def _sentence(distribution: Distribution) -> str:
    finite = distribution.values[np.isfinite(distribution.values)]
    median = f", median {si(float(np.median(finite)), distribution.unit)}" if len(finite) else ""
    return f"{distribution.title}: {many(len(finite), 'value')}{median}."


def _on_card(values: Distribution, scheme: Scheme, _width_px: float, height_px: float) -> go.Figure:
    return distribution_figure(values, scheme, height_px=height_px)


VIEW = plotted(Distribution, _figure, _sentence, CardPicture(lambda *_: CardRoom(_LEAST_ON_CARD_PX), _on_card))
