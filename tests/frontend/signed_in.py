from __future__ import annotations


def words(part) -> set[str]:
    """Every string in a layout."""
    if isinstance(part, str):
        return {part}
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return set().union(*(words(child) for child in inner))
