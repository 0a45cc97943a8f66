"""Where the layers of a graph lie, and the traces that draw them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, replace

from engines.contract.results import LayerGraph, LayerNode
from frontend.figures.drawing import Box, Entry, filled, fitted, hardware_fill, rounded, text_width, texts
from frontend.figures.numbers import si
from frontend.theme import CLEAR, TOKENS, Scheme, edge_of, hardware_style, ink_on, model_colour

Size = tuple[float, float]


@dataclass(frozen=True)
class Scale:
    """Pixels of a node, between nodes, and below a row of columns; without words where a node is too small for them."""

    node: Size
    gap: Size
    below: float
    words: bool = True


# From roomy to dense: a graph takes the first that fits.
_SCALES = (
    Scale((96.0, 24.0), (22.0, 10.0), 14.0),
    Scale((84.0, 22.0), (14.0, 7.0), 6.0),
    Scale((66.0, 18.0), (10.0, 5.0), 4.0),
    Scale((54.0, 18.0), (8.0, 5.0), 4.0),
    Scale((30.0, 14.0), (8.0, 4.0), 4.0, words=False),
    Scale((16.0, 9.0), (6.0, 4.0), 3.0, words=False),
    Scale((7.0, 6.0), (4.0, 3.0), 2.0, words=False),
)
_WIDEST_GAP_PX = 44.0
_TOP_PX = 8.0
_KEY_PX = 20.0  # a line of the key
_KEY_SWATCH_PX = 11.0
_PLATE_PX = 5.0  # around words on a pattern


def depths(graph: LayerGraph) -> dict[str, int]:
    """Return the longest path from a source to each node; an edge that would close a cycle is left out."""
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


@dataclass(frozen=True)
class Fit:
    """The scale at which a graph is drawn, its height, and whether it reads well: with names, and branches on one line."""

    scale: Scale
    height_px: float
    reads_well: bool


def fit(graph: LayerGraph, width_px: float, most_px: float = math.inf) -> Fit:
    """Return the roomiest scale at which the graph reads well and is no higher than `most_px`; else the roomiest, else the densest.

    A chain may continue on another line. Branches that do are hard to follow.
    """
    columns = max(depths(graph).values(), default=0) + 1
    chain = columns == len(graph.nodes)
    fits = []
    for scale in _SCALES:
        whole = columns <= _per_line(scale, width_px)
        shown = _widened(graph, scale, columns, width_px) if scale.words and (whole or chain) else scale
        fits.append(Fit(shown, _boxes(graph, width_px, shown)[1], scale.words and (chain or whole)))
    low = [each for each in fits if each.height_px <= most_px] or fits[-1:]
    return next((each for each in low if each.reads_well), low[0])


def _widened(graph: LayerGraph, scale: Scale, columns: int, width_px: float) -> Scale:
    """Return the nodes as wide as their names, and on one line further apart, as far as there is room; whole pixels."""
    per_line = min(columns, _per_line(scale, width_px))
    longest = max((text_width(node.title, 10) for node in graph.nodes), default=0.0) + 14
    room = (width_px - 16 - (per_line - 1) * scale.gap[0]) / per_line
    wide = math.floor(max(scale.node[0], min(longest if per_line == columns else room, room)))
    spare = (width_px - 16 - per_line * wide) / max(1, per_line - 1)
    gap = math.floor(max(scale.gap[0], min(spare, _WIDEST_GAP_PX)))
    return replace(scale, node=(wide, scale.node[1]), gap=(gap, scale.gap[1]))


def _per_line(scale: Scale, width_px: float) -> int:
    return max(1, int((width_px - 16 + scale.gap[0]) // (scale.node[0] + scale.gap[0])))


def _boxes(graph: LayerGraph, width_px: float, scale: Scale) -> tuple[dict[str, Box], float]:
    """Return the columns by depth below the key; a graph deeper than the width continues in rows below, like a text.

    And the height.
    """
    depth = depths(graph)
    step_x, step_y = scale.node[0] + scale.gap[0], scale.node[1] + scale.gap[1]
    per_row = _per_line(scale, width_px)
    columns: dict[int, list[str]] = defaultdict(list)
    for node in graph.nodes:
        columns[depth[node.id]].append(node.id)
    boxes: dict[str, Box] = {}
    top = _TOP_PX + _KEY_PX * len(_key_lines(graph, width_px))
    for start in range(0, max(columns, default=0) + 1, per_row):
        members = [columns.get(d, []) for d in range(start, start + per_row)]
        tallest = max(len(m) for m in members)
        for column, names in enumerate(members):
            left = 8 + column * step_x
            for line, name in enumerate(names):
                y = top + (line + (tallest - len(names)) / 2) * step_y
                boxes[name] = Box(left, y, left + scale.node[0], y + scale.node[1])
        top += tallest * step_y + scale.below
    return boxes, top


def layer_graph_traces(
    graph: LayerGraph, scheme: Scheme, width_px: float, most_px: float = math.inf
) -> tuple[list[Entry], Size]:
    """Return the traces of a graph and the size of its canvas in pixels; nodes shrink where it would be higher than `most_px`."""
    tokens = TOKENS[scheme]
    scale = fit(graph, width_px, most_px).scale
    boxes, height = _boxes(graph, width_px, scale)
    x: list[float | None] = []
    y: list[float | None] = []
    for source, target in graph.edges:
        way_x, way_y = _way(boxes[source], boxes[target], scale.gap)
        x += [*way_x, None]
        y += [*way_y, None]
    edges: Entry = {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": {"color": tokens.dot, "width": 1}}
    nodes = _node_traces(graph, scheme, boxes, scale)
    hover = [
        "<br>".join([f"<b>{n.title}</b>", *_on(n), *[f"{t} {si(v, u)}" for t, v, u in n.figures]]) for n in graph.nodes
    ]
    points: Entry = {
        "type": "scatter",
        "mode": "markers",
        "marker": {"size": scale.node[1], "color": CLEAR},
        "text": hover,
        "meta": {"paths": [n.id for n in graph.nodes]},
    }
    points |= {"x": [boxes[n.id].centre[0] for n in graph.nodes], "y": [boxes[n.id].centre[1] for n in graph.nodes]}
    points |= {"hovertemplate": "%{text}<extra></extra>"}
    key = _key(graph, scheme, width_px)
    return [edges | {"hoverinfo": "skip"}, *nodes, *key, points], (max(width_px, 120.0), height)


def _on(node: LayerNode) -> list[str]:
    return [node.group] if node.group and node.group not in node.title else []


def _groups(graph: LayerGraph) -> dict[str, str]:
    """Group -> kind of hardware ("" for none), in their first order."""
    found: dict[str, str] = {}
    for node in graph.nodes:
        found.setdefault(node.group, node.kind)
    return found


def _look(group: str, kind: str, position: int, scheme: Scheme) -> tuple[str, str, str, Entry]:
    """Fill, edge, ink and pattern of a group: hardware is tinted and patterned, all else is solid."""
    tokens = TOKENS[scheme]
    if kind:
        style = hardware_style(kind)
        return style.finish[scheme].tint, style.finish[scheme].edge, tokens.text, hardware_fill(style, scheme)
    if not group:
        return tokens.sunken, tokens.border, tokens.text, {}
    fill = model_colour(position)
    return fill, edge_of(fill, scheme), ink_on(fill), {}


def _node_traces(graph: LayerGraph, scheme: Scheme, boxes: dict[str, Box], scale: Scale) -> list[Entry]:
    """Return per group one trace of boxes; on patterns plain plates under the words."""
    traces: list[Entry] = []
    words = []
    radius = min(4.0, scale.node[1] / 3)
    for position, (group, kind) in enumerate(_groups(graph).items()):
        members = [node for node in graph.nodes if node.group == group]
        fill, edge, ink, pattern = _look(group, kind, position, scheme)
        traces.append(
            filled([rounded(boxes[node.id], radius) for node in members], fill, edge, **pattern) | {"name": group}
        )
        if not scale.words:
            continue
        named = [(boxes[node.id], fitted(node.title, scale.node[0] - 8, 10)) for node in members]
        if pattern:
            plates = [rounded(_plate(box, text), 2) for box, text in named]
            traces.append(filled(plates, fill) | {"name": "plates"})
        words += [(*box.centre, text, ink) for box, text in named]
    return [*traces, texts(words, 10, "middle center")] if words else traces


def _plate(box: Box, text: str) -> Box:
    half = min(box.width - 2, text_width(text, 10) + _PLATE_PX) / 2
    middle = box.centre[0]
    return Box(middle - half, box.top + 2, middle + half, box.bottom - 2)


# -- the key ----------------------------------------------------------------------------------------------------------


def _key_lines(graph: LayerGraph, width_px: float) -> list[list[tuple[float, str, str]]]:
    """Return the lines of (left end, group, its words); none where there is nothing to distinguish."""
    counts = Counter(node.group for node in graph.nodes if node.group)
    lines: list[list[tuple[float, str, str]]] = []
    left = width_px
    for group in (group for group in _groups(graph) if group):
        words = f"{group} · {counts[group]}"
        wide = _KEY_SWATCH_PX + 7 + text_width(words, 11) + 14
        if left + wide > width_px - 8:
            lines.append([])
            left = 8.0
        lines[-1].append((left, group, words))
        left += wide
    return lines


def _key(graph: LayerGraph, scheme: Scheme, width_px: float) -> list[Entry]:
    """Return the legend above the graph: colours and patterns with their number of layers."""
    groups, tokens = _groups(graph), TOKENS[scheme]
    positions = {group: position for position, group in enumerate(groups)}
    traces: list[Entry] = []
    words = []
    for line, entries in enumerate(_key_lines(graph, width_px)):
        middle = _TOP_PX + _KEY_PX * line + _KEY_SWATCH_PX / 2
        for left, group, text in entries:
            fill, edge, _, pattern = _look(group, groups[group], positions[group], scheme)
            half = _KEY_SWATCH_PX / 2
            box = Box(left, middle - half, left + _KEY_SWATCH_PX, middle + half)
            traces.append(filled([rounded(box, 2)], fill, edge, **pattern) | {"name": f"key of {group}"})
            words.append((left + _KEY_SWATCH_PX + 4, middle, text, tokens.text2))
    return [*traces, texts(words, 11, "middle right")] if words else []


# -- edges and words --------------------------------------------------------------------------------------------------


def _way(a: Box, b: Box, gap: Size) -> tuple[list[float], list[float]]:
    """Return the line of an edge: straight to the next column, else above or between the boxes and not across them."""
    right, left = a.right + gap[0] / 3, b.left - gap[0] / 3
    if b.left > a.right:
        if b.left - a.right <= gap[0] + 1:
            return [a.right, b.left], [a.centre[1], b.centre[1]]
        lane = min(a.top, b.top) - gap[1] / 2
    else:
        lane = b.top - gap[1] / 2
    return [a.right, right, right, left, left, b.left], [a.centre[1]] * 2 + [lane] * 2 + [b.centre[1]] * 2
