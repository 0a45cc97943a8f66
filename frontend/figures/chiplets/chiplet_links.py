"""The links and the memory of a chiplet grid: loads as arrows, interfaces as bars.

Node names of links are those of `engines.contract.results.LinkLoad`.
"""

from __future__ import annotations

import math
from collections import defaultdict

from engines.contract.results import ChipletGrid, GridWindow
from frontend.figures.chiplets.chiplet_geometry import Geometry, node_box
from frontend.figures.drawing import Box, Entry, Outline, arrow, filled, rounded
from frontend.figures.numbers import si
from frontend.theme import CLEAR, HARDWARE, TOKENS, Scheme, mix

_LOAD_STEPS = 6


def link_traces(grid: ChipletGrid, window: GridWindow, place: Geometry, scheme: Scheme, largest: float) -> list[Entry]:
    """Return the unused links as hair lines, used ones as arrows whose width and grey tell the load, and points to hover on."""
    tokens = TOKENS[scheme]
    traces = [_hair_lines(grid, place, tokens.border)]
    if not window.links or largest <= 0:
        return traces
    loads = {(link.source, link.target): link.size_bytes for link in window.links if link.size_bytes > 0}
    grouped: dict[int, list[Outline]] = defaultdict(list)
    hover: list[tuple[float, float, str]] = []
    for (source, target), size in sorted(loads.items(), key=lambda item: item[1]):
        share = math.sqrt(min(1.0, size / largest))
        ends = _arrow_ends(node_box(source, place), node_box(target, place), (target, source) in loads)
        grouped[round(share * (_LOAD_STEPS - 1))].append(arrow(*ends, 1.1 + 3.2 * share))
        words = f"{source} → {target}<br>{si(size, 'B')}"
        hover.append(((ends[0] + ends[2]) / 2, (ends[1] + ends[3]) / 2, words))
    for step, outlines in sorted(grouped.items()):
        shade = mix(tokens.load_low, tokens.load_high, 0.12 + 0.88 * step / (_LOAD_STEPS - 1))
        traces.append(filled(outlines, shade) | {"name": "links"})
    points: Entry = {"type": "scatter", "mode": "markers", "x": [h[0] for h in hover], "y": [h[1] for h in hover]}
    points |= {"text": [h[2] for h in hover], "marker": {"size": 14, "color": CLEAR}, "name": "loads"}
    return [*traces, points | {"hovertemplate": "%{text}<extra></extra>"}]


def _arrow_ends(start: Box, end: Box, both_ways: bool) -> tuple[float, float, float, float]:
    """Return the line between the edges of two boxes next to or above each other; opposite directions lie 3 px off the middle."""
    off = 3.2 if both_ways else 0.0
    if min(start.bottom, end.bottom) > max(start.top, end.top):  # side by side
        y = (max(start.top, end.top) + min(start.bottom, end.bottom)) / 2
        if end.centre[0] > start.centre[0]:
            return start.right + 1, y - off, end.left - 1, y - off
        return start.left - 1, y + off, end.right + 1, y + off
    x = (max(start.left, end.left) + min(start.right, end.right)) / 2
    if end.centre[1] > start.centre[1]:
        return x + off, start.bottom + 1, x + off, end.top - 1
    return x - off, start.top - 1, x - off, end.bottom + 1


def _hair_lines(grid: ChipletGrid, place: Geometry, colour: str) -> Entry:
    x: list[float | None] = []
    y: list[float | None] = []
    at = {(c.row, c.column): c.index for c in grid.chiplets}
    pairs = [(at[r, c], at[r, c + 1]) for r, c in at if (r, c + 1) in at]
    pairs += [(at[r, c], at[r + 1, c]) for r, c in at if (r + 1, c) in at]
    boxes = [(place.bodies[a], place.bodies[b]) for a, b in pairs]
    for side in place.memory:
        across = side in ("left", "right")
        for n in range(grid.rows if across else grid.columns):
            edge = {"left": (n, 0), "right": (n, grid.columns - 1), "top": (0, n), "bottom": (grid.rows - 1, n)}[side]
            boxes.append((node_box(f"DRAM {side} {n}", place), place.bodies[at[edge]]))
    for start, end in boxes:
        ends = _arrow_ends(start, end, False)
        x += [ends[0], ends[2], None]
        y += [ends[1], ends[3], None]
    line = {"color": colour, "width": 1}
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "line": line,
        "hoverinfo": "skip",
        "name": "unused links",
    }


def memory_traces(place: Geometry, scheme: Scheme) -> list[Entry]:
    """Return the memory bars."""
    if not place.memory:
        return []
    finish = HARDWARE["dram"].finish[scheme]
    return [filled([rounded(bar, 3) for bar in place.memory.values()], finish.tint, finish.edge) | {"name": "memory"}]


def memory_notes(place: Geometry, scheme: Scheme) -> list[Entry]:
    """Return the names of the memory bars: annotations, because the words of a trace cannot be turned."""
    font = {"size": 10, "color": TOKENS[scheme].text2}
    named = [(side, bar) for side, bar in place.memory.items() if min(bar.width, bar.height) >= 14]
    return [
        {
            "x": bar.centre[0],
            "y": bar.centre[1],
            "text": "DRAM",
            "font": font,
            "textangle": -90 if bar.height > bar.width else 0,
        }
        for _, bar in named
    ]
