"""Inputs that leave at each end, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.search.ends.correctness import (
    CorrelatedCorrectness,
    MeasuredCorrectness,
    NestedCorrectness,
    correlation_for,
    dissimilarity,
    nested_bound,
    shares_leaving,
    union_accuracy,
)

NESTED = NestedCorrectness(np.array([0.5, 0.7, 0.6, 0.9]))
# Five samples at three ends: the second end loses what the first had, the last sample is never right.
RIGHT = np.array([[1, 1, 1], [1, 0, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool)


def test_nested_inputs_leave_by_the_gain_in_accuracy() -> None:
    leaving = shares_leaving(NESTED, [[1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 1, 1]])
    assert leaving == pytest.approx(np.array([[0.5, 0, 0.1, 0.4], [0, 0, 0, 1], [0.5, 0.2, 0, 0.3]]))
    assert union_accuracy(NESTED, np.ones((1, 4))) == pytest.approx([0.9])


def test_measured_inputs_leave_at_the_first_end_that_is_right() -> None:
    measured = MeasuredCorrectness(RIGHT)
    assert measured.accuracy == pytest.approx([0.4, 0.4, 0.6])
    assert shares_leaving(measured, [[1, 1, 1], [0, 1, 1], [0, 0, 1]]) == pytest.approx(
        np.array([[0.4, 0.2, 0.4], [0, 0.4, 0.6], [0, 0, 1]])
    )
    assert union_accuracy(measured, [[1, 1, 1], [1, 0, 1], [0, 0, 1]]) == pytest.approx([0.8, 0.6, 0.6])


def test_every_end_up_to_one_bounds_who_has_left_there() -> None:
    measured = MeasuredCorrectness(RIGHT)
    assert nested_bound(measured).accuracy == pytest.approx([0.4, 0.6, 0.8])
    choices = np.array([[a, b, 1] for a in (0, 1) for b in (0, 1)])
    assert (nested_bound(measured).staying(np.ones((1, 3))) <= measured.staying(choices) + 1e-12).all()


def test_dissimilarity_is_of_the_best_chosen_end_before() -> None:
    assert dissimilarity(NESTED.accuracy, [[1, 1, 1, 1], [0, 0, 1, 1]]) == pytest.approx(
        np.array([[1, 0.5, 0.3, 0.3], [1, 1, 1, 0.4]])
    )


def test_independent_ends_multiply_and_those_that_go_together_are_nearly_nested() -> None:
    accuracy, every = np.array([0.5, 0.6, 0.8]), np.ones((1, 3))
    assert union_accuracy(CorrelatedCorrectness(accuracy, 0.0), every) == pytest.approx([1 - 0.5 * 0.4 * 0.2])
    assert union_accuracy(CorrelatedCorrectness(accuracy, 0.99), every) == pytest.approx([0.8], abs=0.02)


def test_each_end_of_a_correlated_network_keeps_its_accuracy() -> None:
    correlated = CorrelatedCorrectness(np.array([0.3, 0.9, 0.8]), 0.95)
    assert 1 - correlated.staying([[0, 1, 0]])[0, 1] == pytest.approx(0.9, abs=1e-9)


def test_a_correlation_is_found_from_the_union() -> None:
    accuracy = np.array([0.5, 0.7, 0.8633])
    found = correlation_for(accuracy, 0.8995)
    assert 0 < found < 1
    assert union_accuracy(CorrelatedCorrectness(accuracy, found), np.ones((1, 3))) == pytest.approx([0.8995], abs=1e-4)


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=8), st.integers(0, 15))
def test_more_exits_never_raise_the_union_error_and_shares_add_up(rows: list[list[bool]], bits: int) -> None:
    measured = MeasuredCorrectness(np.array(rows))
    chosen = np.array([[bits >> end & 1 for end in range(4)]], bool)
    for end in range(4):
        more = chosen.copy()
        more[0, end] = True
        assert union_accuracy(measured, more)[0] >= union_accuracy(measured, chosen)[0] - 1e-12
    leaving = shares_leaving(measured, chosen)
    assert leaving.sum() == pytest.approx(1)
    assert (leaving >= -1e-12).all()
