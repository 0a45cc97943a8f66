"""Declarations of rows of reproductions, checked as they are made and listed: kind, test and baseline against what is printed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import isfinite

from engines.reproduction.comparisons import Comparison, compared
from engines.reproduction.verdicts import WITHIN, fact_of

# A value between these per cents of a whole is within the factor of `WITHIN` of the whole, so that nothing could differ.
_NEAR_WHOLE = (100 / WITHIN, 100 * WITHIN)


def checked_row(row: Comparison) -> Comparison:
    """Return the row.

    Raises:
        ValueError: its test contradicts what is printed, a test lacks its baseline, or a percentage near 100 has none.
    """
    printed = isfinite(row.published)
    _require(row, row.test != "trend" or not printed, "a row with a published number is no trend")
    _require(row, row.test != "trend" or row.baseline is not None, "a trend needs the baseline at which no side wins")
    _require(row, row.test != "effect" or row.baseline is not None, "an effect needs its baseline")
    _require(row, row.test == "range" or row.published_high is None, "two published ends are tested as a range")
    _require(row, row.test != "range" or row.published_high is not None, "a range needs two published ends")
    near_whole = row.unit == "%" and _NEAR_WHOLE[0] <= abs(row.published) <= _NEAR_WHOLE[1]
    _require(
        row,
        fact_of(row) == "none" or not near_whole or row.test != "value",
        "a percentage near 100 needs a baseline (100 of a whole, 0 of a gain): the factor alone cannot differ",
    )
    return row


def checked_rows(rows: Iterable[Comparison]) -> tuple[Comparison, ...]:
    """Return the rows of a method.

    Raises:
        ValueError: two rows that are counted state the same printed fact.
    """
    found = tuple(rows)
    facts: dict[tuple[str, tuple[str, ...]], list[Comparison]] = defaultdict(list)
    for each in compared(found):
        if each.first.sources and fact_of(each.first) == "value":
            facts[each.first.anchor, each.first.sources].append(each.first)
    for same in facts.values():
        _require(
            same[-1], len(same) == 1, f"{same[0].name!r} states the same published fact: declare one of them 'repeated'"
        )
    return found


def _require(row: Comparison, holds: bool, rule: str) -> None:
    if not holds:
        raise ValueError(f"Row {row.name!r} of {row.anchor}, {row.group!r}: {rule}.")
