"""Operators of NSGA-II over mappings, published and tuned, and random search in the same place.

A row of genes holds the unit of every block and, last, the number of the clock setting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engines.contract.arrays import BoolArray, IntArray
from engines.search.nsga2 import Rated, best_first, ranks


@dataclass(frozen=True)
class Alleles:
    """What each gene may be.

    Attributes:
        values: shape `genes x most`, the choices of each gene first.
        counts: how many choices each gene has, shape `genes`.
    """

    values: IntArray
    counts: IntArray

    @staticmethod
    def of(allowed: BoolArray, settings: int) -> Alleles:
        """Make the alleles of blocks with their allowed units (`n x u`) and a setting."""
        most = max(allowed.shape[1], settings)
        values = np.zeros((len(allowed) + 1, most), dtype=np.int64)
        for row, own in zip(values, allowed, strict=False):
            row[: own.sum()] = np.flatnonzero(own)
        values[-1, :settings] = np.arange(settings)
        return Alleles(values, np.append(allowed.sum(axis=1), settings))

    def draw(self, random: np.random.Generator, rows: int) -> IntArray:
        """Genes at random, shape `rows x genes`."""
        places = np.floor(random.random((rows, len(self.counts))) * self.counts).astype(np.int64)
        return self.values[np.arange(len(self.counts)), places]

    def flip(self, genes: IntArray, hit: BoolArray, random: np.random.Generator) -> IntArray:
        """Genes that were hit take another of their choices, if they have one; all of shape `rows x genes`."""
        columns = np.arange(len(self.counts))
        place = (self.values[None] == genes[:, :, None]).argmax(axis=2)
        step = 1 + np.floor(random.random(genes.shape) * np.maximum(self.counts - 1, 1)).astype(np.int64)
        other = self.values[columns, (place + np.where(self.counts > 1, step, 0)) % self.counts]
        return np.where(hit, other, genes)


def survivors(rated: Rated, count: int) -> IntArray:
    """Places of the `count` best, shape `count`: by rank, then by crowding distance; of equal mappings one."""
    _, first = np.unique(rated.genes, axis=0, return_index=True)
    first = np.sort(first)
    if len(first) < count:
        more = np.setdiff1d(np.arange(len(rated.genes)), first)[: count - len(first)]
        first = np.sort(np.concatenate([first, more]))
    part = rated.take(first)
    return np.sort(first[best_first(part.costs, ranks(part))[:count]])


def published_children(parents: Rated, alleles: Alleles, random: np.random.Generator, count: int) -> IntArray:
    """Children as in odema-2023 section 4.3.2, shape `count x genes`.

    Two random individuals of the Pareto set exchange units with probability 0.8, then each gene flips with probability 0.4. What is
    exchanged is not said; here each gene with probability one half (uniform crossover).
    """
    pareto = np.flatnonzero(ranks(parents) == 0)
    pair = pareto[random.integers(len(pareto), size=(2, count))]
    one, other = parents.genes[pair[0]], parents.genes[pair[1]]
    crossed = random.random((count, 1)) < PUBLISHED_CROSSOVER
    children = np.where(crossed & (random.random(one.shape) < 0.5), other, one)
    return alleles.flip(children, random.random(children.shape) < PUBLISHED_MUTATION, random)


def tuned_children(parents: Rated, alleles: Alleles, random: np.random.Generator, count: int) -> IntArray:
    """Binary tournaments by rank and crowding, two-point crossover with probability 0.9, one flip per child on average.

    Shape `count x genes`.
    """
    rank = ranks(parents)
    standing = np.empty(len(rank), dtype=np.int64)
    standing[best_first(parents.costs, rank)] = np.arange(len(rank))
    drawn = random.integers(len(rank), size=(2, 2, count))
    better = np.where(standing[drawn[0]] <= standing[drawn[1]], drawn[0], drawn[1])
    one, other = parents.genes[better[0]], parents.genes[better[1]]
    genes = one.shape[1]
    cuts = np.sort(random.integers(genes + 1, size=(count, 2)), axis=1)
    inside = (np.arange(genes) >= cuts[:, :1]) & (np.arange(genes) < cuts[:, 1:])
    crossed = random.random((count, 1)) < TUNED_CROSSOVER
    children = np.where(crossed & inside, other, one)
    return alleles.flip(children, random.random(children.shape) < 1 / genes, random)


def random_mappings(parents: Rated, alleles: Alleles, random: np.random.Generator, count: int) -> IntArray:
    """Children of nobody, shape `count x genes`: the floor that a search must beat."""
    return alleles.draw(random, count)


PUBLISHED_CROSSOVER = 0.8
PUBLISHED_MUTATION = 0.4
TUNED_CROSSOVER = 0.9
Method = Literal["nsga2_published", "nsga2", "random"]
_CHILDREN: Mapping[Method, Callable[[Rated, Alleles, np.random.Generator, int], IntArray]] = {
    "nsga2_published": published_children,
    "nsga2": tuned_children,
    "random": random_mappings,
}


@dataclass(frozen=True)
class MappingOperators:
    """For `engines.search.nsga2`.

    Attributes:
        population: of each generation.
        known: genes that the first generation begins with, shape `k x genes`; not those of a random search.
    """

    method: Method
    alleles: Alleles
    population: int
    known: IntArray | None = None

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """At random but for those that are known, shape `count x genes`."""
        genes = self.alleles.draw(random, count)
        if self.known is not None and self.method != "random":
            genes[: len(self.known)] = self.known[:count]
        return genes

    def children(self, parents: Rated, random: np.random.Generator, count: int) -> IntArray:
        """By the method, shape `count x genes`."""
        return _CHILDREN[self.method](parents, self.alleles, random, count)

    def survivors(self, parents: Rated | None, children: Rated) -> Rated:
        """The best of both, of equal mappings one; a random search has no use for them."""
        if parents is None or self.method == "random":
            return children
        both = Rated.joined(parents, children)
        return both.take(survivors(both, self.population))
