"""Marks on the front: bounds, excluded regions, lines of equal product, the selected design, the knee and all their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from frontend.figures.drawing import Box, Entry, text_width
from frontend.figures.front.labels import Mark, nearest_point, place
from frontend.figures.numbers import Scale, si, significant
from frontend.theme import Scheme, Tokens

if TYPE_CHECKING:
    from frontend.figures.front.front_parts import Bound, Cloud, Limit, Point

_PRODUCT_LINES = 4
_POINT_SYMBOLS = {"ideal": "star-open", "nadir": "x-thin-open", "reference point": "cross-thin-open"}
_LEADER_FROM_PX = 9.0  # words farther from their mark are led to it by a line


@dataclass(frozen=True)
class Frame:
    """The plot: its area in pixels from its own top left, what its axes show in shown units, and the units' scales."""

    scheme: Scheme
    tokens: Tokens
    area: Box
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    x_scale: Scale
    y_scale: Scale
    height_px: float
    x_log: bool = False
    y_log: bool = False

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of a point in displayed units."""
        across = _share(np.float64(x), self.x_range, self.x_log) * self.area.width
        return float(across), float((1 - _share(np.float64(y), self.y_range, self.y_log)) * self.area.height)

    def pixels(self, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the pixels of points in stored units, shape `n x 2`."""
        across = _share(x * self.x_scale.factor, self.x_range, self.x_log) * self.area.width
        down = (1 - _share(y * self.y_scale.factor, self.y_range, self.y_log)) * self.area.height
        return np.column_stack([across, down])

    def place(self, across_px: float, down_px: float) -> tuple[float, float]:
        """Return the point at a pixel, in displayed units."""
        across, up = across_px / self.area.width, 1 - down_px / self.area.height
        return _at_share(across, self.x_range, self.x_log), _at_share(up, self.y_range, self.y_log)


def _share(values: Any, span: tuple[float, float], log: bool) -> Any:
    """Return the positions of values on an axis, 0..1; values that a logarithmic axis lacks lie far before its start."""
    low, high = span
    if not log:
        return (values - low) / (high - low)
    positive = np.maximum(values, low * 1e-6)
    return (np.log10(positive) - np.log10(low)) / (np.log10(high) - np.log10(low))


def _at_share(share: float, span: tuple[float, float], log: bool) -> float:
    low, high = span
    return float(low * (high / low) ** share) if log else low + share * (high - low)


@dataclass
class Marks:
    """Shapes and annotations that belong together."""

    shapes: list[Entry] = field(default_factory=list)
    notes: list[Entry] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)


def _line(x0: float, y0: float, x1: float, y1: float, colour: str, dash: str, **more: Any) -> Entry:
    line = {"color": colour, "width": 1, "dash": dash}
    return {"type": "line", "x0": x0, "y0": y0, "x1": x1, "y1": y1, "line": line, **more}


def _note(text: str, x: float, y: float, colour: str, plate: str = "", **more: Any) -> Entry:
    note: Entry = {"text": text, "x": x, "y": y, "font": {"size": 11, "color": colour}, "yanchor": "middle"}
    return note | ({"bgcolor": plate, "borderpad": 1, "opacity": 0.95} if plate else {}) | more


# -- lines ------------------------------------------------------------------------------------------------------------


def product_lines(frame: Frame) -> tuple[list[Entry], list[Entry]]:
    """Return the hair lines of equal energy-delay product, at round values, named where they leave the plot at the top."""
    (x0, x1), (y0, y1) = frame.x_range, frame.y_range
    if x0 <= 0 or y0 <= 0:
        return [], []
    traces, notes = [], []
    x = np.geomspace(x0, x1, 80) if frame.x_log else np.linspace(x0, x1, 80)
    factor = 1 / (frame.x_scale.factor * frame.y_scale.factor)
    for product in _round_values(x0 * y0, x1 * y1, _PRODUCT_LINES + 2):
        y = product / x
        inside = (y > y0) & (y < y1)
        if inside.sum() < 2:
            continue
        line = {"color": frame.tokens.border, "width": 1}
        traces.append(
            {"type": "scatter", "mode": "lines", "x": x[inside], "y": y[inside], "line": line, "hoverinfo": "skip"}
        )
        at = product / y1
        if x0 + 0.04 * (x1 - x0) < at < x1 - 0.1 * (x1 - x0):
            small = {"size": 10, "color": frame.tokens.text3}
            words = si(product * factor, "J·s", 3).replace(".00", "").replace(".0", "")
            notes.append(_note(words, at, y1, "", xanchor="left", xshift=4, yshift=-7) | {"font": small})
    return traces, notes


