"""A network from above: boxes, and links whose width and grey tell their load. Drawn in pixels from the top left."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from engines.contract.results import NetworkLink, NetworkNode, NetworkPicture
from frontend.figures.chiplets.network_packets import packet_marks
from frontend.figures.drawing import Box, Entry, canvas_layout, figure, filled, fitted, rounded, texts
from frontend.figures.numbers import many, percent
from frontend.theme import CLEAR, TOKENS, Scheme, hardware_style, mix

_LOAD_STEPS = 6
_THIN_PX, _WIDE_PX, _HEAD_PX = 1.0, 4.0, 7.0
_EDGE_PX, _HIGHEST_STEP_PX = 6.0, 74.0


class _Canvas(NamedTuple):
    """Pixels of a step, and where the picture's first step begins."""

    step_x: float
    step_y: float
    left: float
    top: float

    def box(self, node: NetworkNode) -> Box:
        """Return the box of a node."""
        x, y = self.left + node.x * self.step_x, self.top + node.y * self.step_y
        wide, high = node.width * self.step_x / 2, node.height * self.step_y / 2
        return Box(x - wide, y - high, x + wide, y + high)


def height_px(picture: NetworkPicture) -> float:
    """Return the height that the picture needs."""
    low, high = _range(picture, "y", "height")
    return (high - low) * _HIGHEST_STEP_PX + 2 * _EDGE_PX


def network_picture_figure(
    picture: NetworkPicture, case: int, scheme: Scheme, *, width: float, height: float, packets: bool = False
) -> go.Figure:
    """Return the network under one of its cases; loads of all cases have one scale.

    `packets`: with those of the case, if it has any.
    """
    (left, right), (top, bottom) = _range(picture, "x", "width"), _range(picture, "y", "height")
    step_x, step_y = (width - 2 * _EDGE_PX) / (right - left), (height - 2 * _EDGE_PX) / (bottom - top)
    canvas = _Canvas(step_x, step_y, _EDGE_PX - left * step_x, _EDGE_PX - top * step_y)
    traces = [*_links(picture, case, canvas, scheme), *_boxes(picture, canvas, scheme)]
    layout = canvas_layout(width, height) | {"hovermode": "closest"}
    if packets and picture.packets:
        marks, facts = packet_marks(picture, case, _ways(picture, canvas), scheme)
        layout["meta"] = {"packets": facts | {"trace": len(traces)}}
        traces.append(marks)
    return figure(scheme, traces, layout)


def _ways(picture: NetworkPicture, canvas: _Canvas) -> list[list[tuple[float, float]]]:
    """Return the points of each route, in pixels."""
    points = [
        [(canvas.left + x * canvas.step_x, canvas.top + y * canvas.step_y) for x, y in zip(link.x, link.y, strict=True)]
        for link in picture.links
    ]
    return [[point for link in route for point in points[link]] for route in picture.routes]


def _range(picture: NetworkPicture, place: str, size: str) -> tuple[float, float]:
    ends = [getattr(node, place) + sign * getattr(node, size) / 2 for node in picture.nodes for sign in (-1, 1)]
    ends += [value for link in picture.links for value in getattr(link, place)]
    return min(ends), max(ends)


