"""The common parts of several pictures: a canvas in pixels, rounded rectangles, arrows, widths of texts, colours of models."""

from __future__ import annotations

import base64
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import plotly.graph_objects as go

from frontend.theme import TEMPLATES, HardwareStyle, Scheme, edge_of, ink_on, model_colour

Entry = dict[str, Any]  # a part of a figure, as plotly.js takes it
Outline = tuple[list[float | None], list[float | None]]  # x and y of closed lines, apart by None

# Equal decimals on all ticks of an axis, as many as their distance needs, at every zoom. A template cannot carry these.
TICK_DECIMALS: tuple[dict[str, Any], ...] = (
    {"dtickrange": [None, 0.0000009], "value": ",.8~f"},
    {"dtickrange": [0.0000009, 0.000009], "value": ",.6f"},
    {"dtickrange": [0.000009, 0.00009], "value": ",.5f"},
    {"dtickrange": [0.00009, 0.0009], "value": ",.4f"},
    {"dtickrange": [0.0009, 0.009], "value": ",.3f"},
    {"dtickrange": [0.009, 0.09], "value": ",.2f"},
    {"dtickrange": [0.09, 0.9], "value": ",.1f"},
    {"dtickrange": [0.9, None], "value": ",.0f"},
)
# Mean advance of Inter per pixel of type size, by kind of character; measured in Chromium at 11 and 12 px.
_NARROW, _WIDE = set("iljtfrI.,:;|!'()[] \u2009\u00a0·"), set("mwMW%@—")
_CORNER_STEPS = 4
# Characters that a short name of a model may have.
_SHORT_NAME = 4


@dataclass(frozen=True)
class Box:
    """An upright rectangle, in pixels from the top left: `left` < `right`, `top` < `bottom`."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Pixels from left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Pixels from top to bottom."""
        return self.bottom - self.top

    @property
    def centre(self) -> tuple[float, float]:
        """The middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def inset(self, pixels: float) -> Box:
        """Return the rectangle with every side moved inwards."""
        return Box(self.left + pixels, self.top + pixels, self.right - pixels, self.bottom - pixels)

    def overlap(self, other: Box) -> float:
        """Return the area that both share, in square pixels."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0


def figure(scheme: Scheme, traces: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]) -> go.Figure:
    """Return a figure out of plain mappings.

    Plotly's own validation takes most of the time of a picture with many marks; the tests draw every picture with it.
    """
    # The template first, or plotly would attach its default one, as large as some pictures.
    return go.Figure(data=list(traces), layout={"template": TEMPLATES[scheme], **_complete(layout)}, _validate=False)


def load_traces() -> None:
    """Load what plotly loads with the first trace of each kind that pictures have."""
    kinds = ("bar", "heatmap", "scatter", "scatter3d", "scattergl", "splom")
    figure("light", [{"type": kind} for kind in kinds], {}).to_json()


