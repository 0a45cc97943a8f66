"""Limits in milliseconds and millijoules."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engines.contract.numeric.milli_units import in_thousandths


def test_four_digits_rounded_up() -> None:
    assert in_thousandths(0.0232891, "s") == "23.29\u00a0ms" and in_thousandths(0.2, "J") == "200\u00a0mJ"
    assert in_thousandths(1234.5, "s") == "1235000\u00a0ms"


@given(st.floats(1e-9, 1e6))
def test_what_is_told_can_be_kept(value: float) -> None:
    assert float(in_thousandths(value, "s").partition("\u00a0")[0]) / 1e3 >= value * (1 - 1e-12)
