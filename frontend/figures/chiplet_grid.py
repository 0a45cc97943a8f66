"""The chiplet grid in one window: bodies by dataflow, the part of a model on each chiplet, loads on the links.

Drawn in pixels from the top left. Node names of links are those of `engines.results.LinkLoad`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import plotly.graph_objects as go

from engines.results import ChipletGrid, GridChiplet, GridWindow, Placement
from frontend.figures.drawing import (
    Box,
    ModelLook,
    arrow,
    canvas_layout,
    figure,
    filled,
    hardware_fill,
    layers_words,
    model_looks,
    rounded,
    text_width,
    texts,
)
from frontend.figures.numbers import integer, percent, si
from frontend.theme import CLEAR, HARDWARE, TOKENS, Scheme, hardware_style, mix

Entry = dict[str, Any]
Outline = tuple[list[float | None], list[float | None]]
Plates = dict[str, list[Outline]]  # by dataflow, whose pattern they cover behind words
_FULL_WIDTH_PX = 92.0  # below: model and stage only
_NAMED_WIDTH_PX = 46.0  # below: the model's letter only
_SIDES = ("left", "right", "top", "bottom")
_LOAD_STEPS = 6


@dataclass(frozen=True)
class Sized:
    """Words at a point, in pixels; `position` is that of plotly's words to their point."""

    x: float
    y: float
    text: str
    colour: str
    size_px: float
    position: str


@dataclass(frozen=True)
class Geometry:
    """Where everything lies: one box per chiplet, one bar per side with memory interfaces."""

    width: float
    height: float
    bodies: Mapping[int, Box]
    memory: Mapping[str, Box]
    rows: int
    columns: int

    @property
    def body(self) -> Box:
        """Any chiplet's box; all are of one size."""
        return next(iter(self.bodies.values()))

    @property
    def full(self) -> bool:
        """Whether a chiplet has room for all its words."""
        return self.body.width >= _FULL_WIDTH_PX and self.body.height >= 52


def geometry(grid: ChipletGrid, width_px: float, height_px: float) -> Geometry:
    """Lay the grid out so that it fills the canvas; links take a quarter of the pitch."""
    sides = memory_sides(grid)
    compact = width_px / (grid.columns + 1) < 96
    bar = 14.0 if compact else 16.0
    gap = 3.0
    reach = bar + (16.0 if compact else 44.0)
    left = gap + (reach if "left" in sides else 4.0)
    right = width_px - gap - (reach if "right" in sides else 4.0)
    top = gap + (reach - 14 if "top" in sides else 2.0)
    bottom = height_px - gap - (reach - 14 if "bottom" in sides else 2.0)
    between_x = min(46.0, (0.22 if compact else 0.28) * (right - left) / grid.columns)
    between_y = min(26.0, 0.28 * (bottom - top) / grid.rows)
    body_w = (right - left - between_x * (grid.columns - 1)) / grid.columns
    body_h = (bottom - top - between_y * (grid.rows - 1)) / grid.rows
    bodies = {}
    for chiplet in grid.chiplets:
        x, y = left + chiplet.column * (body_w + between_x), top + chiplet.row * (body_h + between_y)
        bodies[chiplet.index] = Box(x, y, x + body_w, y + body_h)
    bars = {
        "left": Box(gap, top, gap + bar, bottom),
        "right": Box(width_px - gap - bar, top, width_px - gap, bottom),
        "top": Box(left, gap, right, gap + bar),
        "bottom": Box(left, height_px - gap - bar, right, height_px - gap),
    }
    return Geometry(width_px, height_px, bodies, {side: bars[side] for side in sides}, grid.rows, grid.columns)


def memory_sides(grid: ChipletGrid) -> tuple[str, ...]:
    """Sides of the package at which memory is, told by its nodes ("DRAM left 0")."""
    named = {part for node in grid.memory_nodes for part in node.split()[1:2]}
    for window in grid.windows:
        named |= {n.split()[1] for link in window.links for n in (link.source, link.target) if n.startswith("DRAM ")}
    return tuple(side for side in _SIDES if side in named)


