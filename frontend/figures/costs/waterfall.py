"""A waterfall chart: the parts of a metric, or its change from one design to another, part by part."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from engines.why.composition import Part
from frontend.figures.drawing import Entry, figure, fitted, text_width
from frontend.figures.numbers import scale_of, si
from frontend.theme import TOKENS, Scheme

MOST_PARTS = 10
_ROW_PX, _AXIS_PX, _TOP_PX = 26.0, 42.0, 12.0
_ALIKE = 1e-9  # share of the totals below which a change is none
_LONGEST_NAME_PX, _VALUE_PX = 190.0, 92.0


def waterfall_figure(
    parts: Sequence[Part], design: str, other: str, unit: str, scheme: Scheme, *, better_is_less: bool | None = None
) -> go.Figure:
    """Return the bars that lie, each beginning where the one above it ended.

    Args:
        parts: with `other`, the bars are what the design has more or less of each; without, what it has.
        design: name of the design, at the last bar.
        other: name of the design that it is set next to, at the first bar; "" for none.
        unit: unit of the values.
        scheme: light or dark.
        better_is_less: whether less is better, which gives changes their colours; None: neither is.
    """
    total, beside = sum(part.value for part in parts), sum(part.beside for part in parts)
    least = _ALIKE * max(abs(total), abs(beside))
    parts = [part for part in parts if not other or abs(part.change) > least]
    scale = scale_of([total, beside], unit)
    steps = [part.change if other else part.value for part in parts]
    names = [*([other] if other else []), *(part.title for part in parts), design]
    values = [*([beside] if other else []), *steps, total]
    measures = [*(["absolute"] if other else []), *["relative"] * len(steps), "total"]
    words = [
        *([si(beside, unit)] if other else []),
        *(_signed(step, unit, bool(other)) for step in steps),
        si(total, unit),
    ]
    bars = {
        "type": "waterfall",
        "orientation": "h",
        "y": list(range(len(names))),
        "x": [value * scale.factor for value in values],
        "measure": measures,
        "text": words,
        "textposition": "outside",
        "cliponaxis": False,
        "constraintext": "none",
        "customdata": [[name, word] for name, word in zip(names, words, strict=True)],
        "hovertemplate": "<b>%{customdata[0]}</b><br>%{customdata[1]}<extra></extra>",
        **_colours(scheme, better_is_less if other else None),
    }
    shown = [fitted(name, _LONGEST_NAME_PX, 11) for name in names]
    layout: Entry = {
        "height": _TOP_PX + _AXIS_PX + _ROW_PX * len(names),
        "margin": {"l": max(text_width(name, 11) for name in shown) + 14, "r": _VALUE_PX, "t": _TOP_PX, "b": _AXIS_PX},
        "waterfallgap": 0.35,
        "showlegend": False,
        "xaxis": _axis([value * scale.factor for value in values], scale.unit, bool(other)),
        "yaxis": {
            "tickvals": list(range(len(names))), "ticktext": shown, "autorange": "reversed", "showgrid": False, "ticks": "",
        },
    }  # fmt: skip
    return figure(scheme, [bars], layout)


def _signed(value: float, unit: str, signed: bool) -> str:
    sign = "" if not signed else "+" if value > 0 else "−" if value < 0 else ""
    return f"{sign}{si(abs(value), unit)}" if signed else si(value, unit)


def _axis(values: Sequence[float], unit: str, changes: bool) -> Entry:
    """Return the axis from 0; for small changes between two large values only their span, which the axis says."""
    title, at, reached = {"text": unit}, values[0], [values[0], values[-1]]
    for step in values[1:-1]:
        at += step
        reached.append(at)
    low, high = min(reached), max(reached)
    if not changes or low <= 0 or high - low > low / 2 or high == low:
        return {"title": title, "rangemode": "tozero"}
    title["text"] = f"{unit}; the axis does not begin at 0".removeprefix("; ")
    return {"title": title, "range": [low - (high - low), high + 0.1 * (high - low)]}


def _colours(scheme: Scheme, better_is_less: bool | None) -> Entry:
    tokens = TOKENS[scheme]
    less, more = {
        None: (tokens.text3, tokens.text3),
        True: (tokens.good, tokens.warn),
        False: (tokens.warn, tokens.good),
    }[better_is_less]
    return {
        "decreasing": {"marker": {"color": less}},
        "increasing": {"marker": {"color": more}},
        "totals": {"marker": {"color": tokens.text2}},
        "connector": {"line": {"color": tokens.border, "width": 1}},
    }
