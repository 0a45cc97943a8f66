from __future__ import annotations

import numpy as np

from engines.contract.results import Lane, Schedule, ScheduleWindow


def schedule(*bars: tuple[str, float, float, str, str], lanes: tuple[str, ...] = ("C0", "C1", "C2")) -> Schedule:
    """Bars are (lane, start, end, kind, label) of the model that the label begins with."""
    models, kinds = ("A", "B"), ("compute", "transfer")
    labels = tuple(dict.fromkeys(bar[4] for bar in bars))
    count = len(bars)
    return Schedule(
        "schedule", "Schedule", tuple(Lane(name, name, "nvdla", 0.5) for name in lanes),
        (ScheduleWindow("Window 1", 0.0, max(bar[2] for bar in bars)),), models, kinds, labels,
        np.array([lanes.index(bar[0]) for bar in bars]), np.array([bar[1] for bar in bars]),
        np.array([bar[2] for bar in bars]), np.array([kinds.index(bar[3]) for bar in bars]),
        np.array([models.index(bar[4][0]) for bar in bars]), np.array([labels.index(bar[4]) for bar in bars]),
        np.zeros(count, np.int64), np.zeros(count, np.int64),
    )  # fmt: skip


BEFORE = schedule(
    ("C0", 0.0, 4.0, "compute", "A layers 0-3"),
    ("C0", 4.0, 5.0, "transfer", "A layers 0-3, output"),
    ("C1", 5.0, 7.0, "compute", "A layers 4-5"),
    ("C2", 0.0, 3.0, "compute", "B layer 0"),
)