def _round_values(low: float, high: float, count: int) -> list[float]:
    step = (high - low) / count
    unit = 10.0 ** np.floor(np.log10(step))
    step = float(next(m for m in (1, 2, 5, 10) if m * unit >= step) * unit)
    return [float(v) for v in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step]


def bound_marks(
    frame: Frame, cloud: Cloud, bounds: Sequence[Bound], points: Sequence[Point] = ()
) -> tuple[list[Entry], list[Entry]]:
    """Return the dashed lines across the plot, named next to the line where fewest designs, baselines and `points` lie."""
    shapes: list[Entry] = []
    notes: list[Entry] = []
    (x0, x1), (y0, y1) = frame.x_range, frame.y_range
    seen = np.concatenate([cloud.searched, *[cloud.front] * 5, *[np.flatnonzero(cloud.baseline)] * 20])
    marks = [frame.pixels(cloud.x_values[seen], cloud.y_values[seen])]
    marks += [frame.pixels(np.full(20, point.x), np.full(20, point.y)) for point in points]
    crowd = np.concatenate(marks)
    for bound in bounds:
        scale = frame.y_scale if bound.axis == "y" else frame.x_scale
        value = bound.value * scale.factor
        words = f"{bound.title} {_four_digits(value)}\u00a0{scale.unit}".strip()
        if bound.axis == "y" and y0 <= value <= y1:
            shapes.append(_line(x0, value, x1, value, frame.tokens.good, "6px,3px"))
            places = _beside_level(frame, value)
        elif bound.axis == "x" and x0 <= value <= x1:
            shapes.append(_line(value, y0, value, y1, frame.tokens.good, "6px,3px"))
            places = _beside_upright(frame, value)
        else:
            continue
        options = [_note(words, x, y, frame.tokens.good, frame.tokens.surface, **more) for x, y, more in places]
        taken = [_note_box(frame, note) for note in notes]
        notes.append(min(options, key=lambda note: _crowding(_note_box(frame, note), crowd, taken, frame.area)))
    return shapes, notes


def _beside_level(frame: Frame, value: float) -> list[tuple[float, float, Entry]]:
    """Return the places above and below a level line: at its left end, at its right end, in its middle."""
    ends = ((5.0, "left"), (frame.area.width - 5, "right"), (frame.area.width / 2, "center"))
    return [
        (frame.place(across, 0)[0], value, {"xanchor": anchor, "yshift": rise})
        for across, anchor in ends
        for rise in (9, -9)
    ]


def _beside_upright(frame: Frame, value: float) -> list[tuple[float, float, Entry]]:
    """Return the places right and left of an upright line: near its top, near its foot, in its middle."""
    heights = (24.0, frame.area.height - 24, frame.area.height / 2)
    sides: tuple[Entry, ...] = ({"xanchor": "left", "xshift": 4}, {"xanchor": "right", "xshift": -4})
    return [(value, frame.place(0, down)[1], side) for down in heights for side in sides]


def _four_digits(value: float) -> str:
    """Return a bound with four digits, without trailing zeros: bounds are compared with designs close to them."""
    text = significant(value, 4)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _crowding(box: Box, points: npt.NDArray[np.float64], taken: Sequence[Box], area: Box) -> float:
    """Return the number of points in or near the box, plus a penalty if it covers text or leaves the plot."""
    x, y = points[:, 0], points[:, 1]
    near = (x > box.left - 8) & (x < box.right + 8) & (y > box.top - 8) & (y < box.bottom + 8)
    covered = any(box.overlap(other) for other in taken) or box.overlap(area) < 0.98 * box.width * box.height
    return float(np.count_nonzero(near)) + 1e6 * covered


