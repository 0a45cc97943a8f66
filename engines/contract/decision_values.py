"""One decision column over many designs: its distinct values as text, and the index of each design's value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.decision_columns import Cell, DecisionColumn, cell_words, decided_cells


@dataclass(frozen=True)
class DecidedValues:
    """The values of one decision column over `n` designs.

    Attributes:
        words: the distinct values as text; "" stands for designs without this decision.
        which: index into `words` of each design, shape `n`.
        numbers: numeric values, NaN for other types, shape `n`.
    """

    words: tuple[str, ...]
    which: IntArray
    numbers: FloatArray

    @staticmethod
    def of(cells: Sequence[Cell]) -> DecidedValues:
        """Return the column of `n` cells, one per design."""
        places: dict[str, int] = {}
        known: dict[Any, int] = {}
        which = np.empty(len(cells), np.int64)
        for row, cell in enumerate(cells):
            place = known.get(cell)
            if place is None:
                place = known[cell] = places.setdefault(cell_words(cell), len(places))
            which[row] = place
        numbers = np.array([cell if isinstance(cell, float) else np.nan for cell in cells], np.float64)
        return DecidedValues(tuple(places), which, numbers)

    @staticmethod
    def nothing(count: int) -> DecidedValues:
        """Return the column of `count` designs without this decision."""
        return DecidedValues(("",), np.zeros(count, np.int64), np.full(count, np.nan))

    def joined(self, more: DecidedValues) -> DecidedValues:
        """Return this column followed by that of more designs."""
        places = {word: place for place, word in enumerate(self.words)}
        moved = np.array([places.setdefault(word, len(places)) for word in more.words], np.int64)
        which = moved[more.which] if len(more.which) else more.which
        return DecidedValues(
            tuple(places), np.concatenate([self.which, which]), np.concatenate([self.numbers, more.numbers])
        )


def values_by_name(
    declared: Sequence[DecisionColumn], decisions: Sequence[Mapping[str, Any]]
) -> dict[str, DecidedValues]:
    """Return column name -> values over these designs, for all columns of `decision_columns`."""
    by_name: dict[str, list[Cell]] = {}
    for row, decision in enumerate(decisions):
        for name, cell in decided_cells(declared, decision).items():
            column = by_name.setdefault(name, [])
            column += [None] * (row - len(column))
            column.append(cell)
    count = len(decisions)
    return {name: DecidedValues.of([*column, *[None] * (count - len(column))]) for name, column in by_name.items()}
