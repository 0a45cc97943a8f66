from __future__ import annotations


def words(part) -> str:
    """All text of a component, in reading order."""
    if part is None:
        return ""
    if isinstance(part, str | int | float):
        return str(part)
    if isinstance(part, list | tuple):
        return " ".join(filter(None, (words(child) for child in part)))
    return words(getattr(part, "children", None))
