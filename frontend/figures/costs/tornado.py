"""A tornado: what a value becomes with less and with more of each figure that it rests on, the widest bar on top."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from engines.contract.arrays import FloatArray
from engines.contract.results import Sensitivity
from frontend.figures.drawing import Entry, figure, fitted, text_width, texts
from frontend.figures.numbers import NO_BREAK, scale_of, si, significant
from frontend.theme import TOKENS, Scheme, mix

MOST_BARS = 15
_ROW_PX, _TOP_PX, _AXIS_PX, _RIGHT_PX = 24, 30, 44, 12
_LONGEST_NAME_SHARE, _WORD_PX, _GAP_PX = 0.34, 10.5, 8.0
_NARROWEST_PLOT_PX = 120.0


def shown_rows(sensitivity: Sensitivity) -> int:
    """Return the number of drawn inputs: those that change the value, at most `MOST_BARS`."""
    return min(MOST_BARS, int((sensitivity.swing > 0).sum()))


def height_px(sensitivity: Sensitivity) -> int:
    """Return the height of the picture."""
    return _TOP_PX + _AXIS_PX + _ROW_PX * max(1, shown_rows(sensitivity))


def tornado_figure(sensitivity: Sensitivity, scheme: Scheme, *, width_px: float) -> go.Figure:
    """Return the bars from the value as given to what it becomes; at each end how much of the figure that takes."""
    tokens, rows = TOKENS[scheme], shown_rows(sensitivity)
    scale = scale_of([sensitivity.given, *sensitivity.high[:rows], *sensitivity.low[:rows]], sensitivity.unit)
    names = [fitted(name, _LONGEST_NAME_SHARE * width_px, 11) for name in sensitivity.figures[:rows]]
    left_px = max((text_width(name, 11) for name in names), default=20.0) + 16
    given = sensitivity.given * scale.factor
    ends = (sensitivity.low[:rows] * scale.factor, sensitivity.high[:rows] * scale.factor)
    words = _end_words(sensitivity, rows)
    low, high = _range(ends, words, given, max(_NARROWEST_PLOT_PX, width_px - left_px - _RIGHT_PX))
    traces: list[Entry] = []
    for end, told, name, colour in zip(
        ends, words, ("less", "more"), (mix(tokens.surface, tokens.text3, 0.5), tokens.text3), strict=True
    ):
        traces += [
            _bars(sensitivity, given, end, told, name, colour, scale.unit),
            _labels(end, given, told, tokens.text2),
        ]
    unit, rule = f" ({scale.unit})" if scale.unit else "", {"color": tokens.text}
    layout = {
        "height": height_px(sensitivity),
        "margin": {"l": left_px, "r": _RIGHT_PX, "t": _TOP_PX, "b": _AXIS_PX},
        "barmode": "overlay",
        "bargap": 0.3,
        "shapes": [{"type": "line", "x0": given, "x1": given, "y0": 0, "y1": 1, "yref": "paper", "line": {"width": 1} | rule}],
        "annotations": [
            {
                "x": given, "xref": "x", "y": 1, "yref": "paper", "yanchor": "bottom", "showarrow": False,
                "text": f"as given: {si(sensitivity.given, sensitivity.unit, 4)}", "font": {"size": 11, "color": tokens.text},
            }
        ],
        "xaxis": {"title": {"text": sensitivity.value_title + unit}, "range": [low, high], "zeroline": False},
        "yaxis": {
            "range": [max(1, rows) - 0.5, -0.5], "tickvals": list(range(rows)), "ticktext": names, "showgrid": False, "ticks": "",
            "zeroline": False, "fixedrange": True,
        },
    }  # fmt: skip
    return figure(scheme, traces, layout)


def tornado_sentence(sensitivity: Sensitivity) -> str:
    """Return the text for those who do not see the picture: the value, and the parameter that changes it most."""
    told = f"{sensitivity.value_title} is {si(sensitivity.given, sensitivity.unit, 4)}"
    if not shown_rows(sensitivity):
        return f"{told}, and no value changes it."
    low, high = (si(float(end[0]), sensitivity.unit, 4) for end in (sensitivity.low, sensitivity.high))
    return f"{told}. {sensitivity.figures[0]} changes it most: {low} with less of it, {high} with more."


def _bars(
    sensitivity: Sensitivity, given: float, end: FloatArray, told: list[str], name: str, colour: str, unit: str
) -> Entry:
    return {
        "type": "bar",
        "orientation": "h",
        "y": list(range(len(end))),
        "base": given,
        "x": end - given,
        "marker": {"color": colour, "line": {"width": 0}},
        "customdata": [
            [title, words, value] for title, words, value in zip(sensitivity.figures, told, end, strict=False)
        ],
        "hovertemplate": "<b>%{customdata[0]}</b><br>with %{customdata[1]}: %{customdata[2]:.4~r}\u00a0"
        + unit
        + "<extra></extra>",
        "name": name,
    }


def _labels(end: FloatArray, given: float, told: list[str], colour: str) -> Entry:
    """Return how much of the figure an end takes, outside of its bar; nothing where the end is the value as given."""
    items = [
        (float(value), row, f"{NO_BREAK}{words}{NO_BREAK}" if value != given else "", colour)
        for row, (value, words) in enumerate(zip(end, told, strict=True))
    ]
    sides = ["middle right" if value > given else "middle left" for value in end]
    return texts(items, _WORD_PX, "middle right") | {"textposition": sides}


def _end_words(sensitivity: Sensitivity, rows: int) -> tuple[list[str], list[str]]:
    """Return the lowered and raised value of each input in words."""

    def told(values: FloatArray) -> list[str]:
        pairs = zip(values[:rows].tolist(), sensitivity.figure_units, strict=False)
        return [f"{_plain(value)}{NO_BREAK}{unit}".rstrip() for value, unit in pairs]

    return told(sensitivity.figure_low), told(sensitivity.figure_high)


def _plain(value: float) -> str:
    """Return up to four significant digits, no zeros behind them."""
    words = significant(value, 4)
    return words.rstrip("0").rstrip(".") if "." in words and "e" not in words else words


def _range(
    ends: tuple[FloatArray, FloatArray], words: tuple[list[str], list[str]], given: float, plot_px: float
) -> tuple[float, float]:
    """Return the range of the axis, with space for the words at the ends of the widest bars."""
    every = np.concatenate([[given], *ends])
    low, high = float(every.min()), float(every.max())
    room_px = max((text_width(word, _WORD_PX) for side in words for word in side), default=0.0) + _GAP_PX
    data_px = max(0.3 * plot_px, plot_px - 2 * room_px)
    room = (high - low or 1.0) * room_px / data_px
    return low - room, high + room
