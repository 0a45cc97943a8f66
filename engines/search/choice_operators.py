"""NSGA-II operators over genes that are indices into lists of choices; no row of genes is evaluated twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from engines.contract.arrays import BoolArray, IntArray
from engines.search.nsga2 import Rating, best_first, ranks

TUNED_CROSSOVER = 0.9


@dataclass(frozen=True)
class Alleles:
    """The values that each gene may take.

    Attributes:
        values: shape `genes x most`, the choices of each gene first.
        counts: number of choices of each gene, shape `genes`.
    """

    values: IntArray
    counts: IntArray

    @staticmethod
    def of(allowed: BoolArray, settings: int) -> Alleles:
        """Return the alleles of `n` blocks, their allowed units (mask `n x u`), followed by one gene with `settings` values."""
        most = max(allowed.shape[1], settings)
        values = np.zeros((len(allowed) + 1, most), dtype=np.int64)
        for row, own in zip(values, allowed, strict=False):
            row[: own.sum()] = np.flatnonzero(own)
        values[-1, :settings] = np.arange(settings)
        return Alleles(values, np.append(allowed.sum(axis=1), settings))

    def draw(self, random: np.random.Generator, rows: int) -> IntArray:
        """Return `rows` random rows of genes, shape `rows x genes`."""
        places = np.floor(random.random((rows, len(self.counts))) * self.counts).astype(np.int64)
        return self.values[np.arange(len(self.counts)), places]

    def flip(self, genes: IntArray, hit: BoolArray, random: np.random.Generator) -> IntArray:
        """Return `genes` with another random choice for each gene in the mask `hit` that has one; all of shape `rows x genes`."""
        columns = np.arange(len(self.counts))
        place = (self.values[None] == genes[:, :, None]).argmax(axis=2)
        step = 1 + np.floor(random.random(genes.shape) * np.maximum(self.counts - 1, 1)).astype(np.int64)
        other = self.values[columns, (place + np.where(self.counts > 1, step, 0)) % self.counts]
        return np.where(hit, other, genes)


def survivors(rated: Rating, count: int) -> IntArray:
    """Return the indices of the `count` best distinct rows, by rank and then by crowding distance; shape `count`."""
    _, first = np.unique(rated.genes, axis=0, return_index=True)
    first = np.sort(first)
    if len(first) < count:
        more = np.setdiff1d(np.arange(len(rated.genes)), first)[: count - len(first)]
        first = np.sort(np.concatenate([first, more]))
    part = rated.take(first)
    return np.sort(first[best_first(part.costs, ranks(part))[:count]])


def tuned_children(parents: Rating, alleles: Alleles, random: np.random.Generator, count: int) -> IntArray:
    """Return children of binary tournaments, with two-point crossover (probability 0.9) and one changed gene on average.

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


@dataclass(frozen=True)
class ChoiceOperators:
    """The NSGA-II operators over lists of choices: sampling, variation and survival.

    Attributes:
        alleles: values that each gene may take.
        population: number of individuals of a generation.
        seen: rows evaluated so far, which are not evaluated again.
    """

    alleles: Alleles
    population: int
    seen: set[tuple[int, ...]]

    seen_type: ClassVar[type[np.integer]] = np.int32  # as checkpoints keep them

    @classmethod
    def over(cls, sizes: Sequence[int], population: int) -> Self:
        """Return operators over genes with `sizes` choices each, with no row evaluated yet."""
        counts = np.array(sizes, dtype=np.int64)
        return cls(Alleles(np.tile(np.arange(counts.max()), (len(counts), 1)), counts), population, set())

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """Return up to `count` distinct random rows, shape `k x genes`."""
        return self._new(self.alleles.draw(random, 4 * count), count)

    def children(self, parents: Rating, random: np.random.Generator, count: int) -> IntArray:
        """Return up to `count` new rows from tournaments, or random ones if all children are known already."""
        rows = np.concatenate(
            [tuned_children(parents, self.alleles, random, 2 * count), self.alleles.draw(random, 8 * count)]
        )
        return self._new(rows, count)

    def survivors(self, parents: Rating | None, children: Rating) -> Rating:
        """Return the `population` best individuals of parents and children, by rank and crowding distance."""
        both = children if parents is None else Rating.joined(parents, children)
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
