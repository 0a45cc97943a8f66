from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from engines.contract.quantities import Quantity
from frontend.figures.front.front_parts import Cloud


def cloud_of(x, y, x_sense="minimise", y_sense="minimise", **more) -> Cloud:
    count = len(x)
    return Cloud(
        Quantity("x", "X", "s", x_sense, "objective"),
        Quantity("y", "Y", "J", y_sense, "objective"),
        np.asarray(x, float),
        np.asarray(y, float),
        np.arange(count),
        np.zeros(count, bool),
        [""] * count,
        **more,
    )


def trace(figure: go.Figure, name: str):
    return next(t for t in figure.data if t.name == name)


def texts(figure: go.Figure) -> str:
    return " | ".join(note.text for note in figure.layout.annotations)


def sample_cloud_over_decades() -> Cloud:
    x = np.geomspace(1.0, 100.0, 30)
    y = 10.0 / x**0.5
    return Cloud(
        Quantity("a", "A", "", "minimise", "objective"), Quantity("b", "B", "", "minimise", "objective"), x, y,
        np.arange(30), np.zeros(30, bool), [""] * 30,
    )  # fmt: skip
