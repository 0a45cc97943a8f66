"""Rank agreement: whether two series of values order the same items equally."""

from __future__ import annotations

from collections.abc import Sequence


def rank_agreement(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Kendall's tau-a of two series over the same items: 1 for the same order, -1 for the opposite one.

    Ties count as neither; None for fewer than three items.
    """
    count = len(first)
    if count < 3:
        return None
    agreeing = 0
    for one in range(count):
        for other in range(one):
            agreeing += _order(first[one], first[other]) * _order(second[one], second[other])
    return 2.0 * agreeing / (count * (count - 1))


def _order(one: float, other: float) -> int:
    """Return 1 if `one` is larger, -1 if it is smaller, 0 for a tie."""
    return (one > other) - (one < other)
