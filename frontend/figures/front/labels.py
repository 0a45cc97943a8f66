"""Placement of words next to marks, so that they cover no other words and marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from frontend.figures.drawing import Box, text_width

_LINE_PX = 15.0
_OUTSIDE_PENALTY = 50.0
_MARK_PENALTY = 60.0  # for each mark that is covered
_FAR_PENALTY = 0.12  # per pixel beyond what counts as beside a mark
_BESIDE_PX = 8.0
_MARK_RADIUS_PX = 4.0
_GOOD_ENOUGH = 6.0  # three points of the crowd
# Words may share this many square pixels: their boxes are estimates.
_TOUCH_PX2 = 6.0
_RINGS_PX = (26.0, 42.0, 60.0, 80.0)
_INWARDS_PX = (20.0, 40.0, 60.0, 80.0, 110.0, 140.0)  # past marks that lie between an edge and its words
_POINTS = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Mark:
    """A point, in pixels from the top left of the plot, that wants words next to it; `gap` is the radius to keep free.

    Words of a mark that is `near` stand right next to it or not at all. Those of a mark `at_edge` stand level with it: it has
    others above and below, and which words are whose would not be seen.
    """

    x: float
    y: float
    text: str
    gap: float = 7.0
    near: bool = False
    at_edge: bool = False

    @property
    def box(self) -> Box:
        """Return what the words of others must not cover."""
        return Box(self.x - self.gap, self.y - self.gap, self.x + self.gap, self.y + self.gap)


@dataclass(frozen=True)
class LabelPlace:
    """Where the words of a mark go.

    Attributes:
        x_anchor, x_shift, y_shift: the anchor as plotly names it and the shift from the mark in pixels (y upwards).
        box: covered area.
        clear: whether they cover no other words and no mark.
        far_px: from the mark to the nearest point of its words, less the radius kept free.
    """

    x_anchor: str
    x_shift: float
    y_shift: float
    box: Box
    clear: bool = True
    far_px: float = 0.0


def place(
    marks: Sequence[Mark],
    area: Box,
    points: _POINTS,
    size_px: float = 11,
    taken: Sequence[Box] = (),
    kept_free: _POINTS | None = None,
) -> list[LabelPlace]:
    """Choose a place for each mark's words, greedily in the given order.

    Args:
        marks: most important first.
        area: area that must contain the text.
        points: shape `n x 2`: other marks, in pixels; covering few of them is better.
        size_px: type size.
        taken: rectangles that words must not cover.
        kept_free: shape `m x 2`: marks that words should not cover at all.

    Returns:
        One placement per mark.
    """
    blocked = list(taken) + [mark.box for mark in marks]
    free = np.empty((0, 2)) if kept_free is None else kept_free
    placed = []
    for mark in marks:
        beside, around = _candidates(mark, size_px)
        best, cost = _cheapest(beside, area, points, blocked, free)
        # Few words need the rings, and these cost most of the time.
        if around and (not best.clear or cost > _GOOD_ENOUGH):
            other, least = _cheapest(around, area, points, blocked, free)
            best = other if least < cost else best
        blocked.append(best.box)
        placed.append(best)
    return placed


def _cheapest(
    options: Sequence[LabelPlace], area: Box, points: _POINTS, blocked: Sequence[Box], kept_free: _POINTS
) -> tuple[LabelPlace, float]:
    marked, crowded = _inside(options, kept_free, _MARK_RADIUS_PX), _inside(options, points, 0.0)
    best, least = options[0], math.inf
    for option, on_marks, on_points in zip(options, marked, crowded, strict=True):
        covered = sum(option.box.overlap(other) for other in blocked)
        cost = _cost(option, area, covered, on_marks, on_points)
        if cost < least:
            best, least = replace(option, clear=covered <= _TOUCH_PX2 and not on_marks), cost
    return best, least


@cache
def _shifts(gap: float) -> tuple[tuple[tuple[str, float, float], ...], tuple[tuple[str, float, float], ...]]:
    """Return the right above, right, left above, left, right below, left below, above, below: earlier is better.

    And rings around.
    """
    reach, rise = gap + 2, gap + 3
    beside = (
        ("left", reach, rise),
        ("left", reach, 0.0),
        ("right", -reach, rise),
        ("right", -reach, 0.0),
        ("left", reach, -rise),
        ("right", -reach, -rise),
        ("center", 0.0, rise + 5),
        ("center", 0.0, -rise - 5),
    )
    around = []
    for ring in _RINGS_PX:
        for degrees in (50, 130, -50, -130, 20, 160, -20, -160, 90, -90):
            x, y = ring * math.cos(math.radians(degrees)), ring * math.sin(math.radians(degrees))
            around.append(("center" if abs(degrees) == 90 else "left" if x > 0 else "right", round(x, 1), round(y, 1)))
    return beside, tuple(around)


def _candidates(mark: Mark, size_px: float) -> tuple[list[LabelPlace], list[LabelPlace]]:
    """Return the places next to the mark, and around it, which a near mark does not take."""
    width = text_width(mark.text, size_px) + 4
    beside, around = _shifts(mark.gap)
    if mark.at_edge:
        beside = tuple(shift for shift in beside if shift[2] == 0 and shift[1])
        around = tuple((side, math.copysign(abs(x) + far, x), 0.0) for far in _INWARDS_PX for side, x, _ in beside)
    return (
        [_placed(mark, width, *shift) for shift in beside],
        [] if mark.near and not mark.at_edge else [_placed(mark, width, *shift) for shift in around],
    )


def _placed(mark: Mark, width: float, x_anchor: str, x_shift: float, y_shift: float) -> LabelPlace:
    left = {"left": mark.x + x_shift, "right": mark.x + x_shift - width, "center": mark.x - width / 2}[x_anchor]
    top = mark.y - y_shift - _LINE_PX / 2
    box = Box(left, top, left + width, top + _LINE_PX)
    far = math.dist((mark.x, mark.y), nearest_point(box, mark.x, mark.y)) - mark.gap
    return LabelPlace(x_anchor, x_shift, y_shift, box, far_px=max(0.0, far))


def nearest_point(box: Box, x: float, y: float) -> tuple[float, float]:
    """Return the point of a rectangle that is nearest to another point."""
    return min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)


def _cost(option: LabelPlace, area: Box, covered_px2: float, on_marks: int, on_points: int) -> float:
    box = option.box
    outside = box.width * box.height - box.overlap(area)
    cost = (
        _OUTSIDE_PENALTY * outside
        + 10.0 * covered_px2
        + _MARK_PENALTY * on_marks
        + _FAR_PENALTY * max(0.0, option.far_px - _BESIDE_PX)
    )
    return cost + 2.0 * min(on_points, 400)


def _inside(options: Sequence[LabelPlace], points: _POINTS, radius_px: float) -> list[int]:
    """Return the number of points in each option's box or within the radius around it."""
    if not len(points):
        return [0] * len(options)
    boxes = [option.box for option in options]
    left, top, right, bottom = (
        np.array([getattr(box, side) for box in boxes], np.float32) for side in ("left", "top", "right", "bottom")
    )
    x, y = points[:, :1].astype(np.float32), points[:, 1:].astype(np.float32)
    across = (x > left - radius_px) & (x < right + radius_px)
    counts: list[int] = (across & (y > top - radius_px) & (y < bottom + radius_px)).sum(axis=0).tolist()
    return counts
