"""One configuration with when each of its parts runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.map_and_conquer.model.cut_costs import CutCosts
from engines.methods.map_and_conquer.model.equations import finish_times_s
from engines.methods.map_and_conquer.model.scoring import Population, Scores, SublayerCosts, score, sublayer_costs
from engines.methods.map_and_conquer.problem.instance import CutInstance
from hardware.soc.summary import unit_title


@dataclass(frozen=True, eq=False)
class PartTimes:
    """A population of one at its clocks.

    Attributes:
        parts: costs of its parts.
        finished_s: when each part ends, shape `M x (n + 1)`.
    """

    instance: CutInstance
    population: Population
    scores: Scores
    parts: SublayerCosts
    finished_s: FloatArray

    @staticmethod
    def of(instance: CutInstance, population: Population, costs: CutCosts) -> PartTimes:
        """Return the times with everything worked out; `costs` has the one setting of the clocks."""
        parts = sublayer_costs(costs, population)
        finished = finish_times_s(parts.latency_s, population.reuse, parts.transfer_s)[0]
        return PartTimes(instance, population, score(costs, instance.accuracy, population), parts, finished)

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Unit of each stage."""
        return tuple(self.instance.units[unit] for unit in self.population.units[0])

    @cached_property
    def stage_titles(self) -> tuple[str, ...]:
        """Return the titles of the stages."""
        if len(self.units) == 1:
            return (f"Whole network on {unit_title(self.units[0])}",)
        return tuple(f"Stage {number} on {unit_title(unit)}" for number, unit in enumerate(self.units, start=1))

    @cached_property
    def waits_s(self) -> FloatArray:
        """How long each stage waits before each part, shape `M x (n + 1)`."""
        before = np.concatenate([np.zeros((len(self.finished_s), 1)), self.finished_s[:, :-1]], axis=1)
        waits = self.finished_s - self.parts.latency_s[0] - before
        return np.where(waits > 1e-9 * self.finished_s.max(), waits, 0.0)

    @cached_property
    def energy_j(self) -> FloatArray:
        """Return the energy of layers, exit and features from earlier stages, shape `M x 3`."""
        energy = self.parts.energy_j[0]
        return np.column_stack([energy[:, :-1].sum(axis=1), energy[:, -1], self.parts.received_j[0].sum(axis=1)])
