"""Sizes of the run page's figures out of the window's, so that the first screen needs no scrolling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from frontend.figures.schedule.schedule import LEAST_WIDTH_PX

_GUTTER, _GAP = 16, 12
# Bar, head and tabs; below it the page's own padding.
_HEAD_PX = 205
_CARD_HEAD_PX = 39
_WINDOWS_PX = 56
_LEGEND_PX = 26


def blank_figure(height_px: int) -> dict[str, Any]:
    """Return an empty space in the height of the coming part, so that the page does not move."""
    hidden = {"visible": False, "fixedrange": True}
    clear = "rgba(0,0,0,0)"
    margin = {"l": 0, "r": 0, "t": 0, "b": 0}
    layout = {
        "height": height_px,
        "xaxis": hidden,
        "yaxis": hidden,
        "margin": margin,
        "paper_bgcolor": clear,
        "plot_bgcolor": clear,
    }
    return {"data": [], "layout": layout}


@dataclass(frozen=True)
class Sizes:
    """Pixels of the overview's parts."""

    rail: int
    content: int
    front_width: int
    design_width: int
    upper: int
    lower: int

    @property
    def front_plot(self) -> tuple[int, int]:
        """Width and height of the front."""
        return self.front_width - 2, self.upper - _CARD_HEAD_PX - 4

    @property
    def grid_plot(self) -> tuple[int, int]:
        """Width and height of the chiplet grid, below the windows and above its legend."""
        return self.design_width - 6, self.upper - _CARD_HEAD_PX - _WINDOWS_PX - _LEGEND_PX - 8

    @property
    def pictures(self) -> tuple[int, int]:
        """Width and height of what the design's card holds in place of a grid with its windows and its legend."""
        return self.design_width - 2, self.upper - _CARD_HEAD_PX - 4

    @property
    def schedule_plot(self) -> tuple[int, int]:
        """Width and height of the schedule."""
        return max(LEAST_WIDTH_PX, self.content - 2), self.lower - _CARD_HEAD_PX - _LEGEND_PX - 3


def sizes(viewport: Any) -> Sizes:
    """Return the sizes for a window of `viewport["width"]` by `viewport["height"]` pixels."""
    width = int((viewport or {}).get("width", 1440))
    height = int((viewport or {}).get("height", 900))
    rail = 0 if width < 1200 else 208 if width < 1400 else 224
    content = width - 2 * _GUTTER - (rail + _GAP if rail else 0)
    free = height - _HEAD_PX - 2 * _GAP - _GAP
    upper = max(376, round(free * 0.58))
    lower = max(304, free - upper)
    if width < 900:
        return Sizes(rail, content, content, content, upper, lower)
    front = round(content * (0.475 if width < 1400 else 0.5))
    return Sizes(rail, content, front, content - front - _GAP, upper, lower)
