"""The outer search over architectures: the selection of each generation and its offspring.

Source: odema-2023 section 4.2.2. The top share of a generation, ranked by non-dominated sorting, has children: two random
individuals of the Pareto set swap superblocks (probability 0.5 for each), then each superblock is drawn again (0.4). An individual
is ranked by the best rank of any of its mappings. Architectures that were scored before are not scored again.
"""

from __future__ import annotations

from dataclasses import dataclass

import moocore
import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.magnas.search.inner_search import MappingChoices
from engines.search.nsga2 import crowding
from engines.supernets.genome import Genome
from engines.supernets.space import SUPERBLOCKS

_TRIES = 60
_LEAST_ERROR_PERCENT = 1e-3


@dataclass(frozen=True)
class ArchitectureScores:
    """Architectures with what they are worth.

    Attributes:
        genes: shape `k x 4`.
        accuracy_percent: shape `k`.
        mapped: the mappings of each.
    """

    genes: IntArray
    accuracy_percent: FloatArray
    mapped: tuple[MappingChoices, ...]

    def __len__(self) -> int:
        return len(self.genes)

    def take(self, rows: IntArray) -> ArchitectureScores:
        """Return the given ones (places, shape `n`), in that order."""
        return ArchitectureScores(
            self.genes[rows], self.accuracy_percent[rows], tuple(self.mapped[row] for row in rows.tolist())
        )

    def joined(self, other: ArchitectureScores) -> ArchitectureScores:
        """Return the scores of both parts, in order."""
        genes, accuracy = (
            np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("genes", "accuracy_percent")
        )
        return ArchitectureScores(genes, accuracy, self.mapped + other.mapped)


@dataclass(frozen=True)
class Ranking:
    """How architectures are ranked: by non-dominated sorting, or by a product of powers."""

    fitness: str
    error_exponent: float
    energy_exponent: float
    latency_exponent: float


def standing(rated: ArchitectureScores, ranking: Ranking) -> tuple[IntArray, FloatArray]:
    """Return the rank of each architecture (0: has children) and, within ranks, how much it is wanted; both of shape `k`.

    Architectures none of whose mappings meets the limits come last. The product is of the error, and of energy and latency of the
    mapping that eq. 13 likes best, each to its power; it has no Pareto set, so that whatever is kept has children.
    """
    allowed = np.array([each.allowed for each in rated.mapped], dtype=bool)
    if ranking.fitness == "product":
        best = np.array([(each.scores.energy_j[0], each.scores.latency_s[0]) for each in rated.mapped])
        powers = np.array([ranking.energy_exponent, ranking.latency_exponent])
        error = np.maximum(100.0 - rated.accuracy_percent, _LEAST_ERROR_PERCENT) ** ranking.error_exponent
        return (~allowed).astype(np.int64), -error * (best**powers).prod(axis=1)
    owners = np.concatenate([np.full(len(each.product), number) for number, each in enumerate(rated.mapped)])
    points = np.concatenate(
        [
            np.column_stack([np.full(len(each.product), 100 - accuracy), each.scores.latency_s, each.scores.energy_j])
            for accuracy, each in zip(rated.accuracy_percent, rated.mapped, strict=True)
        ]
    )
    own, able = np.zeros(len(points), dtype=np.int64), allowed[owners]
    for part in (able, ~able):  # apart: what breaks a limit must not push back what keeps it
        if part.any():
            own[part] = moocore.pareto_rank(points[part]) + own.max() + (part is not able)
    rank = np.full(len(rated), own.max() + 1)
    np.minimum.at(rank, owners, own)
    far = np.zeros(len(rated))
    at_best = own == rank[owners]
    np.maximum.at(far, owners[at_best], crowding(points, own)[at_best])
    return rank, far


def kept_rows(rated: ArchitectureScores, count: int, ranking: Ranking) -> IntArray:
    """Return the places of the `count` best, best first; shape `min(count, k)`."""
    rank, wanted = standing(rated, ranking)
    return np.lexsort((-wanted, rank))[:count].astype(np.int64)


class ArchitectureOperators:
    """For `engines.search.nsga2`.

    Args:
        genome: encoding.
        ranking: by which architectures are kept and have children.
        mutation, crossover: probabilities for each superblock.
        kept: architectures of a generation that are kept.

    Attributes:
        seen: codes of the architectures that were scored, none of which is scored again.
    """

    def __init__(self, genome: Genome, ranking: Ranking, mutation: float, crossover: float, kept: int) -> None:
        self.seen: set[int] = set()
        self._genome, self._ranking, self._kept = genome, ranking, kept
        self._mutation, self._crossover = mutation, crossover

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """Return up to `count` different ones, shape `k x 4`."""
        genes = self._genome.random(random, count)
        _, first = np.unique(self._genome.codes(genes), return_index=True)
        return genes[np.sort(first)]

    def children(self, parents: ArchitectureScores, random: np.random.Generator, count: int) -> IntArray:
        """Return up to `count` that were not scored before, shape `k x 4`; fewer only where none are left to find."""
        rank, _ = standing(parents, self._ranking)
        pareto = np.flatnonzero(rank == rank.min())
        seen, found = set(self.seen), list[IntArray]()
        for attempt in range(_TRIES):
            wanted = count - len(found)
            if not wanted:
                break
            pair = pareto[random.integers(len(pareto), size=(2, wanted))]
            one, other = parents.genes[pair[0]], parents.genes[pair[1]]
            made = np.where(random.random(one.shape) < self._crossover, other, one)
            # What finds nothing new for long is replaced by chance.
            share = self._mutation if attempt < _TRIES // 2 else 1.0
            made = np.where(random.random(made.shape) < share, self._genome.random(random, wanted), made)
            for row, code in zip(made, self._genome.codes(made).tolist(), strict=True):
                if code not in seen:
                    seen.add(code)
                    found.append(row)
        return np.array(found, dtype=np.int64).reshape(-1, SUPERBLOCKS)

    def survivors(self, parents: ArchitectureScores | None, children: ArchitectureScores) -> ArchitectureScores:
        """Return the best of parents and children, the best first."""
        self.seen.update(self._genome.codes(children.genes).tolist())
        both = children if parents is None else parents.joined(children)
        return both.take(kept_rows(both, self._kept, self._ranking))
