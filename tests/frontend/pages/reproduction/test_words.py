from __future__ import annotations


def test_a_table_says_how_many_of_its_values_are_fitted() -> None:
    from frontend.pages.reproduction.words import kinds_words

    assert kinds_words(["exact", "exact"]) == "ours: the method's algorithm on printed inputs"
    assert kinds_words(["fitted", "predicted", "fitted"]) == (
        "ours: 2 fitted to such values; 1 predicted, not fitted to such values"
    )
