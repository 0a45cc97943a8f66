"""Filters of dominated entries, all minimised, separately within groups.

They compare exact values, because costs are still added to partial results. The entries that stay include the whole front of
`engines.contract.fronts.non_dominated`.
"""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray, IntArray

_MOST_DISTANCE = 256
_MOST_COMPARISONS = 2_000_000


def non_dominated_by_group(group: IntArray, latency_s: FloatArray, energy_j: FloatArray) -> IntArray:
    """Return the indices of the entries that no other of the same group dominates or equals; of equal ones the first stays.

    Arguments have shape `n`.
    """
    if not len(group):
        return np.empty(0, np.int64)
    order = np.lexsort((energy_j, latency_s, group))
    sorted_group = group[order]
    number = np.cumsum(np.concatenate([[0], sorted_group[1:] != sorted_group[:-1]]))
    # Within a group sorted by latency, an entry stays if its energy is below all before it. Ranks keep this exact: one
    # running minimum serves all groups because a later group starts below every value of the earlier ones.
    rank = np.searchsorted(np.unique(energy_j), energy_j[order])
    key = rank - number * (len(group) + 1)
    before = np.concatenate([[np.iinfo(np.int64).max], np.minimum.accumulate(key)[:-1]])
    return np.asarray(order[key < before])


def thin_dominated_by_group(group: IntArray, first: FloatArray, second: FloatArray, third: FloatArray) -> IntArray:
    """Return the indices, ascending, that stay after most entries with an equal or better one in the same group are removed.

    Every removed entry is dominated or equal to one that stays. Large groups are compared in part, so some dominated entries stay;
    callers remove them only to save work.
    """
    order = np.lexsort((third, second, first, group))
    # Copies in that order: slices of them are compared, which is several times faster than gathering by index each time.
    groups, seconds, thirds = group[order], second[order], third[order]
    furthest = min(_MOST_DISTANCE, max(8, _MOST_COMPARISONS // max(1, len(order))))
    for distance in range(1, furthest + 1):
        if len(order) <= distance:
            break
        same = groups[distance:] == groups[:-distance]
        if not same.any():
            break
        # Sorted by the first value: only the other two are left to compare.
        beaten = same & (seconds[:-distance] <= seconds[distance:]) & (thirds[:-distance] <= thirds[distance:])
        if beaten.any():
            keep = np.concatenate([np.ones(distance, bool), ~beaten])
            order, groups, seconds, thirds = order[keep], groups[keep], seconds[keep], thirds[keep]
    return np.sort(order)