def largest_load(grid: ChipletGrid, window: int) -> float:
    """Bytes over the busiest directed link of a window; 0 without links."""
    return max((link.size_bytes for link in grid.windows[window].links), default=0.0)


class GridOptions(TypedDict, total=False):
    """How a grid is drawn.

    Attributes:
        width_px: width of the picture, on which the words on a chiplet depend; 540 where left out.
        height_px: height of the picture; 270 where left out.
        selected_chiplet: index of the chiplet with a ring.
        load_max_bytes: load of the widest and darkest arrow; that of the window where left out.
    """

    width_px: float
    height_px: float
    selected_chiplet: int | None
    load_max_bytes: float | None


def grid_figure(grid: ChipletGrid, window: int, scheme: Scheme, **options: Unpack[GridOptions]) -> go.Figure:
    """The grid as `explain` gave it, in the window of that index."""
    return figure(scheme, *grid_drawing(grid, window, scheme, **options))


def grid_drawing(
    grid: ChipletGrid, window: int, scheme: Scheme, **options: Unpack[GridOptions]
) -> tuple[list[Entry], Entry]:
    """Traces and layout of the grid. Every trace costs the browser a millisecond, so all words are one."""
    width_px, height_px = options.get("width_px", 540.0), options.get("height_px", 270.0)
    place = geometry(grid, width_px, height_px)
    shown = grid.windows[window]
    largest = options.get("load_max_bytes") or largest_load(grid, window)
    looks = dict(zip(grid.models, model_looks(grid.models, scheme), strict=True))
    parts: dict[int, list[Placement]] = defaultdict(list)
    for part in shown.placements:
        parts[part.chiplet].append(part)
    plates: Plates = defaultdict(list)
    words = _head_words(grid.chiplets, place, scheme, plates) if place.full else []
    chips, more = _placements(grid, parts, place, looks, scheme, plates)
    traces = [
        *link_traces(grid, shown, place, scheme, largest),
        *memory_traces(place, scheme),
        *body_traces(grid.chiplets, place, scheme),
        *(filled(plates[kind], hardware_style(kind).finish[scheme].tint) for kind in plates),
        *chips,
        *_word_traces([*words, *more]),
        _hover_trace(grid.chiplets, parts, place),
    ]
    chosen = options.get("selected_chiplet")
    if chosen is not None and chosen in place.bodies:
        ring = {"color": TOKENS[scheme].accent, "width": 2}
        traces.append(filled([rounded(place.bodies[chosen].inset(-3), 8)], CLEAR) | {"line": ring})
    return traces, canvas_layout(width_px, height_px) | {"annotations": memory_notes(place, scheme)}


# -- links and memory -------------------------------------------------------------------------------------------------


def _node_box(node: str, place: Geometry) -> Box:
    """The box of a chiplet, or the square of a memory bar that is beside the row or column of the node."""
    if node.startswith("DRAM "):
        _, side, at = node.split()[:3]
        bar = place.memory[side]
        if side in ("left", "right"):
            body = place.bodies[min(int(at), place.rows - 1) * place.columns]
            return Box(bar.left, body.top, bar.right, body.bottom)
        body = place.bodies[min(int(at), place.columns - 1)]
        return Box(body.left, bar.top, body.right, bar.bottom)
    return place.bodies[int(node.removeprefix("C"))]


