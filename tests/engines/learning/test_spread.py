"""Accuracy over seeds."""

from __future__ import annotations

import math

import pytest

from engines.learning.spread import spread_of


def test_mean_deviation_and_span_by_hand() -> None:
    found = spread_of([90.0, 92.0, 94.0])
    assert (found.mean, found.deviation, found.span) == (92.0, 2.0, 4.0)
    assert found.words == "92.0 ± 2.0 % (3 seeds)"


def test_one_seed_has_no_spread() -> None:
    found = spread_of([91.25])
    assert math.isnan(found.deviation) and math.isnan(found.span)
    assert found.words == "91.25 % (one seed, spread not known)"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([5.0, 5.0], "5.0 ± 0.0 % (2 seeds)"),
        ([90.0, 90.03], "90.015 ± 0.021 % (2 seeds)"),
        ([10.0, 90.0], "50 ± 57 % (2 seeds)"),
    ],
)
def test_words_have_two_digits_of_the_deviation(values: list[float], words: str) -> None:
    assert spread_of(values).words == words
