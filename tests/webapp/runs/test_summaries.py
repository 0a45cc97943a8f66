"""Values of runs in words for terminals."""

from __future__ import annotations

import pytest

from webapp.runs.summaries import si


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0.00123, "s", "1.23 ms"),
        (4.39e9, "J", "4.39 GJ"),
        (0.1, "Hz", "0.1 Hz"),
        (0.805, "%", "0.805 %"),
        (14.0, "h", "14 h"),
        (0.0, "%", "0 %"),
        (float("nan"), "s", "-"),
    ],
)
def test_prefixes_stand_where_units_take_them(value: float, unit: str, words: str) -> None:
    assert si(value, unit) == words
