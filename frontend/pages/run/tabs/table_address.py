"""Sort and filters of the table of designs in the address, so that a link opens the table as its sender saw it.

    sort=latency_s:asc,found:desc
    filter=latency_s:lessThan,0.5;kind:contains,front;energy_j:inRange,4.2,5|greaterThan,6

Figures are in the unit that is stored, not in the one that the head of a column shows: that one follows the values of a
live run. `&` joins two conditions that both hold, `|` two of which one does. Texts are percent-encoded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

import numpy as np

from frontend.designs.run_decisions import RunDecisions
from frontend.designs.run_designs import RunDesigns
from frontend.pages.run.tabs.table import KIND, NO_DECISIONS, NUMBER_TESTS, OTHER_FIELDS, TEXT_TESTS, shown_factor

_DIGITS = 12  # more would show the rounding of a unit's factor
_NO_VALUE = frozenset({"blank", "notBlank"})
_TWO_VALUES = frozenset({"inRange"})


def read_sort(text: str, designs: RunDesigns, decisions: RunDecisions = NO_DECISIONS) -> list[dict[str, str]]:
    """Return AG Grid's sort model of an address; columns that there are not, and odd directions, are left out."""
    found: dict[str, str] = {}
    for part in text.split(","):
        field, _, direction = part.partition(":")
        if _known(field, designs, decisions) and direction in ("asc", "desc"):
            found.setdefault(field, direction)
    return [{"colId": field, "sort": direction} for field, direction in found.items()]


def read_filters(text: str, designs: RunDesigns, decisions: RunDecisions = NO_DECISIONS) -> dict[str, Any]:
    """Return AG Grid's filter model of an address, in the units of the table; unreadable filters are left out."""
    found = {}
    for part in text.split(";"):
        field, _, words = part.partition(":")
        model = _model(field, words, designs, decisions) if _known(field, designs, decisions) else None
        if model is not None:
            found[field] = model
    return found


def _known(field: str, designs: RunDesigns, decisions: RunDecisions = NO_DECISIONS) -> bool:
    return field in designs.columns or field in OTHER_FIELDS or decisions.column(field) is not None


def _is_text(field: str, decisions: RunDecisions) -> bool:
    decided = decisions.column(field)
    return field == KIND if decided is None else decided.kind != "number"


def _model(
    field: str, words: str, designs: RunDesigns, decisions: RunDecisions = NO_DECISIONS
) -> dict[str, Any] | None:
    operator = "OR" if "|" in words else "AND"
    parts = [_condition(field, part, designs, decisions) for part in words.split("|" if operator == "OR" else "&")]
    if not 1 <= len(parts) <= 2 or None in parts:
        return None
    kind = "text" if _is_text(field, decisions) else "number"
    if len(parts) == 1:
        return parts[0]
    return {"filterType": kind, "operator": operator, "conditions": parts}


def _condition(
    field: str, text: str, designs: RunDesigns, decisions: RunDecisions = NO_DECISIONS
) -> dict[str, Any] | None:
    name, *values = text.split(",")
    if name in _NO_VALUE and not values:
        return {"filterType": "text" if _is_text(field, decisions) else "number", "type": name}
    if _is_text(field, decisions):
        if name not in TEXT_TESTS or len(values) != 1:
            return None
        return {"filterType": "text", "type": name, "filter": unquote(values[0])}
    numbers = _numbers(values)
    if name not in NUMBER_TESTS or len(numbers) != (2 if name in _TWO_VALUES else 1):
        return None
    factor = shown_factor(designs, field)
    shown = [float(f"{number * factor:.{_DIGITS}g}") for number in numbers]
    return {"filterType": "number", "type": name, **dict(zip(("filter", "filterTo"), shown, strict=False))}


def _numbers(texts: Sequence[str]) -> list[float]:
    try:
        values = [float(text) for text in texts]
    except ValueError:
        return []
    return values if np.isfinite(values).all() else []
