"""Schedules as sequences of bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.results import Lane, Schedule, ScheduleWindow


class Bar(NamedTuple):
    """One bar: start and end in seconds, indices of lane, kind, model and window; sample -1 covers all samples."""

    lane: int
    start_s: float
    end_s: float
    label: str
    kind: int = 0
    model: int = 0
    window: int = 0
    sample: int = -1


def busy_shares(bars: Sequence[Bar], lanes: int, whole_s: float, kind: int | None = None) -> FloatArray:
    """Return the share of `whole_s` that bars occupy on each lane, shape `lanes`; `kind` restricts it to bars of one kind."""
    seconds = [bar.end_s - bar.start_s if kind is None or bar.kind == kind else 0.0 for bar in bars]
    return np.bincount([bar.lane for bar in bars], weights=seconds, minlength=lanes) / whole_s


def schedule_of(
    bars: Sequence[Bar],
    lanes: Sequence[Lane],
    windows: Sequence[ScheduleWindow],
    models: Sequence[str],
    kinds: Sequence[str] = ("compute",),
    dependencies: Sequence[tuple[int, int]] = (),
    title: str = "Schedule",
    bar_words: str = "",
) -> Schedule:
    """Return the schedule of a design.

    Args:
        bars: one bar or more; their indices refer to the following lists.
        lanes: rows of the schedule.
        windows: intervals of time.
        models: names of networks.
        kinds: names of kinds of bars ("compute").
        dependencies: pairs of indices of bars, of which the second waits for the first.
        title: title of the schedule.
        bar_words: meaning of a bar that is neither a sample nor a batch.
    """
    lane, start, end, labels, kind, model, window, sample = zip(*bars, strict=True)
    number = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    waits = np.array(dependencies, dtype=np.int64).reshape(-1, 2)

    def whole(values: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array(values, dtype=np.int64)

    return Schedule(
        "schedule", title, tuple(lanes), tuple(windows), tuple(models), tuple(kinds), tuple(number),
        whole(lane), np.array(start), np.array(end), whole(kind), whole(model), whole([number[each] for each in labels]),
        whole(window), whole(sample), waits[:, 0], waits[:, 1], bar_words,
    )  # fmt: skip
