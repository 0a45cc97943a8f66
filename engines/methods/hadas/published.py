"""The published inner search of one backbone, generation after generation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.non_dominated import non_dominated_costs
from engines.cost.soc_clocks import ClockSettings
from engines.methods.hadas.inner import Choices, Costs, InnerOperators, rated
from engines.methods.hadas.params import HadasParams
from engines.search.ends.correctness import Correctness
from engines.search.nsga2 import Nsga2, Rated

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


class PublishedInner:
    """The search.

    Args:
        correctness: of `n` ends.
        costs: latency and energy at the settings.
        settings: the grid of clocks.
        params: budget, population, fitness.
        random: number of a generation -> its random numbers.

    Attributes:
        evaluations: choices that were scored.
        genes, points: of those that no other beats so far, shapes `k x genes` and `k x 3`.
    """

    def __init__(
        self,
        correctness: Correctness,
        costs: Costs,
        settings: ClockSettings,
        params: HadasParams,
        random: Callable[[int], np.random.Generator],
    ) -> None:
        self._correctness, self._costs, self._params = correctness, costs, params
        candidates = len(correctness.accuracy) - 1
        self.operators = InnerOperators(candidates, settings, params.inner_population)
        self._search: Nsga2[Rated] = Nsga2(self.operators, random)
        self.evaluations = 0
        self.genes: IntArray = np.empty((0, candidates + len(settings.frequencies_hz)), np.int64)
        self.points: FloatArray = np.empty((0, 3))

    @property
    def done(self) -> bool:
        """Whether the budget is used up."""
        return self.evaluations >= self._params.inner_evaluations

    def generation(self) -> tuple[IntArray, FloatArray]:
        """Score one generation: its genes and its points. It counts in full even where duplicates were left out."""
        wanted = min(self._params.inner_population, self._params.inner_evaluations - self.evaluations)
        genes = self._search.ask(wanted)
        found, points = rated(self._correctness, self._costs, self._params, self.operators, genes)
        self._search.tell(found)
        self.evaluations += wanted
        allowed = found.violation <= 0
        genes_so_far = np.concatenate([self.genes, genes[allowed]])
        points_so_far = np.concatenate([self.points, points[allowed]])
        _, first = np.unique(points_so_far, axis=0, return_index=True)
        first.sort()
        if len(first):
            first = first[non_dominated_costs(points_so_far[first])]
        self.genes, self.points = genes_so_far[first], points_so_far[first]
        return genes, points

    def choices(self) -> Choices:
        """What the search found."""
        chosen, setting = self.operators.chosen(self.genes), self.operators.setting(self.genes)
        return Choices(chosen, setting, self.points, self.points[:, 1:], proven=False)

    @property
    def state(self) -> dict[str, Any]:
        """From which `restore` goes on."""
        parents = self._search.parents
        state: dict[str, Any] = {"evaluations": self.evaluations, "generation": self._search.generation}
        state |= {"genes": self.genes.astype(np.int16), "points": self.points}
        if parents is not None:
            state |= {"parents": parents.genes.astype(np.int16)}
        return state

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from there."""
        self.evaluations, self._search.generation = int(state["evaluations"]), int(state["generation"])
        self.genes, self.points = state["genes"].astype(np.int64), state["points"].reshape(-1, 3)
        if "parents" in state:
            genes = state["parents"].astype(np.int64)
            self._search.parents = rated(self._correctness, self._costs, self._params, self.operators, genes)[0]
