"""A chiplet package without work on it, as forms and the catalogue show it."""

from __future__ import annotations

import plotly.graph_objects as go

from engines.contract.results import ChipletGrid, GridChiplet, GridWindow
from frontend.figures.chiplets.chiplet_geometry import geometry
from frontend.figures.chiplets.chiplet_grid import body_traces
from frontend.figures.chiplets.chiplet_links import link_traces, memory_notes, memory_traces
from frontend.figures.drawing import Box, canvas_layout, figure, filled, rounded, text_width, texts
from frontend.figures.numbers import integer
from frontend.theme import TOKENS, Scheme, hardware_style
from hardware.package.model import ChipletPackage


def package_grid(package: ChipletPackage) -> ChipletGrid:
    """Return the package as a grid with one empty window."""
    chiplets = tuple(
        GridChiplet(c.index, c.row, c.column, c.dataflow, c.processing_elements, package.has_interface(c.index))
        for c in package.chiplets
    )
    nodes = tuple(
        f"DRAM {side} {n}"
        for side in package.memory.sides
        for n in range(package.rows if side in ("left", "right") else package.columns)
    )
    window = GridWindow("", 0.0, 0.0, (), ())
    return ChipletGrid(package.slug, package.title, package.rows, package.columns, chiplets, (), (window,), nodes)


def package_figure(
    package: ChipletPackage, scheme: Scheme, *, width_px: float = 420, height_px: float = 204
) -> go.Figure:
    """Return the chiplets with their dataflow and array size, links and memory."""
    grid = package_grid(package)
    place = geometry(grid, width_px, height_px)
    tokens = TOKENS[scheme]
    traces = [
        *link_traces(grid, grid.windows[0], place, scheme, 0.0),
        *memory_traces(place, scheme),
        *body_traces(grid.chiplets, place, scheme),
    ]
    ids, kinds, sizes = [], [], []
    for chiplet in grid.chiplets:
        style, body = hardware_style(chiplet.dataflow), place.bodies[chiplet.index]
        roomy = body.height >= 38 and body.width >= 74
        middle = body.top + 10 if roomy else body.centre[1]
        name, size = f"<b>C{chiplet.index}</b>", f"{integer(chiplet.processing_elements)} PE"
        named = text_width(name, 11, True)
        if body.width < named + 4 or body.height < 14:
            continue  # words that lie on each other say nothing; the colours still do
        left = min(body.left + 6, body.centre[0] - named / 2)
        plates = [(left, middle, named)]
        ids.append((left, middle, name, tokens.text))
        width = text_width(style.short, 10.5)
        if body.width > width + 40:
            plates.append((body.right - 6 - width, middle, width))
            kinds.append((body.right - 6, middle, style.short, tokens.text2))
        if roomy:
            wide = text_width(size, 11)
            below = body.top + 10 + (body.height - 12) / 2
            plates.append((body.centre[0] - wide / 2, below, wide))
            sizes.append((body.centre[0], below, size, tokens.text))
        outlines = [rounded(Box(left - 2, y - 7, left + w + 2, y + 7), 2) for left, y, w in plates]
        traces.append(filled(outlines, style.finish[scheme].tint))
    words = ((ids, 11, "middle right"), (kinds, 10.5, "middle left"), (sizes, 11, "middle center"))
    traces += [texts(items, size, where) for items, size, where in words if items]
    return figure(scheme, traces, canvas_layout(width_px, height_px) | {"annotations": memory_notes(place, scheme)})
