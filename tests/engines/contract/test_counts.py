"""Whole numbers in sentences."""

import pytest

from engines.contract.counts import counted


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0"), (999, "999"), (12_198, "12\u2009198"), (84_934_656, "84\u2009934\u2009656"), (1234.6, "1\u2009235")],
)
def test_thousands_stand_apart_by_a_thin_space(value: float, words: str) -> None:
    assert counted(value) == words
