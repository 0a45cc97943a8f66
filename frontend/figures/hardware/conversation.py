"""Axes and traces of a conversation with a language model; the browser fills them by coefficients (assets/conversation.js).

Traces are found by their names.
"""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from frontend.figures.drawing import Entry, figure
from frontend.figures.hardware.survey import CERTAINTY_SYMBOLS
from frontend.figures.lines import axis_name
from frontend.theme import RUNS, TOKENS, Scheme, mix

FRONT_HEIGHT_PX, TIMELINE_HEIGHT_PX, MEMORY_HEIGHT_PX = 350, 350, 320
_MARGIN = {"l": 56, "r": 20, "t": 34, "b": 44}
_CACHE_SHARE = 0.66  # of the height of the timeline
_HOVER = (
    "<b>%{customdata[0]}</b>, %{customdata[3]}<br>first token after %{customdata[1]}<br>%{customdata[2]} tokens per second"
    "<br>%{customdata[4]}<extra></extra>"
)


def conversation_front(scheme: Scheme) -> go.Figure:
    """Return time to first token against tokens per second, a trace per word of certainty, the front and the chosen board."""
    tokens = TOKENS[scheme]
    traces: list[Entry] = [
        _trace("Pareto front", "lines", line={"color": tokens.accent, "width": 1.8, "shape": "hv"}, hoverinfo="skip")
    ]
    for certainty, symbol in CERTAINTY_SYMBOLS.items():
        marker = {"symbol": symbol, "size": 8, "color": tokens.text2, "line": {"width": 1.4, "color": tokens.text2}}
        traces.append(_trace(certainty, "markers", marker=marker, hovertemplate=_HOVER))
    chosen = {"symbol": "circle-open", "size": 15, "color": tokens.accent, "line": {"width": 2, "color": tokens.accent}}
    traces.append(_trace("chosen board", "markers", marker=chosen, hovertemplate=_HOVER))
    names = {"textfont": {"size": 11, "color": tokens.text}, "textposition": "top right", "cliponaxis": False}
    traces.append(_trace("names", "text", hoverinfo="skip", showlegend=False, **names))
    layout = {
        "height": FRONT_HEIGHT_PX,
        "margin": _MARGIN,
        "xaxis": {**_log_axis(), "title": {"text": "Time to first token (s)"}},
        "yaxis": _log_axis(),
        "annotations": [axis_name("Speed of the answer", "tokens/s", scheme)],
    }
    return figure(scheme, traces, layout)


def token_timeline(scheme: Scheme) -> go.Figure:
    """Return prefill as a block and decode as a comb, with the cache as an area below, over the same time."""
    tokens, first, second = TOKENS[scheme], RUNS[0].colour[scheme], RUNS[1].colour[scheme]
    cache = RUNS[2].colour[scheme]
    block = {"fill": "toself", "fillcolor": mix(tokens.surface, first, 0.3), "line": {"color": first, "width": 1}}
    traces: list[Entry] = [
        _trace("prefill", "lines", yaxis="y2", hoveron="fills", text="prefill of the prompt", hoverinfo="text", **block),
        _trace("decode", "lines", yaxis="y2", line={"color": second, "width": 1},
               hovertemplate="%{meta}<br>%{x:.4~g} s<extra></extra>"),
        _trace("cache", "lines", fill="tozeroy", fillcolor=mix(tokens.surface, cache, 0.3), line={"color": cache, "width": 1.5},
               hovertemplate="%{y:.4~g} MB of cache<br>at %{x:.4~g} s<extra></extra>"),
    ]  # fmt: skip
    layout = {
        "height": TIMELINE_HEIGHT_PX,
        "margin": _MARGIN,
        "xaxis": {"rangemode": "tozero", "title": {"text": "Time since the prompt (s)"}, "anchor": "y"},
        "yaxis": {"rangemode": "tozero", "domain": [0, _CACHE_SHARE]},
        "yaxis2": {"domain": [_CACHE_SHARE + 0.14, 1], "range": [0, 1], "visible": False, "fixedrange": True},
        "annotations": [axis_name("Cache", "MB", scheme, _CACHE_SHARE), axis_name("Prefill and decode", "", scheme)],
    }
    return figure(scheme, traces, layout)


