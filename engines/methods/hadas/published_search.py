"""The published inner search of one backbone, generation after generation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.cost.soc.clocks import ClockSettings
from engines.methods.hadas.inner_search import Choices, Costs, InnerOperators, rated
from engines.methods.hadas.params import HadasParams
from engines.search.ends.correctness import Correctness
from engines.search.generations import Generations
from engines.search.nsga2 import Rating
from engines.search.running_front import RunningFront


class PublishedInner:
    """The search.

    Args:
        correctness: correctness of `n` ends.
        costs: latency and energy at the settings.
        settings: the grid of clocks.
        params: budget, population, fitness.
        random: number of a generation -> its random numbers.

    Attributes:
        front: choices that no other beats so far, with their genes, by error, mean latency and mean energy.
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
        self._search: Generations[Rating] = Generations(
            self.operators, params.inner_population, params.inner_evaluations, random
        )
        self.front = RunningFront(
            ("minimise", "minimise", "minimise"), distinct=True, genes=candidates + len(settings.frequencies_hz)
        )

    @property
    def evaluations(self) -> int:
        """Number of evaluated exit choices."""
        return self._search.scored

    @property
    def done(self) -> bool:
        """Whether the budget is used up."""
        return self._search.done

    def generation(self) -> tuple[IntArray, FloatArray]:
        """Score one generation: its genes and its points. It counts in full even where duplicates were left out."""
        wanted = self._search.wanted
        genes = self._search.ask(wanted)
        found, points = self._rated(genes)
        self._search.tell(found, scored=wanted)
        self.front.extend(points, found.violation <= 0, genes)
        return genes, points

    def _rated(self, genes: IntArray) -> tuple[Rating, FloatArray]:
        return rated(self._correctness, self._costs, self._params, self.operators, genes)

    def choices(self) -> Choices:
        """Return the choices of the search."""
        genes, points = self.front.genes, self.front.points
        chosen, setting = self.operators.chosen(genes), self.operators.setting(genes)
        return Choices(chosen, setting, points, points[:, 1:], proven=False)

    @property
    def state(self) -> dict[str, Any]:
        """From which `restore` continues."""
        state: dict[str, Any] = {
            "evaluations": self.evaluations,
            "generation": self._search.generation,
            "genes": self.front.genes.astype(np.int16),
            "points": self.front.points,
        }
        parents = self._search.parents
        return state if parents is None else {**state, "parents": parents.genes.astype(np.int16)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from there."""
        parents = self._rated(state["parents"].astype(np.int64))[0] if "parents" in state else None
        self._search.continue_from(int(state["generation"]), int(state["evaluations"]), parents)
        self.front.extend(state["points"].reshape(-1, 3), genes=state["genes"].astype(np.int64))
