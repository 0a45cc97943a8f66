"""The words on the bars of a schedule."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.results import Schedule
from frontend.figures.drawing import Box, Entry, ModelLook, Outline, filled, text_width, texts
from frontend.figures.schedule.schedule_bars import BAR, By, Frame, Segment

_MOSTLY = 0.6  # of a stretch


def word_traces(
    schedule: Schedule,
    rows: Sequence[tuple[Segment, int]],
    frame: Frame,
    looks: Sequence[ModelLook],
    by: By,
    *,
    apart: bool = False,
) -> list[Entry]:
    """Name and layers where they fit, else short name and layers, else nothing; on a plain plate of the model's colour.

    Parts that follow each other and are too narrow for words of their own share the words for all of them, unless `apart`.
    """
    if frame.lane_px < 13:
        return []
    words: list[tuple[float, float, str, str]] = []
    plates: dict[int, list[Outline]] = {}
    half = BAR - 0.5 / frame.lane_px
    alone = [([segment], row) for segment, row in rows if segment.model >= 0]
    for stretch, row in alone if apart else _stretches(schedule, rows, frame, looks, by):
        text = _label(schedule, stretch, looks, frame.width_px(stretch[0].start_s, stretch[-1].end_s), by)
        if not text:
            continue
        first = stretch[0]
        look = looks[first.model]
        x = first.start_s * frame.factor
        right = min(x + (text_width(text, 11) + 14) / frame.pixels_per_unit, stretch[-1].end_s * frame.factor)
        box = Box(x + 0.5 / frame.pixels_per_unit, row - half, right, row + half)
        edges: list[float | None] = [box.left, box.right, box.right, box.left, box.left, None]
        plates.setdefault(first.model, []).append((edges, [box.top, box.top, box.bottom, box.bottom, box.top, None]))
        words.append((x + 3 / frame.pixels_per_unit, row, text, look.ink))
    traces = [filled(outlines, looks[model].fill) for model, outlines in plates.items()]
    return [*traces, texts(words, 11, "middle right") | {"cliponaxis": True}] if words else []


def _stretches(
    schedule: Schedule, rows: Sequence[tuple[Segment, int]], frame: Frame, looks: Sequence[ModelLook], by: By
) -> list[tuple[list[Segment], int]]:
    """Return the segments with their rows.

    Those of a model in a row without a gap as one, unless most have room for words of their own.
    """
    found: list[tuple[list[Segment], int]] = []
    open_at: dict[tuple[int, int, int], list[Segment]] = {}
    gap_s = 1.0 / frame.pixels_per_unit / frame.factor
    for segment, row in sorted(((s, r) for s, r in rows if s.model >= 0), key=lambda item: item[0].start_s):
        key = (row, segment.model, segment.window)
        before = open_at.get(key)
        if before is not None and segment.start_s - before[-1].end_s <= gap_s:
            before.append(segment)
        else:
            open_at[key] = [segment]
            found.append((open_at[key], row))
    apart: list[tuple[list[Segment], int]] = []
    for stretch, row in found:
        widths = [frame.width_px(s.start_s, s.end_s) for s in stretch]
        named = [bool(_label(schedule, [s], looks, wide, by)) for s, wide in zip(stretch, widths, strict=True)]
        mostly = sum(wide for wide, own in zip(widths, named, strict=True) if own) >= _MOSTLY * sum(widths)
        apart += [([s], row) for s in stretch] if mostly else [(stretch, row)]
    return apart


def _label(schedule: Schedule, stretch: Sequence[Segment], looks: Sequence[ModelLook], width_px: float, by: By) -> str:
    """Return the longest words that fit: the model with its parts, of several the first and the last; else the model alone.

    Of a single model the legend tells the name.
    """
    look = looks[stretch[0].model]
    working = [segment for segment in stretch if _computes(schedule, segment)] or list(stretch)
    first, last = (segment.layers(look.name) for segment in (working[0], working[-1]))
    parts = first if first == last else f"{first} to {last}"
    if len(looks) == 1 and by == "chiplets" and parts:
        options = [parts, f"{first} …"] if first != last else [parts]
    else:
        names = [look.name, look.code] if by == "chiplets" else [schedule.lanes[stretch[0].lane].id]
        options = [f"<b>{name}</b> {parts}".strip() for name in names]
        if len(stretch) > 1:
            options += [f"<b>{name}</b>" for name in names]
    return next((text for text in options if text_width(text, 11) * 1.03 + 9 <= width_px), "")


def _computes(schedule: Schedule, segment: Segment) -> bool:
    """Return whether it does more than hand over."""
    return any(schedule.kinds[kind] == "compute" for kind in np.unique(schedule.bar_kind[segment.bars]))
