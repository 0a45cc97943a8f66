"""Numbers from programs and files as numbers of Python: those of NumPy, and whole ones that JSON writes as 1e3."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Return numbers and arrays of NumPy as those of Python, also within mappings, lists and tuples; all else as it is."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return type(value)(map(plain, value)) if type(value) in (list, tuple) else value


def finite_number(value: Any) -> float | None:
    """Return a number; None for NaN, infinity, true, false and whatever is no number."""
    found = plain(value)
    if isinstance(found, bool) or not isinstance(found, int | float) or abs(found) > 1e308 or math.isnan(found):
        return None
    return float(found)


def whole_number(value: Any) -> int | None:
    """Return a whole number, also one that is written as 1e3 or 1000.0; None for whatever is none."""
    found = plain(value)
    if isinstance(found, float) and found.is_integer():
        return int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
