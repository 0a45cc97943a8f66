"""How two orders agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.search.rank_agreement import rank_agreement


@given(st.lists(st.floats(0, 1), min_size=3, max_size=12, unique=True))
def test_an_order_agrees_with_itself_and_not_with_its_reverse(values: list[float]) -> None:
    assert rank_agreement(values, values) == pytest.approx(1.0)
    assert rank_agreement(values, [-value for value in values]) == pytest.approx(-1.0)


def test_two_things_have_no_order() -> None:
    assert rank_agreement([1.0, 2.0], [1.0, 2.0]) is None
    assert rank_agreement([1.0, 2.0, 3.0], [5.0, 5.0, 5.0]) == 0.0
