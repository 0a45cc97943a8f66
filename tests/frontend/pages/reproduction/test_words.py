from __future__ import annotations

from dataclasses import replace
from math import nan

from engines.reproduction.comparisons import Comparison


def test_a_table_says_how_many_of_its_values_are_fitted() -> None:
    from frontend.pages.reproduction.words import kinds_words

    assert kinds_words(["exact", "exact"]) == "computed: the method's algorithm on published inputs"
    assert kinds_words(["fitted", "predicted", "fitted"]) == (
        "ours: 2 fitted to such values; 1 predicted, without such values"
    )


def test_bounds_baselines_and_seeds_are_told() -> None:
    from frontend.pages.reproduction.words import comparison_note, published_words, short_rule

    row = Comparison("Share", "", 97, 96.655, "%", "predicted", "a-2024", "Table 1", test="at least")
    assert published_words(row) == "at least 97.0\u00a0%" and comparison_note(row) == ""
    assert comparison_note(replace(row, test="effect", baseline=100)) == "compared by the distance from 100\u00a0%"
    trend = replace(row, published=nan, test="trend", baseline=1.0, unit="x", seeds=(0.9, 1.5))
    assert comparison_note(trend) == "computed over seeds: 0.900 to 1.50\u00a0×"
    assert short_rule("fitted").startswith("The same, but") and not short_rule("agrees").endswith(".")
