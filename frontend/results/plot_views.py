"""Results that consist of one plot and a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
from dash.development.base_component import Component

from frontend.components.pictures.figure import plot
from frontend.results.view import CardPicture, ResultView, Shown
from frontend.theme import Scheme

Figure = Callable[[Shown, Scheme, float, float], go.Figure]


def plotted(
    shows: type[Shown],
    figure: Figure[Shown],
    sentence: Callable[[Shown], str],
    card: CardPicture[Shown] | None = None,
    **more: Any,
) -> ResultView[Shown]:
    """Return the view of results of the type `shows`; arguments as the attributes of `ResultView`."""

    def component(result: Shown, scheme: Scheme, width_px: float) -> Component:
        return plot(figure(result, scheme, width_px, 0.0), summary=sentence(result))

    return ResultView(shows, "figure", sentence, component, figure, card=card, **more)
