"""A schedule: lanes over time, one block per sample or mini-batch, windows, waiting and busy shares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict, Unpack

import numpy as np
import plotly.graph_objects as go

from engines.contract.results import Lane, Schedule
from frontend.figures.drawing import (
    Entry,
    ModelLook,
    Outline,
    figure,
    filled,
    fitted,
    hardware_fill,
    model_looks,
    text_width,
    texts,
)
from frontend.figures.numbers import percent, si, time_scale
from frontend.figures.schedule.schedule_bars import (
    AXIS_PX,
    HEAD_PX,
    By,
    Frame,
    Segment,
    block_traces,
    extent_traces,
    segments_of,
)
from frontend.figures.schedule.schedule_words import word_traces
from frontend.theme import DATAFLOWS, TOKENS, Scheme, hardware_style

__all__ = ["LEAST_WIDTH_PX", "By", "block_words", "lane_count", "lanes_word", "schedule_figure"]

LEAST_WIDTH_PX = 640  # words of narrower pictures lie over each other: narrower places scroll
_WORDS_PX = 13.0  # a line of words
_LONGEST_LANE_PX = 170.0  # of a name
_LEAST_LEFT_PX = 78.0  # the axis is named there


class ScheduleOptions(TypedDict, total=False):
    """How a schedule is drawn.

    Attributes:
        selected_window: index of the window that is tinted.
        width_px: width of the picture, on which blocks and words depend; 1130 where left out.
        height_px: height of the picture; 236 where left out.
        by: lanes are chiplets (where left out), or models (then a bar says on which chiplet it runs).
        end_s: end of the time axis, to compare schedules on one axis.
        least_left_px: room for names at the left, for the same reason: the largest `left_px` of them.
        apart: no words are shared by parts that follow each other: other marks will stand between them.
    """

    selected_window: int | None
    width_px: float
    height_px: float
    by: By
    end_s: float | None
    least_left_px: float
    apart: bool


def schedule_figure(schedule: Schedule, scheme: Scheme, **options: Unpack[ScheduleOptions]) -> go.Figure:
    """Return the schedule as `explain` gave it."""
    return figure(scheme, *schedule_drawing(schedule, scheme, **options))


def schedule_drawing(
    schedule: Schedule, scheme: Scheme, **options: Unpack[ScheduleOptions]
) -> tuple[list[Entry], Entry]:
    """Return the traces and layout of the schedule."""
    by, selected = options.get("by", "chiplets"), options.get("selected_window")
    segments = segments_of(schedule)
    looks = model_looks(schedule.models, scheme)
    if by == "chiplets":
        rows, spans = [(segment, segment.lane) for segment in segments], [1] * len(schedule.lanes)
    else:
        rows, spans = _packed(segments, len(schedule.models))
    left = max(left_px(schedule, by), options.get("least_left_px", 0.0))
    size_px = (options.get("width_px", 1130), options.get("height_px", 236))
    frame = _frame(schedule, scheme, *size_px, by, options.get("end_s"), sum(spans), left)
    traces = [
        *extent_traces(schedule, rows, frame, looks),
        *block_traces(schedule, rows, frame, looks),
        *word_traces(schedule, rows, frame, looks, by, apart=options.get("apart", False)),
        *(_chiplet_lanes(schedule, frame) if by == "chiplets" else _model_lanes(spans, frame, looks)),
        _window_names(schedule, frame, selected),
    ]
    return traces, _layout(schedule, frame, spans, selected, by)


def block_words(schedule: Schedule) -> str:
    """Return the meaning of one block: a sample, a mini-batch of so many samples, a whole batch, or the engine's words."""
    whole = bool((schedule.bar_sample < 0).any())
    steps = [1] if (schedule.bar_sample >= 0).any() else []
    for model in range(len(schedule.models)):
        samples = np.unique(schedule.bar_sample[(schedule.bar_model == model) & (schedule.bar_sample >= 0)])
        steps += np.diff(samples).astype(int).tolist()
    size = max(steps, default=0)
    if size > 1:
        return f"one block is one mini-batch ({size} samples{' at most' if whole else ''})"
    return schedule.bar_words or ("one block is one sample" if size else "one block is a whole batch")


def lanes_word(schedule: Schedule) -> str:
    """Return the noun for the rows: "Chiplets", "Units" of a chip, else "Lanes"."""
    if _chiplets(schedule):
        return "Chiplets"
    return "Units" if all(lane.title.lower() == lane.id.lower() for lane in schedule.lanes) else "Lanes"


def _chiplets(schedule: Schedule) -> bool:
    return all(lane.kind in DATAFLOWS for lane in schedule.lanes)


def lane_count(schedule: Schedule, by: By) -> int:
    """Return the number of rows of the schedule: chiplets, or rows of models with one for each simultaneous part."""
    if by == "chiplets":
        return len(schedule.lanes)
    return sum(_packed(segments_of(schedule), len(schedule.models))[1])


