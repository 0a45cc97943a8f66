"""Series as lines: their bands, the names at their ends, the names of axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.contract.results import Series
from frontend.figures.drawing import Entry
from frontend.figures.numbers import Scale
from frontend.theme import RUNS, TOKENS, RunStyle, Scheme, mix

_NAME_PX = 13.0  # a line of names at the ends of lines


def axis_name(title: str, unit: str, scheme: Scheme, y: float = 1.0) -> Entry:
    """Return the name of a y axis, horizontally above it; `y` is the top of its panel as a share of the paper."""
    text = f"{title} ({unit})" if unit else title
    font = {"size": 12, "color": TOKENS[scheme].text2}
    place = {
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "xshift": -48,
        "y": y,
        "yref": "paper",
        "yanchor": "middle",
        "yshift": 15,
    }
    return {"text": text, "font": font, **place}


def axis_name_under(title: str, heading: str, unit: str, scheme: Scheme, y: float = 1.0) -> list[Entry]:
    """Return name of a y axis of a picture under a heading: where the heading says the quantity already, the unit is left to say.

    The whole name goes along as the note's `name`, for a picture that leaves its heading behind (assets/paper.js).
    """
    whole = axis_name(title, unit, scheme, y)
    if title != heading:
        return [whole]
    return [whole | {"text": f"in {unit}", "name": whole["text"]}] if unit else []


def axis_ends(x: Any) -> Entry:
    """Return the range of an axis that ends where its data do: words next to the last point would widen it.

    With a single point, the first of a curve that grows, it begins at zero.
    """
    if len(x) == 1 and float(x[0]) > 0:
        return {"range": [0.0, float(x[0])]}
    return {"range": [float(np.min(x)), float(np.max(x))]} if len(x) > 1 else {}


def line_traces(
    series: Series, x: Any, scale: Scale, position: int, scheme: Scheme, run: RunStyle | None = None
) -> list[Entry]:
    """Return a series as a line (after its band), told from others by colour and dash.

    All of them in the colour of `run`, if given.
    """
    style = RUNS[position % len(RUNS)]
    colour = (run or style).colour[scheme]
    own = position == 0
    shape = "hv" if series.style in ("step", "steps") else "linear"
    line = {"color": colour, "width": 2 if own else 1.4, "dash": style.dash, "shape": shape}
    y = np.asarray(series.y, np.float64) * scale.factor
    many = len(y) > 2000 and not len(series.low)
    words = f"<b>{series.title}</b><br>%{{y:.4~r}}\u00a0{scale.unit}<extra></extra>"
    traces: list[Entry] = []
    if len(series.low) and len(series.high):
        edge: Entry = {
            "type": "scatter",
            "mode": "lines",
            "x": x,
            "line": {"width": 0, "shape": shape},
            "hoverinfo": "skip",
        }
        traces.append(edge | {"y": np.asarray(series.low) * scale.factor})
        fill = mix(TOKENS[scheme].surface, colour, 0.16)
        traces.append(edge | {"y": np.asarray(series.high) * scale.factor, "fill": "tonexty", "fillcolor": fill})
    mode = "markers" if series.style == "points" or len(y) == 1 else "lines"
    kind = "scattergl" if many and shape == "linear" else "scatter"
    base = {"type": kind, "mode": mode, "x": x, "y": y.astype(np.float32), "line": line, "name": series.title}
    base["meta"] = {"unit": scale.unit}  # for a cursor that reads values
    if series.links:
        base["meta"]["paths"] = ["|".join(series.links)] * len(y)  # not as `ids`: Plotly draws one point of each id
    if len(y) == 1:  # it stands at the end of its axis
        base["cliponaxis"] = False
    return [*traces, base | {"hovertemplate": words}]


def is_level(values: Any) -> bool:
    """Return whether all finite values are the same but for rounding."""
    finite = np.asarray(values, np.float64)
    finite = finite[np.isfinite(finite)]
    return not len(finite) or float(np.ptp(finite)) <= 1e-9 * float(np.abs(finite).max())


def extent_of(low: float, high: float) -> float:
    """Return the distance between the ends of an axis; of ends that are the same but for rounding their size."""
    return (abs(high) or 1.0) if is_level([low, high]) else high - low


def span_of(values: Any) -> tuple[float, float]:
    """Return the least and largest finite value; of values that are all the same a little around them, so that ticks differ."""
    finite = np.asarray(values, np.float64)
    finite = finite[np.isfinite(finite)]
    if not len(finite):
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    around = (0.05 * abs(high) or 1.0) if is_level(finite) else 0.0
    return low - around, high + around


def end_names(
    series: list[tuple[Series, Any, Scale, int]],
    scheme: Scheme,
    axis: str,
    panel_px: float,
    span: tuple[float, float],
    run: RunStyle | None = None,
) -> list[Entry]:
    """Return the names at the right ends of lines, apart from each other where lines end together.

    Args:
        series: with their x, scale and position.
        scheme: light or dark.
        axis: axis of their panel.
        panel_px: height of the panel.
        span: about what its axis shows, in the unit of the scale.
        run: whose colour the lines have; None where each has its own.
    """
    ends = []
    px_per_unit = panel_px / (1.1 * (span[1] - span[0]))
    for item, x, scale, position in series:
        finite = np.flatnonzero(np.isfinite(item.y))
        if not len(finite):
            continue
        end_x, end_y = float(x[finite[-1]]), float(item.y[finite[-1]])
        if item.style == "points" and bool((np.diff(np.asarray(x)[finite]) < 0).any()):
            # A cloud has no end: its name stands beside it, right of all clouds.
            end_x, end_y = float(np.max(x)), float(np.median(np.asarray(item.y)[finite]))
        ends.append((end_x, end_y * scale.factor, item.title, position))
    notes: list[Entry] = []
    free_below_px = np.inf
    for x, y, title, position in sorted(ends, key=lambda end: -end[1]):
        font = {"size": 11, "color": (run or RUNS[position % len(RUNS)]).colour[scheme]}
        at_px = min(y * px_per_unit, free_below_px)
        free_below_px = at_px - _NAME_PX
        place = {
            "x": x,
            "y": y,
            "yref": axis,
            "xanchor": "left",
            "xshift": 5,
            "yanchor": "middle",
            "yshift": at_px - y * px_per_unit,
        }
        notes.append({"text": title, "font": font, **place})
    return notes
