"""A figure of a design in parts, and next to another design: from one value to the other, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.metric_breakdowns import MetricBreakdown
from engines.contract.results import Breakdown, Result, Schedule
from engines.why.chain import NO_BAR, Link, deciding_chain

PAUSE = "Nothing runs"
REST = "all else"
_READS_ZERO = 1e-6  # share of the whole below which a part is left out of a picture


@dataclass(frozen=True)
class Part:
    """One part of a figure: what it is in the design, and in the one next to it (0 where there is none)."""

    title: str
    value: float
    beside: float = 0.0

    @property
    def change(self) -> float:
        """Return what the design has more of it than the other."""
        return self.value - self.beside


def parts_of(declared: MetricBreakdown, results: Iterable[Result]) -> dict[str, float]:
    """Return title of a part -> its value, in the unit of the column; their sum is the column's.

    Raises:
        LookupError: the results show no such parts.
    """
    found = next((each for each in results if each.name == declared.result), None)
    if isinstance(found, Breakdown):
        return _of_breakdown(declared, found)
    if isinstance(found, Schedule):
        return _of_schedule(declared, found)
    raise LookupError(f"No result {declared.result!r} shows what {declared.column} is made of.")


def _of_breakdown(declared: MetricBreakdown, breakdown: Breakdown) -> dict[str, float]:
    values = np.nan_to_num(np.asarray(breakdown.values, np.float64))
    if declared.bar:
        if declared.bar not in breakdown.bars:
            raise LookupError(f"{breakdown.title} has no bar {declared.bar!r}.")
        values = values[[breakdown.bars.index(declared.bar)]]
    by_bar = declared.along == "bars"
    titles = breakdown.bars if by_bar else breakdown.parts
    found: dict[str, float] = {}
    for title, value in zip(titles, values.sum(axis=1 if by_bar else 0).tolist(), strict=True):
        found[title] = found.get(title, 0.0) + value
    return found


def _of_schedule(declared: MetricBreakdown, schedule: Schedule) -> dict[str, float]:
    found: dict[str, float] = {}
    for link in deciding_chain(schedule):
        title = _title_of(declared, schedule, link)
        found[title] = found.get(title, 0.0) + link.seconds
    return found


def _title_of(declared: MetricBreakdown, schedule: Schedule, link: Link) -> str:
    if link.bar == NO_BAR:
        return PAUSE
    if declared.along == "models":
        model = int(schedule.bar_model[link.bar])
        return schedule.models[model] if model >= 0 else "no model"
    if declared.along == "kinds":
        return schedule.kinds[int(schedule.bar_kind[link.bar])].capitalize()
    return schedule.lanes[int(schedule.bar_lane[link.bar])].title


def beside(parts: Mapping[str, float], others: Mapping[str, float], most: int) -> tuple[Part, ...]:
    """Return the parts of a design and of another one, the largest differences first, at most `most`.

    What is left is one more part.

    What both have alike is among what is left. With no others the largest parts come first.
    """
    titles = list(dict.fromkeys([*parts, *others]))
    everything = [Part(title, parts.get(title, 0.0), others.get(title, 0.0)) for title in titles]
    least = _READS_ZERO * sum(abs(part.value) + abs(part.beside) for part in everything)
    found = sorted((part for part in everything if abs(part.change) > least), key=lambda part: -abs(part.change))
    shown = found if len(found) <= most else found[: most - 1]
    rest = [part for part in everything if part not in shown and (part.value or part.beside)]
    return (*shown, _joined(rest)) if rest else tuple(shown)


def _joined(rest: Sequence[Part]) -> Part:
    return Part(REST, sum(part.value for part in rest), sum(part.beside for part in rest))
