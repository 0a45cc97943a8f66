"""NSGA-II (Deb et al. 2002) over mappings, whole generations as arrays.

A row of genes holds the unit of every block and, last, the number of the clock setting. Every generation is made from the
population and a random stream of its own, so that a continued run makes the same one.
"""

from __future__ import annotations

from dataclasses import dataclass

import moocore
import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


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
        """Of blocks with their allowed units (`n x u`) and a setting."""
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
        """Genes that were hit take another of their choices, if they have one."""
        columns = np.arange(len(self.counts))
        place = (self.values[None] == genes[:, :, None]).argmax(axis=2)
        step = 1 + np.floor(random.random(genes.shape) * np.maximum(self.counts - 1, 1)).astype(np.int64)
        other = self.values[columns, (place + np.where(self.counts > 1, step, 0)) % self.counts]
        return np.where(hit, other, genes)


@dataclass(frozen=True)
class Rated:
    """Mappings with what they are worth.

    Attributes:
        costs: latency and energy, and average power where it is an objective, shape `k x 2` or `k x 3`.
        violation: by how much limits are broken, shape `k`.
    """

    genes: IntArray
    costs: FloatArray
    violation: FloatArray


def ranks(rated: Rated) -> IntArray:
    """Rank by constrained domination: allowed mappings by non-dominated sorting, then the others by how far they are off."""
    rank = np.zeros(len(rated.violation), dtype=np.int64)
    allowed = rated.violation <= 0
    if allowed.any():
        rank[allowed] = moocore.pareto_rank(rated.costs[allowed])
    if not allowed.all():
        _, place = np.unique(rated.violation[~allowed], return_inverse=True)
        rank[~allowed] = place + (rank[allowed].max() + 1 if allowed.any() else 0)
    return rank


def crowding(costs: FloatArray, rank: IntArray) -> FloatArray:
    """Crowding distance within ranks, shape `k`; infinite at the ends."""
    distance = np.zeros(len(rank))
    for column in costs.T:
        order = np.lexsort((column, rank))
        value, own = column[order], rank[order]
        first = np.append(True, own[1:] != own[:-1])
        last = np.append(first[1:], True)
        starts = np.flatnonzero(first)
        span = value[np.append(starts[1:], len(own)) - 1] - value[starts]
        span = np.where(span > 0, span, 1.0)[np.cumsum(first) - 1]
        gap = np.zeros(len(own))
        gap[1:-1] = (value[2:] - value[:-2]) / span[1:-1]
        distance[order] += np.where(first | last, np.inf, gap)
    return distance


def survivors(rated: Rated, count: int) -> IntArray:
    """Places of the `count` best: by rank, then by crowding distance; of equal mappings one."""
    _, first = np.unique(rated.genes, axis=0, return_index=True)
    first = np.sort(first)
    if len(first) < count:
        more = np.setdiff1d(np.arange(len(rated.genes)), first)[: count - len(first)]
        first = np.sort(np.concatenate([first, more]))
    part = Rated(rated.genes[first], rated.costs[first], rated.violation[first])
    rank = ranks(part)
    order = np.lexsort((-crowding(part.costs, rank), rank))
    return np.sort(first[order[:count]])


def published_children(parents: Rated, alleles: Alleles, random: np.random.Generator, count: int) -> IntArray:
    """Children as in odema-2023 section 4.3.2.

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
    """Binary tournaments by rank and crowding, two-point crossover with probability 0.9, one flip per child on average."""
    rank = ranks(parents)
    standing = np.empty(len(rank), dtype=np.int64)
    standing[np.lexsort((-crowding(parents.costs, rank), rank))] = np.arange(len(rank))
    drawn = random.integers(len(rank), size=(2, 2, count))
    better = np.where(standing[drawn[0]] <= standing[drawn[1]], drawn[0], drawn[1])
    one, other = parents.genes[better[0]], parents.genes[better[1]]
    genes = one.shape[1]
    cuts = np.sort(random.integers(genes + 1, size=(count, 2)), axis=1)
    inside = (np.arange(genes) >= cuts[:, :1]) & (np.arange(genes) < cuts[:, 1:])
    crossed = random.random((count, 1)) < TUNED_CROSSOVER
    children = np.where(crossed & inside, other, one)
    return alleles.flip(children, random.random(children.shape) < 1 / genes, random)


PUBLISHED_CROSSOVER = 0.8
PUBLISHED_MUTATION = 0.4
TUNED_CROSSOVER = 0.9
