"""Intervals of medians, by what must hold for any samples."""

from __future__ import annotations

import random
from math import inf, isnan
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paretoscope_agent.intervals import halves_differ, interval_of_median

TIMES = st.floats(1e-6, 1e3)


@given(st.lists(TIMES, min_size=1, max_size=300))
def test_the_median_lies_within_its_interval(samples: list[float]) -> None:
    found = interval_of_median(samples)
    assert found.median == median(samples)
    if not isnan(found.low):
        assert min(samples) <= found.low <= found.median <= found.high <= max(samples)


@given(st.lists(TIMES, min_size=6, max_size=200), st.floats(1e-3, 1e3))
def test_another_unit_changes_the_unit_alone(samples: list[float], factor: float) -> None:
    found, scaled = interval_of_median(samples), interval_of_median([factor * each for each in samples])
    assert scaled.relative_half_width == pytest.approx(found.relative_half_width, rel=1e-6, abs=1e-9)


@given(st.lists(TIMES, min_size=6, max_size=100), st.randoms())
def test_the_order_does_not_matter(samples: list[float], order: random.Random) -> None:
    shuffled = list(samples)
    order.shuffle(shuffled)
    assert interval_of_median(shuffled) == interval_of_median(samples)


def test_five_samples_are_too_few_for_an_interval_and_six_are_enough() -> None:
    """The median is outside all of n samples with the probability 2 ** (1 - n): 6.25 % for five, 3.1 % for six."""
    assert interval_of_median([1, 2, 3, 4, 5]).relative_half_width == inf
    found = interval_of_median([1, 2, 3, 4, 5, 6])
    assert (found.low, found.high) == (1, 6)


@pytest.mark.parametrize("count", [20, 100, 1500])
def test_it_covers_the_median_as_often_as_it_says(count: int) -> None:
    generator = random.Random(7)
    trials = 600
    held = 0
    for _ in range(trials):
        found = interval_of_median([generator.lognormvariate(0, 1) for _ in range(count)])
        held += found.low <= 1.0 <= found.high  # the median of that distribution
    assert held / trials > 0.93


def test_it_notices_a_change_in_the_middle() -> None:
    assert halves_differ([1.0] * 10 + [1.2] * 10, 0.05)
    assert not halves_differ([1.0, 1.01] * 10, 0.05)
    assert not halves_differ([1.0, 2.0], 0.05)


def test_no_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        interval_of_median([])
