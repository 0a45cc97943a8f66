"""Lists of numbers and positions that people type."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from engines.contract.engine import require
from engines.contract.errors import ProblemError

_MOST = 50


def numbers(text: str, field: str, accepted: str, allowed: Callable[[float], bool]) -> tuple[float, ...]:
    """Different numbers, in the order given, apart by spaces, commas or semicolons.

    Raises:
        ProblemError: nothing is given, or what is no number or not allowed.
    """
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    require(0 < len(words) <= _MOST, field, text, f"1 to {_MOST} numbers, apart by spaces, each {accepted}")
    found = []
    for word in words:
        value = _number(word)
        require(value is not None and allowed(value), field, word, accepted)
        found.append(float(word))
    return tuple(dict.fromkeys(found))


def names(text: str, field: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Different names out of those known.

    Raises:
        ProblemError: none is given, or one that is not known.
    """
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    require(len(words) > 0, field, text, f"some of: {', '.join(known)}")
    for word in words:
        require(word in known, field, word, f"some of: {', '.join(known)}")
    return tuple(dict.fromkeys(words))


def positions(text: str, field: str) -> tuple[tuple[float, float], ...]:
    """Pairs of metres, one to a line or apart by semicolons; a first line of names (x_m, y_m) is skipped.

    Raises:
        ProblemError: names the line that is no pair of numbers.
    """
    lines = [line.strip() for line in re.split(r"[;\n]", text) if line.strip()]
    if lines and re.fullmatch(r"[A-Za-z_ ]+[,\s]+[A-Za-z_ ]+", lines[0]):
        require(
            re.split(r"[,\s]+", lines[0]) == ["x_m", "y_m"],
            field,
            lines[0],
            "a first line “x_m,y_m”: metres along and across the road",
        )
        lines = lines[1:]
    found = []
    for line in lines:
        values = [_number(word) for word in re.split(r"[,\s]+", line) if word]
        if len(values) != 2 or any(value is None for value in values):
            raise ProblemError(field, line, "two numbers, metres along and across the road, as in “40, 0”")
        found.append((float(values[0] or 0.0), float(values[1] or 0.0)))
    return tuple(found)


def _number(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