def limit_shapes(frame: Frame, cloud: Cloud, limits: Sequence[Limit]) -> tuple[list[Entry], list[Entry]]:
    """Return the shaded region that a limit excludes, with its label."""
    shapes, notes = [], []
    for limit in limits:
        across = limit.axis == "y"
        scale, quantity = (frame.y_scale, cloud.y) if across else (frame.x_scale, cloud.x)
        low, high = frame.y_range if across else frame.x_range
        value = limit.value * scale.factor
        start, end = (value, high) if limit.upper else (low, value)
        start, end = max(start, low), min(end, high)
        if start >= end:
            continue
        sign = ">" if limit.upper else "<"
        words = f"excluded<br>{quantity.title.lower()} {sign} {significant(value, 3)}\u00a0{scale.unit}".strip()
        region: Entry = {
            "type": "rect",
            "fillcolor": frame.tokens.sunken,
            "opacity": 0.8,
            "line": {"width": 0},
            "layer": "below",
        }
        (x0, x1), (y0, y1) = frame.x_range, frame.y_range
        if across:
            shapes += [region | {"x0": x0, "x1": x1, "y0": start, "y1": end}]
            shapes += [_line(x0, value, x1, value, frame.tokens.text3, "3px,3px")]
            notes.append(
                _note(words.replace("<br>", " "), x1, (start + end) / 2, frame.tokens.text3, xanchor="right", xshift=-6)
            )
        else:
            shapes += [region | {"x0": start, "x1": end, "y0": y0, "y1": y1}]
            shapes += [_line(value, y0, value, y1, frame.tokens.text3, "3px,3px")]
            middle = y0 + 0.6 * (y1 - y0)
            side: Entry = {"xanchor": "left", "xshift": 6} if limit.upper else {"xanchor": "right", "xshift": -6}
            if abs(frame.pixel(end, y1)[0] - frame.pixel(start, y1)[0]) > 90:
                notes.append(_note(words, value, middle, frame.tokens.text3, align="left", **side))
    return shapes, notes


# -- points that are no designs -----------------------------------------------------------------------------------------


def point_marks(frame: Frame, points: Sequence[Point]) -> tuple[list[Entry], list[Mark]]:
    """Return ideal, nadir and reference point: marks of one trace, and the words that want a place. None beyond the axes."""
    (x0, x1), (y0, y1) = frame.x_range, frame.y_range
    shown = [(p.x * frame.x_scale.factor, p.y * frame.y_scale.factor, p) for p in points]
    inside = [(x, y, point) for x, y, point in shown if x0 <= x <= x1 and y0 <= y <= y1]
    if not inside:
        return [], []
    trace: Entry = {"type": "scatter", "mode": "markers", "name": "points of reference"}
    trace |= {"x": [x for x, _, _ in inside], "y": [y for _, y, _ in inside]}
    symbols = [_POINT_SYMBOLS[point.kind] for _, _, point in inside]
    trace |= {"marker": {"size": 10, "symbol": symbols, "color": frame.tokens.text2, "line": {"width": 1.4}}}
    trace |= {"text": [point.kind for _, _, point in inside], "hovertemplate": "<b>%{text}</b><extra></extra>"}
    return [trace], [Mark(*frame.pixel(x, y), point.kind, gap=7.0, near=True) for x, y, point in inside]


# -- selected design, knee, and the words of all ----------------------------------------------------------------------


def readable(frame: Frame, notes: Sequence[Entry], covered: Sequence[Box]) -> list[Entry]:
    """Return the notes that no box covers; half a word is worse than none."""
    return [note for note in notes if not any(_note_box(frame, note).overlap(box) for box in covered)]


def design_marks(
    frame: Frame,
    cloud: Cloud,
    selected: int | None,
    selected_words: str,
    with_knee: bool,
    baselines: Sequence[Mark],
    notes: Sequence[Entry] = (),
) -> Marks:
    """Return the disc and ring of the selected design, square of the knee, and every name at a place free of others and of `notes`.

    Of `baselines` those without words only keep their place free.
    """
    marks = Marks()
    wanted: list[tuple[Mark, str, str]] = []
    found = np.flatnonzero(cloud.numbers == (-1 if selected is None else selected))
    if len(found) and _finite(cloud, int(found[0])):
        x, y = _shown(frame, cloud, int(found[0]))
        _add_selected(marks, frame, x, y)
        words = f"selected  {selected_words}".strip()
        wanted.append(
            (Mark(*frame.pixel(x, y), words, gap=9.0), words.replace("selected", "<b>selected</b>", 1), "accent")
        )
    wanted += [(mark, mark.text, "text") for mark in baselines if mark.at_edge]
    knee = cloud.knee if with_knee else None
    if knee is not None and (selected is None or int(cloud.numbers[knee]) != selected):
        x, y = _shown(frame, cloud, knee)
        marks.shapes.append(_spot(x, y, 13, frame.tokens.text, 1.4, kind="rect"))
        wanted.append((Mark(*frame.pixel(x, y), "knee", gap=8.0), "knee", "text"))
    wanted += [(mark, mark.text, "text") for mark in baselines if mark.text and not mark.at_edge]
    taken = [mark.box for mark in baselines if not mark.text]
    _add_words(marks, frame, cloud, wanted, [*taken, *(_note_box(frame, note) for note in notes)])
    return marks


