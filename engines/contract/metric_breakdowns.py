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

    The values of a breakdown add up to the column. The column of a schedule is its end: the parts are the bars of the critical path
    and the times in which no bar of this path runs.

    Attributes:
        column: name of the column.
        result: name of a breakdown or of a schedule among the results of `Engine.explain`.
        title: grouping of the parts within a sentence ("by unit").
        along: the kind of a part.
        counted: noun for a bar ("operator"), with which a sentence counts the bars of a part; "" for no such sentence.
        bar: the one bar of the breakdown that belongs to the design, if the others are for comparison; "" if all belong to it.
    """

    column: str
    result: str
    title: str
    along: Along
    bar: str = ""
    counted: str = ""
