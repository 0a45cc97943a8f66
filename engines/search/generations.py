"""A search in generations within a budget, from the first one or from where a checkpoint stands.

    search = Generations(operators, population=60, budget=12_000, random=lambda number: context.random("generation", number))
    for genes in search.asked(context.stop_requested):
        rated = rate(genes)
        search.tell(rated)
        yield record.step(...)

A run that stops while a generation is rated leaves it untold: asked again, it is the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from engines.contract.arrays import IntArray
from engines.search.nsga2 import Individuals, Nsga2, Operators


class Generations(Nsga2[Individuals]):
    """Generation after generation until the budget is used up or nothing new is found.

    Args:
        operators: operators of the method.
        population: individuals of a generation.
        budget: individuals that are scored in all.
        random: number of a generation -> its random numbers.

    Attributes:
        scored: individuals that were scored so far.
        exhausted: whether nothing new was found.
    """

    def __init__(
        self,
        operators: Operators[Individuals],
        population: int,
        budget: int,
        random: Callable[[int], np.random.Generator],
    ) -> None:
        super().__init__(operators, random)
        self.scored, self.exhausted = 0, False
        self._population, self._budget = population, budget
        self._asked = 0

    @property
    def wanted(self) -> int:
        """How many individuals the next generation is to have."""
        return min(self._population, self._budget - self.scored)

    @property
    def done(self) -> bool:
        """Whether nothing is left to score."""
        return self.exhausted or self.scored >= self._budget

    def asked(self, stop: Callable[[], bool]) -> Iterator[IntArray]:
        """Yield the genes of one generation after the other, each of which is to be told; none once `stop` says so."""
        while not self.done and not stop():
            genes = self.ask(self.wanted)
            self._asked, self.exhausted = len(genes), not len(genes)
            if not self.exhausted:
                yield genes

    def tell(self, rated: Individuals, scored: int | None = None) -> Individuals:
        """Return what the individuals asked for are worth; the parents of the next generation.

        Args:
            rated: those individuals.
            scored: for how many evaluations they count, by default as many as `asked` gave.
        """
        self.scored += self._asked if scored is None else scored
        return super().tell(rated)

    def continue_from(
        self, generation: int, scored: int, parents: Individuals | None, *, exhausted: bool = False
    ) -> None:
        """Stand where a search stood that was interrupted.

        Args:
            generation: number of the next one.
            scored: individuals that were scored.
            parents: parents of the next one; None before the first.
            exhausted: whether nothing new was found.
        """
        self.generation, self.scored, self.parents, self.exhausted = generation, scored, parents, exhausted
