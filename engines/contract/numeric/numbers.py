"""Conversion of numbers from NumPy and files to Python numbers, including whole numbers that JSON writes as 1e3."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Return NumPy numbers and arrays as Python numbers and lists, also nested ones; other values are unchanged."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return type(value)(map(plain, value)) if type(value) in (list, tuple) else value


def finite_number(value: Any) -> float | None:
    """Return the value as a float; None for NaN, infinity, truth values and everything that is not a number."""
    found = plain(value)
    if isinstance(found, bool) or not isinstance(found, int | float) or abs(found) > 1e308 or math.isnan(found):
        return None
    return float(found)


def whole_number(value: Any) -> int | None:
    """Return the value as an int, also if it is written as 1e3 or 1000.0; None if it is not a whole number."""
    found = plain(value)
    if isinstance(found, float) and found.is_integer():
        return int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
