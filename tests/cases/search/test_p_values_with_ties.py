"""P-values of Mann and Whitney's test where values tie, against a count of all arrangements (scipy/scipy#17821)."""

from __future__ import annotations

from collections import defaultdict
from math import comb

import pytest

from engines.search.significance import least_p_value, mann_whitney

SAMPLES = [
    ([3] * 10, [2] * 4 + [3] * 6),
    ([2] + [3] * 6, [2] * 5 + [3] * 2),
    ([1] * 7, [1] * 6 + [2]),
    ([2, 2, 3, 3, 3], [3] * 10),
    ([1] * 10, [2] * 10),
]


def exact(first: list[int], second: list[int]) -> float:
    """Twice the smaller tail of the distribution of the rank sum, group by group of equal values."""
    both, size = sorted([*first, *second]), len(first)
    groups, rank, at = [], {}, 0
    while at < len(both):
        end = at
        while end < len(both) and both[end] == both[at]:
            end += 1
        rank[both[at]] = at + end + 1
        groups.append((at + end + 1, end - at))
        at = end
    seen = sum(rank[value] for value in first)
    ways = {(0, 0): 1}
    for value, count in groups:
        more: dict[tuple[int, int], int] = defaultdict(int)
        for (taken, total), number in ways.items():
            for chosen in range(min(count, size - taken) + 1):
                more[taken + chosen, total + value * chosen] += number * comb(count, chosen)
        ways = more
    low = sum(n for (k, s), n in ways.items() if k == size and s <= seen)
    high = sum(n for (k, s), n in ways.items() if k == size and s >= seen)
    return min(1.0, 2 * min(low, high) / comb(len(both), size))


@pytest.mark.parametrize(("first", "second"), SAMPLES)
def test_p_values_are_those_that_counting_gives(first: list[int], second: list[int]) -> None:
    p_value = mann_whitney(first, second)
    assert p_value == pytest.approx(exact(first, second), rel=1e-3, abs=1e-9)
    assert p_value >= least_p_value(len(first), len(second)) * (1 - 1e-9)