def _packed(segments: Sequence[Segment], models: int) -> tuple[list[tuple[Segment, int]], list[int]]:
    """Return the rows for lanes by model: parts that run at the same time get rows of their own.

    Returns:
        Segments with their rows, and how many rows each model takes (a last entry for what belongs to no model).
    """
    groups = [[s for s in segments if s.model == model] for model in (*range(models), -1)]
    rows: list[tuple[Segment, int]] = []
    spans: list[int] = []
    for members in groups if groups[-1] else groups[:-1]:
        free: list[float] = []
        above = sum(spans)
        for segment in members:
            row = next((i for i, end in enumerate(free) if end <= segment.start_s * (1 + 1e-9)), len(free))
            free[row : row + 1] = [segment.end_s]
            rows.append((segment, above + row))
        spans.append(max(1, len(free)))
    return rows, spans


def left_px(schedule: Schedule, by: By = "chiplets") -> float:
    """Return the pixels that the names of lanes take at the left of the time axis."""
    chiplets = _chiplets(schedule)
    names = [_lane_name(lane) for lane in schedule.lanes] if by == "chiplets" else schedule.models
    wide = max((text_width(name, 11) for name in names), default=40.0)
    left = 52 + wide + 10 if by == "chiplets" and chiplets else 34 + min(wide, _LONGEST_LANE_PX)
    return max(left, _LEAST_LEFT_PX)


def _frame(
    schedule: Schedule,
    scheme: Scheme,
    width: float,
    height: float,
    by: By,
    end_s: float | None,
    lanes: int,
    left: float,
) -> Frame:
    last = max(
        [w.end_s for w in schedule.windows] + [float(schedule.bar_end_s.max())] if len(schedule.bar_end_s) else [1.0]
    )
    end = end_s or last
    scale = time_scale([end])
    right = 46.0 if by == "chiplets" else 12.0
    return Frame(
        scheme,
        TOKENS[scheme],
        left,
        right,
        width,
        height,
        scale.factor,
        scale.unit,
        0.0,
        end * scale.factor,
        max(1, lanes),
    )


# -- lanes, windows, axis ---------------------------------------------------------------------------------------------


def _chiplet_lanes(schedule: Schedule, frame: Frame) -> list[Entry]:
    """Draw at the left number, swatch and dataflow of each row, at the right its busy share; on axes of their own in pixels."""
    tokens = frame.tokens
    # Lanes that are lower than a line of words: every second or third is named, the others by the pointer and the keyboard.
    named = [(i, schedule.lanes[i]) for i in range(0, len(schedule.lanes), math.ceil(_WORDS_PX / frame.lane_px))]
    at = 28.0 if _chiplets(schedule) else 0.0  # chiplets have numbers before their swatches
    ids = [(0.0, i, f"<b>{lane.id}</b>", tokens.text) for i, lane in named] if at else []
    kinds = [(at + 18, i, fitted(_lane_name(lane), _LONGEST_LANE_PX, 11), tokens.text2) for i, lane in named]
    busy: list[tuple[float, float, str, str]] = [
        (44.0, i, percent(lane.busy_fraction), tokens.text2) for i, lane in named
    ]
    busy.append((44.0, frame.head_y, "busy", tokens.text3))
    swatches = []
    high = min(0.3, 6.5 / frame.lane_px)
    for kind in dict.fromkeys(lane.kind for lane in schedule.lanes):
        style = hardware_style(kind)
        finish = style.finish[frame.scheme]
        outlines = [lane_swatch(at, at + 14, i, high) for i, lane in enumerate(schedule.lanes) if lane.kind == kind]
        pattern = hardware_fill(style, frame.scheme, 4)
        swatches.append(filled(outlines, finish.tint, finish.edge, **pattern) | {"xaxis": "x2", "name": style.label})
    return [
        *swatches,
        texts([*ids, *kinds], 11, "middle right") | {"xaxis": "x2"},
        texts(busy, 11, "middle left") | {"xaxis": "x3"},
    ]


def _lane_name(lane: Lane) -> str:
    """Return a chiplet's dataflow, which stands after its number; the name of any other lane."""
    return hardware_style(lane.kind).short if lane.kind in DATAFLOWS else lane.title


def lane_swatch(left: float, right: float, lane: float, half: float) -> Outline:
    """Return a swatch: pixels across, shares of a lane down; too small for its corners to matter."""
    x: list[float | None] = [left, right, right, left, left, None]
    return x, [lane - half, lane - half, lane + half, lane + half, lane - half, None]


