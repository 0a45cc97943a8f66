"""Rank agreement: whether two series of values order the same items equally."""

from __future__ import annotations

from collections.abc import Sequence


def rank_agreement(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Kendall's tau-a of two rows of figures of the same things: 1 in the same order, -1 in the opposite one.

    Ties count as neither; None where there are fewer than three things.
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
    """Return 1, -1, or 0 for a tie."""
    return (one > other) - (one < other)
