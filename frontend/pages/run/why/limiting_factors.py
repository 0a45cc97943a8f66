"""Limiting factors of a design: its limits and the slack to them, proofs of the problem, and idle units. No components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.engine import Engine
from engines.contract.quantities import Quantity
from engines.contract.results import ChipletGrid, NetworkPicture, Result, Schedule
from engines.running.inspection import stated_limits
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import in_sentence, percent, si

TIGHT = 0.02  # room, as a share of a limit, below which it counts as what binds


@dataclass(frozen=True)
class LimitingFactor:
    """A factor that may limit a design.

    Attributes:
        what: in words.
        has: value of the design, with unit.
        most: what it could have at most, or what is proven.
        room: share that is left until there, below 0 where it is broken; None where there is no such share.
        binds: whether it is what holds the design back.
    """

    what: str
    has: str
    most: str
    room: float | None
    binds: bool


def limits_of(engine: Engine, params: Mapping[str, Any], designs: RunDesigns, number: int) -> list[LimitingFactor]:
    """Return the limits that the parameters set, and constraints that the design does not meet."""
    allowed = stated_limits(engine, params)
    columns = {name: values[number] for name, values in designs.columns.items()}
    found = []
    for limit, bound in allowed.items():
        if limit.column in columns and np.isfinite(columns[limit.column]):
            room = float(limit.room(bound, columns))
            words = f"Limit on {limit.title}, at {'most' if limit.upper else 'least'}"
            has = limit.words(float(limit.values(columns)))
            found.append(LimitingFactor(words, has, limit.words(bound), room, room <= TIGHT))
    limited = {limit.column for limit in allowed}
    return [*found, *_broken([q for q in designs.quantities if q.name not in limited], columns)]


def _broken(quantities: Sequence[Quantity], columns: Mapping[str, Any]) -> list[LimitingFactor]:
    constraints = [q for q in quantities if q.role == "constraint" and q.name in columns]
    return [
        LimitingFactor(each.title, si(float(columns[each.name]), each.unit), si(0.0, each.unit), None, True)
        for each in constraints
        if columns[each.name] < 0
    ]


def proven_of(bounds: Mapping[str, float], designs: RunDesigns, values: Mapping[str, float]) -> list[LimitingFactor]:
    """Return the bounds of the problem, and the gap of a design with these values."""
    found = []
    for column, bound in bounds.items():
        quantity, value = designs.quantity(column), values.get(column, np.nan)
        if not np.isfinite(value) or value == 0 or bound == 0:
            continue
        room = (bound - value) / bound if quantity.sense == "maximise" else (value - bound) / value
        words = f"Proven bound on {in_sentence(quantity.title)}"
        found.append(LimitingFactor(words, si(value, quantity.unit), si(bound, quantity.unit), room, room <= TIGHT))
    return found


def busiest_of(results: Sequence[Result]) -> list[LimitingFactor]:
    """Return the busiest lane of the schedule and the busiest link: what cannot give much more."""
    found = []
    for result in results:
        if isinstance(result, Schedule) and result.lanes:
            lane = max(result.lanes, key=lambda each: each.busy_fraction)
            found.append(_busy(f"Busiest lane, {lane.title}", lane.busy_fraction))
        elif isinstance(result, NetworkPicture) and result.loads.size:
            case, link = np.unravel_index(int(np.argmax(result.loads)), result.loads.shape)
            words = f"Busiest link, {result.links[int(link)].title} ({in_sentence(result.cases[int(case)])})"
            found.append(_busy(words, float(result.loads[case, link])))
        elif isinstance(result, ChipletGrid):
            found += _link(result)
    return found


def _busy(what: str, share: float) -> LimitingFactor:
    return LimitingFactor(what, percent(share), percent(1.0), 1.0 - share, 1.0 - share <= TIGHT)


def _link(grid: ChipletGrid) -> list[LimitingFactor]:
    """Return the link that carries most in a window; how much it could carry is not in the picture."""
    loads = [(link.size_bytes, window.title, link) for window in grid.windows for link in window.links]
    if not loads:
        return []
    size, window, link = max(loads, key=lambda each: each[0])
    return [LimitingFactor(f"Most carried: {link.source} to {link.target}, {window}", si(size, "B"), "", None, False)]


@dataclass(frozen=True)
class IdleShare:
    """How long a lane of the schedule has nothing to do, as a share of the whole time."""

    title: str
    idle: float


def waiting_of(schedule: Schedule | None) -> list[IdleShare]:
    """Return every lane, what waits longest first."""
    lanes = () if schedule is None else schedule.lanes
    return sorted((IdleShare(each.title, 1.0 - each.busy_fraction) for each in lanes), key=lambda each: -each.idle)


def waiting_words(waiting: Sequence[IdleShare]) -> str:
    """Return a sentence on the units that wait; "" where there is no schedule."""
    if not waiting:
        return ""
    unused = [each for each in waiting if each.idle >= 1.0 - 1e-9]
    used = [each for each in waiting if each.idle < 1.0 - 1e-9]
    mean = percent(sum(each.idle for each in waiting) / len(waiting))
    said = f"On average {len(waiting)} lanes wait {mean} of the time" if len(waiting) > 1 else ""
    none = f"{_names(unused)} {'has' if len(unused) == 1 else 'have'} no work at all" if unused else ""
    longest = f"{used[0].title} waits {percent(used[0].idle)}" if used else ""
    return "; ".join(part for part in (said, none, longest) if part) + "."


def _names(waiting: Sequence[IdleShare]) -> str:
    return waiting[0].title if len(waiting) == 1 else f"{len(waiting)} of them"
