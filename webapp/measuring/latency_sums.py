"""The latency of a design as the sum of its segments, with a conservative interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Latency:
    """A median with its 95 % interval, in seconds; `low_s` and `high_s` are None where there were too few repetitions."""

    median_s: float
    low_s: float | None
    high_s: float | None

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Latency:
        """Read a latency from what an agent answered under `latency_s`."""
        return cls(told["median"], told["low"], told["high"])


def summed(pieces: Sequence[tuple[float, Latency]], rest_s: float = 0.0) -> Latency:
    """Return the sum of share x latency, and what is added as predicted.

    The ends of the interval are the sums of the ends, so that it holds the true sum wherever all pieces' intervals hold theirs:
    nothing is assumed of how the pieces' errors go together. Where these are independent it is wider than it need be.

    Args:
        pieces: (share, latency) pairs, at least one; shares above 0.
        rest_s: seconds, at least 0.

    Raises:
        ValueError: there are no pieces.
    """
    if not pieces:
        raise ValueError("pieces: at least one")
    lows = [None if each.low_s is None else share * each.low_s for share, each in pieces]
    highs = [None if each.high_s is None else share * each.high_s for share, each in pieces]
    return Latency(
        sum(share * each.median_s for share, each in pieces) + rest_s, _sum(lows, rest_s), _sum(highs, rest_s)
    )


def _sum(ends: Sequence[float | None], rest_s: float) -> float | None:
    known = [end for end in ends if end is not None]
    return sum(known) + rest_s if len(known) == len(ends) else None
