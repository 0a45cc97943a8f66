"""Parsers of lists of numbers and names that users type."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from engines.contract.problem import require

_MOST = 50


def numbers(text: str, field: str, accepted: str, allowed: Callable[[float], bool]) -> tuple[float, ...]:
    """Return the distinct numbers of a list, in its order; spaces, commas or semicolons separate them.

    Raises:
        ProblemError: the list is empty, or an entry is not a number or not allowed.
    """
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    require(0 < len(words) <= _MOST, field, text, f"1 to {_MOST} numbers, apart by spaces, each {accepted}")
    found = []
    for word in words:
        value = finite(word)
        require(value is not None and allowed(value), field, word, accepted)
        found.append(float(word))
    return tuple(dict.fromkeys(found))


def names(text: str, field: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the distinct names of a list, in its order.

    Raises:
        ProblemError: the list is empty, or contains a name that is not in `known`.
    """
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    require(len(words) > 0, field, text, f"one or more of: {', '.join(known)}")
    for word in words:
        require(word in known, field, word, f"one or more of: {', '.join(known)}")
    return tuple(dict.fromkeys(words))


def finite(word: str) -> float | None:
    """Return a word as a number; None if it is not a finite number."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
