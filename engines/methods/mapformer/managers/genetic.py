"""The genetic algorithm of Kang et al. (IEEE Access 2020) as karatzas-2024 runs it: 10 chromosomes, 20 generations.

A chromosome says where each network is cut and which of CPU and GPU has each segment, as that work knows no DLA. It is worth the
mean throughput at the highest clocks, lowered evenly, that keep the power limit. Tournaments of two, single-point crossover
between networks, mutation of one network; the best stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.methods.mapformer.managers.manager import Manager, Round, kept, restored, worth
from engines.methods.mapformer.problem.space import at_even_clocks
from engines.simulation.board import Mappings
from engines.simulation.steady_state import steady_state

POPULATION, GENERATIONS = 10, 20
_MUTATED = 0.3


class GeneticManager(Manager):
    """Genetic manager as published."""

    @property
    def rounds(self) -> int:
        """Generations."""
        return GENERATIONS

    def round(self, number: int, state: Mapping[str, Any]) -> Round:
        """Run one generation, and return its mappings."""
        random = self.task.random("genetic", number)
        people = self._drawn(random, POPULATION) if not number else restored(state)
        tried = at_even_clocks(self.task.space, people)
        steady = steady_state(self.task.board, tried)
        values = worth(steady, np.array([self.task.power_limit_w]))[0].reshape(len(people), -1)
        return Round(tried, steady, kept(self._children(people, values.max(axis=1), random)))

    def _drawn(self, random: np.random.Generator, count: int) -> Mappings:
        """Return the random chains on CPU and GPU, all clocks at their highest."""
        space, able = self.task.space, np.array(self.task.units_of("cpu", "gpu"))
        drawn = space.drawn(random, count)
        units = able[random.integers(0, len(able), drawn.units.shape)]
        mended = space.mended(
            Mappings(drawn.ends, units, np.broadcast_to(space.counts, (count, space.units)).copy()), random
        )
        return Mappings(mended.ends, mended.units, np.broadcast_to(space.counts, (count, space.units)).copy())

    def _children(self, people: Mappings, values: np.ndarray, random: np.random.Generator) -> Mappings:
        pairs = random.integers(0, len(people), (len(people), 2, 2))
        won = np.where(values[pairs[..., 0]] >= values[pairs[..., 1]], pairs[..., 0], pairs[..., 1])
        first, second = people.take(won[:, 0]), people.take(won[:, 1])
        place = random.integers(0, self.task.space.networks + 1, len(people))
        own = np.arange(self.task.space.networks) < place[:, None]
        fresh = self._drawn(random, len(people))
        mutated = random.random(len(people)) < _MUTATED
        changed = mutated[:, None] & (
            np.arange(self.task.space.networks) == random.integers(0, self.task.space.networks, len(people))[:, None]
        )
        ends = np.where(changed[..., None], fresh.ends, np.where(own[..., None], first.ends, second.ends))
        units = np.where(changed[..., None], fresh.units, np.where(own[..., None], first.units, second.units))
        best = int(values.argmax())
        ends[0], units[0] = people.ends[best], people.units[best]
        return Mappings(ends, units, people.steps)
