"""Entropy, the rule, learning and divergence by worked examples."""

import numpy as np
import pytest

from engines.methods.myml.tracker import (
    Tracker,
    chance_of_being_found,
    entropy_bits,
    hits_needed,
    outside,
    user_classes,
)


def test_entropies_of_the_publication() -> None:
    assert entropy_bits(np.full(5, 0.2)) == pytest.approx(2.3219, abs=1e-4)
    assert entropy_bits(np.array([[1.0, 0.0], [0.5, 0.5]])).tolist() == [0.0, 1.0]


def test_an_image_is_outside_only_where_both_say_so() -> None:
    rows = np.array([
        [0.2, 0.2, 0.2, 0.2, 0.2],  # unsure, 2.32 bits
        [0.55, 0.45, 0.0, 0.0, 0.0],  # unsure, but 0.99 bits
        [0.6, 0.1, 0.1, 0.1, 0.1],  # not below 0.6, though 1.77 bits
        [0.59, 0.11, 0.1, 0.1, 0.1],  # both
    ])  # fmt: skip
    assert outside(rows, 0.6, 1.5).tolist() == [True, False, False, True]


def test_a_user_class_has_more_than_its_share_of_the_window() -> None:
    assert hits_needed(50, 0.15) == 8  # 7.5: seven are too few
    assert hits_needed(20, 0.15) == 4  # three are 15 %, not more
    predictions = np.repeat([0, 1, 2, 3], [8, 7, 15, 20])
    assert user_classes(predictions, 0.15, 10) == (0, 2, 3)


def test_chances_of_being_found_are_binomial() -> None:
    assert chance_of_being_found(0.5, 3, 0.34) == pytest.approx(0.5)  # two or three of three
    # Five equal classes, as published: a window of fifty misses a given one in a fifth of the cases.
    assert chance_of_being_found(0.2, 50, 0.15) == pytest.approx(0.8096, abs=1e-4)


def test_more_than_the_share_of_a_full_window_is_a_divergence() -> None:
    tracker = Tracker(10, 0.7)
    assert not any(tracker.see(True) for _ in range(9))  # the window is not full
    tracker = Tracker(10, 0.7)
    said = [tracker.see(flag) for flag in [False] * 10 + [True] * 8]
    assert said.index(True) == 17 and tracker.share == 0.8  # seven of ten are not more than 70 %
