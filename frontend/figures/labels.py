"""Placing words beside marks so that they cover neither each other nor other marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from frontend.figures.drawing import Box, text_width

_LINE_PX = 15.0
_OUTSIDE_PENALTY = 50.0


@dataclass(frozen=True)
class Mark:
    """A point, in pixels from the top left of the plot, that wants words beside it; `gap` is the radius to keep free."""

    x: float
    y: float
    text: str
    gap: float = 7.0


@dataclass(frozen=True)
class Placed:
    """Where the words of a mark go: the anchor as plotly names it and the shift from the mark in pixels (y upwards)."""

    x_anchor: str
    x_shift: float
    y_shift: float
    box: Box


def place(
    marks: Sequence[Mark], area: Box, points: npt.NDArray[np.float64], size_px: float = 11, taken: Sequence[Box] = ()
) -> list[Placed]:
    """Choose a side for each mark's words, greedily in the given order.

    Args:
        marks: most important first.
        area: what the words must stay in.
        points: shape `n x 2`: other marks, in pixels; covering few of them is better.
        size_px: type size.
        taken: rectangles that words must not cover.

    Returns:
        One placement per mark.
    """
    blocked = list(taken) + [Box(m.x - m.gap, m.y - m.gap, m.x + m.gap, m.y + m.gap) for m in marks]
    placed = []
    for mark in marks:
        best = min(_candidates(mark, size_px), key=lambda c: _cost(c, area, points, blocked))
        blocked.append(best.box)
        placed.append(best)
    return placed


def _candidates(mark: Mark, size_px: float) -> list[Placed]:
    """Right above, right, left above, left, right below, left below, above, below: earlier is better."""
    width = text_width(mark.text, size_px) + 4
    reach, rise = mark.gap + 2, mark.gap + 3
    options = []
    for x_anchor, x_shift, y_shift in (
        ("left", reach, rise),
        ("left", reach, 0.0),
        ("right", -reach, rise),
        ("right", -reach, 0.0),
        ("left", reach, -rise),
        ("right", -reach, -rise),
        ("center", 0.0, rise + 5),
        ("center", 0.0, -rise - 5),
        ("left", reach, 2.2 * rise),
        ("left", reach, -2.2 * rise),
        ("right", -reach, 2.2 * rise),
        ("left", reach, 3.6 * rise),
        ("right", -reach, 3.6 * rise),
        ("left", reach, 5.0 * rise),
        ("right", -reach, 5.0 * rise),
        ("left", reach, -3.6 * rise),
        ("right", -reach, -2.2 * rise),
        ("right", -reach, -3.6 * rise),
        ("left", reach, 6.4 * rise),
        ("right", -reach, 6.4 * rise),
    ):
        left = {"left": mark.x + x_shift, "right": mark.x + x_shift - width, "center": mark.x - width / 2}[x_anchor]
        top = mark.y - y_shift - _LINE_PX / 2
        options.append(Placed(x_anchor, x_shift, y_shift, Box(left, top, left + width, top + _LINE_PX)))
    return options


def _cost(option: Placed, area: Box, points: npt.NDArray[np.float64], blocked: Sequence[Box]) -> float:
    box = option.box
    outside = box.width * box.height - box.overlap(area)
    covered = sum(box.overlap(other) for other in blocked)
    inside = 0.0
    if len(points):
        x, y = points[:, 0], points[:, 1]
        inside = float(np.count_nonzero((x > box.left) & (x < box.right) & (y > box.top) & (y < box.bottom)))
    return _OUTSIDE_PENALTY * outside + 10.0 * covered + 2.0 * min(inside, 400.0)