def plain_figure(scheme: Scheme, traces: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same as mappings, for pictures of ten thousand points: plotly's class copies each of them several times.

    Arrays of numbers but `customdata` are packed as plotly.js reads them (base64 of 32- or 64-bit floats).
    """
    return {
        "data": [{key: _packed(value) for key, value in trace.items()} for trace in traces],
        "layout": {"template": plain_template(scheme), **_complete(layout)},
    }


@cache
def plain_template(scheme: Scheme) -> dict[str, Any]:
    """Return the template of a scheme as a mapping."""
    template: dict[str, Any] = TEMPLATES[scheme].to_plotly_json()
    return template


def _packed(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype not in (np.float32, np.float64):
        return value.tolist()
    return {"dtype": f"f{value.dtype.itemsize}", "bdata": base64.b64encode(value.tobytes()).decode()}


def _complete(layout: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _with_ticks(value) if key[1:5] == "axis" else value for key, value in layout.items()}


def _with_ticks(axis: Mapping[str, Any]) -> dict[str, Any]:
    plain = axis.get("visible", True) and axis.get("type", "linear") == "linear" and "tickvals" not in axis
    return ({"tickformatstops": list(TICK_DECIMALS)} if plain else {}) | dict(axis)


def canvas_layout(width_px: float, height_px: float) -> dict[str, Any]:
    """Return the layout of a picture whose data are pixels from the top left."""
    hidden = {"visible": False, "fixedrange": True}
    return {
        "height": height_px,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "xaxis": {**hidden, "range": [0, width_px]},
        "yaxis": {**hidden, "range": [height_px, 0]},
        "dragmode": False,
    }


def text_width(text: str, size_px: float, bold: bool = False) -> float:
    """Return about how wide a text will be drawn, in pixels; markup is not counted."""
    plain = text.replace("<b>", "").replace("</b>", "")
    ems = sum(0.29 if c in _NARROW else 0.86 if c in _WIDE else 0.66 if c.isupper() else 0.59 for c in plain)
    return ems * size_px * (1.06 if bold else 1.0)


def rounded(box: Box, radius: float) -> Outline:
    """Return the outline of a rounded rectangle as a closed line that ends in a gap, so that several fit one trace."""
    radius = max(0.0, min(radius, box.width / 2, box.height / 2))
    x: list[float | None] = []
    y: list[float | None] = []
    corners = (
        (box.right - radius, box.bottom - radius, 0),
        (box.left + radius, box.bottom - radius, 90),
        (box.left + radius, box.top + radius, 180),
        (box.right - radius, box.top + radius, 270),
    )
    for centre_x, centre_y, start in corners:
        for step in range(_CORNER_STEPS + 1):
            angle = math.radians(start + 90 * step / _CORNER_STEPS)
            x.append(round(centre_x + radius * math.cos(angle), 2))
            y.append(round(centre_y + radius * math.sin(angle), 2))
    return [*x, x[0], None], [*y, y[0], None]


def arrow(x0: float, y0: float, x1: float, y1: float, width: float) -> Outline:
    """Return the outline of an arrow from the first point to the second; the head grows with the width but stays readable."""
    length = math.hypot(x1 - x0, y1 - y0)
    along_x, along_y = ((x1 - x0) / length, (y1 - y0) / length) if length else (1.0, 0.0)
    head = min(length * 0.6, 5.0 + 1.5 * width)
    half, wing = width / 2, 2.6 + width * 0.95
    neck_x, neck_y = x1 - along_x * head, y1 - along_y * head
    sides = ((x0, y0, half), (neck_x, neck_y, half), (neck_x, neck_y, wing), (x1, y1, 0.0))
    forth = [(px - along_y * d, py + along_x * d) for px, py, d in sides]
    back = [(px + along_y * d, py - along_x * d) for px, py, d in reversed(sides)]
    points = [*forth, *back, forth[0]]
    return [*(round(p[0], 2) for p in points), None], [*(round(p[1], 2) for p in points), None]


def joined(
    outlines: Iterable[Outline],
) -> Outline:
    """Return several outlines as one."""
    x: list[float | None] = []
    y: list[float | None] = []
    for more_x, more_y in outlines:
        x += more_x
        y += more_y
    return x[:-1], y[:-1]


def filled(outlines: Iterable[Outline], fill: str, edge: str = "", **more: Any) -> dict[str, Any]:
    """Return one trace of closed outlines with a fill and a one-pixel edge."""
    x, y = joined(outlines)
    # plotly.js leaves out points that it takes for noise; the corners of a rectangle would come out askew.
    line = ({"color": edge, "width": 1} if edge else {"width": 0}) | {"simplify": False}
    base = {"type": "scatter", "mode": "lines", "x": x, "y": y, "fill": "toself", "fillcolor": fill, "line": line}
    return base | {"hoverinfo": "skip"} | more


def hardware_fill(style: HardwareStyle, scheme: Scheme, size: int = 6) -> dict[str, Any]:
    """Return `fillpattern` of a dataflow or unit; goes into `filled` as an extra."""
    finish = style.finish[scheme]
    if not style.pattern:
        return {}
    dots = style.pattern == "."
    return {
        "fillpattern": {
            "shape": style.pattern,
            "fgcolor": finish.line,
            "bgcolor": finish.tint,
            "size": size - 1 if dots else size,
            "solidity": 0.3 if dots else 0.22,
        }
    }


def texts(items: Sequence[tuple[float, float, str, str]], size_px: float, position: str, **more: Any) -> dict[str, Any]:
    """Return one trace of words: (x, y, text, colour), all at the same position relative to their points."""
    return {
        "type": "scatter",
        "mode": "text",
        "x": [item[0] for item in items],
        "y": [item[1] for item in items],
        "text": [item[2] for item in items],
        "textposition": position,
        "textfont": {"size": size_px, "color": [item[3] for item in items]},
        "hoverinfo": "skip",
        "cliponaxis": False,
    } | more


@dataclass(frozen=True)
class ModelLook:
    """How a model is drawn: `code` is its short name, unique within the workload."""

    name: str
    code: str
    fill: str
    edge: str
    ink: str


def fitted(text: str, width_px: float, size_px: float) -> str:
    """Return the text, shortened in the middle if it is wider than `width_px`."""
    if text_width(text, size_px) <= width_px:
        return text
    text = text.strip()
    for kept in range(len(text) - 1, 0, -1):
        head, tail = text[: kept - kept // 2].rstrip(" ·,:("), text[len(text) - kept // 2 :].lstrip(" ·,:)")
        shown = f"{head}…{tail if kept > 1 else ''}"
        if text_width(shown, size_px) <= width_px:
            return shown
    return ""


def model_looks(models: Sequence[str], scheme: Scheme) -> tuple[ModelLook, ...]:
    """Return the colours and short names of the models of a workload, in its order."""
    looks = []
    for position, (name, code) in enumerate(zip(models, short_names(models), strict=True)):
        fill = model_colour(position)
        looks.append(ModelLook(name, code, fill, edge_of(fill, scheme), ink_on(fill)))
    return tuple(looks)


def short_names(models: Sequence[str]) -> tuple[str, ...]:
    """Return a short name for each model, distinguished within the workload: "GPT-2" is "GPT2", "ResNet-50" is "RN50"."""
    wanted = [_abbreviations(name) for name in models]
    # Models that would share a name all take their next longer one; those that never differ are numbered.
    depth = [0] * len(models)
    for _ in range(max(map(len, wanted), default=0)):
        taken = Counter(names[at] for names, at in zip(wanted, depth, strict=True))
        depth = [
            min(at + 1, len(names) - 1) if taken[names[at]] > 1 else at for names, at in zip(wanted, depth, strict=True)
        ]
    names = [own[at] for own, at in zip(wanted, depth, strict=True)]
    return tuple(
        name if names.count(name) == 1 else f"{name}.{names[: position + 1].count(name)}"
        for position, name in enumerate(names)
    )


def _abbreviations(name: str) -> list[str]:
    """Return the short names of a model, the shortest that people know it by first."""
    words = re.findall(r"[A-Za-z0-9]+", name) or ["?"]
    joined = "".join(words)
    if len(joined) <= _SHORT_NAME:
        return [joined]
    if joined.islower():  # digits alone would say nothing of a slug such as "gpt2-large-128"
        parts = re.findall(r"[a-z]+|[0-9]+", " ".join(words))
        initials = "".join(part if part.isdigit() else part[0] for part in parts)
        whole = [words[0]] if 2 < len(words[0]) <= _SHORT_NAME else []
        return [*whole, *([initials] if 1 < len(initials) <= _SHORT_NAME + 2 else []), joined[:_SHORT_NAME], joined]
    initials = "".join(c for c in joined if c.isupper() or c.isdigit())
    known = [words[0]] if words[0].isupper() and len(words[0]) > 1 else []
    if known and words[1:] and words[1].isdigit():
        known = [words[0] + words[1]]
    parts = [initials] if 1 < len(initials) <= _SHORT_NAME + 2 else []
    return [*known, *parts, joined[:_SHORT_NAME], joined]


def layers_words(first: int, last: int) -> str:
    """Return the layers as people count them, from 1: "1–43", or "44" for a single one."""
    return f"{first + 1}–{last + 1}" if last > first else str(first + 1)
