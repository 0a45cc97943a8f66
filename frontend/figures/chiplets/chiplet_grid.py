"""The chiplet grid in one window: bodies by dataflow, the part of a model on each chiplet, loads on the links.

Drawn in pixels from the top left. Node names of links are those of `engines.contract.results.LinkLoad`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

import plotly.graph_objects as go

from engines.contract.results import ChipletGrid, GridChiplet, Placement
from frontend.figures.chiplets.chiplet_geometry import FULL_WIDTH_PX, Geometry, geometry
from frontend.figures.chiplets.chiplet_links import link_traces, memory_notes, memory_traces
from frontend.figures.drawing import (
    Box,
    Entry,
    ModelLook,
    Outline,
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
from frontend.figures.numbers import integer, percent
from frontend.theme import CLEAR, TOKENS, Scheme, hardware_style

Plates = dict[str, list[Outline]]  # by dataflow, whose pattern they cover behind words
_NAMED_WIDTH_PX = 46.0  # below: the model's letter only


@dataclass(frozen=True)
class GridLabel:
    """Words at a point, in pixels; `position` is that of plotly's words to their point."""

    x: float
    y: float
    text: str
    colour: str
    size_px: float
    position: str


def largest_load(grid: ChipletGrid, window: int) -> float:
    """Return the bytes over the busiest directed link of a window; 0 without links."""
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
    """Return the grid as `explain` gave it, in the window of that index."""
    return figure(scheme, *grid_drawing(grid, window, scheme, **options))


def grid_drawing(
    grid: ChipletGrid, window: int, scheme: Scheme, **options: Unpack[GridOptions]
) -> tuple[list[Entry], Entry]:
    """Return the traces and layout of the grid. Every trace costs the browser a millisecond, so all words are one."""
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


# -- chiplets ---------------------------------------------------------------------------------------------------------


def body_traces(chiplets: Sequence[GridChiplet], place: Geometry, scheme: Scheme) -> list[Entry]:
    """Return one trace per dataflow: tinted and patterned boxes."""
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


def _head_words(chiplets: Sequence[GridChiplet], place: Geometry, scheme: Scheme, plates: Plates) -> list[GridLabel]:
    """Return the number at the left, dataflow at the right, each on a plain plate of the chiplet's tint."""
    tokens = TOKENS[scheme]
    words: list[GridLabel] = []
    for chiplet in chiplets:
        style, body = hardware_style(chiplet.dataflow), place.bodies[chiplet.index]
        middle, name, width = body.top + 10, f"<b>C{chiplet.index}</b>", text_width(style.short, 10.5)
        plates[chiplet.dataflow] += [
            _plate(body.left + 6, middle, text_width(name, 11, True)),
            _plate(body.right - 6 - width, middle, width),
        ]
        words.append(GridLabel(body.left + 6, middle, name, tokens.text, 11, "middle right"))
        words.append(GridLabel(body.right - 6, middle, style.short, tokens.text2, 10.5, "middle left"))
    return words


def _word_traces(words: Sequence[GridLabel]) -> list[Entry]:
    """Return all texts of the grid as one trace."""
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
) -> tuple[list[Entry], list[GridLabel]]:
    """Return the solid chips in the models' colours, and their words; chiplets without work say so, on a plate."""
    chips: dict[str, list[Outline]] = defaultdict(list)
    words: list[GridLabel] = []
    small = 10 if place.body.width < FULL_WIDTH_PX else 11
    for chiplet in grid.chiplets:
        box = _chip_box(place.bodies[chiplet.index], place.full)
        owned = parts.get(chiplet.index, ())
        if not owned:
            width = text_width("idle", 11)
            plates[chiplet.dataflow].append(_plate(box.centre[0] - width / 2, box.centre[1], width))
            words.append(GridLabel(*box.centre, "idle", TOKENS[scheme].text2, 11, "middle center"))
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
                words.append(GridLabel(*slot.centre, text, look.ink, small, "middle center"))
    return [filled(chips[name], looks[name].fill, looks[name].edge) | {"name": name} for name in chips], words


def _full_words(part: Placement, slot: Box, look: ModelLook) -> list[GridLabel]:
    """Return two lines: model and stage, layers and share of the window in which the chiplet works."""
    stage = f"{part.stage + 1}/{part.stages}" if part.stages > 1 else ""
    room = slot.width - 10 - (text_width(stage, 11) + 6 if stage else 0)
    name = look.name if text_width(look.name, 11.5, True) <= room else look.code
    step = min(8.0, slot.height / 4)
    upper, lower = slot.centre[1] - step, slot.centre[1] + step
    layers = layers_words(part.first_layer, part.last_layer)
    words = [
        GridLabel(slot.left + 4, upper, f"<b>{name}</b>", look.ink, 11.5, "middle right"),
        GridLabel(slot.left + 4, lower, layers, look.ink, 11.5, "middle right"),
        GridLabel(slot.right - 4, lower, percent(part.busy_fraction), look.ink, 11, "middle left"),
    ]
    return [*words, GridLabel(slot.right - 4, upper, stage, look.ink, 11, "middle left")] if stage else words


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
    """Return the invisible points that tell everything about a chiplet; a click on one brings back its index."""
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
