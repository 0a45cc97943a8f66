"""Rules on a measurement, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.search.ends.correctness import MeasuredCorrectness, union_accuracy
from engines.search.ends.exit_rules import RuledEnds

# Three samples, two exits and the own end: sure and right, sure and wrong, unsure and wrong at first.
RIGHT = np.array([[1, 1, 1], [0, 1, 1], [0, 1, 0]], dtype=bool)
ENDS = RuledEnds(RIGHT, {"entropy": np.array([[0.9, 0.9], [0.8, 0.1], [0.2, 0.6]])})


def test_samples_leave_where_an_exit_is_sure_enough_and_are_right_or_wrong_there() -> None:
    found = ENDS.leaving([True, True, True], "entropy", [0.7, 0.85, 1.0])
    assert found.shares == pytest.approx(np.array([[2 / 3, 0, 1 / 3], [1 / 3, 0, 2 / 3], [0, 0, 1]]))
    assert found.accuracy == pytest.approx([1 / 3, 2 / 3, 2 / 3])


def test_exits_that_are_not_chosen_are_passed() -> None:
    found = ENDS.leaving([False, True, True], "entropy", [0.5])
    assert found.shares[0] == pytest.approx([0, 2 / 3, 1 / 3])
    assert found.accuracy == pytest.approx([1])


def test_a_threshold_outside_of_0_to_1_is_refused() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        ENDS.leaving([True, True, True], "entropy", [1.5])


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.floats(0, 1))
def test_no_rule_is_right_more_often_than_the_ideal_mapping(seed: int, exits: int, threshold: float) -> None:
    random = np.random.default_rng(seed)
    right, sure = random.random((20, exits + 1)) < 0.6, random.random((20, exits))
    chosen = np.append(random.random(exits) < 0.5, True)
    found = RuledEnds(right, {"entropy": sure}).leaving(chosen, "entropy", [threshold])
    assert found.accuracy[0] <= union_accuracy(MeasuredCorrectness(right), chosen)[0] + 1e-12
    assert found.shares.sum() == pytest.approx(1)