def link_traces(grid: ChipletGrid, window: GridWindow, place: Geometry, scheme: Scheme, largest: float) -> list[Entry]:
    """Unused links as hair lines, used ones as arrows whose width and grey tell the load, and points to hover on."""
    tokens = TOKENS[scheme]
    traces = [_hair_lines(grid, place, tokens.border)]
    if not window.links or largest <= 0:
        return traces
    loads = {(link.source, link.target): link.size_bytes for link in window.links if link.size_bytes > 0}
    grouped: dict[int, list[tuple[list[float | None], list[float | None]]]] = defaultdict(list)
    hover: list[tuple[float, float, str]] = []
    for (source, target), size in sorted(loads.items(), key=lambda item: item[1]):
        share = math.sqrt(min(1.0, size / largest))
        ends = _arrow_ends(_node_box(source, place), _node_box(target, place), (target, source) in loads)
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
    """From edge to edge of two boxes beside or above each other; opposite directions lie 3 px off the middle."""
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
            boxes.append((_node_box(f"DRAM {side} {n}", place), place.bodies[at[edge]]))
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
    """The memory bars."""
    if not place.memory:
        return []
    finish = HARDWARE["dram"].finish[scheme]
    return [filled([rounded(bar, 3) for bar in place.memory.values()], finish.tint, finish.edge) | {"name": "memory"}]


def memory_notes(place: Geometry, scheme: Scheme) -> list[Entry]:
    """The names of the memory bars: annotations, because the words of a trace cannot be turned."""
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


# -- chiplets ---------------------------------------------------------------------------------------------------------


def body_traces(chiplets: Sequence[GridChiplet], place: Geometry, scheme: Scheme) -> list[Entry]:
    """One trace per dataflow: tinted and patterned boxes."""
    traces = []
    for kind in dict.fromkeys(chiplet.dataflow for chiplet in chiplets):
        style = hardware_style(kind)
        finish = style.finish[scheme]
        outlines = [rounded(place.bodies[c.index], 6) for c in chiplets if c.dataflow == kind]
        traces.append(
            filled(outlines, finish.tint, finish.edge, **hardware_fill(style, scheme)) | {"name": style.label}
        )
    return traces


def _plate(left: float, middle: float, width: float) -> Outline:
    return rounded(Box(left - 1.5, middle - 7, left + width + 1.5, middle + 7), 2)


def _head_words(chiplets: Sequence[GridChiplet], place: Geometry, scheme: Scheme, plates: Plates) -> list[Sized]:
    """Number at the left, dataflow at the right, each on a plain plate of the chiplet's tint."""
    tokens = TOKENS[scheme]
    words: list[Sized] = []
    for chiplet in chiplets:
        style, body = hardware_style(chiplet.dataflow), place.bodies[chiplet.index]
        middle, name, width = body.top + 10, f"<b>C{chiplet.index}</b>", text_width(style.short, 10.5)
        plates[chiplet.dataflow] += [
            _plate(body.left + 6, middle, text_width(name, 11, True)),
            _plate(body.right - 6 - width, middle, width),
        ]
        words.append(Sized(body.left + 6, middle, name, tokens.text, 11, "middle right"))
        words.append(Sized(body.right - 6, middle, style.short, tokens.text2, 10.5, "middle left"))
    return words


def _word_traces(words: Sequence[Sized]) -> list[Entry]:
    """All words as one trace."""
    if not words:
        return []
    trace = texts([(word.x, word.y, word.text, word.colour) for word in words], 11, "middle center")
    trace["textposition"] = [word.position for word in words]
    trace["textfont"] |= {"size": [word.size_px for word in words]}
    return [trace]


def _chip_box(body: Box, full: bool) -> Box:
    return (
        Box(body.left + 5, body.top + 18, body.right - 5, body.bottom - 5)
        if full
        else body.inset(min(4.0, body.height * 0.12))
    )


