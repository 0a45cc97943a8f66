"""The chain of bars that decides when a schedule ends: from its last bar back to the beginning, each after what it waited for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.results import Schedule

# Relative to the end of the schedule: times nearer than this are the same moment.
_SAME_MOMENT = 1e-9
NO_BAR = -1


@dataclass(frozen=True)
class Link:
    """A piece of the chain: `bar` runs, or nothing does (`NO_BAR`), for `seconds`."""

    bar: int
    seconds: float


def deciding_chain(schedule: Schedule) -> tuple[Link, ...]:
    """Return the pieces of the chain in order of time; their seconds add up to the end of the schedule.

    What comes before a bar is a bar that it depends on or one of its own lane, where one ends as it starts; else the bar that
    ended last before it, with a pause between.
    """
    bars = _Bars(schedule)
    if not len(bars.kept):
        return ()
    found: list[Link] = []
    bar = int(bars.kept[-1])
    moment, end = float(schedule.bar_end_s[bar]), max((window.end_s for window in schedule.windows), default=0.0)
    if end - moment > bars.same_moment_s:
        found.append(Link(NO_BAR, end - moment))
    while bar != NO_BAR:
        start = float(schedule.bar_start_s[bar])
        found.append(Link(bar, moment - start))
        bar, moment = bars.before(bar), start
        ended = 0.0 if bar == NO_BAR else float(schedule.bar_end_s[bar])
        if moment - ended > bars.same_moment_s:
            found.append(Link(NO_BAR, moment - ended))
            moment = ended
    return tuple(reversed(found))


class _Bars:
    """The bars of a schedule in order of their ends, of the whole and of each lane; those without length are left out."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        length = schedule.bar_end_s - schedule.bar_start_s
        end = float(schedule.bar_end_s.max()) if len(schedule.bar_end_s) else 0.0
        self.same_moment_s = _SAME_MOMENT * end
        known = np.flatnonzero(length > 2 * self.same_moment_s)
        self.kept: IntArray = known[np.argsort(schedule.bar_end_s[known], kind="stable")]
        self._ends: FloatArray = schedule.bar_end_s[self.kept]
        of_lane = schedule.bar_lane[self.kept]
        self._lanes = {int(lane): self.kept[of_lane == lane] for lane in np.unique(of_lane)}
        self._needed: dict[int, list[int]] = {}
        there = set(self.kept.tolist())
        for before, after in zip(schedule.dependency_from.tolist(), schedule.dependency_to.tolist(), strict=True):
            if before in there:
                self._needed.setdefault(after, []).append(before)

    def before(self, bar: int) -> int:
        """Return the bar that `bar` came after; `NO_BAR` for the first."""
        start = float(self._schedule.bar_start_s[bar])
        lane = self._lanes[int(self._schedule.bar_lane[bar])]
        near = [each for each in (*self._needed.get(bar, ()), self._last(lane, start)) if each != NO_BAR]
        for each in near:
            if abs(float(self._schedule.bar_end_s[each]) - start) <= self.same_moment_s:
                return int(each)
        return self._last(self.kept, start)

    def _last(self, bars: IntArray, start: float) -> int:
        """Return the last of some bars, in order of their ends, that has ended at `start`."""
        ends = self._ends if bars is self.kept else self._schedule.bar_end_s[bars]
        at = int(np.searchsorted(ends, start + self.same_moment_s, side="right")) - 1
        return int(bars[at]) if at >= 0 else NO_BAR
