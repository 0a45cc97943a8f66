"""Metric breakdowns of a design: which results of `Engine.explain` add up to which column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Along what parts are told apart: bars or parts of a breakdown; lanes, models or kinds of bars of a schedule.
Along = Literal["bars", "parts", "lanes", "models", "kinds"]
OF_BREAKDOWNS: tuple[Along, ...] = ("bars", "parts")


@dataclass(frozen=True)
class MetricBreakdown:
    """A column of designs and the result that shows its parts.

    The values of a breakdown add up to the column. A schedule ends at the column: its parts are the bars of the chain that decides
    when it ends, and the times in which nothing of that chain runs.

    Attributes:
        column: name of the quantity.
        result: name of a breakdown or of a schedule among the results of `Engine.explain`.
        title: how the parts are distinguished, within a sentence ("by unit").
        along: what a part is.
        counted: what a bar of a breakdown is ("operator"), where a sentence says of how many of them a part is; "" where none does.
        bar: of a breakdown the one bar that is of the design, where the others stand next to it to compare; "": all are of it.
    """

    column: str
    result: str
    title: str
    along: Along
    bar: str = ""
    counted: str = ""
