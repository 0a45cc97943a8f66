"""One decision over many designs: its different values in words, and which of them each design has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.decision_columns import Cell, DecisionColumn, cell_words, decided_cells


@dataclass(frozen=True)
class DecidedValues:
    """One column over `n` designs.

    Attributes:
        words: the different values in words, "" where a design decides nothing there.
        which: of these, shape `n`.
        numbers: values that are numbers, NaN else, shape `n`.
    """

    words: tuple[str, ...]
    which: IntArray
    numbers: FloatArray

    @staticmethod
    def of(cells: Sequence[Cell]) -> DecidedValues:
        """Return the values of some designs."""
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
        """Return the values of designs that decide nothing there."""
        return DecidedValues(("",), np.zeros(count, np.int64), np.full(count, np.nan))

    def joined(self, more: DecidedValues) -> DecidedValues:
        """Return these followed by those of more designs."""
        places = {word: place for place, word in enumerate(self.words)}
        moved = np.array([places.setdefault(word, len(places)) for word in more.words], np.int64)
        which = moved[more.which] if len(more.which) else more.which
        return DecidedValues(
            tuple(places), np.concatenate([self.which, which]), np.concatenate([self.numbers, more.numbers])
        )


def values_by_name(
    declared: Sequence[DecisionColumn], decisions: Sequence[Mapping[str, Any]]
) -> dict[str, DecidedValues]:
    """Return name of a column -> its values over these designs."""
    by_name: dict[str, list[Cell]] = {}
    for row, decision in enumerate(decisions):
        for name, cell in decided_cells(declared, decision).items():
            column = by_name.setdefault(name, [])
            column += [None] * (row - len(column))
            column.append(cell)
    count = len(decisions)
    return {name: DecidedValues.of([*column, *[None] * (count - len(column))]) for name, column in by_name.items()}