def _finite(cloud: Cloud, position: int) -> bool:
    return bool(np.isfinite(cloud.x_values[position]) and np.isfinite(cloud.y_values[position]))


def _shown(frame: Frame, cloud: Cloud, position: int) -> tuple[float, float]:
    return float(cloud.x_values[position]) * frame.x_scale.factor, float(
        cloud.y_values[position]
    ) * frame.y_scale.factor


def _add_selected(marks: Marks, frame: Frame, x: float, y: float) -> None:
    accent, surface = frame.tokens.accent, frame.tokens.surface
    marks.shapes += [
        _line(x, frame.y_range[0], x, y, accent, "2px,2px", layer="below"),
        _line(frame.x_range[0], y, x, y, accent, "2px,2px", layer="below"),
    ]
    marks.shapes += [_spot(x, y, 17, accent, 1.5, surface), _spot(x, y, 10, accent, 0, accent)]


def _spot(
    x: float, y: float, size_px: float, colour: str, width_px: float, fill: str = "", kind: str = "circle"
) -> Entry:
    """Return a mark of a size in pixels at a point of the plot.

    A shape and no trace: for a trace that moves, plotly.js takes the points of all others again.
    """
    half = size_px / 2
    corners = {"x0": -half, "x1": half, "y0": -half, "y1": half, "xsizemode": "pixel", "ysizemode": "pixel"}
    look = {"line": {"color": colour, "width": width_px}} | ({"fillcolor": fill} if fill else {})
    return {"type": kind, "xanchor": x, "yanchor": y} | corners | look


def _note_box(frame: Frame, note: Entry) -> Box:
    """Return about what an annotation at a point of the plot covers, in pixels."""
    x, y = frame.pixel(note["x"], note["y"])
    lines = str(note["text"]).split("<br>")
    width, height = max(text_width(line, note["font"]["size"]) for line in lines) + 4, 15.0 * len(lines)
    x, y = x + note.get("xshift", 0), y - note.get("yshift", 0)
    left = {"left": x, "right": x - width}.get(note.get("xanchor", "center"), x - width / 2)
    return Box(left, y - height / 2, left + width, y + height / 2)


def _add_words(
    marks: Marks, frame: Frame, cloud: Cloud, wanted: Sequence[tuple[Mark, str, str]], taken: Sequence[Box]
) -> None:
    crowd = cloud.searched if len(cloud.searched) <= 4000 else cloud.searched[:: len(cloud.searched) // 4000]
    # Of a front of hundreds every few designs stand for their neighbours.
    front = cloud.front[:: 1 + len(cloud.front) // 400]
    points = frame.pixels(cloud.x_values[crowd], cloud.y_values[crowd])
    kept_free = frame.pixels(cloud.x_values[front], cloud.y_values[front])
    placed = place([mark for mark, _, _ in wanted], frame.area, points, taken=taken, kept_free=kept_free)
    for (mark, words, tone), where in zip(wanted, placed, strict=True):
        # Words upon words or marks cannot be read; the mark's own words show on approach. An arrow alone would say nothing.
        if not where.clear and tone != "accent" and not mark.at_edge:
            continue
        colour = frame.tokens.accent_text if tone == "accent" else frame.tokens.text
        x, y = frame.place(mark.x, mark.y)
        marks.boxes.append(where.box)
        shifts = {"xanchor": where.x_anchor, "xshift": where.x_shift, "yshift": where.y_shift}
        marks.notes.append(_note(words, x, y, colour, frame.tokens.surface, **shifts))
        if where.far_px > _LEADER_FROM_PX:
            end = frame.place(*nearest_point(where.box, mark.x, mark.y))
            marks.shapes.append(_line(x, y, *end, frame.tokens.text3, "solid", layer="below"))
