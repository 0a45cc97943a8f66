"""Whole numbers of an address."""

from __future__ import annotations

import pytest

from frontend.pages.asked_number import asked_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("17", 17), ("²", None), ("١", None), ("9" * 5000, None), ("-1", None), ("", None), (None, None)],
)
def test_nothing_but_a_plain_number_is_one(text: str | None, number: int | None) -> None:
    assert asked_number(text) == number
