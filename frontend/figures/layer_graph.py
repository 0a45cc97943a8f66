"""Where the layers of a graph lie, and the traces that draw them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from engines.results import LayerGraph
from frontend.figures.drawing import Box, filled, rounded, text_width, texts
from frontend.figures.numbers import si
from frontend.theme import CLEAR, TOKENS, Scheme, edge_of, ink_on, model_colour

Entry = dict[str, Any]
_NODE_PX = (96.0, 24.0)
_GAP_PX = (22.0, 10.0)


def depths(graph: LayerGraph) -> dict[str, int]:
    """Longest path from a source to each node; an edge that would close a cycle is left out."""
    after: dict[str, list[str]] = defaultdict(list)
    waiting = {node.id: 0 for node in graph.nodes}
    for source, target in graph.edges:
        after[source].append(target)
        waiting[target] += 1
    depth = {node: 0 for node, count in waiting.items() if count == 0}
    ready = list(depth)
    while ready:
        node = ready.pop()
        for target in after[node]:
            depth[target] = max(depth.get(target, 0), depth[node] + 1)
            waiting[target] -= 1
            if waiting[target] == 0:
                ready.append(target)
    return {node.id: depth.get(node.id, 0) for node in graph.nodes}


def _boxes(graph: LayerGraph, width_px: float) -> tuple[dict[str, Box], tuple[float, float]]:
    """Columns by depth; a graph deeper than the width continues in rows below, like a text."""
    depth = depths(graph)
    per_row = max(1, int((width_px - 8) // (_NODE_PX[0] + _GAP_PX[0])))
    columns: dict[int, list[str]] = defaultdict(list)
    for node in graph.nodes:
        columns[depth[node.id]].append(node.id)
    boxes: dict[str, Box] = {}
    top = 8.0
    for start in range(0, max(columns, default=0) + 1, per_row):
        members = [columns.get(d, []) for d in range(start, start + per_row)]
        tallest = max(len(m) for m in members)
        for column, names in enumerate(members):
            left = 8 + column * (_NODE_PX[0] + _GAP_PX[0])
            for line, name in enumerate(names):
                y = top + (line + (tallest - len(names)) / 2) * (_NODE_PX[1] + _GAP_PX[1])
                boxes[name] = Box(left, y, left + _NODE_PX[0], y + _NODE_PX[1])
        top += tallest * (_NODE_PX[1] + _GAP_PX[1]) + 14
    return boxes, (max(width_px, 120.0), top)


def layer_graph_traces(graph: LayerGraph, scheme: Scheme, width_px: float) -> tuple[list[Entry], tuple[float, float]]:
    """The traces of a graph and the size of its canvas in pixels."""
    tokens = TOKENS[scheme]
    boxes, size = _boxes(graph, width_px)
    x: list[float | None] = []
    y: list[float | None] = []
    for source, target in graph.edges:
        way_x, way_y = _way(boxes[source], boxes[target])
        x += [*way_x, None]
        y += [*way_y, None]
    edges: Entry = {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": {"color": tokens.dot, "width": 1}}
    traces: list[Entry] = [edges | {"hoverinfo": "skip"}]
    words = []
    groups = list(dict.fromkeys(node.group for node in graph.nodes))
    for position, group in enumerate(groups):
        members = [node for node in graph.nodes if node.group == group]
        fill = model_colour(position) if group else tokens.sunken
        edge = edge_of(fill, scheme) if group else tokens.border
        traces.append(filled([rounded(boxes[node.id], 4) for node in members], fill, edge) | {"name": group})
        ink = ink_on(fill) if group else tokens.text
        words += [(*boxes[node.id].centre, _fitting(node.title), ink) for node in members]
    hover = ["<br>".join([f"<b>{n.title}</b>", *[f"{t} {si(v, u)}" for t, v, u in n.figures]]) for n in graph.nodes]
    points: Entry = {"type": "scatter", "mode": "markers", "marker": {"size": 24, "color": CLEAR}, "text": hover}
    points |= {"x": [boxes[n.id].centre[0] for n in graph.nodes], "y": [boxes[n.id].centre[1] for n in graph.nodes]}
    points |= {"hovertemplate": "%{text}<extra></extra>"}
    return [*traces, texts(words, 10, "middle center"), points], size


def _way(a: Box, b: Box) -> tuple[list[float], list[float]]:
    """The line of an edge: straight to the next column, else above or between the boxes and not across them."""
    right, left = a.right + _GAP_PX[0] / 3, b.left - _GAP_PX[0] / 3
    if b.left > a.right:
        if b.left - a.right <= _GAP_PX[0] + 1:
            return [a.right, b.left], [a.centre[1], b.centre[1]]
        lane = min(a.top, b.top) - _GAP_PX[1] / 2
    else:
        lane = b.top - _GAP_PX[1] / 2
    return [a.right, right, right, left, left, b.left], [a.centre[1]] * 2 + [lane] * 2 + [b.centre[1]] * 2


def _fitting(title: str) -> str:
    if text_width(title, 10) <= _NODE_PX[0] - 8:
        return title
    kept = title
    while kept and text_width(kept + "…", 10) > _NODE_PX[0] - 8:
        kept = kept[:-1]
    return kept + "…"
