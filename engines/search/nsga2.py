"""NSGA-II (Deb et al. 2002, doi:10.1109/4235.996017): one loop over generations, ranks and crowding distances.

A method supplies its operators and its own evaluation of individuals:

    search = Nsga2(operators, lambda generation: context.random("generation", generation))
    while budget:
        search.tell(rate(search.ask(count)))

pymoo's NSGA-II is not used here. Its survivors are the same but for ties of rank and distance, which it breaks at random
(`tests/engines/search/test_nsga2.py`). With equal seed, crossover and mutation its tournaments draw other parents: designs differ
from the second generation on, and fronts are about as good. Stored designs and checkpoints would change without gain. The searches
that it serves are `chiplets/windows` and `package_search`.

`ask` and `tell` are separate, so that a run can report, store a checkpoint or stop during the evaluation of a generation. Every
generation uses the random stream of its number, so a continued run makes the same generations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import moocore
import numpy as np

from engines.contract.arrays import FloatArray, IntArray

Individuals = TypeVar("Individuals")


@dataclass(frozen=True)
class Rating:
    """The evaluated individuals of a generation.

    Attributes:
        genes: shape `k x genes`.
        costs: objectives, all minimised, shape `k x m`.
        violation: violation of limits, shape `k`; 0 or less for individuals that meet them.
    """

    genes: IntArray
    costs: FloatArray
    violation: FloatArray

    def take(self, rows: IntArray) -> Rating:
        """Return the individuals at the indices `rows`, shape `n`, in that order."""
        return Rating(self.genes[rows], self.costs[rows], self.violation[rows])

    @staticmethod
    def joined(*parts: Rating) -> Rating:
        """Return the individuals of all parts, in order."""
        genes, costs, violation = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("genes", "costs", "violation")
        )
        return Rating(genes, costs, violation)


class Operators(Protocol[Individuals]):
    """The interface to operators of a method: sampling, variation and survival."""

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """Return the genes of the first generation, shape `k x genes`, at most `count` rows."""

    def children(self, parents: Individuals, random: np.random.Generator, count: int) -> IntArray:
        """Return the genes of a further generation, shape `k x genes`, at most `count` rows; no rows if nothing new is found."""

    def survivors(self, parents: Individuals | None, children: Individuals) -> Individuals:
        """Return the parents of the next generation; `parents` is None for the first generation."""


class Nsga2(Generic[Individuals]):
    """The NSGA-II loop with `ask` and `tell`.

    Args:
        operators: operators of the method.
        random: number of a generation -> its random generator.

    Attributes:
        generation: number of the next generation.
        parents: its parents; None before the first generation.
    """

    def __init__(self, operators: Operators[Individuals], random: Callable[[int], np.random.Generator]) -> None:
        self.generation = 0
        self.parents: Individuals | None = None
        self._operators, self._random = operators, random

    def ask(self, count: int) -> IntArray:
        """Return the genotypes to evaluate next, shape `k x genes`; repeated calls before `tell` return equal genotypes."""
        random = self._random(self.generation)
        if self.parents is None:
            return self._operators.first(random, count)
        return self._operators.children(self.parents, random, count)

    def tell(self, rated: Individuals) -> Individuals:
        """Take the evaluated individuals of the last `ask`; return the parents of the next generation."""
        self.parents = self._operators.survivors(self.parents, rated)
        self.generation += 1
        return self.parents


def ranks(rated: Rating) -> IntArray:
    """Return the ranks by constrained domination, 0 for the best, shape `k`.

    Feasible individuals come first, by non-dominated sorting, then the others by their violation.
    """
    rank = np.zeros(len(rated.violation), dtype=np.int64)
    allowed = rated.violation <= 0
    if allowed.any():
        rank[allowed] = moocore.pareto_rank(rated.costs[allowed])
    if not allowed.all():
        _, place = np.unique(rated.violation[~allowed], return_inverse=True)
        rank[~allowed] = place + (rank[allowed].max() + 1 if allowed.any() else 0)
    return rank


def crowding(costs: FloatArray, rank: IntArray) -> FloatArray:
    """Return the crowding distance within ranks, shape `k`.

    The sum over objectives of the gap between an entry's neighbours, as a share of the range of its rank; infinite at the ends.

    Args:
        costs: shape `k x m`.
        rank: shape `k`.
    """
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


def best_first(costs: FloatArray, rank: IntArray) -> IntArray:
    """Return the indices sorted by rank, then by decreasing crowding distance; the order of equal ones is kept.

    Args:
        costs: shape `k x m`.
        rank: shape `k`.
    """
    return np.lexsort((-crowding(costs, rank), rank))
