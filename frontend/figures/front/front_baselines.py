"""Baselines on the front: open diamonds, or arrows at the edge that they lie beyond."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from frontend.figures.drawing import Entry, text_width
from frontend.figures.front.front_marks import Frame
from frontend.figures.front.labels import Mark
from frontend.figures.numbers import significant

if TYPE_CHECKING:
    from frontend.figures.front.front_parts import Cloud

_WORDS_PX = 11.0  # type size
_MOST_PINNED = 3  # at one edge; of more the two nearest are named
_SAME_PX = 40.0  # one name serves all that bear it within this distance
_MOST_LED = (
    10  # of more names none is led to its mark by a line: between that many marks, whose it is would not be seen
)
_TOUCHING_PX = 12.0
_LONGEST = 24  # letters of names told together
_HALF_PX = 4.5  # of a diamond


@dataclass(frozen=True)
class AxisMark:
    """A mark beyond an axis: where it is drawn, its symbol, its words, and how far beyond it lies in ranges of the axis."""

    x: float
    y: float
    symbol: str
    words: str
    beyond: float
    hover: str = ""


def baseline_marks(frame: Frame, cloud: Cloud) -> tuple[list[Entry], list[Mark]]:
    """Open diamonds; one beyond the axes is pinned to the edge. Also returns the words that want a place.

    Marks without words stay free of those of others; on approach every diamond tells its name.
    """
    inside: list[tuple[float, float, str, str, int]] = []
    beyond: list[AxisMark] = []
    for position in np.flatnonzero(cloud.baseline & np.isfinite(cloud.x_values) & np.isfinite(cloud.y_values)):
        x = float(cloud.x_values[position]) * frame.x_scale.factor
        y = float(cloud.y_values[position]) * frame.y_scale.factor
        name = cloud.labels[int(position)] or f"Design {cloud.numbers[position]}"
        pinned, hardware = pinned_to_edge(frame, x, y, name), cloud.hardware.get(name, "")
        if pinned is None:
            inside.append((x, y, name, f"{name}<br>{hardware}" if hardware else name, int(cloud.numbers[position])))
        else:
            beyond.append(replace(pinned, hover=f"<b>{pinned.words}</b><br>{hardware}") if hardware else pinned)
    shown = _spread(frame, _fewer(beyond))
    marks = _named([Mark(*frame.pixel(x, y), name, gap=6.0) for x, y, name, *_ in inside])
    marks += [Mark(*frame.pixel(pin.x, pin.y), pin.words, gap=6.0, at_edge=True) for pin in shown]
    ink, surface = frame.tokens.text, frame.tokens.surface
    hover = (
        f"<b>%{{text}}</b><br>{cloud.x.title} %{{x:.4~r}}\u00a0{frame.x_scale.unit}<br>"
        f"{cloud.y.title} %{{y:.4~r}}\u00a0{frame.y_scale.unit}<extra></extra>"
    )
    diamonds: Entry = {"type": "scatter", "mode": "markers", "x": [d[0] for d in inside], "y": [d[1] for d in inside]}
    diamonds |= {"text": [d[3] for d in inside], "customdata": [d[4] for d in inside]}
    diamonds |= {"marker": {"size": 9, "symbol": "diamond", "color": surface, "line": {"color": ink, "width": 1.5}}}
    diamonds |= {"hovertemplate": hover, "name": "baselines", "cliponaxis": False}
    arrows: Entry = {"type": "scatter", "mode": "markers", "x": [p.x for p in shown], "y": [p.y for p in shown]}
    arrows |= {"marker": {"size": 9, "symbol": [p.symbol for p in shown], "color": ink}}
    arrows |= {"text": [p.hover or f"<b>{p.words}</b>" for p in shown], "hovertemplate": "%{text}<extra></extra>"}
    arrows |= {"cliponaxis": False, "name": "baselines beyond the axes"}
    return [trace for trace in (diamonds, arrows) if trace["x"]], marks


def _named(marks: Sequence[Mark]) -> list[Mark]:
    """Return the same marks, without words where a close one has them.

    One of the same name serves all near it. Of very many names each stands next to its mark or is left out, and those that
    touch are told together: whose each is would not be seen.
    """
    named, silent = _gathered(marks, lambda mark, other: mark.text == other.text and _apart_px(mark, other) < _SAME_PX)
    if len(named) <= _MOST_LED:
        return [*(group[0] for group in named), *silent]
    named, more = _gathered([group[0] for group in named], lambda mark, other: _apart_px(mark, other) < _TOUCHING_PX)
    told = [replace(group[0], text=_together([mark.text for mark in group]), near=True) for group in named]
    return [*told, *silent, *more]


def _gathered(marks: Sequence[Mark], with_first: Callable[[Mark, Mark], bool]) -> tuple[list[list[Mark]], list[Mark]]:
    """Return the marks by the first one that they go with, and all but these firsts, without words."""
    groups: list[list[Mark]] = []
    for mark in marks:
        group = next((group for group in groups if with_first(mark, group[0])), None)
        if group is None:
            groups.append([mark])
        else:
            group.append(mark)
    return groups, [replace(mark, text="", gap=_HALF_PX) for group in groups for mark in group[1:]]


def _apart_px(mark: Mark, other: Mark) -> float:
    return math.dist((mark.x, mark.y), (other.x, other.y))


def _together(names: Sequence[str]) -> str:
    words = ", ".join(dict.fromkeys(names))
    return words if len(words) <= _LONGEST or len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def pinned_to_edge(frame: Frame, x: float, y: float, name: str) -> AxisMark | None:
    """Return a mark beyond an axis at the edge, with its value there; None where it lies inside."""
    (x0, x1), (y0, y1) = frame.x_range, frame.y_range
    width, height = frame.area.width, frame.area.height
    (least_x, most_y), (most_x, least_y) = frame.place(6, 7), frame.place(width - 6, height - 7)
    at_x, at_y = min(max(x, least_x), most_x), min(max(y, least_y), most_y)
    if x > x1 or x < x0:
        words = f"{name} at {significant(x)}\u00a0{frame.x_scale.unit}".rstrip()
        far = max(x - x1, x0 - x) / (x1 - x0)
        return AxisMark(at_x, at_y, "triangle-right" if x > x1 else "triangle-left", words, far)
    if y > y1 or y < y0:
        words = f"{name} at {significant(y)}\u00a0{frame.y_scale.unit}".rstrip()
        far = max(y - y1, y0 - y) / (y1 - y0)
        return AxisMark(at_x, at_y, "triangle-up" if y > y1 else "triangle-down", words, far)
    return None


def _fewer(beyond: Sequence[AxisMark]) -> list[AxisMark]:
    """Reduce many marks beyond one edge to the two nearest and a count of the others, which hovering shows."""
    shown: list[AxisMark] = []
    for symbol in dict.fromkeys(pin.symbol for pin in beyond):
        own = sorted((pin for pin in beyond if pin.symbol == symbol), key=lambda pin: pin.beyond)
        if len(own) <= _MOST_PINNED:
            shown += own
            continue
        named, rest = own[: _MOST_PINNED - 1], own[_MOST_PINNED - 1 :]
        hover = "<br>".join(["<b>Also beyond this edge</b>", *(pin.words for pin in rest)])
        shown += [*named, replace(rest[0], words=f"and {len(rest)} more", hover=hover)]
    return shown


def _spread(frame: Frame, pinned: Sequence[AxisMark]) -> list[AxisMark]:
    """Return each moved inwards until the mark and its words are clear of those before it."""
    spread: list[AxisMark] = []
    for pin in pinned:
        across, down = frame.pixel(pin.x, pin.y)
        step = 16.0 if down < frame.area.height / 2 else -16.0
        taken = [(*frame.pixel(other.x, other.y), _reach_px(pin, other)) for other in spread]
        while any(abs(down - y) < 15 and abs(across - x) < reach for x, y, reach in taken):
            down += step
        spread.append(replace(pin, y=frame.place(across, down)[1]))
    return spread


def _reach_px(pin: AxisMark, other: AxisMark) -> float:
    """Return the least distance of two labels on one edge in pixels; on the upper and lower edge they lie side by side."""
    if {pin.symbol, other.symbol} <= {"triangle-left", "triangle-right"}:
        return 15.0
    return max(text_width(pin.words, _WORDS_PX), text_width(other.words, _WORDS_PX)) + 24.0
