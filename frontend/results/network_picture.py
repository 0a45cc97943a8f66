"""Pictures of networks by load: one per case, side by side."""

from __future__ import annotations

import plotly.graph_objects as go
from dash import html
from dash.development.base_component import Component

from engines.contract.results import NetworkPicture
from frontend.components.figure import plot
from frontend.figures.network_picture import height_px, network_picture_figure, network_sentence
from frontend.results.view import CardPicture, CardRoom, PaperAsked, ResultView
from frontend.theme import Scheme

_GAP_PX, _NARROWEST_PX = 16.0, 380.0


def _component(picture: NetworkPicture, scheme: Scheme, width_px: float) -> Component:
    count = len(picture.cases)
    beside = max(1, min(count, int((width_px + _GAP_PX) // (_NARROWEST_PX + _GAP_PX))))
    width, height = (width_px - (beside - 1) * _GAP_PX) / beside, height_px(picture)
    pictures = [
        html.Div(
            [
                html.Div(picture.cases[case], className="b sm"),
                plot(
                    network_picture_figure(picture, case, scheme, width=width, height=height),
                    summary=network_sentence(picture, case),
                ),
            ],
            style={"width": width},
        )
        for case in range(count)
    ]
    return html.Div(pictures, className="row wrap top g16")


def _on_card(picture: NetworkPicture, scheme: Scheme, width_px: float, height: float) -> go.Figure:
    return network_picture_figure(picture, 0, scheme, width=width_px, height=height)


def _paper(picture: NetworkPicture, width_px: float, asked: PaperAsked) -> go.Figure:
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
