"""All combinations in batches, or NSGA-II over them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.designs import Designs
from engines.contract.engine import Recorder, Step
from engines.contract.limits import ROOM
from engines.contract.quantities import objectives_of
from engines.methods.energyshield.instance import Instance
from engines.methods.energyshield.quantities import BARRIER_ROOM, CHOICE, QUANTITIES
from engines.methods.energyshield.scoring import driven
from engines.search.choice_operators import Alleles, ChoiceOperators
from engines.search.generations import Generations
from engines.search.nsga2 import Rated

_BATCH_EPISODES = 2000  # between two steps


class Search:
    """Tells designs batch by batch.

    Attributes:
        done: whether all that was to be driven is.
    """

    def __init__(self, instance: Instance, record: Recorder) -> None:
        self.instance, self.record, self.done = instance, record, False
        self._conditions = instance.conditions(record.context)
        self._total = min(instance.count, instance.params.evaluations)

    def steps(self) -> Iterator[Step]:
        """Until everything is driven or a stop is asked for."""
        yield from self._every() if self.instance.count <= self.instance.params.evaluations else self._searched()
        self.done = self.record.evaluations >= self._total or self.done

    def _drive(self, genes: IntArray) -> Designs:
        return driven(
            self.instance, self._conditions, [self.instance.choice_of(row) for row in genes], self.record.context
        )

    def _every(self) -> Iterator[Step]:
        record, size = self.record, max(1, _BATCH_EPISODES // self.instance.params.episodes)
        while record.evaluations < self._total and not record.context.stop_requested():
            numbers = np.arange(record.evaluations, min(record.evaluations + size, self._total))
            genes = np.stack(np.unravel_index(numbers, self.instance.sizes), axis=1).astype(np.int64)
            record.add(self._drive(genes))
            yield record.step(0.95 * record.evaluations / self._total, self._words(), state={})

    def _searched(self) -> Iterator[Step]:
        record, instance = self.record, self.instance
        sizes = np.array(instance.sizes)
        alleles = Alleles(np.tile(np.arange(sizes.max()), (len(sizes), 1)), sizes)
        operators = ChoiceOperators(alleles, instance.params.population, set())
        search = Generations(
            operators, instance.params.population, self._total,
            lambda number: record.context.random("generation", number),
        )  # fmt: skip
        state = record.state
        if state is not None:
            operators.seen.update(tuple(row) for row in np.asarray(state["seen"], np.int64).tolist())
            parents = Rated(
                np.asarray(state["genes"], np.int64), np.asarray(state["costs"], np.float64),
                np.asarray(state["violation"], np.float64),
            )  # fmt: skip
            search.continue_from(int(state["generation"]), record.evaluations, parents)
        for genes in search.asked(record.context.stop_requested):
            found = self._drive(genes)
            record.add(found)
            operators.seen.update(tuple(row) for row in genes.tolist())
            parents = search.tell(self._rated(genes, found))
            kept = {
                "generation": search.generation, "genes": parents.genes, "costs": parents.costs,
                "violation": parents.violation, "seen": np.array(sorted(operators.seen), dtype=np.int32),
            }  # fmt: skip
            yield record.step(0.95 * record.evaluations / self._total, self._words(), state=kept)
        self.done = search.done

    def _rated(self, genes: IntArray, found: Designs) -> Rated:
        objectives = objectives_of(CHOICE.roles(QUANTITIES, self.instance.params))
        costs = np.stack(
            [found.columns[each.name] * (1.0 if each.sense == "minimise" else -1.0) for each in objectives], axis=1
        )
        room = np.minimum(found.columns[ROOM.name], found.columns[BARRIER_ROOM.name])
        return Rated(genes, costs, np.where(room < 0, -room, 0.0))

    def _words(self) -> str:
        return f"{self.record.evaluations} of {self._total} designs driven"
