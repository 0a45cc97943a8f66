"""The front over three and more quantities: in space, as a matrix of scatter plots, on parallel axes.

The last trace of every picture (`SELECTED`) holds the selected design alone, so that a pick changes it and no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.quantities import Quantity
from frontend.figures.drawing import Entry, fitted, text_width
from frontend.figures.lines import extent_of
from frontend.figures.numbers import Scale, scale_of, significant
from frontend.theme import SEQUENTIAL, TOKENS, Scheme, Tokens

Kind = Literal["front", "dominated", "excluded", "infeasible", "baseline"]
Drawing = tuple[list[Entry], Entry]

SELECTED = "selected"
# Lines of one colour are one trace; so many colours tell a quantity's course.
_COLOUR_STEPS = 8
_AXIS_TICKS = 4
_SIDE_PX = 56
_CLEAR_LINES = 250


@dataclass(frozen=True)
class Many:
    """Designs over `m` quantities.

    Attributes:
        quantities: `m`, one per column.
        values: `n x m` in stored units.
        numbers: number of each design within its run, shape `n`.
        kinds: kind of each design, `n` of `Kind`.
        labels: names of the designs ("" for most).
        colour: the quantity and values (shape `n`) by which dominated and front designs are coloured; None is one colour.
    """

    quantities: tuple[Quantity, ...]
    values: FloatArray
    numbers: IntArray
    kinds: npt.NDArray[np.str_]
    labels: Sequence[str]
    colour: tuple[Quantity, FloatArray] | None = None

    @property
    def scales(self) -> tuple[Scale, ...]:
        """The unit in which each quantity is shown."""
        return tuple(
            scale_of(self.values[np.isfinite(self.values[:, at]), at], quantity.unit)
            for at, quantity in enumerate(self.quantities)
        )

    @property
    def shown(self) -> FloatArray:
        """The values in the units of `scales`, `n x m`."""
        return self.values * np.array([scale.factor for scale in self.scales])

    @property
    def spans(self) -> tuple[tuple[float, float], ...]:
        """Return the range of each axis, in stored units: all but the outermost searched designs, and all of the front."""
        searched, front = self.kinds != "baseline", self.kinds == "front"
        return tuple(_span(self.values[searched, at], self.values[front, at]) for at in range(len(self.quantities)))

    def row_of(self, number: int | None) -> int | None:
        """Return the row of a design; None if it is not included."""
        found = np.flatnonzero(self.numbers == (-1 if number is None else number))
        return int(found[0]) if len(found) else None


def title_of(quantity: Quantity, scale: Scale) -> str:
    """Name with unit, as an axis carries it."""
    return f"{quantity.title} ({scale.unit})" if scale.unit else quantity.title


def _look(kind: Kind, tokens: Tokens, light: bool) -> Entry:
    faint = 0.30 if light else 0.42
    ring = {"color": tokens.accent, "width": 1.2}
    looks: dict[str, Entry] = {
        "dominated": {"size": 3.4, "color": tokens.dot, "opacity": faint},
        "excluded": {"size": 3, "color": tokens.dot, "opacity": faint / 3},
        "infeasible": {"size": 4, "color": tokens.bad, "symbol": "x", "opacity": 0.5},
        "front": {"size": 4.6, "color": tokens.accent, "opacity": 0.9, "line": ring},
        "baseline": {"size": 8, "symbol": "diamond-open", "color": tokens.text, "line": {"width": 1.5}},
    }
    return looks[kind]


def _groups(many: Many) -> list[tuple[Kind, IntArray]]:
    """Return the designs by kind, in the order of being drawn."""
    order: tuple[Kind, ...] = ("excluded", "infeasible", "dominated", "front", "baseline")
    found = [(kind, np.flatnonzero(many.kinds == kind)) for kind in order]
    return [(kind, rows) for kind, rows in found if len(rows)]


def _colour(many: Many, rows: IntArray, kind: Kind, bar: bool = True) -> Entry:
    if many.colour is None or kind not in ("dominated", "front"):
        return {}
    quantity, values = many.colour
    finite = values[np.isfinite(values)]
    scale = scale_of(finite, quantity.unit)
    low, high = (float(np.quantile(finite, share)) * scale.factor for share in (0.01, 0.99))
    look: Entry = {"color": (values[rows] * scale.factor).astype(np.float32), "colorscale": SEQUENTIAL}
    side = {"thickness": 8, "outlinewidth": 0, "len": 0.9, "tickfont": {"size": 10}, "nticks": 5}
    side |= {"title": {"text": title_of(quantity, scale), "side": "right", "font": {"size": 11}}}
    return look | {"cmin": low, "cmax": high} | ({"colorbar": side, "showscale": True} if bar else {})


def _hover(titles: Sequence[str], letters: str) -> str:
    lines = "<br>".join(f"{title} %{{{letter}:.4~r}}" for title, letter in zip(titles, letters, strict=False))
    return f"<b>Design %{{customdata}}</b><br>{lines}<extra></extra>"


# -- in space ---------------------------------------------------------------------------------------------------------


def space_drawing(
    many: Many, scheme: Scheme, selected: int | None, height_px: float, log: str, revision: str
) -> Drawing:
    """Return three quantities in space. `log` names the logarithmic ones of "x", "y" and "z"."""
    tokens, shown = TOKENS[scheme], many.shown
    titles = [title_of(q, scale) for q, scale in zip(many.quantities, many.scales, strict=True)]
    traces = []
    for kind, rows in _groups(many):
        marker = _look(kind, tokens, scheme == "light") | _colour(many, rows, kind, bar=kind == "front")
        marker["size"] = marker["size"] * 0.8
        if marker.get("symbol") == "x":  # a character that few fonts have, in space
            marker["symbol"] = "cross"
        traces.append(
            _cube(shown, rows, many.numbers) | {"marker": marker, "name": kind, "hovertemplate": _hover(titles, "xyz")}
        )
    row = many.row_of(selected)
    disc = {"size": 9, "color": tokens.accent, "line": {"color": tokens.surface, "width": 2}}
    rows = np.array([] if row is None else [row], np.int64)
    traces.append(_cube(shown, rows, many.numbers) | {"marker": disc, "name": SELECTED, "hoverinfo": "skip"})
    axis = {"gridcolor": tokens.border, "zeroline": False, "color": tokens.text2, "backgroundcolor": "rgba(0,0,0,0)"}
    axis |= {"tickfont": {"size": 10}, "nticks": 5}
    scene: Entry = {
        "uirevision": revision,
        "dragmode": "turntable",
        "camera": {"eye": {"x": 1.6, "y": 1.6, "z": 0.9}, "center": {"x": 0, "y": 0, "z": -0.12}},
    }
    for letter, title, span, scale in zip("xyz", titles, many.spans, many.scales, strict=True):
        kind_of = "log" if letter in log else "linear"
        ends = (end * scale.factor for end in span)
        span_of = _wider(*(float(np.log10(max(end, 1e-30))) if kind_of == "log" else end for end in ends))
        scene[f"{letter}axis"] = {
            **axis,
            "type": kind_of,
            "range": span_of,
            "title": {"text": title, "font": {"size": 11}},
        }
    return traces, {
        "height": height_px,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "scene": scene,
        "uirevision": revision,
    }


def _cube(shown: FloatArray, rows: IntArray, numbers: IntArray) -> Entry:
    places = {letter: shown[rows, at].astype(np.float32) for at, letter in enumerate("xyz")}
    return {"type": "scatter3d", "mode": "markers", **places, "customdata": numbers[rows]}


# -- matrix -----------------------------------------------------------------------------------------------------------


def matrix_drawing(
    many: Many, scheme: Scheme, selected: int | None, size_px: tuple[float, float], revision: str
) -> Drawing:
    """Return every quantity over every other, the lower half."""
    tokens, shown, count = TOKENS[scheme], many.shown, len(many.quantities)
    titles = [title_of(q, scale) for q, scale in zip(many.quantities, many.scales, strict=True)]
    traces = []
    for kind, rows in _groups(many):
        marker = _look(kind, tokens, scheme == "light") | _colour(many, rows, kind, bar=kind == "front")
        traces.append(_pairs(titles, shown, rows, many.numbers) | {"marker": marker, "name": kind})
    row = many.row_of(selected)
    rows = np.array([] if row is None else [row], np.int64)
    disc = {"size": 9, "color": tokens.accent, "line": {"color": tokens.surface, "width": 1.5}}
    traces.append(_pairs(titles, shown, rows, many.numbers) | {"marker": disc, "name": SELECTED, "hoverinfo": "skip"})
    width_px, height_px = size_px
    layout: Entry = {"height": height_px, "margin": {"l": 62, "r": 14, "t": 12, "b": 48}, "uirevision": revision}
    across, up = ((length - 72) / max(1, count - 1) - 8 for length in (width_px, height_px))
    for at in range(1, count + 1):
        name = "" if at == 1 else str(at)
        low, high = (end * many.scales[at - 1].factor for end in many.spans[at - 1])
        small = {"nticks": 4, "tickfont": {"size": 10}, "range": _wider(low, high)}
        title, unit = many.quantities[at - 1].title, many.scales[at - 1].unit
        for letter, room in (("x", across), ("y", up)):
            named = {"text": _fitting(title, unit, room), "font": {"size": 11}, "standoff": 4}
            layout[f"{letter}axis{name}"] = {**small, "title": named}
    return traces, layout | {"hoverdistance": 12}


def _pairs(titles: Sequence[str], shown: FloatArray, rows: IntArray, numbers: IntArray) -> Entry:
    dimensions = [{"label": title, "values": shown[rows, at].tolist()} for at, title in enumerate(titles)]
    return {
        "type": "splom", "dimensions": dimensions, "customdata": numbers[rows], "diagonal": {"visible": False},
        "showupperhalf": False, "hovertemplate": _hover(["", ""], "xy").replace(" %", "%"),
    }  # fmt: skip


# -- parallel axes ----------------------------------------------------------------------------------------------------


def parallel_drawing(
    many: Many, scheme: Scheme, selected: int | None, size_px: tuple[float, float], revision: str
) -> Drawing:
    """Return one upright axis per quantity, the better end below where there is one, and a line per design."""
    tokens, shares = TOKENS[scheme], _shares(many)
    axes = len(many.quantities)
    traces: list[Entry] = []
    for kind, rows in _groups(many):
        if kind == "baseline":
            traces += [
                _line(many, shares, np.array([row]), tokens.text, 1.4, 1.0, dash="5px,3px") | {"name": kind}
                for row in rows
            ]
            continue
        look = _look(kind, tokens, scheme == "light")
        # Thousands of lines over each other would be one grey plane.
        faint = min(1.0, _CLEAR_LINES / len(rows))
        width, opacity = (1.3, 0.75) if kind == "front" else (1.0, look["opacity"] * faint)
        for part, colour in _by_colour(many, rows, kind, look["color"]):
            traces.append(_line(many, shares, part, colour, width, opacity) | {"name": kind})
    row = many.row_of(selected)
    rows = np.array([] if row is None else [row], np.int64)
    traces.append(_line(many, shares, rows, tokens.accent, 3.2, 1.0, kind="scatter") | {"name": SELECTED})
    notes, shapes = _axes(many, tokens, size_px[0])
    notes += _below_words(many, tokens)
    hidden = {"visible": False, "fixedrange": True}
    layout: Entry = {
        "height": size_px[1], "margin": {"l": _SIDE_PX, "r": _SIDE_PX, "t": 40, "b": 20}, "uirevision": revision,
        "xaxis": {**hidden, "range": [0, axes - 1]}, "yaxis": {**hidden, "range": [-0.03, 1.03]},
        "annotations": notes, "shapes": shapes, "dragmode": False, "hovermode": "closest", "hoverdistance": 8,
    }  # fmt: skip
    return traces, layout


def _span(values: FloatArray, always: FloatArray | None = None) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return 0.0, 1.0
    ends = [float(np.quantile(finite, share)) for share in (0.005, 0.995)]
    ends += [float(value) for value in (always if always is not None else finite) if np.isfinite(value)]
    return min(ends), max(ends)


def _wider(low: float, high: float) -> list[float]:
    margin = 0.06 * extent_of(low, high)
    return [low - margin, high + margin]


def _shares(many: Many) -> FloatArray:
    """Return the position of each value on its axis, 0 at the bottom; maximised axes are reversed, so better is always below.

    A baseline, or an outermost design, may have values beyond the ends of an axis: they stand at the end.
    """
    shares = np.empty_like(many.values)
    for at, (quantity, (low, high)) in enumerate(zip(many.quantities, many.spans, strict=True)):
        share = ((many.values[:, at] - low) / ((high - low) or 1.0)).clip(0.0, 1.0)
        shares[:, at] = 1 - share if quantity.sense == "maximise" else share
    return shares


def _line(
    many: Many, shares: FloatArray, rows: IntArray, colour: str, width: float, opacity: float, dash: str = "solid",
    kind: str = "",
) -> Entry:  # fmt: skip
    """Return the lines of `rows` as one trace, a gap after each."""
    axes = len(many.quantities)
    x = np.tile(np.append(np.arange(axes, dtype=np.float32), np.nan), len(rows)).astype(np.float32)
    y = np.concatenate([shares[rows], np.full((len(rows), 1), np.nan)], axis=1).astype(np.float32).ravel()
    shown = many.shown[rows]
    words = [
        f"<b>{many.labels[row] or f'Design {many.numbers[row]}'}</b>" + "".join(
            f"<br>{q.title} {significant(value, 4)}\u00a0{scale.unit}"
            for q, value, scale in zip(many.quantities, values, many.scales, strict=True)
        )
        for row, values in zip(rows, shown, strict=True)
    ] if len(rows) <= 1 else []  # fmt: skip
    hover = (
        {"hoverinfo": "text", "text": words * axes}
        if words
        else {"hovertemplate": "<b>Design %{customdata}</b><extra></extra>"}
    )
    return {
        "type": kind or ("scatter" if len(rows) <= 60 else "scattergl"),
        "mode": "lines", "x": x, "y": y, "customdata": np.repeat(many.numbers[rows], axes + 1), "opacity": opacity,
        "line": {"color": colour, "width": width, "dash": dash}, "connectgaps": False, **hover,
    }  # fmt: skip


def _by_colour(many: Many, rows: IntArray, kind: Kind, plain: str) -> list[tuple[IntArray, str]]:
    """Return the rows in parts of one colour each."""
    if many.colour is None or kind not in ("dominated", "front"):
        return [(rows, plain)]
    from plotly.colors import sample_colorscale

    values = many.colour[1]
    low, high = _span(values, values[:0])
    step = (
        np.nan_to_num((values[rows] - low) / ((high - low) or 1.0) * _COLOUR_STEPS)
        .astype(int)
        .clip(0, _COLOUR_STEPS - 1)
    )
    colours = sample_colorscale(SEQUENTIAL, [(at + 0.5) / _COLOUR_STEPS for at in range(_COLOUR_STEPS)])
    return [(rows[step == at], colours[at]) for at in range(_COLOUR_STEPS) if (step == at).any()]


def _below_words(many: Many, tokens: Tokens) -> list[Entry]:
    """Return the note below the plot: better direction, values beyond the axes, and meaning of the colours."""
    place = {"xref": "paper", "x": 0, "y": 0, "yref": "paper", "xanchor": "left", "yanchor": "top", "yshift": -2}
    place |= {"font": {"size": 10, "color": tokens.text3}}
    words = "better is below; values beyond an axis are drawn at its end"
    if many.colour is not None:
        quantity, values = many.colour
        ends = _span(values, values[:0])
        scale = scale_of(ends, quantity.unit)
        low, high = (significant(end * scale.factor, 3) for end in ends)
        words = f"{words}; {quantity.title} dark {low} to bright {high}\u00a0{scale.unit}".rstrip()
    return [place | {"text": words}]


def _axes(many: Many, tokens: Tokens, width_px: float) -> tuple[list[Entry], list[Entry]]:
    """Return the upright rules with their ends and ticks in words."""
    notes: list[Entry] = []
    shapes: list[Entry] = []
    room = (width_px - 2 * _SIDE_PX) / max(1, len(many.quantities) - 1) - 6
    for at, (quantity, scale) in enumerate(zip(many.quantities, many.scales, strict=True)):
        low, high = many.spans[at]
        shapes.append(
            {"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "line": {"color": tokens.text3, "width": 1}}
        )
        place: Entry = {"x": at, "yanchor": "bottom", "font": {"size": 11, "color": tokens.text2}}
        place |= {"xanchor": "center"}
        # The outer names end where the picture does.
        wide = min(room, 2 * _SIDE_PX - 8) if at in (0, len(many.quantities) - 1) else room
        notes.append(place | {"y": 1, "yshift": 12, "text": _fitting(quantity.title, scale.unit, max(wide, 56))})
        for tick in range(_AXIS_TICKS + 1):
            share = tick / _AXIS_TICKS
            value = high - share * (high - low) if quantity.sense == "maximise" else low + share * (high - low)
            words = significant(value * scale.factor, 3)
            small = {"size": 10, "color": tokens.text3}
            notes.append(
                {"x": at, "y": share, "text": words, "xanchor": "left", "xshift": 4, "yanchor": "middle", "font": small}
                | {"bgcolor": tokens.surface, "opacity": 0.85, "borderpad": 0}
            )
    return notes, shapes


def _fitting(title: str, unit: str, room_px: float) -> str:
    """Name and unit on one line, else on two, cut where that is too short as well."""
    whole = f"{title} ({unit})" if unit else title
    if text_width(whole, 11) <= room_px:
        return whole
    words = whole.split(" ")
    for at in range(len(words) - 1, 0, -1):
        lines = (" ".join(words[:at]), " ".join(words[at:]))
        if all(text_width(line, 11) <= room_px for line in lines):
            return "<br>".join(lines)
    return f"{fitted(title, room_px, 11)}<br>({unit})" if unit else fitted(title, room_px, 11)