def _links(picture: NetworkPicture, case: int, canvas: _Canvas, scheme: Scheme) -> list[Entry]:
    tokens = TOKENS[scheme]
    loads = np.nan_to_num(picture.loads[case])
    largest = max(float(np.nan_to_num(picture.loads).max(initial=0.0)), 1e-9)
    grouped: dict[int, list[NetworkLink]] = defaultdict(list)
    for link, load in zip(picture.links, loads.tolist(), strict=True):
        grouped[math.ceil(math.sqrt(min(1.0, load / largest)) * _LOAD_STEPS) if load > 0 else 0].append(link)
    traces: list[Entry] = []
    for step, links in sorted(grouped.items()):
        share = step / _LOAD_STEPS
        shade = mix(tokens.load_low, tokens.load_high, 0.12 + 0.88 * share) if step else tokens.border
        x: list[float | None] = []
        y: list[float | None] = []
        for link in links:
            x += [*(canvas.left + value * canvas.step_x for value in link.x), None]
            y += [*(canvas.top + value * canvas.step_y for value in link.y), None]
        line = {"color": shade, "width": _THIN_PX + (_WIDE_PX - _THIN_PX) * share, "simplify": False}
        traces.append({"type": "scatter", "mode": "lines", "x": x, "y": y, "line": line, "hoverinfo": "skip"})
        traces.append(_heads(links, canvas, shade, _HEAD_PX + 2 * share))
    words = [f"{link.title}<br>{percent(load)} of the time" for link, load in zip(picture.links, loads, strict=True)]
    middles = [_middle(link) for link in picture.links]
    points: Entry = {
        "type": "scatter", "mode": "markers", "text": words, "hovertemplate": "%{text}<extra></extra>",
        "x": [canvas.left + x * canvas.step_x for x, _ in middles], "y": [canvas.top + y * canvas.step_y for _, y in middles],
        "marker": {"size": 14, "color": CLEAR},
    }  # fmt: skip
    return [*traces, points]


def _heads(links: list[NetworkLink], canvas: _Canvas, shade: str, size: float) -> Entry:
    """Return the arrow heads of links, rotated along their last segment."""
    turned = []
    for link in links:
        along, down = (link.x[-1] - link.x[-2]) * canvas.step_x, (link.y[-1] - link.y[-2]) * canvas.step_y
        turned.append(90 + math.degrees(math.atan2(down, along)))
    marker = {
        "symbol": "triangle-up", "size": size, "color": shade, "angle": turned, "line": {"width": 0}, "standoff": size / 2,
    }  # fmt: skip
    x = [canvas.left + link.x[-1] * canvas.step_x for link in links]
    y = [canvas.top + link.y[-1] * canvas.step_y for link in links]
    return {"type": "scatter", "mode": "markers", "x": x, "y": y, "marker": marker, "hoverinfo": "skip"}


def _middle(link: NetworkLink) -> tuple[float, float]:
    """Return the middle of the longest piece of a link."""
    pieces = list(zip(zip(link.x, link.y, strict=True), zip(link.x[1:], link.y[1:], strict=True), strict=False))
    start, end = max(pieces, key=lambda piece: math.dist(*piece))
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def _boxes(picture: NetworkPicture, canvas: _Canvas, scheme: Scheme) -> list[Entry]:
    tokens = TOKENS[scheme]
    traces = []
    for kind in dict.fromkeys(node.kind for node in picture.nodes):
        finish = hardware_style(kind).finish[scheme]
        outlines = [rounded(canvas.box(node), 5) for node in picture.nodes if node.kind == kind]
        traces.append(filled(outlines, finish.tint, finish.edge))
    boxes = [canvas.box(node) for node in picture.nodes]
    words = [
        (*box.centre, fitted(node.name, box.width - 6, 11), tokens.text)
        for node, box in zip(picture.nodes, boxes, strict=True)
    ]
    hover: Entry = {
        "type": "scatter", "mode": "markers", "x": [box.centre[0] for box in boxes], "y": [box.centre[1] for box in boxes],
        "marker": {"size": 24, "symbol": "square", "color": CLEAR, "line": {"width": 0}},
        "text": [f"<b>{node.name}</b><br>{node.details}" for node in picture.nodes], "hovertemplate": "%{text}<extra></extra>",
    }  # fmt: skip
    return [*traces, texts(words, 11, "middle center"), hover]


def network_sentence(picture: NetworkPicture, case: int) -> str:
    """Return the busiest link of a case in words."""
    loads = np.nan_to_num(picture.loads[case])
    words = f"{picture.cases[case]}: {len(picture.nodes)} boxes, {many(len(picture.links), 'link')}"
    if not loads.max(initial=0.0) > 0:
        return words + "; none is in use."
    busiest = int(loads.argmax())
    return (
        words
        + f"; the busiest, {picture.links[busiest].title}, is in use {percent(float(loads[busiest]))} of the time."
    )
