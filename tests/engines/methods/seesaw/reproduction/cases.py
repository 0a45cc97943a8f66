from __future__ import annotations

from collections.abc import Iterable

from engines.reproduction.comparisons import Comparison


def rows_of(comparisons: Iterable[Comparison]) -> dict[tuple[str, str], Comparison]:
    """Rows by name and reading."""
    return {(each.name, each.reading): each for each in comparisons}
