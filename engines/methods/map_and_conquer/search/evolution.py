"""Generations of configurations: the published evolution, which ranks by P alone, and NSGA-II by three objectives.

Source of the first: odema-2024 section 2.4.4. Configurations that violate limits go last; the rest are ranked by P (equation 2.23);
an elite of 10 % stays, the others are children of tournaments of two. What the source leaves open is as in the code of HADAS by the
same author: crossover with probability 0.8, each gene from either parent with one half; a child is mutated with probability 0.3,
then every gene is drawn again with probability 0.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import IntArray
from engines.search.choice_operators import Alleles, survivors, tuned_children
from engines.search.nsga2 import Rating

ELITES = 0.1
CROSSOVER = 0.8
MUTATION = 0.3
REDRAWN = 0.1
_PERFORMANCE = 3  # column of costs that holds P, behind the three objectives


@dataclass(frozen=True)
class PublishedOperators:
    """For `engines.search.nsga2`, whose loop it shares; costs have a fourth column, P.

    Attributes:
        alleles: values that each gene may take.
        population: population of each generation.
    """

    alleles: Alleles
    population: int

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """Draw at random, shape `count x genes`."""
        return self.alleles.draw(random, count)

    def children(self, parents: Rating, random: np.random.Generator, count: int) -> IntArray:
        """Return children of tournaments of two, shape `count x genes`; parents stand best first."""
        drawn = random.integers(len(parents.genes), size=(2, 2, count)).min(axis=0)
        one, other = parents.genes[drawn[0]], parents.genes[drawn[1]]
        crossed = random.random((count, 1)) < CROSSOVER
        children = np.where(crossed & (random.random(one.shape) < 0.5), other, one)
        mutated = random.random((count, 1)) < MUTATION
        fresh = self.alleles.draw(random, count)
        return np.where(mutated & (random.random(children.shape) < REDRAWN), fresh, children)

    def survivors(self, parents: Rating | None, children: Rating) -> Rating:
        """Return the elite of before and the best children, best first."""
        if parents is None:
            return children.take(_by_performance(children))
        elites = parents.take(np.arange(min(len(parents.genes), max(1, round(ELITES * self.population)))))
        both = Rating.joined(elites, children)
        return both.take(_by_performance(both)[: self.population])


def _by_performance(rated: Rating) -> IntArray:
    """Return the places by violated limits, then by P; the first of equals stays first."""
    return np.lexsort((rated.costs[:, _PERFORMANCE], np.maximum(rated.violation, 0.0)))


@dataclass(frozen=True)
class TunedOperators:
    """NSGA-II: even cuts to begin with, one change per child on average.

    Attributes:
        alleles: values that each gene may take.
        population: population of each generation.
        known: genes that the first generation begins with, shape `k x genes`.
    """

    alleles: Alleles
    population: int
    known: IntArray

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """Return the even cuts in half of the rows, drawn among them where there are more; the others at random."""
        genes = self.alleles.draw(random, count)
        picked = random.permutation(len(self.known))[: max(1, count // 2)]
        genes[: len(picked)] = self.known[picked]
        return genes

    def children(self, parents: Rating, random: np.random.Generator, count: int) -> IntArray:
        """Return an array of shape `count x genes`."""
        return tuned_children(parents, self.alleles, random, count)

    def survivors(self, parents: Rating | None, children: Rating) -> Rating:
        """Return the best of both by rank and crowding, of equal ones one."""
        if parents is None:
            return children
        both = Rating.joined(parents, children)
        return both.take(survivors(both, self.population))
