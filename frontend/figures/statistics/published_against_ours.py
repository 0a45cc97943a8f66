"""Published against computed values: one line per comparison, one panel per unit, logarithmic but where a comparison has parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log10
from typing import Any

import plotly.graph_objects as go

from engines.reproduction.comparisons import Comparison, ValueComparison
from frontend.figures.drawing import figure, text_width
from frontend.figures.numbers import significant
from frontend.theme import TOKENS, Scheme

_ROW_PX, _PANEL_PX, _TOP_PX = 18, 54, 20
_LONGEST_NAME_PX = 300.0
_RATIO_PX = 64
_STEPS = (
    (1.0,),
    (1.0, 3.0),
    (1.0, 2.0, 5.0),
    (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0),
    tuple(1 + n / 5 for n in range(45)),
)
_FEWEST_TICKS, _MOST_TICKS = 3, 7


@dataclass(frozen=True)
class _Line:
    """A comparison that can be drawn: its values are above zero, or it has parts, which may be below.

    Attributes:
        low, high: ours over all readings.
        parts: words and ours of the comparisons that are part of it.
    """

    row: Comparison
    low: float
    high: float
    parts: tuple[tuple[str, float], ...] = ()


def published_figure(found: Sequence[ValueComparison], scheme: Scheme) -> go.Figure:
    """Draw a diamond for the published value (two: a range), a disc for the first reading, a bar for all readings.

    Parts of a comparison are small open marks on its line, one shape for each word of `part_words`.

    Args:
        found: comparisons of one published table. What is not above zero, or not printed, is left out but for parts.
        scheme: light or dark.
    """
    tokens = TOKENS[scheme]
    panels = _panels(found)
    lines = [line for _, members in panels for line in members]
    names = max([text_width(_short(line.row.name), 11) for line in lines], default=80.0)
    height = _TOP_PX + sum(_PANEL_PX + _ROW_PX * len(members) for _, members in panels)
    traces: list[dict[str, Any]] = []
    words = part_words(found)
    margin = {"l": int(names) + 14, "r": _RATIO_PX, "t": 0, "b": 0}
    layout: dict[str, Any] = {"height": height, "margin": margin, "hovermode": "closest", "annotations": []}
    top = float(_TOP_PX)
    for number, (unit, members) in enumerate(panels, start=1):
        suffix = "" if number == 1 else str(number)
        bottom = top + _ROW_PX * len(members)
        domain = [max(0.0, 1 - bottom / height), 1 - top / height]
        layout |= _axes(suffix, unit, members, domain)
        traces += [*_marks(suffix, members, tokens), *_part_marks(suffix, members, words, tokens)]
        layout["annotations"] += _ratios(suffix, members, tokens.text2)
        top = bottom + _PANEL_PX
    return figure(scheme, traces, layout)


def published_sentence(found: Sequence[ValueComparison]) -> str:
    """Return the picture in a sentence, for those who cannot see it."""
    lines = [line for _, members in _panels(found) for line in members]
    ratios = [line.row.ratio for line in lines if isfinite(line.row.ours)]
    words = f"{len(lines)} published values" + (
        f", {len(found) - len(lines)} more are not drawn" if len(found) > len(lines) else ""
    )
    if not ratios:
        return f"{words}; the computed value is not available yet."
    return f"{words}; computed over published from {significant(min(ratios))} to {significant(max(ratios))}."


def left_out(found: Sequence[ValueComparison]) -> int:
    """Return the number of comparisons that the picture omits: without a published value, or not above zero."""
    return len(found) - sum(1 + len(line.parts) for _, members in _panels(found) for line in members)


def part_words(found: Sequence[ValueComparison]) -> tuple[str, ...]:
    """Return the parts that comparisons have, each once; their place tells the mark (`PART_MARKS`)."""
    return tuple(dict.fromkeys(each.first.part_of[1] for each in found if each.first.part_of is not None))


def _panels(found: Sequence[ValueComparison]) -> list[tuple[str, list[_Line]]]:
    parts: dict[str, list[tuple[str, float]]] = {}
    for each in found:
        if each.first.part_of is not None:
            whole, word = each.first.part_of
            parts.setdefault(whole, []).append((word, each.first.ours))
    panels: dict[str, list[_Line]] = {}
    for each in found:
        row, own = each.first, tuple(parts.get(each.first.name, ()))
        if not (isfinite(row.published) and row.published > 0) or (isfinite(row.ours) and row.ours <= 0 and not own):
            continue
        low, high = each.range or (row.ours, row.ours)
        panels.setdefault(row.unit, []).append(_Line(row, low, high, own))
    return list(panels.items())


def _axes(suffix: str, unit: str, members: Sequence[_Line], domain: Sequence[float]) -> dict[str, Any]:
    values = [end for line in members for end in _ends(line.row)]
    values += [value for line in members for value in (line.row.ours, line.low, line.high) if isfinite(value)]
    if any(line.parts for line in members):
        return _linear_axes(suffix, unit, members, domain, values)
    values = [value for value in values if value > 0]
    low, high = min(values) / 1.12, max(values) * 1.12
    if high / low < 2:
        low, high = low / 1.5, high * 1.5
    ticks = _ticks(low, high)
    title = "ratio (×)" if unit == "x" else unit
    return {
        f"xaxis{suffix}": {
            "type": "log", "range": [log10(low), log10(high)], "anchor": f"y{suffix}", "tickvals": ticks,
            "ticktext": [significant(tick, 2) for tick in ticks], "title": {"text": title, "standoff": 4}, "fixedrange": True,
        },
        f"yaxis{suffix}": _names_axis(suffix, members, domain),
    }  # fmt: skip


def _linear_axes(
    suffix: str, unit: str, members: Sequence[_Line], domain: Sequence[float], values: list[float]
) -> dict[str, Any]:
    values = [0.0, *values, *(value for line in members for _, value in line.parts if isfinite(value))]
    room = 0.06 * (max(values) - min(values) or 1.0)
    return {
        f"xaxis{suffix}": {
            "range": [min(values) - room, max(values) + room], "anchor": f"y{suffix}", "nticks": _MOST_TICKS,
            "zeroline": True, "title": {"text": unit, "standoff": 4}, "fixedrange": True,
        },
        f"yaxis{suffix}": _names_axis(suffix, members, domain),
    }  # fmt: skip


def _names_axis(suffix: str, members: Sequence[_Line], domain: Sequence[float]) -> dict[str, Any]:
    return {
        "domain": list(domain), "anchor": f"x{suffix}", "autorange": False, "range": [len(members) - 0.5, -0.5],
        "tickvals": list(range(len(members))), "ticktext": [_short(line.row.name) for line in members], "ticks": "",
        "showline": False, "tickfont": {"size": 11}, "fixedrange": True,
    }  # fmt: skip


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers within the axis: the coarsest that are enough to read it by."""
    decades = range(math.floor(log10(low)), math.ceil(log10(high)) + 1)
    for steps in _STEPS:
        ticks = [step * 10.0**decade for decade in decades for step in steps if low <= step * 10.0**decade <= high]
        if len(ticks) >= _FEWEST_TICKS:
            return ticks[:: -(-len(ticks) // _MOST_TICKS)]
    return [low * (high / low) ** share for share in (0.1, 0.5, 0.9)]


def _marks(suffix: str, members: Sequence[_Line], tokens: Any) -> list[dict[str, Any]]:
    axes = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}", "type": "scatter"}
    computed = [(place, line) for place, line in enumerate(members) if isfinite(line.row.ours)]
    spans: list[dict[str, Any]] = []
    for ends, width, colour in (
        ([(line.low, line.high) for _, line in computed], 6, tokens.border_soft),
        ([(line.row.published, line.row.ours) for _, line in computed], 1, tokens.dot),
    ):
        x = [value for pair in ends for value in (*pair, None)]
        y = [value for place, _ in computed for value in (place, place, None)]
        line = {"width": width, "color": colour}
        spans.append({**axes, "mode": "lines", "x": x, "y": y, "line": line, "hoverinfo": "skip"})
    ours = {
        **axes, "mode": "markers", "x": [line.row.ours for _, line in computed], "y": [place for place, _ in computed],
        "customdata": [_hover(line) for _, line in computed], "hovertemplate": _HOVER,
        "marker": {"symbol": "circle", "size": 8, "color": tokens.accent},
    }  # fmt: skip
    published = {
        **axes, "mode": "markers", "x": [end for line in members for end in _ends(line.row)],
        "y": [place for place, line in enumerate(members) for _ in _ends(line.row)],
        "customdata": [_hover(line) for line in members for _ in _ends(line.row)], "hovertemplate": _HOVER,
        "marker": {"symbol": "diamond-open", "size": 10, "color": tokens.text, "line": {"width": 1.6, "color": tokens.text}},
    }  # fmt: skip
    return [*spans, ours, published]


def _part_marks(suffix: str, members: Sequence[_Line], words: Sequence[str], tokens: Any) -> list[dict[str, Any]]:
    """Return one trace of all parts, so that lines of a panel keep their order."""
    drawn = [
        (place, line, word, value)
        for place, line in enumerate(members)
        for word, value in line.parts
        if isfinite(value)
    ]
    if not drawn:
        return []
    symbols = [_PART_SYMBOLS[words.index(word) % len(_PART_SYMBOLS)] for _, _, word, _ in drawn]
    return [
        {
            "xaxis": f"x{suffix}", "yaxis": f"y{suffix}", "type": "scatter", "mode": "markers",
            "x": [value for *_, value in drawn], "y": [place for place, *_ in drawn],
            "customdata": [[line.row.name, word, _with_unit(value, line.row.unit)] for _, line, word, value in drawn],
            "hovertemplate": "<b>%{customdata[0]}</b><br>computed at %{customdata[1]}: %{customdata[2]}<extra></extra>",
            "marker": {"symbol": symbols, "size": 7, "color": tokens.text2, "line": {"width": 1.2, "color": tokens.text2}},
        }
    ]  # fmt: skip


PART_MARKS = ("▽", "□", "△", "○")
_PART_SYMBOLS = ("triangle-down-open", "square-open", "triangle-up-open", "circle-open")
_HOVER = (
    "<b>%{customdata[0]}</b><br>published %{customdata[1]}<br>computed "
    "%{customdata[2]}<br>%{customdata[3]}<extra></extra>"
)


def _hover(line: _Line) -> list[str]:
    row = line.row
    ours = _with_unit(row.ours, row.unit) if isfinite(row.ours) else "not computed yet"
    published = [*map(significant, _ends(row)[:-1]), _with_unit(_ends(row)[-1], row.unit)]
    return [row.name, " to ".join(published), ours, row.where]


def _with_unit(value: float, unit: str) -> str:
    return significant(value) + (" ×" if unit == "x" else f" {unit}" if unit else "")


def _ends(row: Comparison) -> tuple[float, ...]:
    """Return the published value, or both ends of a published range."""
    return (row.published,) if row.published_high is None else (row.published, row.published_high)


def _ratios(suffix: str, members: Sequence[_Line], colour: str) -> list[dict[str, Any]]:
    """Return the ratios of computed to published values, at the right of every line."""
    return [
        {
            "xref": "paper", "x": 1, "xanchor": "left", "yref": f"y{suffix}", "y": place, "yanchor": "middle", "xshift": 8,
            "showarrow": False, "text": f"{significant(line.row.ratio)}\u00a0×" if isfinite(line.row.ratio) else "–",
            "font": {"size": 11, "color": colour},
        }
        for place, line in enumerate(members)
    ]  # fmt: skip


def _short(name: str) -> str:
    """Return the name with its middle left out where it is too long: names of a table often begin alike."""
    cut, shown = len(name), name
    while text_width(shown, 11) > _LONGEST_NAME_PX and cut > 2:
        cut -= 1
        shown = f"{name[: cut - cut // 2].rstrip(' ,:')} … {name[len(name) - cut // 2 :].lstrip(' ,:')}"
    return shown