def _model_lanes(spans: Sequence[int], frame: Frame, looks: Sequence[ModelLook]) -> list[Entry]:
    """Draw at the left swatch and name of each model, in the middle of its rows."""
    middles = np.cumsum(spans) - (np.asarray(spans) + 1) / 2
    known = [(look.name, frame.tokens.text) for look in looks] + [("other", frame.tokens.text2)]
    names = [
        (18.0, float(y), fitted(name, _LONGEST_LANE_PX, 11), colour)
        for y, (name, colour) in zip(middles, known, strict=False)
    ]
    high = min(0.3, 6.0 / frame.lane_px)
    swatches = [
        filled([lane_swatch(2, 13, float(y), high)], look.fill, look.edge) | {"xaxis": "x2"}
        for y, look in zip(middles, looks, strict=False)
    ]
    return [*swatches, texts(names, 11, "middle right") | {"xaxis": "x2"}]


def _window_names(schedule: Schedule, frame: Frame, selected: int | None) -> Entry:
    """Draw above each window its number (a single one by its title), and its length where there is room."""
    words = []
    alone = schedule.windows[0].title if len(schedule.windows) == 1 else ""
    for index, window in enumerate(schedule.windows):
        length = (window.end_s - window.start_s) * frame.factor * frame.pixels_per_unit
        name = f"<b>{alone or f'W{index + 1}'}</b>"
        full = f"{name}  {si(window.end_s - window.start_s, 's')}"
        text = full if text_width(full, 11) + 8 < length else name if text_width(name, 11) < length else ""
        middle = (window.start_s + window.end_s) / 2 * frame.factor
        colour = frame.tokens.accent_text if index == selected else frame.tokens.text2
        words.append((middle, frame.head_y, text, colour))
    return texts(words, 11, "middle center") | {"name": "windows"}


def _layout(schedule: Schedule, frame: Frame, spans: Sequence[int], selected: int | None, by: By) -> Entry:
    tokens = frame.tokens
    bottom = frame.lanes - 0.5
    top = -0.5 - HEAD_PX / frame.lane_px
    left, right = frame.left / frame.width, 1 - frame.right / frame.width
    side = {"visible": False, "fixedrange": True, "anchor": "y"}
    ticks = max(3, int(frame.plot_width // 95))
    caption: Entry = {
        "text": f"Time ({frame.unit})",
        "x": 0,
        "xref": "paper",
        "y": 0,
        "yref": "paper",
        "xanchor": "left",
    }
    caption |= {"yanchor": "top", "yshift": -5, "xshift": 4, "font": {"size": 11, "color": tokens.text2}}
    return {
        "height": frame.height,
        "margin": {"l": 0, "r": 0, "t": 0, "b": AXIS_PX},
        "barmode": "overlay",
        "bargap": 0,
        "barcornerradius": 0,
        "xaxis": {
            "domain": [left, right],
            "range": [frame.start, frame.end],
            "showgrid": False,
            "showline": False,
            "nticks": ticks,
            "rangemode": "tozero",
            "minallowed": 0,
            "maxallowed": frame.end,
        },
        "xaxis2": side | {"domain": [0, left], "range": [-8, frame.left - 8]},
        "xaxis3": side | {"domain": [right, 1], "range": [0, max(frame.right, 46.0)]},
        "yaxis": {"range": [bottom, top], "visible": False, "fixedrange": True},
        "shapes": _rules(schedule, frame, spans, selected, "below" if by == "models" else "above"),
        "annotations": [caption],
        "uirevision": schedule.name,
        "dragmode": "zoom",
    }


def _rules(schedule: Schedule, frame: Frame, spans: Sequence[int], selected: int | None, edges: str) -> list[Entry]:
    """Return the lines between lanes, the selected window, bounds of windows; these lie "above" the bars or "below" them."""
    tokens, bottom = frame.tokens, frame.lanes - 0.5
    shapes: list[Entry] = []
    for lane in (0, *(int(edge) for edge in np.cumsum(spans))):
        colour = tokens.border if lane in (0, frame.lanes) else tokens.border_soft
        line = {"color": colour, "width": 1}
        at = lane - 0.5
        shapes.append(
            {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": at, "y1": at, "line": line, "layer": "below"}
        )
    for index, window in enumerate(schedule.windows):
        x0, x1 = window.start_s * frame.factor, window.end_s * frame.factor
        chosen = index == selected
        if chosen:
            tint: Entry = {
                "type": "rect",
                "x0": x0,
                "x1": x1,
                "y0": -0.5,
                "y1": bottom,
                "fillcolor": tokens.accent_weak,
            }
            shapes.insert(0, tint | {"opacity": 0.6, "line": {"width": 0}, "layer": "below"})
        rule = {"color": tokens.accent if chosen else tokens.border, "width": 2 if chosen else 1}
        inset = 1.5 / frame.pixels_per_unit
        shapes.append({"type": "line", "x0": x0 + inset, "x1": x1 - inset, "y0": -0.5, "y1": -0.5, "line": rule})
        if index + 1 < len(schedule.windows) or x1 < frame.end:
            edge = {"color": tokens.text3, "width": 1}
            across = {"type": "line", "x0": x1, "x1": x1, "y0": -0.5, "y1": bottom, "line": edge}
            shapes.append(across | {"layer": edges})
    return shapes
