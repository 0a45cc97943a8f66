from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.results import Event, Note, Result, Series, Table, TableColumn, Trace
from tests.frontend.figures.samples import WINDOWS, sample_schedule

NOTE = Note("remark", "Search", "Cut short.", "warning")


TABLE = Table(
    "comparison",
    "Baselines",
    (TableColumn("Name", ("a", "b")), TableColumn("Latency", np.array([0.1, 1 / 3]), "s")),
)


TRACE = Trace(
    "battery",
    "Charge",
    np.array([0.0, 1800.0, 7200.0]),
    (Series("Charge", np.array([100.0, 80.0, 20.0]), "%"), Series("Power", np.array([0.02, np.nan, 0.03]), "W")),
    events=(Event(5400.0, "half are empty"),),
)


def words_of(component: object) -> str:
    """All text of a component."""
    return str(component.to_plotly_json() if hasattr(component, "to_plotly_json") else component)


@dataclass(frozen=True)
class Recipe(Result):
    """A result that no page knows."""

    steps: tuple[str, ...]


SOUP = Recipe("soup", "Soup", ("chop", "boil"))


def moved_schedule():
    """The sample with ResNet-50's first part on C8 and U-Net cut elsewhere."""
    first = ((3, (8,), (42,), (13.7,)), (2, (2, 1), (12, 22), (303.0, 132.0)), *WINDOWS[0][2:])
    return sample_schedule((first, *WINDOWS[1:]))
