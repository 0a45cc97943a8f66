"""Figures of any hardware document changed one by one, as people type them, each with a source of its own."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any

_SPACES = re.compile(r"[\s\u2009\u202f\u00a0_]+")
_UNCLEAR = re.compile(r"\d,\d{3}(?!\d)")
_WORDS = ("slug", "title", "summary", "source")


def with_values(base: Mapping[str, Any], changes: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return a copy of the document with other values.

    Args:
        base: a document of any schema.
        changes: dotted key -> value; the words about a document ("title") among them.
        source: source of changed values.
    """
    content = copy.deepcopy(dict(base))
    for key, value in changes.items():
        *sections, last = key.split(".")
        target: Any = content
        for section in sections:
            target = target[int(section) if isinstance(target, list) else section]
        target[last] = value
        if key not in _WORDS:
            content["sources"] = {**content["sources"], key: source}
            content.get("confidence", {}).pop(key, None)  # it was that of the source before
    return content


def typed_like(old: Any, typed: str) -> Any:
    """Return a typed value converted to the type of the old one: a number, a comma-separated list of numbers, or text.

    What does not read as a number stays text, so that validation can name it; so does a list with a comma that may stand within
    a number ("1,024").
    """
    if isinstance(old, list | tuple):
        if _UNCLEAR.search(typed):
            return typed.strip()
        return [_number(part) for part in typed.split(",") if part.strip()]
    return _number(typed) if isinstance(old, int | float) else typed.strip()


def in_words(value: Any) -> str:
    """Return a value as a field shows it; `typed_like` reads it back as what it was."""
    if isinstance(value, list | tuple):
        return ", ".join(in_words(item) for item in value)
    if isinstance(value, int):
        return f"{value:d}"
    # All digits: what nobody touched must come back as it was, or it would count as changed.
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _number(typed: str) -> Any:
    try:
        number = float(_SPACES.sub("", typed))
    except ValueError:
        return typed.strip()
    return int(number) if number.is_integer() else number
