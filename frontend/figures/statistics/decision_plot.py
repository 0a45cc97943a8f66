"""A figure over a decision: a point per design, words side by side."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import plotly.graph_objects as go

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.quantities import Quantity
from engines.search.decision_features import Feature
from frontend.figures.drawing import figure, fitted
from frontend.figures.numbers import scale_of
from frontend.theme import TOKENS, Scheme

MOST_WORDS = 12
_JITTER = 0.32
_OTHER, _NONE = "other", "–"


def decision_figure(
    feature: Feature, quantity: Quantity, values: FloatArray, numbers: IntArray, front: frozenset[int], scheme: Scheme
) -> go.Figure:
    """Return the plot. Designs of the front stand out; points of a word are spread so that they can be distinguished.

    Args:
        feature: the decision of each design.
        quantity: quantity of the vertical axis.
        values: of it, shape `n`.
        numbers: numbers of the designs, shape `n`.
        front: numbers of the designs on the front.
        scheme: light or dark.
    """
    scale, tokens = scale_of(values, quantity.unit), TOKENS[scheme]
    places, axis, words = _places(feature, numbers)
    on_front = np.array([number in front for number in numbers.tolist()], bool)
    kind = "scattergl" if len(numbers) > 2000 else "scatter"
    name = f"{quantity.title} ({scale.unit})" if scale.unit else quantity.title
    traces = []
    told = "<b>Design %{customdata[0]}</b><br>%{customdata[1]}<br>%{y:.4~r}"
    for rows, colour, opacity, size in (
        (~on_front, tokens.text3, 0.45, 4.5),
        (on_front, tokens.accent, 1.0, 6.5),
    ):
        traces.append({
            "type": kind, "mode": "markers", "x": places[rows], "y": values[rows] * scale.factor,
            "marker": {"color": colour, "opacity": opacity, "size": size},
            "customdata": [[int(n), words[at]] for n, at in zip(numbers[rows], np.flatnonzero(rows), strict=True)],
            "hovertemplate": f"{told}\u00a0{scale.unit}<extra></extra>",
        })  # fmt: skip
    note = {
        "text": name,
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "yshift": 6,
    }
    layout = {
        "height": 380,
        "margin": {"l": 56, "r": 16, "t": 30, "b": 48},
        "xaxis": axis,
        "annotations": [note | {"showarrow": False, "font": {"size": 11, "color": tokens.text2}}],
    }
    return figure(scheme, traces, layout)


def _places(feature: Feature, numbers: IntArray) -> tuple[FloatArray, dict[str, Any], list[str]]:
    """Return the places on the horizontal axis, the axis, and the decision of each design in words."""
    unit = f" ({feature.unit})" if feature.unit else ""
    title = {"title": {"text": f"{feature.title}{unit}"}}
    if not any(isinstance(value, str) for value in feature.values):
        places = np.array([np.nan if value is None else value for value in feature.values], np.float64)
        return places, title, [f"{place:g}{unit}" for place in places]
    words = [_NONE if v is None else v if isinstance(v, str) else f"{v:g}" for v in feature.values]
    common = [word for word, _ in Counter(words).most_common(MOST_WORDS)]
    shown = sorted(common) + ([_OTHER] if len(set(words)) > len(common) else [])
    at = {word: place for place, word in enumerate(shown)}
    middle = np.array([at.get(word, at.get(_OTHER, 0)) for word in words], np.float64)
    # By the design's number: the same at every look.
    spread = ((numbers * 2654435769) % 1000) / 1000.0 - 0.5
    ticks = [fitted(word, 640 / max(1, len(shown)), 11) for word in shown]
    axis = title | {
        "tickvals": list(range(len(shown))),
        "ticktext": ticks,
        "range": [-0.6, len(shown) - 0.4],
        "showgrid": False,
    }
    return middle + 2 * _JITTER * spread, axis, words
