"""The bars of a schedule: segments, blocks per sample, transfers and waiting."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from engines.contract.results import Schedule
from engines.exchange.schedule_parts import part_groups
from frontend.figures.drawing import Entry, ModelLook, layers_words
from frontend.figures.numbers import si
from frontend.theme import Scheme, Tokens, mix

By = Literal["chiplets", "models"]
BLOCK_PX = 4.0  # narrower samples merge into one solid bar
TRANSFER_PX = 2.0  # narrower transfers look like their block
BAR = 0.36  # half the height of a bar, as a share of its lane
AXIS_PX = 24
HEAD_PX = 28
_LAYERS = re.compile(r"layers? (\d+)(?:\s*[-–]\s*(\d+))?$")


@dataclass(frozen=True)
class Segment:
    """Consecutive bars of one part of a model on one lane in one window: `bars` are indices into the schedule's arrays."""

    lane: int
    model: int
    label: str
    window: int
    bars: npt.NDArray[np.int64]
    start_s: float
    end_s: float

    def layers(self, name: str) -> str:
        """Return what its label says next to the model's name; layers counted from 1, as labels count from 0 like all results."""
        words = self.label.removeprefix(name).strip()
        found = _LAYERS.search(words)
        return layers_words(int(found[1]), int(found[2] or found[1])) if found else words


@dataclass(frozen=True)
class Frame:
    """Widths in pixels, the time axis in shown units, and the lanes that are drawn."""

    scheme: Scheme
    tokens: Tokens
    left: float
    right: float
    width: float
    height: float
    factor: float
    unit: str
    start: float
    end: float
    lanes: int

    @property
    def plot_width(self) -> float:
        """Pixels from the start to the end of the time axis."""
        return max(60.0, self.width - self.left - self.right)

    @property
    def pixels_per_unit(self) -> float:
        """Pixels per shown unit of time."""
        return self.plot_width / (self.end - self.start)

    def width_px(self, start_s: float, end_s: float) -> float:
        """Return the pixels between two times."""
        return (end_s - start_s) * self.factor * self.pixels_per_unit

    @property
    def lane_px(self) -> float:
        """Height of a lane."""
        return (self.height - HEAD_PX - AXIS_PX) / self.lanes

    @property
    def head_y(self) -> float:
        """The middle of the strip above the lanes, in lanes."""
        return -0.5 - HEAD_PX / 2 / self.lane_px


def segments_of(schedule: Schedule) -> list[Segment]:
    """Return the bars grouped by lane, window, model and part (the label up to a comma), by their start."""
    found = []
    for part, bars in part_groups(schedule):
        lane, model, window = (int(of[bars[0]]) for of in (schedule.bar_lane, schedule.bar_model, schedule.bar_window))
        start, end = float(schedule.bar_start_s[bars].min()), float(schedule.bar_end_s[bars].max())
        found.append(Segment(lane, model, part, window, bars, start, end))
    return sorted(found, key=lambda s: (s.start_s, s.lane))


def _colour(segment: Segment, looks: Sequence[ModelLook], frame: Frame) -> tuple[str, str]:
    """Fill and edge; what belongs to no model is grey."""
    if segment.model < 0:
        return frame.tokens.dot, frame.tokens.text3
    return looks[segment.model].fill, looks[segment.model].edge


def extent_traces(
    schedule: Schedule, rows: Sequence[tuple[Segment, int]], frame: Frame, looks: Sequence[ModelLook]
) -> list[Entry]:
    """Return per model the whole stretch of each segment in a light tint (what no block covers is waiting), with an edge."""
    traces = []
    dense = _dense(rows, frame)
    for model in sorted({segment.model for segment, _ in rows}):
        own = [(s, row) for s, row in rows if s.model == model]
        fill, edge = _colour(own[0][0], looks, frame)
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "base": [s.start_s * frame.factor for s, _ in own],
                "x": [(s.end_s - s.start_s) * frame.factor for s, _ in own],
                "y": [row for _, row in own],
                "width": 2 * BAR,
                "marker": {
                    "color": mix(fill, frame.tokens.surface, 0.55),
                    # Edges of parts that are a pixel or two wide would be all that is seen of their row.
                    "line": {"color": edge, "width": [float(row not in dense) for _, row in own]},
                },
                "text": [_hover(schedule, s, looks) for s, _ in own],
                "textposition": "none",
                "meta": {"paths": [s.label for s, _ in own]},
                "customdata": [[s.window, s.lane] for s, _ in own],
                "hovertemplate": "%{text}<extra></extra>",
                "name": looks[model].name if model >= 0 else "other",
            }
        )
    return traces


def _dense(rows: Sequence[tuple[Segment, int]], frame: Frame) -> set[int]:
    """Return the rows with parts that are too narrow for edges or follow each other without a gap: lines separate these."""
    dense: set[int] = set()
    before: dict[int, Segment] = {}
    for segment, row in sorted(rows, key=lambda item: item[0].start_s):
        last, before[row] = before.get(row), segment
        touches = last is not None and last.window == segment.window and last.model == segment.model
        touches = touches and last is not None and frame.width_px(last.end_s, segment.start_s) < 1
        if touches or frame.width_px(segment.start_s, segment.end_s) < BLOCK_PX:
            dense.add(row)
    return dense


