"""Lists of names in messages."""

from __future__ import annotations

from collections.abc import Collection

_MOST_NAMED = 5


def first_names(names: Collection[str]) -> str:
    """Return the first of many names, in characters that every terminal can write."""
    shown = [name.encode("utf-8", "backslashreplace").decode()[:200] for name in list(names)[:_MOST_NAMED]]
    return ", ".join(shown) + (", …" if len(names) > _MOST_NAMED else "")
