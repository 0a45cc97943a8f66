"""Measurements of designs next to their predictions in the picture of a front: a mark with its interval, and a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from frontend.theme import TOKENS, Scheme

# A measured value may widen an axis so many times; what lies further out is told in words.
_WIDEST = 3.0
_ROOM = 0.04
_APART = 0.05  # of an axis, for names of places
_SYMBOLS = ("square", "x", "triangle-up", "pentagon", "cross", "hourglass")


@dataclass(frozen=True)
class MeasuredMark:
    """A measured design over the two quantities of a picture, in their stored units.

    Attributes:
        number: number of the design.
        x, y: with the measured value on its axis.
        axis: the axis.
        predicted: what stands on that axis of the design.
        low, high: ends of the interval; None where there is none.
        words: value and interval, the prediction, and where: each a line.
        place: number of the device with its threads, from 0 on: each has a symbol of its own.
        label: place in words; "" for a single place.
    """

    number: int
    x: float
    y: float
    axis: Literal["x", "y"]
    predicted: float
    low: float | None
    high: float | None
    words: Sequence[str]
    place: int = 0
    label: str = ""

    @property
    def value(self) -> float:
        """Return the measured value."""
        return self.x if self.axis == "x" else self.y

    @property
    def ends(self) -> tuple[float, float]:
        """Return the ends of the interval; the value itself where there is none."""
        return (self.value if self.low is None else self.low), (self.value if self.high is None else self.high)


def with_measured(span: tuple[float, float], marks: Sequence[MeasuredMark], axis: str) -> tuple[float, float]:
    """Return the range of an axis, widened for measured values that are not far off."""
    low, high = span
    extent = high - low
    reached = [
        end
        for mark in marks
        for end in mark.ends
        if mark.axis == axis and low - _WIDEST * extent <= end <= high + _WIDEST * extent
    ]
    least, most = min([low, *reached]), max([high, *reached])
    room = _ROOM * (most - least)
    return (least - room if least < low else low), (most + room if most > high else high)


def measured_traces(
    marks: Sequence[MeasuredMark],
    x_factor: float,
    y_factor: float,
    scheme: Scheme,
    spans: Mapping[str, tuple[float, float]] | None = None,
) -> list[dict[str, Any]]:
    """Return the traces of the marks; none without any.

    Args:
        marks: in stored units.
        x_factor: from stored to shown units of the x axis.
        y_factor: factor of the y axis.
        scheme: light or dark.
        spans: axis -> its range in stored units; None where it is not known: places are then named at any distance.
    """
    if not marks:
        return []
    tokens = TOKENS[scheme]
    lines: dict[str, list[float | None]] = {"x": [], "y": []}
    for mark in marks:
        ends = (
            ((mark.predicted, mark.y), (mark.x, mark.y))
            if mark.axis == "x"
            else ((mark.x, mark.predicted), (mark.x, mark.y))
        )
        for x, y in ends:
            lines["x"].append(x * x_factor)
            lines["y"].append(y * y_factor)
        lines["x"].append(None)
        lines["y"].append(None)
    link = {
        "type": "scatter", "mode": "lines", **lines, "line": {"width": 1, "dash": "dot", "color": tokens.text3},
        "hoverinfo": "skip", "meta": "measured-links",
    }  # fmt: skip
    points = {
        "type": "scatter",
        "mode": "markers+text" if any(mark.label for mark in marks) else "markers",
        "x": [mark.x * x_factor for mark in marks],
        "y": [mark.y * y_factor for mark in marks],
        "customdata": [mark.number for mark in marks],
        "text": _labels(marks, spans),
        "textposition": [("top center", "bottom center")[mark.place % 2] for mark in marks],
        "textfont": {"size": 10, "color": tokens.text2},
        "hovertext": ["<br>".join(escape(line, quote=False) for line in mark.words) for mark in marks],
        "hovertemplate": "<b>Design %{customdata}, measured</b><br>%{hovertext}<extra></extra>",
        "marker": {
            "symbol": [_SYMBOLS[mark.place % len(_SYMBOLS)] for mark in marks],
            "size": 7,
            "color": tokens.text,
            "line": {"width": 1, "color": tokens.surface},
        },
        "name": "measured",
        "meta": "measured",
        **_bars(marks, "x", x_factor, tokens.text),
        **_bars(marks, "y", y_factor, tokens.text),
    }
    return [link, points]


def _labels(marks: Sequence[MeasuredMark], spans: Mapping[str, tuple[float, float]] | None) -> list[str]:
    """Return the names of the places at the one design whose marks lie furthest apart: at every one they would hide the picture.

    None where even those lie so close that the names would stand on each other.
    """
    values: dict[int, list[float]] = {}
    for mark in marks:
        values.setdefault(mark.number, []).append(mark.value)
    widest = max(values, key=lambda number: (len(values[number]), max(values[number]) - min(values[number])))
    low, high = (0.0, 0.0) if spans is None else spans[marks[0].axis]
    if max(values[widest]) - min(values[widest]) < _APART * (high - low):
        return [""] * len(marks)
    return [escape(mark.label, quote=False) if mark.number == widest else "" for mark in marks]


def _bars(marks: Sequence[MeasuredMark], axis: str, factor: float, colour: str) -> dict[str, Any]:
    """Return the intervals on one axis; nothing where no mark was measured on it."""
    if not any(mark.axis == axis for mark in marks):
        return {}
    above = [(mark.ends[1] - mark.value) * factor if mark.axis == axis else 0.0 for mark in marks]
    below = [(mark.value - mark.ends[0]) * factor if mark.axis == axis else 0.0 for mark in marks]
    look = {"type": "data", "symmetric": False, "thickness": 1.2, "width": 4, "color": colour}
    return {f"error_{axis}": {**look, "array": above, "arrayminus": below}}
