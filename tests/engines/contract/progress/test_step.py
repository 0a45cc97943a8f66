"""Words for limits that no design meets."""

from __future__ import annotations

import math

import pytest

from engines.contract.progress.step import shortfall
from engines.contract.quantities import SHARE


@pytest.mark.parametrize(
    ("demand", "bound", "unit", "words"),
    [
        (0.014683483457721778, 0.013345970212408456, SHARE, "at least 1.468 % is needed, at most 1.335 % is allowed."),
        (0.4, 0.55, "1/s", "at most 0.4 1/s can be reached, at least 0.55 1/s is asked for."),
        (math.inf, 3.0, "", "at least ∞ is needed, at most 3 is allowed."),
    ],
)
def test_it_says_which_way_is_good(demand: float, bound: float, unit: str, words: str) -> None:
    assert shortfall("route error", demand, bound, unit) == f"route error: {words}"