def _hover(schedule: Schedule, segment: Segment, looks: Sequence[ModelLook]) -> str:
    length = schedule.bar_end_s[segment.bars] - schedule.bar_start_s[segment.bars]
    kinds = schedule.bar_kind[segment.bars]
    count = len(_blocks(schedule, segment)[0])
    name = looks[segment.model].name if segment.model >= 0 else segment.label
    layers = segment.layers(name)
    lines = [
        f"<b>{name}</b>" + (f" layers {layers}" if layers else ""),
        f"{schedule.lanes[segment.lane].title}, {si(segment.start_s, 's')} to {si(segment.end_s, 's')}",
        f"{count} block{'s' if count > 1 else ''}",
    ]
    lines += [
        f"{kind} {si(float(length[kinds == i].sum()), 's')}"
        for i, kind in enumerate(schedule.kinds)
        if (kinds == i).any()
    ]
    waits = segment.end_s - segment.start_s - float(length.sum())
    return "<br>".join([*lines, f"waits {si(waits, 's')}"] if waits > 1e-3 * float(length.sum()) else lines)


def _blocks(schedule: Schedule, segment: Segment) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the starts and ends of the blocks of a segment, seconds: its bars joined as long as sample and time run on."""
    start, end = schedule.bar_start_s[segment.bars], schedule.bar_end_s[segment.bars]
    sample = schedule.bar_sample[segment.bars]
    apart = start[1:] > end[:-1] + 1e-9 * max(1e-9, segment.end_s)
    first = np.concatenate([[True], apart | (sample[1:] != sample[:-1])])
    last = np.concatenate([first[1:], [True]])
    return start[first], end[last]


def block_traces(
    schedule: Schedule, rows: Sequence[tuple[Segment, int]], frame: Frame, looks: Sequence[ModelLook]
) -> list[Entry]:
    """Return per model one filled trace with a rectangle per sample, or per segment where samples are too narrow.

    Transfers lighter.
    """
    traces = []
    gap, edge, dense = 0.5 / frame.pixels_per_unit, 0.5 / max(1.0, frame.lane_px), _dense(rows, frame)
    for model in sorted({segment.model for segment, _ in rows}):
        fill = looks[model].fill if model >= 0 else frame.tokens.dot
        solid, pale = _Rectangles(), _Rectangles()
        for segment, row in ((s, row) for s, row in rows if s.model == model):
            start, end = (time_s * frame.factor for time_s in _blocks(schedule, segment))
            half = BAR if row in dense else BAR - edge
            if np.median(end - start) * frame.pixels_per_unit < BLOCK_PX:
                solid.add(*_merged(start, end, 1.5 / frame.pixels_per_unit), row, half)
                continue
            several = gap if len(start) > 1 or row in dense else 0.0
            solid.add(start + several, end - several, row, half)
            pale.add(*_transfers(schedule, segment, frame), row, half)
        traces += solid.traces(fill) + pale.traces(mix(fill, frame.tokens.surface, 0.32))
    return traces


def _transfers(
    schedule: Schedule, segment: Segment, frame: Frame
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the bars that compute nothing and are wide enough to be distinguished, in shown units."""
    kinds = np.array([kind != "compute" for kind in schedule.kinds], bool)
    bars = segment.bars[kinds[schedule.bar_kind[segment.bars]]] if len(kinds) else segment.bars[:0]
    start, end = schedule.bar_start_s[bars] * frame.factor, schedule.bar_end_s[bars] * frame.factor
    wide = (end - start) * frame.pixels_per_unit >= TRANSFER_PX
    inset = 0.5 / frame.pixels_per_unit
    return start[wide] + inset, end[wide] - inset


class _Rectangles:
    """Rectangles on lanes, collected for one trace."""

    def __init__(self) -> None:
        self.parts: list[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], int, float]] = []

    def add(self, start: npt.NDArray[np.float64], end: npt.NDArray[np.float64], lane: int, half: float) -> None:
        if len(start):
            self.parts.append((start, end, lane, half))

    def traces(self, fill: str) -> list[Entry]:
        """Return one filled trace, or none where nothing was collected."""
        if not self.parts:
            return []
        start, end = (np.concatenate([part[i] for part in self.parts]) for i in (0, 1))
        counts = [len(part[0]) for part in self.parts]
        lane, half = (np.repeat(np.array([part[i] for part in self.parts], np.float64), counts) for i in (2, 3))
        x, y = _rectangles(start, end, lane, half)
        base = {
            "type": "scatter",
            "mode": "lines",
            "x": x,
            "y": y,
            "fill": "toself",
            "fillcolor": fill,
            "name": "blocks",
        }
        return [base | {"line": {"width": 0}, "hoverinfo": "skip"}]


def _merged(
    start: npt.NDArray[np.float64], end: npt.NDArray[np.float64], gap: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the blocks that are no further apart than `gap` as one; both arrays are sorted."""
    reach = np.maximum.accumulate(end)
    first = np.concatenate([[True], start[1:] > reach[:-1] + gap])
    last = np.concatenate([first[1:], [True]])
    return start[first], reach[last]


def _rectangles(
    start: npt.NDArray[np.float64],
    end: npt.NDArray[np.float64],
    lane: npt.NDArray[np.float64],
    half: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the corners of rectangles, each followed by a gap (NaN); shape `6 n`."""
    gap = np.full(len(start), np.nan)
    x = np.stack([start, end, end, start, start, gap], axis=1)
    y = np.stack([lane - half, lane - half, lane + half, lane + half, lane - half, gap], axis=1)
    return x.ravel()[:-1].astype(np.float32), y.ravel()[:-1].astype(np.float32)