def _placements(
    grid: ChipletGrid,
    parts: Mapping[int, Sequence[Placement]],
    place: Geometry,
    looks: Mapping[str, ModelLook],
    scheme: Scheme,
    plates: Plates,
) -> tuple[list[Entry], list[Sized]]:
    """Solid chips in the models' colours, and their words; chiplets without work say so, on a plate."""
    chips: dict[str, list[Outline]] = defaultdict(list)
    words: list[Sized] = []
    small = 10 if place.body.width < _FULL_WIDTH_PX else 11
    for chiplet in grid.chiplets:
        box = _chip_box(place.bodies[chiplet.index], place.full)
        owned = parts.get(chiplet.index, ())
        if not owned:
            width = text_width("idle", 11)
            plates[chiplet.dataflow].append(_plate(box.centre[0] - width / 2, box.centre[1], width))
            words.append(Sized(*box.centre, "idle", TOKENS[scheme].text2, 11, "middle center"))
        height = box.height / max(1, len(owned))
        for n, part in enumerate(owned):
            bottom = box.top + (n + 1) * height - (1 if n + 1 < len(owned) else 0)
            slot = Box(box.left, box.top + n * height, box.right, bottom)
            look = looks[part.model]
            chips[part.model].append(rounded(slot, 3))
            if place.full and slot.height >= 30:
                words += _full_words(part, slot, look)
            else:
                text = _short_words(part, look, slot.width)
                words.append(Sized(*slot.centre, text, look.ink, small, "middle center"))
    return [filled(chips[name], looks[name].fill, looks[name].edge) | {"name": name} for name in chips], words


def _full_words(part: Placement, slot: Box, look: ModelLook) -> list[Sized]:
    """Two lines: model and stage, layers and share of the window in which the chiplet works."""
    stage = f"{part.stage + 1}/{part.stages}" if part.stages > 1 else ""
    room = slot.width - 10 - (text_width(stage, 11) + 6 if stage else 0)
    name = look.name if text_width(look.name, 11.5, True) <= room else look.code
    step = min(8.0, slot.height / 4)
    upper, lower = slot.centre[1] - step, slot.centre[1] + step
    layers = layers_words(part.first_layer, part.last_layer)
    words = [
        Sized(slot.left + 4, upper, f"<b>{name}</b>", look.ink, 11.5, "middle right"),
        Sized(slot.left + 4, lower, layers, look.ink, 11.5, "middle right"),
        Sized(slot.right - 4, lower, percent(part.busy_fraction), look.ink, 11, "middle left"),
    ]
    return [*words, Sized(slot.right - 4, upper, stage, look.ink, 11, "middle left")] if stage else words


def _short_words(part: Placement, look: ModelLook, width: float) -> str:
    stage = f" {part.stage + 1}/{part.stages}" if part.stages > 1 else ""
    if width < _NAMED_WIDTH_PX:
        return f"<b>{look.code}</b>"
    named = text_width(look.name, 10, True) + text_width(stage, 10) <= width - 3
    return f"<b>{look.name if named else look.code}</b>{stage}"


def _hover_line(part: Placement) -> str:
    stage = f", part {part.stage + 1} of {part.stages}" if part.stages > 1 else ""
    layers = layers_words(part.first_layer, part.last_layer)
    return f"{part.model}{stage}, layers {layers}, busy {percent(part.busy_fraction)}"


def _hover_trace(chiplets: Sequence[GridChiplet], parts: Mapping[int, Sequence[Placement]], place: Geometry) -> Entry:
    """Invisible points that tell everything about a chiplet; a click on one brings back its index."""
    words = []
    for chiplet in chiplets:
        lines = [
            f"<b>C{chiplet.index}</b> {hardware_style(chiplet.dataflow).label}, {integer(chiplet.processing_elements)} PE"
        ]
        lines += [_hover_line(part) for part in parts.get(chiplet.index, ())]
        words.append("<br>".join(lines if len(lines) > 1 else [*lines, "idle in this window"]))
    centres = [place.bodies[chiplet.index].centre for chiplet in chiplets]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [c[0] for c in centres],
        "y": [c[1] for c in centres],
        "marker": {"size": max(10.0, place.body.height), "symbol": "square", "color": CLEAR, "line": {"width": 0}},
        "text": words,
        "customdata": [chiplet.index for chiplet in chiplets],
        "hovertemplate": "%{text}<extra></extra>",
        "name": "chiplets",
    }
