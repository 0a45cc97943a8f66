"""Pictures of the general result types: traces, curves, matrices, distributions and layer graphs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from engines.contract.arrays import FloatArray
from engines.contract.results import Curve, Distribution, LayerGraph, Matrix, Trace
from frontend.figures.drawing import Entry, figure, text_width
from frontend.figures.layers.layer_graph import layer_graph_traces
from frontend.figures.lines import axis_ends, axis_name, axis_name_under, end_names, is_level, line_traces, span_of
from frontend.figures.numbers import Scale, scale_of, si, time_scale
from frontend.figures.statistics.histogram import binned
from frontend.figures.time_axis import time_meta
from frontend.theme import CLEAR, SEQUENTIAL, TOKENS, RunStyle, Scheme

_MOST_NAMED_COLUMNS = 16
_MARGIN = {"l": 56, "r": 18, "t": 30, "b": 42}
_LONGEST_NAME_PX = 180.0
_LEGEND_ROW_PX = 20
_AXIS_PX = 72.0  # margins above and below a panel
_BETWEEN_PX = 34  # between panels: the last tick of the one, the name of the next
_LEAST_PLOT_PX, _BETWEEN_NAMES_PX = 520.0, 4.0  # a trace beside its readout in a window of 1280 pixels
_TICK_PX = 13.0  # least distance of figures at a vertical axis
_NAME_PX, _ROW_PX = 25, 16  # names of events stand above that of the uppermost axis, those of stretches above them


def trace_figure(
    trace: Trace,
    scheme: Scheme,
    *,
    height_px: float | None = None,
    end_s: float | None = None,
    spans: Mapping[str, tuple[float, float]] | None = None,
    run: RunStyle | None = None,
) -> go.Figure:
    """Return the panels of one unit each on one time axis, with limits, events as rules through all panels, and named stretches.

    Args:
        trace: at least one series.
        scheme: light or dark.
        height_px: height; by default that of the panels.
        end_s: where the time axis ends, for several traces on one axis; the trace's own end by default.
        spans: unit -> least and largest value that its panel shows, in that unit, for the same reason.
        run: run of a comparison, in whose colour all lines are drawn; None where each has its own.
    """
    tokens = TOKENS[scheme]
    units = list(dict.fromkeys(series.unit for series in trace.series))
    time = time_scale(trace.time_s if end_s is None else [end_s])
    x = np.asarray(trace.time_s) * time.factor
    traces: list[Entry] = []
    notes: list[Entry] = []
    layout: Entry = {"height": height_px or 60 + 150 * len(units), "hovermode": "x"}
    top_px = 30 + _ROW_PX * (bool(trace.events) + bool(trace.bands))
    plot_px = float(layout["height"]) - top_px - _MARGIN["b"]
    gap = _gap_between(len(units), plot_px)
    share = (1 - gap * (len(units) - 1)) / max(1, len(units))
    longest = 0.0
    panel_px = share * plot_px
    for panel, unit in enumerate(units):
        members = list(enumerate(s for s in trace.series if s.unit == unit))
        limits = [t for t in trace.thresholds if t.unit == unit]
        span = (spans or {}).get(unit)
        shown = np.concatenate([*[s.y for _, s in members], [t.value for t in limits]]) if span is None else span
        scale = scale_of(shown, unit)
        axis = "y" if panel == 0 else f"y{panel + 1}"
        top = 1 - panel * (share + gap)
        vertical: Entry = {"domain": [max(0.0, top - share), top], "nticks": max(2, min(5, int(panel_px / _TICK_PX)))}
        low, high = span_of(np.asarray(shown, np.float64) * scale.factor)
        if span is not None:
            vertical["range"] = [span[0] * scale.factor, span[1] * scale.factor]
        elif is_level(shown):
            vertical["range"] = [low, high]
        elif low >= 0 and all(np.min(s.low, initial=0.0) >= 0 for _, s in members):
            vertical["rangemode"] = "nonnegative"  # names at the ends of lines would take the axis below zero
        layout[axis.replace("y", "yaxis")] = vertical
        for position, series in members:
            traces += [t | {"yaxis": axis} for t in line_traces(series, x, scale, position, scheme, run)]
        longest = max([longest, *[text_width(s.title, 11) for _, s in members]])
        several = [(s, x, scale, i) for i, s in members] if len(members) > 1 else []
        names = end_names(several, scheme, axis, panel_px, (low, high), run)
        name = members[0][1].title if len(members) == 1 or len(units) > 1 else trace.title
        notes += [axis_name(name, scale.unit, scheme, top), *names]
        for limit in limits:
            traces.append(_limit_line(limit.title, limit.value * scale.factor, x, axis, tokens.bad))
            font = {"size": 11, "color": tokens.bad}
            words = f"{limit.title} {si(limit.value, limit.unit)}"
            notes.append(
                {"x": 0, "xref": "paper", "xanchor": "left", "xshift": 4, "y": limit.value * scale.factor, "yref": axis}
            )
            notes[-1] |= {"text": words, "font": font, "yanchor": "bottom", "bgcolor": tokens.surface, "opacity": 0.9}
    shapes, more = _events_and_bands(trace, time, scheme)
    last = "y" if len(units) == 1 else f"y{len(units)}"
    layout |= {"shapes": shapes, "annotations": [*notes, *more], "uirevision": trace.name}
    layout["margin"] = _MARGIN | {
        "r": int(longest + 14) if len(trace.series) > len(units) else 18,
        "t": top_px,
    }
    layout["xaxis"] = {"title": {"text": f"Time ({time.unit})"}, "anchor": last} | axis_ends(x)
    start_s = float(trace.time_s[0]) if len(x) else 0.0
    last_s = float(trace.time_s[-1]) if len(x) else 0.0
    marks_s = [*[event.time_s for event in trace.events], *[band.start_s for band in trace.bands]]
    layout["meta"] = time_meta(*((start_s, last_s) if end_s is None else (min(0.0, start_s), end_s)), marks_s)
    if end_s is not None:
        limits_of_axis = [min(0.0, float(x[0]) if len(x) else 0.0), end_s * time.factor]
        layout["xaxis"] |= {"range": limits_of_axis, "minallowed": limits_of_axis[0], "maxallowed": limits_of_axis[1]}
    # Bands are opaque: all lie below all lines. Edges of a band stay side by side, as one is filled to the one before.
    return figure(scheme, sorted(traces, key=lambda each: each["line"]["width"] > 0), layout)


def _gap_between(panels: int, plot_px: float) -> float:
    """Return the share of a plot between two panels: room for a name, of many panels never more than half of the plot together."""
    if panels < 2:
        return 0.0
    return max(0.14 / (panels - 1), min(0.25, 0.5 / (panels - 1), _BETWEEN_PX / plot_px))


def _limit_line(title: str, value: float, x: Any, axis: str, colour: str) -> Entry:
    line = {"color": colour, "width": 1, "dash": "6px,3px"}
    ends = [float(x[0]), float(x[-1])] if len(x) else []
    return {"type": "scatter", "mode": "lines", "x": ends, "y": [value] * len(ends), "yaxis": axis, "line": line, "name": title,
            "hoverinfo": "skip"}  # fmt: skip


def _events_and_bands(trace: Trace, time: Scale, scheme: Scheme) -> tuple[list[Entry], list[Entry]]:
    tokens = TOKENS[scheme]
    shapes: list[Entry] = []
    notes: list[Entry] = []
    told = _named_events(trace)
    for position, event in enumerate(trace.events):
        at = event.time_s * time.factor
        rule = {"color": tokens.text2, "width": 1, "dash": "2px,2px"}
        shapes.append({"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper", "line": rule})
        words = {
            "text": f"◆ {event.title}" if position in told else "◆",
            "hovertext": event.title,
            "font": {"size": 11, "color": tokens.text2},
            "xanchor": "left",
            "xshift": -4,
        }
        notes.append({"x": at, "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": _NAME_PX, **words})
    named = _named_bands(trace)
    for position, band in enumerate(trace.bands):
        x0, x1 = band.start_s * time.factor, band.end_s * time.factor
        fill = tokens.sunken if position % 2 == 0 else CLEAR
        shapes.append({"type": "rect", "x0": x0, "x1": x1, "y0": 0, "y1": 1, "yref": "paper", "fillcolor": fill, "layer": "below",
                       "line": {"width": 0}})  # fmt: skip
        if position not in named:
            continue
        notes.append({"x": (x0 + x1) / 2, "y": 1, "yref": "paper", "yanchor": "bottom", "text": band.title,
                      "yshift": _NAME_PX + _ROW_PX * bool(trace.events), "font": {"size": 11, "color": tokens.text2}})  # fmt: skip
    return shapes, notes


def _named_bands(trace: Trace) -> set[int]:
    """Return the places of the stretches whose names do not run into the name before, in a plot of the least width."""
    px_per_s = _least_px_per_s(trace)
    named: set[int] = set()
    free_px = -math.inf
    for position, band in enumerate(trace.bands):
        middle, half = px_per_s * (band.start_s + band.end_s) / 2, text_width(band.title, 11) / 2
        if middle - half >= free_px:
            named.add(position)
            free_px = middle + half + _BETWEEN_NAMES_PX
    return named


def _named_events(trace: Trace) -> set[int]:
    """Return the places of the events whose names do not run into the mark of another, in a plot of the least width."""
    px_per_s = _least_px_per_s(trace)
    begins = [px_per_s * event.time_s for event in trace.events]
    ends = [begin + text_width(f"◆ {event.title}", 11) for begin, event in zip(begins, trace.events, strict=True)]
    return {at for at, end in enumerate(ends) if not any(begins[at] < begin < end for begin in begins)}


def _least_px_per_s(trace: Trace) -> float:
    ends_s = [float(trace.time_s[0]), float(trace.time_s[-1])] if len(trace.time_s) else []
    ends_s += [end for band in trace.bands for end in (band.start_s, band.end_s)]
    return _LEAST_PLOT_PX / max(max(ends_s, default=0.0) - min(ends_s, default=0.0), 1e-12)


def curve_figure(curve: Curve, scheme: Scheme, *, height_px: float = 280, heading: str = "") -> go.Figure:
    """Return the series over any axis; one unit only, since two scales on one plot mislead: further units get panels of their own.

    Args:
        curve: the series.
        scheme: light or dark.
        height_px: height in pixels of a panel.
        heading: heading above the picture, which no axis repeats.
    """
    units = list(dict.fromkeys(series.unit for series in curve.series))
    x_scale = scale_of(curve.x, curve.x_unit) if not curve.x_log else Scale(1.0, curve.x_unit)
    x = np.asarray(curve.x) * x_scale.factor
    traces: list[Entry] = []
    notes: list[Entry] = []
    gap = 0.16 if len(units) > 1 else 0.0
    share = (1 - gap * (len(units) - 1)) / max(1, len(units))
    layout: Entry = {
        "height": height_px * max(1, len(units)) * (0.8 if len(units) > 1 else 1),
        "uirevision": curve.name,
    }
    for panel, unit in enumerate(units):
        axis, top = "y" if panel == 0 else f"y{panel + 1}", 1 - panel * (share + gap)
        members = [(i, s) for i, s in enumerate(curve.series) if s.unit == unit]
        values = np.concatenate([np.asarray(s.y, np.float64) for _, s in members])
        scale = scale_of(values, unit)
        layout[axis.replace("y", "yaxis")] = {"domain": [max(0.0, top - share), top]}
        if curve.y_log:
            layout[axis.replace("y", "yaxis")] |= {"type": "log", "dtick": 1}
        elif not np.any(values < 0):  # names below the last points would take the axis below zero
            layout[axis.replace("y", "yaxis")]["rangemode"] = "nonnegative"
        for position, series in members:
            traces += [t | {"yaxis": axis} for t in line_traces(series, x, scale, position, scheme)]
        title = members[0][1].title if len(members) == 1 or len(units) > 1 else curve.title
        notes += axis_name_under(title, heading, scale.unit, scheme, top)
        several = [(s, x, scale, i) for i, s in members] if len(members) > 1 and not curve.y_log else []
        span = span_of(values * scale.factor)
        names = end_names(several, scheme, axis, share * (float(layout["height"]) - _AXIS_PX), span)
        # Plotly takes the places of notes on a logarithmic axis as powers of ten.
        notes += [name | {"x": float(np.log10(name["x"]))} for name in names] if curve.x_log else names
    named = len(curve.series) > len(units) and not curve.y_log  # on a logarithmic axis a legend names the series
    right = max([text_width(s.title, 11) for s in curve.series], default=0.0) if named else 4.0
    margin = _MARGIN | {"r": int(right + 14)}
    if curve.y_log:
        below = {"y": -_MARGIN["b"] / (float(layout["height"]) - _AXIS_PX), "yanchor": "top"}
        legend_px = _LEGEND_ROW_PX * len(curve.series)
        layout |= {"showlegend": True, "height": layout["height"] + legend_px, "legend": below}
        margin["b"] += legend_px
    unit = f" ({x_scale.unit})" if x_scale.unit else ""
    layout["xaxis"] = {"title": {"text": curve.x_title + unit}, "type": "log" if curve.x_log else "linear"}
    layout["xaxis"] |= {"dtick": 1} if curve.y_log else {}
    layout["xaxis"] |= {"anchor": "y" if len(units) == 1 else f"y{len(units)}"} | _curve_ends(curve, x)
    return figure(scheme, traces, layout | {"annotations": notes, "margin": margin})


def _curve_ends(curve: Curve, x: FloatArray) -> Entry:
    """Return the ends like `axis_ends`, in powers of ten where the axis is logarithmic."""
    if not curve.x_log:
        return axis_ends(x)
    return axis_ends(np.log10(x)) if len(x) > 1 and bool((x > 0).all()) else {}


def matrix_figure(matrix: Matrix, scheme: Scheme, *, height_px: float | None = None) -> go.Figure:
    """Return a heat map in Cividis; cells hold their values where there are at most 400 of them, in at most 16 columns.

    More columns are numbered from 1 on, some of the numbers shown; what is pointed at tells its name.
    """
    tokens = TOKENS[scheme]
    values = np.asarray(matrix.values, np.float64)
    scale = scale_of(values, matrix.unit)
    shown = values * scale.factor
    rows, columns = len(matrix.row_titles), len(matrix.column_titles)
    left = min(_LONGEST_NAME_PX, max([text_width(t, 11) for t in matrix.row_titles], default=20.0)) + 14
    bar = {"thickness": 8, "outlinewidth": 0, "tickfont": {"size": 11, "color": tokens.text2}, "len": 1, "xpad": 8}
    bar["title"] = {
        "text": f"{matrix.value_title} ({scale.unit})" if scale.unit else matrix.value_title,
        "side": "right",
    }
    trace: Entry = {
        "type": "heatmap",
        "z": shown.astype(np.float32),
        "x": list(range(columns)),
        "y": list(range(rows)),
        "colorscale": SEQUENTIAL,
        "xgap": 1,
        "ygap": 1,
        "colorbar": bar,
        "customdata": [[f"{r}, {c}" for c in matrix.column_titles] for r in matrix.row_titles],
        "hovertemplate": f"%{{customdata}}<br>{matrix.value_title} %{{z:.4~r}}\u00a0{scale.unit}<extra></extra>",
    }
    finite = shown[np.isfinite(shown)]
    if finite.size and finite.min() == finite.max():  # one value has one mark; Plotly would spread the bar around it
        value = float(finite[0])
        trace |= {"zmin": value - 0.5, "zmax": value + 0.5}
        bar |= {"tickvals": [value], "ticktext": [f"{value:.4g}"]}
    named = columns <= _MOST_NAMED_COLUMNS
    if rows * columns <= 400 and named:
        whole = bool(np.all(shown[np.isfinite(shown)] % 1 == 0))
        trace |= {"texttemplate": "%{z:,d}" if whole else "%{z:.3r}", "textfont": {"size": 11}}
    layout = {
        "height": height_px or 70 + 26 * max(rows, 4),
        "margin": {"l": left, "r": 16, "t": 12, "b": 40},
        "xaxis": {**_columns_axis(matrix.column_titles, named), "showgrid": False, "ticks": "", "automargin": True},
        "yaxis": {"tickvals": list(range(rows)), "ticktext": list(matrix.row_titles), "showgrid": False, "ticks": "",
                  "autorange": "reversed"},
    }  # fmt: skip
    return figure(scheme, [trace], layout)


def _columns_axis(titles: Sequence[str], named: bool) -> Entry:
    """Return the names of columns, or every fifth of their numbers, the first as well."""
    if named:
        return {"tickvals": list(range(len(titles))), "ticktext": list(titles)}
    numbers = [1, *range(5, len(titles) + 1, 5)]
    return {"tickvals": [number - 1 for number in numbers], "ticktext": [str(number) for number in numbers]}


def distribution_figure(distribution: Distribution, scheme: Scheme, *, height_px: float = 220) -> go.Figure:
    """Return a histogram with the median as a rule; what is not finite is left out."""
    tokens = TOKENS[scheme]
    values = np.asarray(distribution.values, np.float64)
    values = values[np.isfinite(values)]
    scale = scale_of(values, distribution.unit)
    counts, edges = binned(values * scale.factor, min(40, max(5, int(np.sqrt(len(values))))))
    centres, width = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
    bars: Entry = {"type": "bar", "x": centres, "y": counts, "width": width * 0.94, "marker": {"color": tokens.dot}}
    bars |= {"hovertemplate": f"%{{y}} at %{{x:.4~r}}\u00a0{scale.unit}<extra></extra>", "name": distribution.title}
    shapes, notes = [], [axis_name("Count", "", scheme)]
    if len(values):
        median = float(np.median(values))
        at = median * scale.factor
        rule = {"color": tokens.text, "width": 1, "dash": "6px,3px"}
        shapes = [{"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper", "line": rule}]
        notes.append(
            {"x": at, "y": 1, "yref": "paper", "yanchor": "bottom", "text": f"median {si(median, distribution.unit)}"}
        )
    unit = f" ({scale.unit})" if scale.unit else ""
    layout = {"height": height_px, "margin": _MARGIN, "xaxis": {"title": {"text": distribution.title + unit}}, "yaxis": {},
              "shapes": shapes, "annotations": notes}  # fmt: skip
    return figure(scheme, [bars], layout)


def layer_graph_figure(
    graph: LayerGraph, scheme: Scheme, *, width_px: float = 900, most_px: float = math.inf
) -> go.Figure:
    """Return the layers from left to right by their depth, coloured by group; figures of a layer are shown on hover.

    Args:
        graph: the layers.
        scheme: light or dark.
        width_px: width of the picture; what is deeper continues below.
        most_px: layers shrink, and lose their names, rather than the picture being higher than this.
    """
    traces, size = layer_graph_traces(graph, scheme, width_px, most_px)
    hidden = {"visible": False, "fixedrange": False}
    layout = {"height": size[1], "margin": {"l": 0, "r": 0, "t": 0, "b": 0}, "dragmode": "pan"}
    axes = {"xaxis": hidden | {"range": [0, size[0]]}, "yaxis": hidden | {"range": [size[1], 0]}}
    return figure(scheme, traces, layout | axes)
