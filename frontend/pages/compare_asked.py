"""Which runs and designs an address asks to compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DIGITS = 18


def asked_entries(query: Mapping[str, str]) -> list[dict[str, Any]]:
    """Runs and designs of `?runs=3,5&designs=12,`; what is no number is left out."""
    runs = query.get("runs", "").split(",")
    designs = [*query.get("designs", "").split(","), *[""] * len(runs)]
    return [
        {"run": int(run), "design": int(design) if _number(design) else None}
        for run, design in zip(runs, designs, strict=False)
        if _number(run)
    ]


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < _DIGITS
