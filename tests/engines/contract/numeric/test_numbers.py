"""Numbers of Python, NumPy and JSON are numbers; true, false, NaN, infinity and text are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.contract.numeric.numbers import finite_number, plain, whole_number

NO_NUMBERS = (True, np.True_, None, "1", [1], float("nan"), np.float32("inf"), -np.inf)


@pytest.mark.parametrize("value", [1000, 1e3, np.int8(100), np.uint64(2**63), np.float64(1e3), 10**30])
def test_whole_numbers_are_those_of_python(value: Any) -> None:
    found = whole_number(value)
    assert found == int(value) and type(found) is int


@pytest.mark.parametrize("value", [*NO_NUMBERS, 1.5, np.float64(0.1)])
def test_what_is_not_whole_is_none(value: Any) -> None:
    assert whole_number(value) is None


@pytest.mark.parametrize("value", [0.00005, 3, np.float32(0.5), np.int64(7)])
def test_finite_numbers_are_those_of_python(value: Any) -> None:
    found = finite_number(value)
    assert found == value and type(found) is float


@pytest.mark.parametrize("value", [*NO_NUMBERS, 10**400])
def test_what_is_not_finite_is_none(value: Any) -> None:
    assert finite_number(value) is None


def test_numbers_of_numpy_become_those_of_python_wherever_they_stand() -> None:
    found = plain({"a": np.float64(0.5), "b": [np.int64(1), (np.bool_(False), "x")], "c": np.arange(2)})
    assert repr(found) == "{'a': 0.5, 'b': [1, (False, 'x')], 'c': [0, 1]}"
