"""Where the chiplets, memory bars and nodes of a grid lie, in pixels from the top left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engines.contract.results import ChipletGrid
from frontend.figures.drawing import Box

FULL_WIDTH_PX = 92.0  # below: model and stage only
_SIDES = ("left", "right", "top", "bottom")


@dataclass(frozen=True)
class Geometry:
    """The layout of a package picture: one box per chiplet, one bar per side with memory interfaces."""

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
        return self.body.width >= FULL_WIDTH_PX and self.body.height >= 52


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
    """Return the sides of the package at which memory is, told by its nodes ("DRAM left 0")."""
    named = {part for node in grid.memory_nodes for part in node.split()[1:2]}
    for window in grid.windows:
        named |= {n.split()[1] for link in window.links for n in (link.source, link.target) if n.startswith("DRAM ")}
    return tuple(side for side in _SIDES if side in named)


def node_box(node: str, place: Geometry) -> Box:
    """Return the box of a chiplet, or the square of a memory bar that is next to the row or column of the node."""
    if node.startswith("DRAM "):
        _, side, at = node.split()[:3]
        bar = place.memory[side]
        if side in ("left", "right"):
            body = place.bodies[min(int(at), place.rows - 1) * place.columns]
            return Box(bar.left, body.top, bar.right, body.bottom)
        body = place.bodies[min(int(at), place.columns - 1)]
        return Box(body.left, bar.top, body.right, bar.bottom)
    return place.bodies[int(node.removeprefix("C"))]
