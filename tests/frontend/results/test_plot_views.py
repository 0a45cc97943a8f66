from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from engines.contract.results import Distribution
from frontend.results.plot_views import plotted


def test_the_picture_stands_with_its_sentence_and_takes_the_least_height_that_is_asked_for() -> None:
    def drawn(result: Distribution, scheme: str, width_px: float, least_px: float) -> go.Figure:
        return go.Figure(layout={"title": f"{result.title} {scheme} {width_px} {least_px}"})

    view = plotted(Distribution, drawn, lambda result: f"{result.title}.", wide=lambda _: True)
    values = Distribution("d", "Latency", np.ones(2), "s")
    part = view.component(values, "dark", 640)
    assert getattr(part, "aria-label") == "Latency."
    assert view.figure is drawn and view.shows is Distribution and view.wide(values) and view.card is None