def memory_by_context(scheme: Scheme) -> go.Figure:
    """Return weights, cache and results as a stack over the tokens of the context, with the memory of the device as a line."""
    tokens, stack = TOKENS[scheme], []
    for place, name in enumerate(("weights", "cache", "results")):
        colour = RUNS[place].colour[scheme]
        stack.append(
            _trace(name, "lines", stackgroup="memory", fillcolor=mix(tokens.surface, colour, 0.3),
                   line={"color": colour, "width": 1}, hovertemplate=f"{name} %{{y:.3~g}} GB<br>at %{{x:,}} tokens<extra></extra>")
        )  # fmt: skip
    line = {"color": tokens.bad, "width": 2, "dash": "dash"}
    now = {"symbol": "circle", "size": 9, "color": tokens.accent}
    last = {"symbol": "x", "size": 10, "color": tokens.bad}
    traces: list[Entry] = [
        *stack,
        _trace("device memory", "lines", line=line, hovertemplate="device memory %{y:.4~g} GB<extra></extra>"),
        _trace("this conversation", "markers", marker=now, hovertemplate="%{x:,} tokens<br>%{y:.4~g} GB<extra></extra>"),
        _trace("no longer fits", "markers", marker=last, hovertemplate="more than %{x:,} tokens do not fit<extra></extra>"),
    ]  # fmt: skip
    layout = {
        "height": MEMORY_HEIGHT_PX,
        "margin": {**_MARGIN, "t": 62},
        "showlegend": True,
        "legend": {"y": 1.16},
        "xaxis": {"rangemode": "tozero", "title": {"text": "Context (tokens)"}},
        "yaxis": {"rangemode": "tozero"},
        "annotations": [axis_name("Memory", "GB", scheme)],
    }
    return figure(scheme, traces, layout)


def layer_roofline(scheme: Scheme) -> go.Figure:
    """Return published and reached roofs of a compute unit, with kinds of layers in prefill and decode as marks."""
    tokens = TOKENS[scheme]
    hover = "<b>%{text}</b><br>%{y:.3~g} TOP/s at %{x:.3~g} OP/B<extra></extra>"
    published = {"color": tokens.text2, "width": 2}
    traces: list[Entry] = [
        _trace("published roof", "lines", line=published, hoverinfo="skip"),
        _trace(
            "roof of the estimate",
            "lines",
            line={"color": tokens.text2, "width": 1.5, "dash": "dash"},
            hoverinfo="skip",
        ),
    ]
    for style, stage in zip(RUNS, ("prefill", "decode"), strict=False):
        marker = {"symbol": style.symbol, "size": 10, "color": style.colour[scheme]}
        name = f"{stage} layers"
        traces.append(
            _trace(name, "markers", marker=marker, text=[], hovertemplate=hover.replace("<b>", f"<b>{stage}, "))
        )
    layout = {
        "height": MEMORY_HEIGHT_PX,
        "margin": {**_MARGIN, "t": 62},
        "showlegend": True,
        "legend": {"y": 1.16},
        "xaxis": {**_log_axis(), "title": {"text": "Operations per byte of memory traffic (OP/B)"}},
        "yaxis": _log_axis(),
        "annotations": [axis_name("Rate", "TOP/s", scheme)],
    }
    return figure(scheme, traces, layout)


def _trace(name: str, mode: str, **more: Any) -> Entry:
    return {"type": "scatter", "name": name, "mode": mode, "x": [], "y": [], **more}


def _log_axis() -> Entry:
    return {"type": "log", "dtick": 1, "minor": {"ticks": "outside"}}
