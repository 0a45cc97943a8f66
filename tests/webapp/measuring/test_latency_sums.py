"""Sums of medians with their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paretoscope_agent.intervals import interval_of_median
from webapp.measuring.latency_sums import Latency, summed

shares = st.floats(1e-3, 1.0)
seconds = st.floats(1e-6, 10.0)
ends = st.tuples(seconds, seconds, seconds).map(sorted)


@given(st.lists(st.tuples(shares, ends), min_size=1, max_size=6), st.floats(0, 5))
def test_the_interval_holds_the_sum(given_pieces: list[tuple[float, list[float]]], rest_s: float) -> None:
    pieces = [(share, Latency(middle, low, high)) for share, (low, middle, high) in given_pieces]
    found = summed(pieces, rest_s)
    assert found.low_s is not None and found.high_s is not None
    assert rest_s < found.low_s <= found.median_s * (1 + 1e-12) and found.median_s <= found.high_s * (1 + 1e-12)
    assert found.median_s == pytest.approx(sum(share * each.median_s for share, each in pieces) + rest_s)


@given(ends, st.floats(0, 5))
def test_one_piece_that_all_inputs_take_is_itself(given_ends: list[float], rest_s: float) -> None:
    low, middle, high = given_ends
    found = summed([(1.0, Latency(middle, low, high))], rest_s)
    assert (found.low_s, found.median_s, found.high_s) == (low + rest_s, middle + rest_s, high + rest_s)


def test_a_piece_without_an_interval_leaves_none() -> None:
    found = summed([(0.5, Latency(1.0, 0.9, 1.1)), (0.5, Latency(1.0, None, None))])
    assert (found.median_s, found.low_s, found.high_s) == (1.0, None, None)
    with pytest.raises(ValueError, match="at least one"):
        summed([])


def test_it_covers_as_often_as_it_says() -> None:
    """Pieces of skewed times, as of measurements: the true sum of medians lies inside in at least 95 % of 400 draws."""
    random, inside = np.random.default_rng(4), 0
    medians, weights = np.array([0.010, 0.002, 0.030]), [0.5, 0.3, 0.2]
    for _ in range(400):
        pieces = []
        for share, median_s in zip(weights, medians, strict=True):
            found = interval_of_median((median_s * random.lognormal(0.0, 0.2, 25)).tolist())
            pieces.append((share, Latency(found.median, found.low, found.high)))
        found_sum = summed(pieces)
        assert found_sum.low_s is not None and found_sum.high_s is not None
        inside += found_sum.low_s <= float(medians @ weights) <= found_sum.high_s
    assert inside >= 0.95 * 400
