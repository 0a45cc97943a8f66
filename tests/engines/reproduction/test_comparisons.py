"""The one rule of when a row tells why ours is another value."""

from __future__ import annotations

from math import nan

import pytest

from engines.reproduction.comparisons import Comparison


def why(published: float, ours: float, ordering: bool | None = None, high: float | None = None) -> str:
    row = Comparison("A", "", published, ours, "x", "predicted", "a-2024", "Table 1", ordering, "Because.", "T", high)
    return row.why


@pytest.mark.parametrize(
    ("published", "ours", "told"),
    [
        (2.0, 2.0, False),
        (100.0, 100.9, False),  # within 1 %
        (100.0, 101.1, True),
        (2.25, 2.3, True),
        (2.25, 2.2549, False),  # within 1 %
        (4.0, 4.4, False),  # a 4 is printed
        (4.0, 4.6, True),
        (0.0, 0.0, False),
        (0.0, 0.6, True),
    ],
)
def test_the_reason_is_told_where_ours_is_not_as_printed(published: float, ours: float, told: bool) -> None:
    assert why(published, ours) == ("Because." if told else "")


def test_the_reason_is_told_where_the_other_side_wins() -> None:
    assert why(2.0, 2.0, ordering=False) == "Because." and why(2.0, 2.0, ordering=True) == ""


@pytest.mark.parametrize(("ours", "told"), [(19.0, True), (20.0, False), (25.0, False), (30.0, False), (31.0, True)])
def test_a_range_is_as_printed_from_end_to_end(ours: float, told: bool) -> None:
    assert bool(why(20.0, ours, high=30.0)) is told


def test_without_ours_there_is_nothing_to_tell_and_without_a_number_everything() -> None:
    assert why(2.0, nan) == "" == why(nan, nan)
    assert why(nan, 3.0) == why(nan, 3.0, ordering=True) == "Because."
