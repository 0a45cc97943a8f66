"""The evolution of Algorithm 1: partial training, selection with replacement, mutation and crossover of clusters.

Source: minakova-2022 Algorithm 1, Table 6. What it leaves open: generations count from 1 on; the (1 - Omega) best stay, at least
one network is replaced where Omega is above 0; the crossover probability falls in a straight line, P_r(i) = P_r(0) (1 - i / N_g).
Selection is by rank of non-domination, then crowding distance (NSGA-II, Deb et al. 2002). The loop is not that of
`engines.search.nsga2`: the whole population is trained again in every generation, and no parent stands next to its children.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import moocore
import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.sbrs.search.genotype import Genome, Genotype
from engines.search.nsga2 import best_first


@dataclass(frozen=True)
class Individual:
    """A network of the population.

    Attributes:
        weights: key of its weights in the run's files; of a changed network those that it inherits from.
        donor: key of the weights of the network that gave it a cluster; "" for none.
        donated: number of that cluster, from 1 on as in the names of its nodes; 0 for none.
        changed: whether its weights have to be laid out again.
        epochs: trained so far.
    """

    genome: Genome
    weights: str
    donor: str = ""
    donated: int = 0
    changed: bool = False
    epochs: float = 0.0


def select(
    population: Sequence[Individual], costs: FloatArray, replaced: float, random: np.random.Generator
) -> list[Individual]:
    """Return the best, and random ones of the whole population in place of the worst."""
    count = len(population)
    fresh = min(count - 1, max(1, round(replaced * count))) if replaced else 0
    kept = [population[number] for number in best_first(costs, moocore.pareto_rank(costs))[: count - fresh]]
    return kept + [population[int(random.integers(count))] for _ in range(fresh)]


def vary(
    population: Sequence[Individual],
    genotype: Genotype,
    mutation: float,
    change: float,
    crossover: float,
    random: np.random.Generator,
) -> list[Individual]:
    """Mutate some networks, then let some exchange a cluster in pairs; the others stay as they are."""
    found = list(population)
    for number, individual in enumerate(found):
        if random.random() < mutation:
            genome = genotype.mutate(individual.genome, change, random)
            found[number] = replace(
                individual, genome=genome, changed=individual.changed or genome != individual.genome
            )
    chosen = [number for number in range(len(found)) if random.random() < crossover]
    order = [chosen[place] for place in random.permutation(len(chosen))]
    for left, right in zip(order[::2], order[1::2], strict=False):
        first, second, place = genotype.cross(found[left].genome, found[right].genome, random)
        one, other = found[left], found[right]
        found[left] = replace(one, genome=first, donor=other.weights, donated=place + 1, changed=True)
        found[right] = replace(other, genome=second, donor=one.weights, donated=place + 1, changed=True)
    return found


def crossover_at(first: float, generation: int, generations: int) -> float:
    """Return P_r(i), a straight line to 0."""
    return first * (1 - generation / generations)
