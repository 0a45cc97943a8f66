"""Counts, ranges and initials."""

from __future__ import annotations

import pytest

from frontend.pages.words import initials, short_count, time_range


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (950, "950"),
        (4200, "4\u2009200"),
        (42_000, "42.0 k"),
        (1_900_000, "1.90 M"),
        (0, "0"),
        (2880 * 2**54, "5.2 × 10¹⁹"),
    ],
)
def test_counts_stay_short(number: float, text: str) -> None:
    assert short_count(number).replace("\u00a0", " ") == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (3, 6, "3–6 s"),
        (0.2, 0.5, "0.2–0.5 s"),
        (0.01, 0.04, "under 0.1 s"),
        (5, 5, "5 s"),
        (60, 120, "1 min 0 s–2 min 0 s"),
    ],
)
def test_estimates_are_ranges(low: float, high: float, text: str) -> None:
    assert time_range(low, high).replace("\u00a0", " ") == text


def test_initials() -> None:
    assert [initials(name) for name in ("ann.lee", "demo", "Mo Khan")] == ["AL", "DE", "MK"]
