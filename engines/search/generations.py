"""A search in generations within a budget, from the first generation or from a checkpoint.

    search = Generations(operators, population=60, budget=12_000, random=lambda number: context.random("generation", number))
    for genes in search.asked(context.stop_requested):
        rated = rate(genes)
        search.tell(rated)
        yield record.step(...)

A run that stops before `tell` asks for the same generation again when it continues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from engines.contract.arrays import IntArray
from engines.search.nsga2 import Individuals, Nsga2, Operators


class Generations(Nsga2[Individuals]):
    """The loop over generations, until the budget is used up or the operators find nothing new.

    Args:
        operators: operators of the method.
        population: number of individuals per generation.
        budget: largest number of evaluations.
        random: number of a generation -> its random generator.

    Attributes:
        scored: number of evaluations so far.
        exhausted: whether the last generation contained nothing new.
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
        """The number of individuals of the next generation."""
        return min(self._population, self._budget - self.scored)

    @property
    def done(self) -> bool:
        """Whether the budget is used up or nothing new was found."""
        return self.exhausted or self.scored >= self._budget

    def asked(self, stop: Callable[[], bool]) -> Iterator[IntArray]:
        """Yield the genes of each generation until done or `stop` returns True; the caller must `tell` each one."""
        while not self.done and not stop():
            genes = self.ask(self.wanted)
            self._asked, self.exhausted = len(genes), not len(genes)
            if not self.exhausted:
                yield genes

    def tell(self, rated: Individuals, scored: int | None = None) -> Individuals:
        """Take the evaluated individuals of the last generation; return the parents of the next one.

        Args:
            rated: the individuals with their costs.
            scored: number of evaluations that they count for; by default the number that `asked` yielded.
        """
        self.scored += self._asked if scored is None else scored
        return super().tell(rated)

    def continue_from(
        self, generation: int, scored: int, parents: Individuals | None, *, exhausted: bool = False
    ) -> None:
        """Set the state of an interrupted search.

        Args:
            generation: number of the next generation.
            scored: number of evaluations so far.
            parents: parents of the next generation; None before the first.
            exhausted: whether the last generation contained nothing new.
        """
        self.generation, self.scored, self.parents, self.exhausted = generation, scored, parents, exhausted
