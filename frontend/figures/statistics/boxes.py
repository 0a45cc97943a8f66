"""Box plots of repeated runs: quartiles and median of each group, every run a dot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from engines.contract.quantities import Quantity
from frontend.figures.drawing import Entry, figure, fitted, text_width
from frontend.figures.numbers import many, scale_of, si
from frontend.theme import TOKENS, RunStyle, Scheme, mix

# Quartiles of fewer values than this are the values themselves: a box would pretend to more.
FEWEST_FOR_A_BOX = 5
_ROW_PX, _BOX = 34, 0.5
_LONGEST_NAME_PX = 200.0


@dataclass(frozen=True)
class BoxGroup:
    """One group.

    Attributes:
        title: its name.
        values: one per run, in stored units.
        hints: tooltip of each run, in the same order.
        style: style of the group in other pictures; None without one.
    """

    title: str
    values: Sequence[float]
    hints: Sequence[str]
    style: RunStyle | None = None


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return first quartile, median and third quartile, with linear interpolation between values; at least one value."""
    low, middle, high = np.quantile(np.asarray(values, dtype=np.float64), [0.25, 0.5, 0.75])
    return float(low), float(middle), float(high)


def boxes_figure(groups: Sequence[BoxGroup], quantity: Quantity, scheme: Scheme) -> go.Figure:
    """Return the groups from top to bottom, values from left to right.

    The median is a rule, whiskers reach to the least and largest.
    """
    tokens = TOKENS[scheme]
    scale = scale_of([value for group in groups for value in group.values] or [0.0], quantity.unit)
    traces: list[Entry] = []
    shapes: list[Entry] = []
    for row, group in enumerate(groups):
        if not len(group.values):
            continue
        colour = group.style.colour[scheme] if group.style else tokens.text3
        shown = np.asarray(group.values, np.float64) * scale.factor
        shapes += _box(shown, row, colour, mix(tokens.surface, colour, 0.18))
        spread = np.zeros(1) if len(shown) == 1 else np.linspace(-0.16, 0.16, len(shown))
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": shown,
                "y": row + spread,
                "marker": {
                    "size": 7,
                    "symbol": group.style.symbol if group.style else "circle",
                    "color": tokens.surface,
                    "line": {"color": colour, "width": 1.4},
                },
                "customdata": list(group.hints),
                "hovertemplate": f"%{{customdata}}<br>%{{x:.4~r}}\u00a0{scale.unit}<extra></extra>",
                "name": group.title,
            }
        )
    names = [f"{group.style.letter}  {group.title}" if group.style else group.title for group in groups]
    shown_names = [_shortened(name) for name in names]
    left = max([text_width(name, 11) for name in shown_names], default=20.0) + 16
    unit = f" ({scale.unit})" if scale.unit else ""
    layout = {
        "height": 62 + _ROW_PX * max(2, len(groups)),
        "margin": {"l": int(left), "r": 18, "t": 8, "b": 42},
        "shapes": shapes,
        "xaxis": {"title": {"text": quantity.title + unit}},
        "yaxis": {
            "range": [len(groups) - 0.5, -0.5],
            "tickvals": list(range(len(groups))),
            "ticktext": shown_names,
            "showgrid": False,
            "ticks": "",
            "fixedrange": True,
        },
    }
    return figure(scheme, traces, layout)


def boxes_sentence(groups: Sequence[BoxGroup], quantity: Quantity) -> str:
    """Return the text for those who do not see the picture: median and quartiles of every group."""
    parts = []
    for group in groups:
        if not len(group.values):
            parts.append(f"{group.title}: no run has a value")
            continue
        low, middle, high = (si(value, quantity.unit) for value in quartiles(group.values))
        parts.append(f"{group.title}: median {middle}, quartiles {low} to {high}, {many(len(group.values), 'run')}")
    return f"{quantity.title} of the runs. " + "; ".join(parts) + "."


def _box(values: Any, row: int, colour: str, fill: str) -> list[Entry]:
    """Return the shapes of one group: whisker, box and the rule of the median."""
    low, middle, high = quartiles(values)
    half = _BOX / 2
    line = {"color": colour, "width": 1.2}
    rule = {"type": "line", "x0": middle, "x1": middle, "y0": row - half, "y1": row + half, "layer": "below"}
    shapes: list[Entry] = [rule | {"line": {"color": colour, "width": 2.4}}]
    if len(values) < FEWEST_FOR_A_BOX:
        return shapes
    ends: Entry = {"type": "line", "x0": float(min(values)), "x1": float(max(values)), "y0": row, "y1": row}
    body: Entry = {"type": "rect", "x0": low, "x1": high, "y0": row - half, "y1": row + half, "fillcolor": fill}
    return [ends | {"line": line, "layer": "below"}, body | {"line": line, "layer": "below"}, *shapes]


def _shortened(name: str) -> str:
    """Return the name, cut where it would take more room than the picture can spare."""
    return fitted(name, _LONGEST_NAME_PX, 11)
