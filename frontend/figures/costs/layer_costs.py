"""Costs of layers under two cost models: a point per layer and compute unit, and the line on which both are equal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from frontend.figures.drawing import figure
from frontend.figures.numbers import many
from frontend.theme import RUNS, TOKENS, Scheme

HEIGHT_PX = 360


def layer_costs_figure(layers: Mapping[str, Any], first: str, other: str, scheme: Scheme) -> go.Figure:
    """Return energy-delay products of one sample under `other` over those under `first`, on logarithmic axes.

    Args:
        layers: layers of `engines.running.cost_models.compare_models`.
        first: name of a cost model, of the horizontal axis.
        other: other of the vertical axis.
        scheme: light or dark.
    """
    one, two = (np.array(layers["latency_s"][name]) * layers["energy_j"][name] for name in (first, other))
    ends = [float(min(one.min(), two.min())), float(max(one.max(), two.max()))]
    line = {
        "type": "scatter", "mode": "lines", "x": ends, "y": ends, "hoverinfo": "skip", "showlegend": False,
        "line": {"color": TOKENS[scheme].text3, "width": 1, "dash": "dot"},
    }  # fmt: skip
    units, traces = np.array(layers["unit"]), []
    for place, unit in enumerate(dict.fromkeys(layers["unit"])):
        style, rows = RUNS[place % len(RUNS)], np.flatnonzero(units == unit)
        traces.append({
            "type": "scatter", "mode": "markers", "name": unit, "x": one[rows], "y": two[rows],
            "customdata": [[layers[name][row] for name in ("network", "layer", "kind")] for row in rows.tolist()],
            "marker": {"symbol": f"{style.symbol}-open", "size": 6, "color": style.colour[scheme]},
            "hovertemplate": f"<b>%{{customdata[1]}}</b>, %{{customdata[0]}}, %{{customdata[2]}}<br>{unit}"
            f"<br>{first} %{{x:.3~g}} J·s<br>{other} %{{y:.3~g}} J·s<extra></extra>",
        })  # fmt: skip
    axis = {"type": "log", "exponentformat": "power", "dtick": 2}
    layout = {
        "height": HEIGHT_PX,
        "margin": {"l": 64, "r": 16, "t": 34, "b": 48},
        "showlegend": True,
        "legend": {"y": 1.12},
        "xaxis": {**axis, "title": {"text": f"EDP under {first} (J·s)"}},
        "yaxis": {**axis, "title": {"text": f"EDP under {other} (J·s)"}},
    }
    return figure(scheme, [line, *traces], layout)


def layer_costs_sentence(layers: Mapping[str, Any], first: str, other: str) -> str:
    """Return the picture in one sentence."""
    count = many(len(layers["layer"]), "layer")
    return f"Energy-delay products of {count} on {many(len(set(layers['unit'])), 'kind')} of compute units: {other} over {first}."
