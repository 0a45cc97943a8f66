"""Decisions of a run's designs, as columns next to metrics: read for the rows in view, or for all to sort and filter."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engines.contract.bounded_cache import BoundedCache
from engines.contract.decision_columns import DecisionColumn, TableColumn, cell_words, decided_cells, decision_columns
from engines.contract.decision_values import DecidedValues

FIELD = "decision."  # before the names of these columns, in tables and addresses
_SAMPLED = 200  # designs at each end of a run that tell which columns there are


@dataclass(frozen=True)
class RunDecisions:
    """The decisions of a run, for tables.

    Attributes:
        columns: by the first and the last designs.
        declared: as the engine declares.
        read: numbers -> JSON texts of these decisions.
        values: name of a column -> its values over all designs; slow the first time, as every decision is read.
    """

    columns: tuple[TableColumn, ...] = ()
    declared: tuple[DecisionColumn, ...] = ()
    read: Callable[[Sequence[int]], Sequence[str]] = field(default=lambda numbers: [], repr=False)
    values: Callable[[str], DecidedValues] = field(default=lambda name: DecidedValues.nothing(0), repr=False)

    def column(self, name: str) -> TableColumn | None:
        """Return the column of that field of a table, None where it is not one of a decision."""
        return next((c for c in self.columns if f"{FIELD}{c.name}" == name), None) if name.startswith(FIELD) else None

    def rows(self, numbers: Sequence[int]) -> list[dict[str, str]]:
        """Return field -> decision as text, for each design."""
        if not self.columns:
            return [{} for _ in numbers]
        found = []
        for text in self.read(numbers):
            cells = decided_cells(self.declared, json.loads(text))
            found.append({f"{FIELD}{column.name}": cell_words(cells.get(column.name)) for column in self.columns})
        return found


def make_run_decisions(
    key: tuple[int, int],
    count: int,
    declared: tuple[DecisionColumn, ...],
    shown: frozenset[str],
    read: Callable[[Sequence[int]], Sequence[str]],
    values_after: Callable[[int], Mapping[str, DecidedValues]],
) -> RunDecisions:
    """Return the decisions of a run of `count` designs.

    Args:
        key: number of the run and its attempt.
        count: number of shown designs.
        declared: as the engine declares.
        shown: columns of figures, which need no second column of the same name.
        read: numbers -> JSON texts.
        values_after: number -> name of a column -> its values over all designs from it on.
    """
    ends = sorted({*range(min(count, _SAMPLED)), *range(max(0, count - _SAMPLED), count)})
    columns = _columns.made((*key, count), lambda: decision_columns(declared, map(json.loads, read(ends))))
    columns = tuple(column for column in columns if column.name not in shown)
    return RunDecisions(columns, declared, read, lambda name: _values_of(key, count, values_after, name))


@dataclass(frozen=True)
class _CachedValues:
    count: int
    by_name: Mapping[str, DecidedValues]

    @property
    def nbytes(self) -> int:
        return sum(each.which.nbytes + each.numbers.nbytes for each in self.by_name.values())


_columns: BoundedCache[tuple[int, int, int], tuple[TableColumn, ...]] = BoundedCache(256)
_values: BoundedCache[tuple[int, int], _CachedValues] = BoundedCache(64, 48 * 1024**2, lambda kept: kept.nbytes)


def _values_of(
    key: tuple[int, int], count: int, values_after: Callable[[int], Mapping[str, DecidedValues]], name: str
) -> DecidedValues:
    def revise(kept: _CachedValues | None) -> _CachedValues:
        kept = kept or _CachedValues(0, {})
        return kept if kept.count >= count else _extended(kept, values_after(kept.count))

    kept = _values.revised(key, revise)
    found = kept.by_name.get(name) or DecidedValues.nothing(kept.count)
    return DecidedValues(found.words, found.which[:count], found.numbers[:count])


def _extended(kept: _CachedValues, more: Mapping[str, DecidedValues]) -> _CachedValues:
    added = max((len(values.which) for values in more.values()), default=0)
    nothing, none_added = DecidedValues.nothing(kept.count), DecidedValues.nothing(added)
    names = dict.fromkeys([*kept.by_name, *more])
    grown = {name: kept.by_name.get(name, nothing).joined(more.get(name, none_added)) for name in names}
    return _CachedValues(kept.count + added, grown)
