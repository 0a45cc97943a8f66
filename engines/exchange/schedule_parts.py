"""The parts of a schedule: bars of one part of a model on one lane in one window."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.results import Schedule


def part_names(schedule: Schedule) -> list[str]:
    """Return the part that each label names: the words up to a comma."""
    return [label.split(",")[0].strip() for label in schedule.labels]


def part_groups(schedule: Schedule) -> list[tuple[str, IntArray]]:
    """Return the names of parts with the indices of their bars, these by their start, grouped by lane, window, model and part.

    Two parts may have the same name: a group ends where bars of another part of its model stand in a gap between its own.
    """
    if not len(schedule.bar_lane):
        return []
    names = part_names(schedule) or [""]
    distinct = list(dict.fromkeys(names))
    part_of = np.array([distinct.index(name) for name in names], np.int64)
    bar_part = part_of[np.clip(schedule.bar_label, 0, len(names) - 1)]
    places = np.stack([schedule.bar_lane, schedule.bar_window, schedule.bar_model], axis=1)
    _, place = np.unique(places, axis=0, return_inverse=True)
    place = place.ravel()
    together = [schedule.bar_start_s[bars] for bars in _split(place, schedule.bar_start_s)]
    found = []
    for bars in _split(place * len(distinct) + bar_part, schedule.bar_start_s):
        others = together[place[bars[0]]]
        start, reach = schedule.bar_start_s[bars][1:], np.maximum.accumulate(schedule.bar_end_s[bars])[:-1]
        between = np.searchsorted(others, start, "left") - np.searchsorted(others, reach, "left")
        cuts = np.flatnonzero((start > reach) & (between > 0)) + 1
        found += [(distinct[bar_part[bars[0]]], own) for own in np.split(bars, cuts)]
    return found


def _split(group: IntArray, start_s: FloatArray) -> list[IntArray]:
    """Return the indices of each group, in the order of the groups, by their start."""
    order = np.lexsort((start_s, group))
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
