"""A drive from above: road, obstacles, driven path, and the vehicle at one moment."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from engines.contract.results import GroundCircle, GroundLine, GroundTrack
from frontend.figures.drawing import Entry, figure
from frontend.theme import CLEAR, RUNS, TOKENS, Scheme, mix

_MARGIN = {"l": 56, "r": 18, "t": 34, "b": 42}
_LEAST_PX, _MOST_PX = 150.0, 380.0
_AROUND_M = 1.0
_ROUND = np.linspace(0, 2 * np.pi, 49)


def ground_track_figure(
    track: GroundTrack, scheme: Scheme, *, width_px: float = 900, height_px: float | None = None, cursor: bool = True
) -> go.Figure:
    """Return the drive at one scale in both directions; `layout.meta` has what moves the vehicle (assets/ground_tracks.js).

    Args:
        track: at least one position.
        scheme: light or dark.
        width_px: width that it will have.
        height_px: height; by default what the scale needs.
        cursor: whether the vehicle is drawn, at the first moment.
    """
    low_x, high_x, low_y, high_y = _extent(track)
    across, along = high_y - low_y, high_x - low_x
    natural = (width_px - _MARGIN["l"] - _MARGIN["r"]) * across / along + _MARGIN["t"] + _MARGIN["b"]
    height = height_px or min(_MOST_PX, max(_LEAST_PX, natural))
    traces = [
        *(_line(line, scheme) for line in track.lines),
        *(_circle(circle, scheme) for circle in track.circles),
        _way(track, scheme),
        *([_vehicle(track, scheme)] if cursor else []),
    ]
    layout: Entry = {
        "height": height,
        "margin": _MARGIN,
        "showlegend": True,
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "font": {"size": 11}},
        "hovermode": "closest",
        "uirevision": track.name,
        "xaxis": {"title": {"text": "Along the road (m)"}, "range": [low_x, high_x], "zeroline": False, "constrain": "domain"},
        "yaxis": {
            "title": {"text": "Across (m)"}, "range": [low_y, high_y], "scaleanchor": "x", "zeroline": False, "nticks": 6,
            "constrain": "domain",
        },
        "meta": {"track": _moments(track, len(traces) - 1)} if cursor else {},
    }  # fmt: skip
    return figure(scheme, traces, layout)


def _extent(track: GroundTrack) -> tuple[float, float, float, float]:
    x, y = [track.x_m], [track.y_m]
    for circle in track.circles:
        x.append(np.array([circle.x_m - circle.radius_m, circle.x_m + circle.radius_m]))
        y.append(np.array([circle.y_m - circle.radius_m, circle.y_m + circle.radius_m]))
    for line in track.lines:
        x.append(line.x_m)
        y.append(line.y_m)
    all_x, all_y = np.concatenate(x), np.concatenate(y)
    return (
        float(np.nanmin(all_x)) - _AROUND_M, float(np.nanmax(all_x)) + _AROUND_M,
        float(np.nanmin(all_y)) - _AROUND_M, float(np.nanmax(all_y)) + _AROUND_M,
    )  # fmt: skip


def _moments(track: GroundTrack, trace: int) -> dict[str, Any]:
    """Return the positions for the browser, heading in degrees clockwise from up, as markers are turned."""
    angle = 90 - np.degrees(track.heading)
    return {
        "trace": trace, "time": track.time_s.round(6).tolist(), "x": track.x_m.round(3).tolist(),
        "y": track.y_m.round(3).tolist(), "angle": angle.round(2).tolist(),
    }  # fmt: skip


def _line(line: GroundLine, scheme: Scheme) -> Entry:
    tokens = TOKENS[scheme]
    limit = line.kind == "limit"
    style = {"color": tokens.bad if limit else tokens.text3, "width": 1.2, "dash": "2px,3px" if limit else "8px,6px"}
    base = {"type": "scatter", "mode": "lines", "x": line.x_m, "y": line.y_m, "line": style, "name": line.title}
    return base | {"hoverinfo": "skip"}


def _circle(circle: GroundCircle, scheme: Scheme) -> Entry:
    tokens = TOKENS[scheme]
    keep_out = circle.kind == "keep out"
    fill = mix(tokens.surface, tokens.bad, 0.14) if keep_out else tokens.text
    x, y = circle.x_m + circle.radius_m * np.cos(_ROUND), circle.y_m + circle.radius_m * np.sin(_ROUND)
    line = {"color": tokens.bad if keep_out else CLEAR, "width": 1 if keep_out else 0}
    words = f"<b>{circle.title}</b><br>{circle.x_m:.1f} m along, {circle.y_m:.1f} m across<extra></extra>"
    base = {"type": "scatter", "mode": "lines", "x": x, "y": y, "fill": "toself", "fillcolor": fill, "line": line}
    return base | {"name": circle.title, "showlegend": False, "hovertemplate": words}


def _way(track: GroundTrack, scheme: Scheme) -> Entry:
    line = {"color": RUNS[0].colour[scheme], "width": 2}
    words = "%{x:.1f} m along, %{y:.2f} m across<br>at %{customdata:.2f} s<extra></extra>"
    base = {"type": "scatter", "mode": "lines", "x": track.x_m, "y": track.y_m, "line": line, "name": "Way driven"}
    return base | {"customdata": track.time_s, "hovertemplate": words}


def _vehicle(track: GroundTrack, scheme: Scheme) -> Entry:
    colour = TOKENS[scheme].accent
    turned = 90 - math.degrees(float(track.heading[0]))
    marker = {"symbol": "triangle-up", "size": 14, "color": colour, "angle": [turned], "line": {"width": 0}}
    base = {"type": "scatter", "mode": "markers", "x": track.x_m[:1], "y": track.y_m[:1], "marker": marker}
    return base | {"name": "Vehicle at the cursor", "hoverinfo": "skip"}
