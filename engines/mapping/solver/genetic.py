"""Operators of NSGA-II over mappings, published and tuned, and random search in the same place.

A row of genes holds the unit of every block and, last, the number of the clock setting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engines.contract.arrays import IntArray
from engines.search.choice_operators import Alleles, survivors, tuned_children
from engines.search.nsga2 import Rating, ranks


def published_children(parents: Rating, alleles: Alleles, random: np.random.Generator, count: int) -> IntArray:
    """Return the children as in odema-2023 section 4.3.2, shape `count x genes`.

    Two random individuals of the Pareto set exchange units with probability 0.8, then each gene flips with probability 0.4. What is
    exchanged is not said; here each gene with probability one half (uniform crossover).
    """
    pareto = np.flatnonzero(ranks(parents) == 0)
    pair = pareto[random.integers(len(pareto), size=(2, count))]
    one, other = parents.genes[pair[0]], parents.genes[pair[1]]
    crossed = random.random((count, 1)) < PUBLISHED_CROSSOVER
    children = np.where(crossed & (random.random(one.shape) < 0.5), other, one)
    return alleles.flip(children, random.random(children.shape) < PUBLISHED_MUTATION, random)


def random_mappings(parents: Rating, alleles: Alleles, random: np.random.Generator, count: int) -> IntArray:
    """Return the children of nobody, shape `count x genes`: the floor that a search must beat."""
    return alleles.draw(random, count)


PUBLISHED_CROSSOVER = 0.8
PUBLISHED_MUTATION = 0.4
Method = Literal["nsga2_published", "nsga2", "random"]
_CHILDREN: Mapping[Method, Callable[[Rating, Alleles, np.random.Generator, int], IntArray]] = {
    "nsga2_published": published_children,
    "nsga2": tuned_children,
    "random": random_mappings,
}


@dataclass(frozen=True)
class MappingOperators:
    """For `engines.search.nsga2`.

    Attributes:
        population: population of each generation.
        known: genes that the first generation begins with, shape `k x genes`; not those of a random search.
    """

    method: Method
    alleles: Alleles
    population: int
    known: IntArray | None = None

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """Draw at random except for known ones, shape `count x genes`."""
        genes = self.alleles.draw(random, count)
        if self.known is not None and self.method != "random":
            genes[: len(self.known)] = self.known[:count]
        return genes

    def children(self, parents: Rating, random: np.random.Generator, count: int) -> IntArray:
        """Draw by the method, shape `count x genes`."""
        return _CHILDREN[self.method](parents, self.alleles, random, count)

    def survivors(self, parents: Rating | None, children: Rating) -> Rating:
        """Return the best of both, of equal mappings one; a random search has no use for them."""
        if parents is None or self.method == "random":
            return children
        both = Rating.joined(parents, children)
        return both.take(survivors(both, self.population))
