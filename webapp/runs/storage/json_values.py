"""Values as the JSON and text columns of both databases take them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def finite(value: float | None) -> float | None:
    """Return `value`, or None where JSON and the databases cannot say it (NaN, infinity)."""
    return None if value is None or not math.isfinite(value) else float(value)


def clean(text: str, limit: int) -> str:
    """Return the text that both databases take: no NUL characters, at most `limit` characters."""
    return text.replace("\x00", "�")[:limit]


def json_safe(value: Any) -> Any:
    """Return `value` with what JSON columns refuse (NUL, NaN, foreign types) replaced."""
    if isinstance(value, str):
        return clean(value, 20_000)
    if isinstance(value, Mapping):
        return {str(key): json_safe(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(item) for item in value]
    if isinstance(value, float):
        return finite(value)
    return value if value is None or isinstance(value, bool | int) else clean(repr(value), 2000)
