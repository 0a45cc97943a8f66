from __future__ import annotations

import math

import pytest

from engines.errors import UnknownEngineError
from engines.reproductions import Comparison, Flip, comparisons_of, flips, reproducible_engines


def compared(name: str, reading: str, ordering: bool | None, published: float = 2.0) -> Comparison:
    return Comparison(name, reading, published, 3.0, "x", "predicted", "a-2024", "Table 1", ordering)


def test_built_in_reproductions_are_found() -> None:
    assert "scar" in reproducible_engines()


def test_an_engine_without_a_reproduction_is_named_with_those_that_have_one() -> None:
    with pytest.raises(UnknownEngineError, match=r"no reproduction of 'toy'.*scar"):
        next(comparisons_of("toy"))


def test_flips_name_the_readings_on_both_sides() -> None:
    rows = [
        compared("A", "one", True),
        compared("B", "one", True),
        compared("A", "two", False),
        compared("B", "two", True),
        compared("C", "one", None),
        compared("A", "three", False),
    ]
    assert flips(rows) == (Flip("a-2024", "A", ("one",), ("two", "three")),)


def test_the_ratio_is_ours_over_published() -> None:
    assert compared("A", "", None).ratio == 1.5
    assert math.isnan(compared("A", "", None, published=0.0).ratio)
