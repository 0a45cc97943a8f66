"""Time axis of a picture, so that the browser can move a cursor along it (assets/time_strips.js)."""

from __future__ import annotations

from collections.abc import Iterable

from frontend.figures.drawing import Entry
from frontend.figures.numbers import time_scale


def time_meta(start_s: float, end_s: float, marks_s: Iterable[float] = ()) -> Entry:
    """Return the `meta` of a layout whose x axis is a time in the unit of `time_scale([end_s])`.

    Args:
        start_s: start of the time axis.
        end_s: end of the interval.
        marks_s: moments to step to, such as events and the beginnings of windows.
    """
    scale = time_scale([end_s])
    marks = sorted({float(mark) for mark in marks_s if start_s <= mark <= end_s})
    return {
        "time": {
            "start": float(start_s),
            "end": float(end_s),
            "per_second": scale.factor,
            "unit": scale.unit,
            "marks": marks,
        }
    }
