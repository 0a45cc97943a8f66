"""The differences of two schedules of one workload: what runs elsewhere, what takes longer, how long lanes are busy.

Parts of models are compared by their layers, read from the labels of bars ("BERT-L layers 3-7", counted from 0), or by their
labels where these name no layers. Two schedules may cut a model differently: where something runs is compared layer by layer,
how long it takes only between cuts that both have, because a schedule does not say how a part's time is spread over its layers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from engines.contract.quantities import Quantity
from engines.contract.results import Schedule
from engines.exchange.schedule_parts import part_groups

# Relative; times that differ by less are equal but for the order in which they were summed.
_ROUNDING = 1e-6
_LAYERS = re.compile(r"\blayers? (\d+)(?:\s*[-–]\s*(\d+))?$")
Verdict = Literal["moved", "longer", "shorter", "same"]


@dataclass(frozen=True)
class Part:
    """Consecutive layers of a model on one lane in one window.

    Attributes:
        model: name of the network; "" for parts of none.
        first: first layer, from 0 on, or place of the part among the model's labels where these name no layers.
        last: last layer, inclusive.
        lane: id of its lane.
        window: index of its window.
        start_s: when its first bar starts.
        end_s: when its last bar ends.
        compute_s: sum of its bars that compute.
        other_s: sum of its bars that move or wait.
        words: name of the part where labels name no layers, else "".
        lane_title: title of its lane.
    """

    model: str
    first: int
    last: int
    lane: str
    window: int
    start_s: float
    end_s: float
    compute_s: float
    other_s: float
    words: str = ""
    lane_title: str = ""

    @property
    def busy_s(self) -> float:
        """Seconds of all of its bars."""
        return self.compute_s + self.other_s


@dataclass(frozen=True)
class Move:
    """Layers `first` to `last` of a model run on the lane titled `before` first and on `after` then; "" is nowhere."""

    model: str
    first: int
    last: int
    before: str
    after: str
    words: str = ""


@dataclass(frozen=True)
class TimeChange:
    """Layers `first` to `last` of a model keep lanes busy for `before_s` in the first schedule, for `after_s` in the second.

    The compute seconds are contained in them; the rest is transfers.
    """

    model: str
    first: int
    last: int
    before_s: float
    after_s: float
    before_compute_s: float
    after_compute_s: float
    words: str = ""

    @property
    def difference_s(self) -> float:
        """How much longer the second schedule takes; negative where it is quicker."""
        return self.after_s - self.before_s


@dataclass(frozen=True)
class LaneChange:
    """Seconds for which a lane is busy in either schedule, and of which kind it is; "" where a schedule lacks the lane."""

    lane: str
    title: str
    before_s: float
    after_s: float
    before_kind: str
    after_kind: str


@dataclass(frozen=True)
class ScheduleDifferences:
    """All differences; `moves` and `times` are empty where the schedules are equal.

    Attributes:
        moves: layers on another unit, by model and layer.
        times: changes of durations, the largest first.
        lanes: every lane of either schedule, in their order.
        before_s: length of the first schedule.
        after_s: length of the second.
    """

    moves: tuple[Move, ...]
    times: tuple[TimeChange, ...]
    lanes: tuple[LaneChange, ...]
    before_s: float
    after_s: float

    def verdict(self, part: Part) -> Verdict:
        """Return the change of a part of either schedule: moved if any of its layers did, else longer, shorter or the same."""
        if any(_overlap(part, move) for move in self.moves):
            return "moved"
        for change in self.times:
            if _overlap(part, change):
                return "longer" if change.difference_s > 0 else "shorter"
        return "same"


@dataclass(frozen=True)
class CostChange:
    """A metric in both designs; `better` states whether the second design improves it, None if equal or without direction."""

    quantity: Quantity
    before: float
    after: float
    better: bool | None

    @property
    def ratio(self) -> float:
        """The second over the first; NaN where the first is 0 or one of them negative, as the room to a limit may be."""
        return self.after / self.before if self.before > 0 and self.after >= 0 else float("nan")


def parts_of(schedule: Schedule) -> tuple[Part, ...]:
    """Return the parts of all models by their start. Bars that only move something and name no part count for their lane alone."""
    computes = np.array([kind == "compute" for kind in schedule.kinds], dtype=bool)
    places: dict[tuple[int, str], int] = {}
    found = []
    for words, own in sorted(part_groups(schedule), key=lambda group: int(group[1].min())):
        lane, window, model = (int(of[own[0]]) for of in (schedule.bar_lane, schedule.bar_window, schedule.bar_model))
        length = schedule.bar_end_s[own] - schedule.bar_start_s[own]
        compute = computes[schedule.bar_kind[own]]
        if not compute.any():
            continue
        layers = _LAYERS.search(words)
        place = places.setdefault((model, words), len(places))
        found.append(
            Part(
                model=schedule.models[model] if model >= 0 else "",
                first=int(layers[1]) if layers else place,
                last=int(layers[2] or layers[1]) if layers else place,
                lane=schedule.lanes[lane].id,
                lane_title=schedule.lanes[lane].title,
                window=window,
                start_s=float(schedule.bar_start_s[own].min()),
                end_s=float(schedule.bar_end_s[own].max()),
                compute_s=float(length[compute].sum()),
                other_s=float(length[~compute].sum()),
                words="" if layers else words,
            )
        )
    return tuple(sorted(found, key=lambda part: (part.start_s, part.lane)))


def compare_schedules(before: Schedule, after: Schedule) -> ScheduleDifferences:
    """Return the differences between two schedules of the same workload."""
    first, second = _aligned(parts_of(before), parts_of(after))
    models = dict.fromkeys([*before.models, *after.models, ""])
    moves, times = [], []
    for model in models:
        own = [part for part in first if part.model == model], [part for part in second if part.model == model]
        moves += _moves(model, *own)
        times += _times(model, *own)
    times.sort(key=lambda change: -abs(change.difference_s))
    return ScheduleDifferences(tuple(moves), tuple(times), _lanes(before, after), _length_s(before), _length_s(after))


def compare_costs(
    quantities: Iterable[Quantity], before: Mapping[str, float], after: Mapping[str, float]
) -> tuple[CostChange, ...]:
    """Return every quantity that both designs have, objectives first, then in the given order."""
    found = []
    for quantity in sorted(quantities, key=lambda q: q.role != "objective"):
        a, b = before.get(quantity.name, float("nan")), after.get(quantity.name, float("nan"))
        if not (np.isfinite(a) and np.isfinite(b)):
            continue
        near = bool(np.isclose(a, b, rtol=_ROUNDING, atol=0.0))
        better = None if near or quantity.sense == "none" else (b < a) == (quantity.sense == "minimise")
        found.append(CostChange(quantity, float(a), float(b), better))
    return tuple(found)


def _aligned(before: Sequence[Part], after: Sequence[Part]) -> tuple[list[Part], list[Part]]:
    """Return the parts in one order for both schedules: that of the first, then parts of the second alone."""
    places: dict[tuple[str, str], int] = {}
    for part in (*before, *after):
        if part.words:
            places.setdefault((part.model, part.words), len(places))

    def placed(parts: Sequence[Part]) -> list[Part]:
        found = []
        for part in parts:
            place = places[part.model, part.words] if part.words else -1
            found.append(Part(**{**vars(part), "first": place, "last": place}) if part.words else part)
        return sorted(found, key=lambda part: part.first)

    return placed(before), placed(after)


def _overlap(part: Part, other: Move | TimeChange) -> bool:
    if part.words or other.words:
        return (part.model, part.words) == (other.model, other.words)
    return part.model == other.model and part.first <= other.last and part.last >= other.first


def _moves(model: str, before: Sequence[Part], after: Sequence[Part]) -> list[Move]:
    cuts = sorted({edge for part in (*before, *after) for edge in (part.first, part.last + 1)})
    found: list[Move] = []
    for first, end in pairwise(cuts):
        lanes = _lanes_of(before, first), _lanes_of(after, first)
        if list(lanes[0]) == list(lanes[1]):
            continue
        where = ", ".join(lanes[0].values()), ", ".join(lanes[1].values())
        words = next((part.words for part in (*before, *after) if part.first == first), "")
        last = found[-1] if found else None
        if last and not words and (last.last + 1, last.before, last.after) == (first, *where):
            found[-1] = Move(model, last.first, end - 1, *where)
        else:
            found.append(Move(model, first, end - 1, *where, words))
    return found


def _lanes_of(parts: Sequence[Part], layer: int) -> dict[str, str]:
    """Return the ids and titles of the lanes on which a layer runs.

    Several where it runs in more than one window on different lanes.
    """
    return {part.lane: part.lane_title for part in parts if part.first <= layer <= part.last}


def _times(model: str, before: Sequence[Part], after: Sequence[Part]) -> list[TimeChange]:
    """Return the changes between cuts that both schedules have, where the times differ."""
    common = sorted(_cuts(before) & _cuts(after))
    found = []
    for first, end in pairwise(common):
        a, b = ([part for part in parts if first <= part.first < end] for parts in (before, after))
        if not a and not b:
            continue
        before_s, after_s = (float(sum(part.busy_s for part in parts)) for parts in (a, b))
        if not np.isclose(before_s, after_s, rtol=_ROUNDING, atol=0.0):
            before_compute_s, after_compute_s = (float(sum(part.compute_s for part in parts)) for parts in (a, b))
            if np.isclose(before_compute_s, after_compute_s, rtol=_ROUNDING, atol=0.0):
                after_compute_s = before_compute_s
            words = next((part.words for part in (*a, *b)), "")
            found.append(TimeChange(model, first, end - 1, before_s, after_s, before_compute_s, after_compute_s, words))
    return found


def _cuts(parts: Sequence[Part]) -> set[int]:
    """Return the layers before which the model may be cut: those where no part continues."""
    edges = {edge for part in parts for edge in (part.first, part.last + 1)}
    return {edge for edge in edges if not any(part.first < edge <= part.last for part in parts)}


def _lanes(before: Schedule, after: Schedule) -> tuple[LaneChange, ...]:
    titles = {lane.id: lane.title for schedule in (before, after) for lane in schedule.lanes}
    busy, kinds = [], []
    for schedule in (before, after):
        seconds = np.bincount(
            schedule.bar_lane, weights=schedule.bar_end_s - schedule.bar_start_s, minlength=len(schedule.lanes)
        )
        busy.append({lane.id: float(seconds[i]) for i, lane in enumerate(schedule.lanes)})
        kinds.append({lane.id: lane.kind for lane in schedule.lanes})
    return tuple(
        LaneChange(
            lane, title, busy[0].get(lane, 0.0), busy[1].get(lane, 0.0), kinds[0].get(lane, ""), kinds[1].get(lane, "")
        )
        for lane, title in titles.items()
    )


def _length_s(schedule: Schedule) -> float:
    ends = [window.end_s for window in schedule.windows] + schedule.bar_end_s.tolist()
    return float(max(ends, default=0.0))
