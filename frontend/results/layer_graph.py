"""Graphs of layers."""

from __future__ import annotations

import plotly.graph_objects as go

from engines.contract.results import LayerGraph
from frontend.figures.generic import layer_graph_figure
from frontend.figures.layers.layer_graph import Fit, fit
from frontend.figures.numbers import many
from frontend.results.plot_views import plotted
from frontend.results.view import CardPicture, CardRoom
from frontend.theme import Scheme

_MOST_ON_HALF = 24  # layers; of more, a card of half the width is higher than the window
_CARD_SHARE = 0.5  # of the card's height, at most


def _figure(graph: LayerGraph, scheme: Scheme, width_px: float, _least_px: float) -> go.Figure:
    return layer_graph_figure(graph, scheme, width_px=width_px)


def _sentence(graph: LayerGraph) -> str:
    return f"{graph.title}: {many(len(graph.nodes), 'layer')}, {many(len(graph.edges), 'edge')}."


def _fit(graph: LayerGraph, width_px: float, height_px: float) -> Fit:
    return fit(graph, width_px, _CARD_SHARE * height_px)


def _room(graph: LayerGraph, width_px: float, height_px: float) -> CardRoom:
    needed = _fit(graph, width_px, height_px).height_px
    return CardRoom(needed, needed)


def _on_card(graph: LayerGraph, scheme: Scheme, width_px: float, height_px: float) -> go.Figure:
    drawn = layer_graph_figure(graph, scheme, width_px=width_px, most_px=height_px)
    own = float(drawn.layout.height)
    if height_px > own:  # in the middle of what it was given
        spare = (height_px - own) / 2
        drawn.update_layout(height=height_px, yaxis={"range": [own + spare, -spare]})
    return drawn


VIEW = plotted(
    LayerGraph,
    _figure,
    _sentence,
    CardPicture(_room, _on_card, lambda graph, width_px, height_px: _fit(graph, width_px, height_px).reads_well),
    wide=lambda graph: len(graph.nodes) > _MOST_ON_HALF,
)
