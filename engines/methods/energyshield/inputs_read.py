"""Lists of positions that people type."""

from __future__ import annotations

import re

from engines.contract.engine import require
from engines.contract.errors import ProblemError
from engines.contract.typed_lists import finite


def positions(text: str, field: str) -> tuple[tuple[float, float], ...]:
    """Return the pairs of metres, one to a line or apart by semicolons; a first line of names (x_m, y_m) is skipped.

    Raises:
        ProblemError: names the line that is no pair of numbers.
    """
    lines = [line.strip() for line in re.split(r"[;\n]", text) if line.strip()]
    if lines and re.fullmatch(r"[A-Za-z_ ]+[,\s]+[A-Za-z_ ]+", lines[0]):
        reason = "The columns are metres along and across the road."
        accepted = "positions below the heading “x_m,y_m”"
        require(re.split(r"[,\s]+", lines[0]) == ["x_m", "y_m"], field, lines[0], accepted, reason=reason)
        lines = lines[1:]
    found = []
    for line in lines:
        values = [finite(word) for word in re.split(r"[,\s]+", line) if word]
        if len(values) != 2 or any(value is None for value in values):
            raise ProblemError(field, line, "two numbers, metres along and across the road, as in “40, 0”")
        found.append((float(values[0] or 0.0), float(values[1] or 0.0)))
    return tuple(found)
