"""Drives from above; they follow the cursor of the trace that they belong to."""

from __future__ import annotations

import plotly.graph_objects as go
from dash import html
from dash.development.base_component import Component

from engines.contract.results import GroundTrack
from frontend.components.pictures.figure import plot
from frontend.components.pictures.time_strip import group_until
from frontend.figures.ground_track import ground_track_figure
from frontend.figures.numbers import si
from frontend.results.view import CardPicture, CardRoom, ResultView
from frontend.theme import Scheme

_LEAST_PX, _MOST_PX = 150.0, 260.0


def _figure(track: GroundTrack, scheme: Scheme, width_px: float, _least_px: float) -> go.Figure:
    return ground_track_figure(track, scheme, width_px=width_px)


def _sentence(track: GroundTrack) -> str:
    obstacles = sum(circle.kind == "obstacle" for circle in track.circles)
    counted_obstacles = "one obstacle" if obstacles == 1 else f"{obstacles} obstacles"
    way = si(float(track.x_m[-1] - track.x_m[0]), "m")
    return f"{track.title}: {way} along the road past {counted_obstacles}."


def _component(track: GroundTrack, scheme: Scheme, width_px: float) -> Component:
    drawn = plot(_figure(track, scheme, width_px, 0.0), summary=_sentence(track))
    return html.Div(drawn, className="ground-track", **{"data-group": group_until(float(track.time_s[-1]))})


def _on_card(track: GroundTrack, scheme: Scheme, width_px: float, height_px: float) -> go.Figure:
    return ground_track_figure(track, scheme, width_px=width_px, height_px=height_px, cursor=False)


VIEW = ResultView(
    GroundTrack,
    "figure",
    _sentence,
    _component,
    _figure,
    card=CardPicture(lambda *_: CardRoom(_LEAST_PX, _MOST_PX), _on_card),
)
