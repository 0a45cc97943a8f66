"""Query parameters, read with the same kind of error as everything else."""

from __future__ import annotations

import math
from collections.abc import Collection

from rest_framework.request import Request

from engines.contract.errors import ProblemError

_LARGEST = 2**63 - 1


def only(request: Request, *names: str) -> None:
    """Refuse a parameter that is none of `names`: one with a slip of the pen would be a filter that does nothing.

    Raises:
        ProblemError: names it and what there is.
    """
    for name, text in request.query_params.items():
        if name not in (*names, "format"):
            accepted = f"one of the parameters {', '.join(names)}" if names else "left out, as the address takes none"
            raise ProblemError(name, text, accepted)


def integer(request: Request, name: str, default: int, low: int = 0, high: int = _LARGEST) -> int:
    """Return a whole number out of the query.

    Raises:
        ProblemError: it is not a number, or out of bounds.
    """
    text = request.query_params.get(name)
    if text is None:
        return default
    accepted = f"an integer from {low} to {high}" if high < _LARGEST else f"an integer of at least {low}"
    if not (text.isascii() and text.isdigit() and len(text) < 20 and low <= int(text) <= high):
        raise ProblemError(name, text, accepted)
    return int(text)


def decimal(request: Request, name: str) -> float | None:
    """Return a number out of the query; None where it is not there.

    Raises:
        ProblemError: it is none, or not finite.
    """
    text = request.query_params.get(name)
    try:
        found = None if text is None else float(text)
    except ValueError:
        found = math.nan
    if found is not None and not math.isfinite(found):
        raise ProblemError(name, text, "a number")
    return found


def flag(request: Request, name: str) -> bool:
    """Return a switch: "1" and "true" are on, "0", "false" and a missing one are off.

    Raises:
        ProblemError: it is anything else.
    """
    text = request.query_params.get(name, "0")
    if text not in ("0", "1", "false", "true"):
        raise ProblemError(name, text, "0 or 1")
    return text in ("1", "true")


def words(request: Request, name: str, accepted: Collection[str] | None = None) -> tuple[str, ...]:
    """Return a comma-separated list, which may also be given by repeating the parameter.

    Raises:
        ProblemError: a word is not one of `accepted`.
    """
    given = [word.strip() for part in request.query_params.getlist(name) for word in part.split(",") if word.strip()]
    for word in given:
        if accepted is not None and word not in accepted:
            raise ProblemError(name, word, f"one of {', '.join(accepted)}")
    return tuple(given)
