"""Operators of NSGA-II (Deb et al. 2002) over rows of whole numbers, with pymoo's parts.

Two-point crossover and mutation by drawing genes again: rounded real-valued operators do much worse on such genes. Tournaments and
survival are pymoo's too, not those of `engines.search.nsga2`: they break ties at random, and other ties would be other designs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.search.nsga2 import Rating

Draw = Callable[[np.random.Generator, int], int]
Mend = Callable[[IntArray], IntArray]

_GENES_DRAWN_ANEW = 1.0  # per child, on average


def offspring(parents: Rating, draw: Draw, mend: Mend, random: np.random.Generator) -> IntArray:
    """Return as many different children as there are parents, fewer where no new ones can be found; shape `n x genes`.

    Args:
        parents: the population; costs are finite also where limits are broken.
        draw: (random numbers, position) -> a value that the gene at that position may have.
        mend: maps every row to the one that stands for it.
        random: generator of all random choices.
    """
    algorithm, problem = _algorithm(parents, draw, mend)
    population = _survivors(algorithm, problem, parents, len(parents.genes))
    children = algorithm.mating.do(problem, population, len(parents.genes), algorithm=algorithm, random_state=random)
    return np.asarray(children.get("X"), dtype=np.int64).reshape(len(children), parents.genes.shape[1])


def survivors(rated: Rating, count: int) -> IntArray:
    """Return the numbers of the `count` individuals that go on, shape `count`: by rank, then by crowding distance."""
    unknown: Draw = lambda random, position: 0  # noqa: E731 - survival draws nothing
    algorithm, problem = _algorithm(rated, unknown, lambda genes: genes)
    kept = _survivors(algorithm, problem, rated, count)
    return np.sort(np.asarray(kept.get("number"), dtype=np.int64))


def _survivors(algorithm: Any, problem: Any, rated: Rating, count: int) -> Any:
    from pymoo.core.population import Population

    population = Population.new(X=rated.genes, F=rated.costs, G=rated.violation[:, None])
    population.set("number", np.arange(len(rated.genes)))
    return algorithm.survival.do(
        problem, population, n_survive=count, algorithm=algorithm, random_state=np.random.default_rng(0)
    )


def _algorithm(rated: Rating, draw: Draw, mend: Mend) -> tuple[Any, Any]:
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.core.mutation import Mutation
    from pymoo.core.problem import Problem
    from pymoo.core.repair import Repair
    from pymoo.operators.crossover.pntx import TwoPointCrossover

    class DrawAnew(Mutation):  # type: ignore[misc]
        def _do(self, problem: Any, X: IntArray, *_: Any, random_state: Any = None, **__: Any) -> IntArray:  # noqa: N803
            children = X.copy()
            hit = random_state.random(X.shape) < _GENES_DRAWN_ANEW / X.shape[1]
            for row, position in np.argwhere(hit).tolist():
                children[row, position] = draw(random_state, position)
            return children

    class ToCanonical(Repair):  # type: ignore[misc]
        def _do(self, problem: Any, X: IntArray, **_: Any) -> IntArray:  # noqa: N803
            return mend(np.asarray(X, dtype=np.int64))

    genes, costs = rated.genes.shape[1], rated.costs.shape[1]
    problem = Problem(n_var=genes, n_obj=costs, n_ieq_constr=1, vtype=int)
    algorithm = NSGA2(
        pop_size=len(rated.genes), crossover=TwoPointCrossover(), mutation=DrawAnew(), repair=ToCanonical(),
        eliminate_duplicates=True,
    )  # fmt: skip
    algorithm.setup(problem, seed=0)
    return algorithm, problem
