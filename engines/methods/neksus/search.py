"""Operators of NSGA-II over packages: uniform crossover, and genes drawn anew."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import IntArray
from engines.search.choice_operators import ChoiceOperators
from engines.search.nsga2 import Rating, best_first, ranks


class PackageOperators(ChoiceOperators):
    """Uniform crossover and reset of genes over rows that were not evaluated before."""

    seen_type = np.int64

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """Return distinct random rows of genes."""
        counts = self.alleles.counts
        return self._new(random.integers(0, counts, (4 * count, len(counts))), count)

    def children(self, parents: Rating, random: np.random.Generator, count: int) -> IntArray:
        """Return children of two parents each: every gene from one of them, then some mutated."""
        counts = self.alleles.counts
        tries = 4 * count
        place = best_first(parents.costs, ranks(parents)).argsort(kind="stable")
        pairs = random.integers(0, len(parents.genes), (2, 2, tries))
        won = np.where(place[pairs[0]] <= place[pairs[1]], pairs[0], pairs[1])
        mixed = np.where(random.random((tries, len(counts))) < 0.5, parents.genes[won[0]], parents.genes[won[1]])
        anew = random.random(mixed.shape) < 1.5 / len(counts)
        return self._new(np.where(anew, random.integers(0, counts, mixed.shape), mixed), count)

    def survivors(self, parents: Rating | None, children: Rating) -> Rating:
        """Return the best of parents and children."""
        every = children if parents is None else Rating.joined(parents, children)
        return every.take(best_first(every.costs, ranks(every))[: self.population])
