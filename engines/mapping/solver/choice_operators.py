"""NSGA-II over places in lists of choices, where nothing is scored twice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import IntArray
from engines.mapping.solver.genetic import Alleles, survivors, tuned_children
from engines.search.nsga2 import Rated


@dataclass(frozen=True)
class ChoiceOperators:
    """NSGA-II over places in the choices of every gene.

    Attributes:
        alleles: what each gene may be.
        population: of a generation.
        seen: rows that were scored; none is scored twice.
    """

    alleles: Alleles
    population: int
    seen: set[tuple[int, ...]]

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """At random, different ones."""
        return self._new(self.alleles.draw(random, 4 * count), count)

    def children(self, parents: Rated, random: np.random.Generator, count: int) -> IntArray:
        """Return children of tournaments; where all are known, random ones."""
        rows = np.concatenate(
            [tuned_children(parents, self.alleles, random, 2 * count), self.alleles.draw(random, 8 * count)]
        )
        return self._new(rows, count)

    def survivors(self, parents: Rated | None, children: Rated) -> Rated:
        """The best of both by rank and crowding."""
        both = children if parents is None else Rated.joined(parents, children)
        return both.take(survivors(both, min(self.population, len(both.genes))))

    def _new(self, rows: IntArray, count: int) -> IntArray:
        fresh: list[IntArray] = []
        known = set(self.seen)
        for row in rows:
            key = tuple(row.tolist())
            if key not in known and len(fresh) < count:
                known.add(key)
                fresh.append(row)
        return np.array(fresh, dtype=np.int64).reshape(-1, rows.shape[1])
