"""A network on many devices: latency against energy, the front across devices, and how sure each figure is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from engines.contract.certainty import SIGNS, Certainty
from engines.survey.survey_result import PACKAGES, DeviceEstimate, SurveyRow, front_of
from frontend.figures.drawing import Box, Entry, figure, fitted
from frontend.figures.front.front import axis_layout, log_widened
from frontend.figures.front.front_marks import Frame
from frontend.figures.front.labels import Mark, place
from frontend.figures.lines import axis_name
from frontend.figures.numbers import Scale, many, scale_of, si
from frontend.theme import TOKENS, Scheme, mix

_MARGIN = {"l": 56, "r": 20, "t": 34, "b": 44}
_LONGEST_NAME_PX = 190.0
_MOST_NAMES = 16
_LINE_STEP_PX = 6.0
CERTAINTY_SYMBOLS: Mapping[Certainty, str] = {
    "measured": "circle", "calibrated": "circle-open-dot", "predicted": "circle-open", "data sheet": "square-open",
    "assumed": "diamond-open",
}  # fmt: skip


def survey_figure(
    devices: Sequence[SurveyRow], scheme: Scheme, *, width_px: float = 640, height_px: int = 420
) -> go.Figure:
    """Draw the devices that run the network: the best way of each, its own front, and the front across all.

    Args:
        devices: those that are shown, at least one of them with latency and energy.
        scheme: light or dark.
        width_px: width in pixels of the picture, which placing names needs.
        height_px: likewise.
    """
    able = [(each, each.priced) for each in devices if each.priced is not None and each.priced.front]
    frame = _frame([priced for _, priced in able], scheme, width_px, height_px)
    points = np.array([point for _, priced in able for point in priced.front])
    across = np.array(front_of(points[:, 0], points[:, 1]))
    traces = [_bands(able, frame), _own_fronts(able, frame), _across(across, frame), *_best(able, frame)]
    layout = {
        "height": height_px,
        "margin": _MARGIN,
        "xaxis": {**axis_layout(frame.x_range, log=True), "title": {"text": f"Latency of one sample ({frame.x_scale.unit})"}},
        "yaxis": axis_layout(frame.y_range, log=True),
        "annotations": [axis_name("Energy of one sample", frame.y_scale.unit, scheme), *_names(able, across, frame)],
        "hoverdistance": 14,
        "hovermode": "closest",
    }  # fmt: skip
    return figure(scheme, [trace for trace in traces if trace], layout)


def survey_scales(devices: Sequence[SurveyRow]) -> tuple[Scale, Scale]:
    """Return the units of both axes, which a table next to the picture takes as well: of time and of energy."""
    priced = [each.priced for each in devices if each.priced is not None]
    known = [each for each in priced if each.front]
    if not known:
        return scale_of([each.best.latency_s for each in priced], "s"), scale_of([1.0], "J")
    frame = _frame(known, "light", 640, 420)
    return frame.x_scale, frame.y_scale


def survey_sentence(devices: Sequence[SurveyRow]) -> str:
    """Return the picture in a sentence, for those who cannot see it."""
    able = [(each.title, each.priced) for each in devices if each.priced is not None and each.priced.front]
    if not able:
        return f"No {'energy is known' if any(each.priced for each in devices) else 'device runs the network'}."
    fast = min(able, key=lambda each: each[1].front[0][0])
    frugal = min(able, key=lambda each: each[1].front[-1][1])
    return (
        f"{many(len(able), 'device')}; fastest {fast[0]} with {si(fast[1].front[0][0], 's')}, least energy {frugal[0]} with "
        f"{si(frugal[1].front[-1][1], 'J')}."
    )


def _frame(priced: Sequence[DeviceEstimate], scheme: Scheme, width_px: float, height_px: float) -> Frame:
    ends: list[list[float]] = [[], []]
    for each in priced:
        factors = (each.latency_factor or 1.0, each.energy_factor or 1.0)
        for values, best, factor in zip(ends, (each.best.latency_s, each.best.known_energy_j), factors, strict=True):
            values += [best / factor, best * factor]
        for values, own in zip(ends, zip(*each.front, strict=True), strict=True):
            values += own
    spans = [log_widened(min(values), max(values), []) for values in ends]
    # By the middle of the logarithmic axis: the best devices are as far from 1 as the worst.
    x_scale, y_scale = (
        scale_of([np.sqrt(low * high)], unit) for (low, high), unit in zip(spans, ("s", "J"), strict=True)
    )
    area = Box(0, 0, max(60.0, width_px - _MARGIN["l"] - _MARGIN["r"]), height_px - _MARGIN["t"] - _MARGIN["b"])
    x_range, y_range = (
        (span[0] * scale.factor, span[1] * scale.factor) for span, scale in zip(spans, (x_scale, y_scale), strict=True)
    )
    return Frame(scheme, TOKENS[scheme], area, x_range, y_range, x_scale, y_scale, height_px, True, True)


def _bands(able: Sequence[tuple[SurveyRow, DeviceEstimate]], frame: Frame) -> Entry:
    """Return the error bands of latency and energy."""
    x: list[float | None] = []
    y: list[float | None] = []
    for _, priced in able:
        wide, high = priced.latency_factor, priced.energy_factor
        if wide is None and high is None:
            continue
        across, up = priced.best.latency_s * frame.x_scale.factor, priced.best.known_energy_j * frame.y_scale.factor
        left, right = across / (wide or 1.0), across * (wide or 1.0)
        low, top = up / (high or 1.0), up * (high or 1.0)
        x += [left, right, right, left, left, None]
        y += [low, low, top, top, low, None]
    if not x:
        return {}
    fill, edge = mix(frame.tokens.surface, frame.tokens.text3, 0.16), frame.tokens.dot
    line = {"width": 1, "color": edge, "simplify": False}
    base = {"type": "scatter", "mode": "lines", "x": x, "y": y, "fill": "toself", "fillcolor": fill, "line": line}
    return base | {"hoverinfo": "skip", "name": "error band"}


def _own_fronts(able: Sequence[tuple[SurveyRow, DeviceEstimate]], frame: Frame) -> Entry:
    x: list[float | None] = []
    y: list[float | None] = []
    for _, priced in able:
        if len(priced.front) > 1:
            x += [point[0] * frame.x_scale.factor for point in priced.front] + [None]
            y += [point[1] * frame.y_scale.factor for point in priced.front] + [None]
    line = {"color": frame.tokens.dot, "width": 1.2, "shape": "hv"}
    return {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": line, "hoverinfo": "skip", "name": "own front"}


def _across(front: np.ndarray, frame: Frame) -> Entry:
    """Return the front across devices, led on to the edges: whatever is above or right of it is beaten."""
    x, y = front[:, 0] * frame.x_scale.factor, front[:, 1] * frame.y_scale.factor
    line = {"color": frame.tokens.accent, "width": 1.8, "shape": "hv"}
    return {
        "type": "scatter", "mode": "lines", "x": [float(x[0]), *x.tolist(), frame.x_range[1]],
        "y": [frame.y_range[1], *y.tolist(), float(y[-1])], "line": line, "hoverinfo": "skip", "name": "front",
    }  # fmt: skip


def _best(able: Sequence[tuple[SurveyRow, DeviceEstimate]], frame: Frame) -> list[Entry]:
    """Return the best way of each device by energy-delay product, with the sign of its certainty."""
    traces = []
    for certainty, symbol in CERTAINTY_SYMBOLS.items():
        rows = [(each, priced) for each, priced in able if priced.certainty == certainty]
        if not rows:
            continue
        colours = [frame.tokens.accent if each.on_front else frame.tokens.text2 for each, _ in rows]
        marker = {"symbol": symbol, "size": 9, "color": colours, "line": {"width": 1.6, "color": colours}}
        words = [
            [
                each.title,
                priced.best.words,
                f"{SIGNS[certainty]} {certainty}: {priced.words}",
                si(priced.best.latency_s, "s"),
                si(priced.best.known_energy_j, "J"),
            ]
            for each, priced in rows
        ]
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": certainty, "marker": marker, "customdata": words,
                "x": [priced.best.latency_s * frame.x_scale.factor for _, priced in rows],
                "y": [priced.best.known_energy_j * frame.y_scale.factor for _, priced in rows],
                "hovertemplate": "<b>%{customdata[0]}</b><br>%{customdata[1]}<br>%{customdata[3]}, %{customdata[4]}"
                "<br>%{customdata[2]}<extra></extra>",
            }
        )  # fmt: skip
    return traces


def _along(able: Sequence[tuple[SurveyRow, DeviceEstimate]], across: np.ndarray, frame: Frame) -> np.ndarray:
    """Return the points along the steps of every front, shape `n x 2` in pixels: names do not stand on them."""
    first, last = frame.x_range[1] / frame.x_scale.factor, frame.y_range[1] / frame.y_scale.factor
    led_on = [(float(across[0, 0]), last), *across.tolist(), (first, float(across[-1, 1]))]
    fronts = [led_on, *(list(priced.front) for _, priced in able if len(priced.front) > 1)]
    parts = [np.empty((0, 2))]
    for front in fronts:
        corners = [corner for (x, y), (right, low) in pairwise(front) for corner in ((x, y), (right, y), (right, low))]
        for start, end in pairwise(corners):
            (left, top), (right, bottom) = (
                frame.pixel(x * frame.x_scale.factor, y * frame.y_scale.factor) for x, y in (start, end)
            )
            count = 1 + int(max(abs(right - left), abs(bottom - top)) // _LINE_STEP_PX)
            parts.append(np.column_stack([np.linspace(left, right, count), np.linspace(top, bottom, count)]))
    return np.concatenate(parts)


def _names(able: Sequence[tuple[SurveyRow, DeviceEstimate]], across: np.ndarray, frame: Frame) -> list[Entry]:
    """Return the names of devices, those of the front and boards first.

    Where several stand at the same place, one and how many more.

    What would stand on a front, or on the one `across` devices, is left out, as what covers another name.
    """
    together: dict[tuple[str, str], list[tuple[SurveyRow, DeviceEstimate]]] = defaultdict(list)
    for each, priced in able:
        together[f"{priced.best.latency_s:.2g}", f"{priced.best.known_energy_j:.2g}"].append((each, priced))
    order = sorted(together.values(), key=lambda group: (not group[0][0].on_front, group[0][0].schema == PACKAGES))
    marks = []
    for group in order[:_MOST_NAMES]:
        first, priced = group[0]
        right, down = frame.pixel(
            priced.best.latency_s * frame.x_scale.factor, priced.best.known_energy_j * frame.y_scale.factor
        )
        more = f" and {len(group) - 1} more" if len(group) > 1 else ""
        marks.append(Mark(right, down, fitted(first.title, _LONGEST_NAME_PX, 11) + more, near=True))
    latency = np.array([priced.best.latency_s for _, priced in able])
    energy = np.array([priced.best.known_energy_j for _, priced in able])
    notes = []
    placed = place(marks, frame.area, frame.pixels(latency, energy), kept_free=_along(able, across, frame))
    for mark, where in zip(marks, placed, strict=True):
        if not where.clear:
            continue
        x, y = frame.place(mark.x, mark.y)
        notes.append(
            {
                "text": mark.text, "x": float(np.log10(x)), "y": float(np.log10(y)), "xanchor": where.x_anchor,
                "yanchor": "middle", "xshift": where.x_shift, "yshift": where.y_shift,
                "font": {"size": 11, "color": frame.tokens.text2},
            }
        )  # fmt: skip
    return notes
