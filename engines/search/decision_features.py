"""Features: decisions as one number or text per design, for fitted models and axes of plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.decision_columns import Cell, TableColumn

MOST_PLACES = 40
_COMMONEST = 8
_NAMED = ": "  # between the name of an entry of a sequence and its value


@dataclass(frozen=True)
class Feature:
    """One value per design: `values` has shape `n`; `part` is True for an element of a sequence."""

    title: str
    values: tuple[float | str | None, ...]
    unit: str = ""
    part: bool = False

    def numbers(self) -> FloatArray:
        """Return numbers unchanged, texts as their rank by frequency, missing values as -1; shape `n`."""
        words = Counter(value for value in self.values if isinstance(value, str))
        places = {word: float(place) for place, (word, _) in enumerate(words.most_common())}
        return np.array([-1.0 if v is None else places[v] if isinstance(v, str) else v for v in self.values])


def features_of(column: TableColumn, cells: Sequence[Cell]) -> list[Feature]:
    """Return the features of a decision column, each with one value per design.

    Sequences with named entries ("W1 A: C0 → C3") give one feature per name, sequences of equal length one per position. Other
    sequences give their length and the count of each frequent value.
    """
    if column.kind != "sequence":
        told = tuple(None if isinstance(cell, tuple) else cell for cell in cells)
        return [Feature(column.title, told, column.unit)]
    sequences = [cell if isinstance(cell, tuple) else () for cell in cells]
    if named := _named(sequences):
        return [
            Feature(f"{column.title}: {name}", tuple(each.get(name) for each in named), column.unit, part=True)
            for name in dict.fromkeys(name for each in named for name in each)
        ]
    lengths = {len(sequence) for sequence in sequences}
    if len(lengths) == 1 and 0 < max(lengths) <= MOST_PLACES:
        places = zip(*sequences, strict=True)
        return [
            Feature(f"{column.title}: {number}", tuple(place), column.unit, part=True)
            for number, place in enumerate(places, start=1)
        ]
    common = Counter(value for sequence in sequences for value in sequence).most_common(_COMMONEST)
    length = Feature(f"{column.title}: how many", tuple(float(len(sequence)) for sequence in sequences), part=True)
    counts = [
        Feature(f"{column.title}: how many {value}", tuple(float(s.count(value)) for s in sequences), part=True)
        for value, _ in common
    ]
    return [length, *counts]


def _named(sequences: Sequence[Sequence[float | str]]) -> list[dict[str, str]]:
    """Return name -> value for each design if all entries have unique names and there are not too many names.

    Return an empty list otherwise.
    """
    found: list[dict[str, str]] = []
    names: set[str] = set()
    for sequence in sequences:
        pairs = [entry.partition(_NAMED) for entry in sequence if isinstance(entry, str) and _NAMED in entry]
        entries = {name: value for name, _, value in pairs}
        names |= set(entries)
        if len(entries) != len(sequence) or len(names) > MOST_PLACES:
            return []
        found.append(entries)
    return found if names else []
