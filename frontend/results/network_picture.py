"""Pictures of networks by load: one per case, side by side."""

from __future__ import annotations

import plotly.graph_objects as go
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.results import NetworkPicture
from frontend.components.pictures.figure import plot
from frontend.figures.chiplets.network_packets import FIRST_SHARE, packets_sentence
from frontend.figures.chiplets.network_picture import height_px, network_picture_figure, network_sentence
from frontend.figures.drawing import model_looks
from frontend.figures.numbers import si
from frontend.results.view import CardPicture, CardRoom, FigureQuery, ResultView
from frontend.theme import Scheme

_GAP_PX, _NARROWEST_PX, _PAD_PX = 16.0, 380.0, 12.0  # the last as in network_time.css
_EVENLY = "Each packet moves at constant speed between its creation and its arrival."


def _component(picture: NetworkPicture, scheme: Scheme, width_px: float) -> Component:
    count, width_px = len(picture.cases), width_px - 2 * _PAD_PX
    beside = max(1, min(count, int((width_px + _GAP_PX) // (_NARROWEST_PX + _GAP_PX))))
    width, height = (width_px - (beside - 1) * _GAP_PX) / beside, height_px(picture)
    pictures = [
        html.Div(
            [
                html.Div(picture.cases[case], className="b sm"),
                plot(
                    network_picture_figure(picture, case, scheme, width=width, height=height, packets=True),
                    summary=network_sentence(picture, case),
                ),
            ],
            style={"width": width},
        )
        for case in range(count)
    ]
    drawn = html.Div(pictures, className="row wrap top g16")
    moving = [_time(picture, scheme)] if picture.packets else []
    return html.Div([*moving, drawn], className="stack g8 network-time")


def _time(picture: NetworkPicture, scheme: Scheme) -> Component:
    """Return a cursor for the packets of all cases (assets/network_time.js), and which colour is which stream."""
    slider = dcc.Input(type="range", min=0, max=1000, step=1, value=1000 * FIRST_SHARE, className="network-time-range")
    cursor = html.Label([html.Span("Moment", className="visually-hidden"), slider])
    shown = {int(stream) for packets in picture.packets for stream in packets.stream}
    streams = [
        html.Span([html.Span(className="network-time-key", style={"background": look.fill}), name])
        for number, (name, look) in enumerate(zip(picture.streams, model_looks(picture.streams, scheme), strict=True))
        if number in shown
    ]
    return html.Div(
        [
            html.Button("Play", type="button", className="btn sm network-time-play"),
            cursor,
            html.Span(si(FIRST_SHARE * picture.shown_s, "s"), className="num sm network-time-words"),
            html.Div(streams, className="leg"),
            html.Div(f"{packets_sentence(picture)} {_EVENLY}", className="xs t3"),
        ],
        className="row wrap g8",
    )


def _on_card(picture: NetworkPicture, scheme: Scheme, width_px: float, height: float) -> go.Figure:
    return network_picture_figure(picture, 0, scheme, width=width_px, height=height)


def _paper(picture: NetworkPicture, width_px: float, asked: FigureQuery) -> go.Figure:
    case = min(max(asked.window, 0), len(picture.cases) - 1)
    return network_picture_figure(picture, case, "light", width=width_px, height=height_px(picture))


VIEW = ResultView(
    NetworkPicture,
    "figure",
    lambda picture: f"{picture.title}. {network_sentence(picture, 0)}",
    _component,
    lambda picture, scheme, width, _: network_picture_figure(
        picture, 0, scheme, width=width, height=height_px(picture)
    ),
    paper=_paper,
    card=CardPicture(lambda picture, *_: CardRoom(0.6 * height_px(picture), height_px(picture)), _on_card),
)
