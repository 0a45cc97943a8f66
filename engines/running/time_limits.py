"""How long a run may compute: "stop after N minutes".

A budget is evaluations; a time limit is none. The engine does not know of it, so what was found when it is reached is the
beginning of the same run without it. Nor is it part of the problem: two runs that differ in it alone have equal hashes.
"""

from __future__ import annotations

from typing import Any

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.contract.numeric.numbers import finite_number

FIELD = "stop_after_minutes"
MAX_MINUTES = 525_600.0  # a year


def read_minutes(value: Any, field: str = FIELD) -> float | None:
    """Return a time limit in minutes as a person gave it; None for none.

    Raises:
        ProblemError: it is no number above 0 and up to `MAX_MINUTES`.
    """
    if value is None:
        return None
    minutes = finite_number(value)
    if minutes is None or not 0 < minutes <= MAX_MINUTES:
        raise ProblemError(field, value, f"a number of minutes above 0 and up to {counted(MAX_MINUTES)}, or left out")
    return minutes


def seconds_of(minutes: float | None) -> float | None:
    """Return the same in seconds."""
    return None if minutes is None else 60.0 * minutes


def minutes_words(minutes: float) -> str:
    """Return a time limit with its unit, as far as it matters: "10 min", "20.02 min", "0.005 min"."""
    return f"{round(minutes, 2):g} min" if minutes >= 0.1 else f"{minutes:.2g} min"


def reached_words(minutes: float) -> str:
    """Return the plain fact that ends a run: "time limit of 10 min reached"."""
    return f"time limit of {minutes_words(minutes)} reached"
