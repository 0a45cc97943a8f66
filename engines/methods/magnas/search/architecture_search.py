"""The search of architectures, generation after generation, and what its checkpoints keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.engine import Step
from engines.contract.integer_format import counted, many
from engines.contract.quantities import Sense
from engines.methods.magnas.quantities import QUANTITIES
from engines.methods.magnas.search.inner_search import MappingChoices, map_architecture
from engines.methods.magnas.search.outer_search import ArchitectureOperators, ArchitectureScores, Ranking
from engines.methods.magnas.search.scoring import ArchitectureDesign, designs_of
from engines.methods.magnas.search.setup import Setup
from engines.search.generations import Generations
from engines.search.running_front import RunningFront
from engines.search.strategies import Search
from engines.supernets.genome import Genome
from engines.supernets.space import Architecture
from engines.supernets.workload import label_of

_SENSES: tuple[Sense, ...] = ("maximise", "minimise", "minimise")
_COLUMNS = ("accuracy_percent", "latency_s", "energy_j")
_KEPT_LESS = 1.25  # of a whole run about 12,000 designs beside the front: each names its whole architecture
_MEASURED_TOGETHER = 10


class ArchitectureSearch:
    """One search. Its evaluations are architectures, baselines left out.

    Args:
        setup: setup of the problem.
        search: search of the run.

    Attributes:
        front: accuracy, latency and energy of the non-dominated designs so far within the limits.
    """

    def __init__(self, setup: Setup, search: Search[ArchitectureDesign]) -> None:
        self._search, self._record = search, search.record
        self._setup, self._context = setup, search.record.context
        self._accuracy = search.beginning.context()
        self._genome = Genome(setup.space)
        params = self._params = setup.params
        ranking = Ranking(params.fitness, params.error_exponent, params.energy_exponent, params.latency_exponent)
        kept = max(2, round(params.population * params.kept_percent / 100))
        self._operators = ArchitectureOperators(self._genome, ranking, params.mutation, params.crossover, kept)
        self._generations = Generations(
            self._operators, params.population, params.evaluations,
            lambda number: self._context.random("generation", number),
        )  # fmt: skip
        self.front = RunningFront(_SENSES)
        self._measured: list[float] = []  # accuracies of the generation in the making
        if self._record.state is not None:
            self._restore(self._record.state)

    def steps(self) -> Iterator[Step]:
        """Run generation after generation, until the budget or the space is used up."""
        if self._record.state is None:
            yield self._step(0.01, "Search begins")
        for genes in self._generations.asked(self._context.stop_requested):
            yield from self._generation(genes)
        self._search.words = self._words()

    def _fraction(self) -> float:
        share: float = (self._record.evaluations + len(self._measured)) / self._params.evaluations
        return 0.01 + 0.98 * min(1.0, share)

    def _generation(self, genes: IntArray) -> Iterator[Step]:
        """Score new architectures and keep the best. Until its last step everything but the measured accuracies is as before."""
        architectures = [self._genome.decode(row) for row in genes]
        yield from self._measure(architectures)
        if len(self._measured) < len(genes):
            return
        scored = ArchitectureScores(genes, np.array(self._measured), self._mapped(genes, architectures))
        self._measured = []
        self._generations.tell(scored)
        self._take_in(scored)
        yield self._step(self._fraction(), self._words())

    def _measure(self, architectures: Sequence[Architecture]) -> Iterator[Step]:
        """Yield the accuracies of a generation into `_measured`; stops in between where that was asked for."""
        for number in range(len(self._measured), len(architectures)):
            if self._context.stop_requested():
                return
            if self._setup.weights is not None and number and number % _MEASURED_TOGETHER == 0:
                words = (
                    f"{self._words()}; {counted(number)} of {counted(len(architectures))} of this generation measured"
                )
                yield self._step(self._fraction(), words)
            self._measured.append(self._accuracy.percent(architectures[number]))

    def _mapped(self, genes: IntArray, architectures: Sequence[Architecture]) -> tuple[MappingChoices, ...]:
        items = [
            (self._setup.table.costs(each), self._context.random("mapping", code))
            for each, code in zip(architectures, self._genome.codes(genes).tolist(), strict=True)
        ]
        return tuple(self._context.executor.map(map_architecture, self._setup.inner, items))

    def _take_in(self, scored: ArchitectureScores) -> None:
        """Store the designs of a generation that are new on the front, and a sample of the others."""
        chosen = list[ArchitectureDesign]()
        for genes, percent, each in zip(scored.genes, scored.accuracy_percent, scored.mapped, strict=True):
            architecture = self._genome.decode(genes)
            words = [label_of(architecture)] * len(each.units)
            chosen += designs_of(self._setup, architecture, float(percent), each.units, each.setting, words)
        designs = self._search.evaluate(chosen)
        at = np.repeat(self._record.scored(len(scored)), [len(each.units) for each in scored.mapped])
        on_front = self.front.extend(designs.matrix(_COLUMNS), self._record.slack(designs.columns) >= 0)
        total = _KEPT_LESS * self._params.evaluations * self._params.kept_mappings
        kept = np.flatnonzero(on_front | self._record.sampled(self._generations.generation, len(designs), total))
        self._record.add(designs.take(kept), at=at[kept])

    def _words(self) -> str:
        return f"{counted(self._record.evaluations)} architectures, {many(len(self.front), 'design')} on the front"

    def _step(self, fraction: float, words: str) -> Step:
        population = self._generations.parents
        state: dict[str, Any] = {
            "generation": self._generations.generation,
            "exhausted": self._generations.exhausted,
            "measured": np.array(self._measured, dtype=np.float64),
            "seen": np.array(sorted(self._operators.seen), dtype=np.int32),
        }
        if population is not None:
            state |= {"genes": population.genes.astype(np.int16), "accuracy": population.accuracy_percent}
        return self._record.step(fraction, words, state=state)

    def _restore(self, state: Mapping[str, Any]) -> None:
        self._operators.seen = set(state["seen"].tolist())
        self._measured = state["measured"].tolist()
        designs, parents = self._record.designs, None
        self.front.extend(designs.matrix(_COLUMNS), designs.counted(QUANTITIES))
        if "genes" in state:
            genes = state["genes"].astype(np.int64)
            parents = ArchitectureScores(
                genes, state["accuracy"], self._mapped(genes, [self._genome.decode(row) for row in genes])
            )
        self._generations.continue_from(
            int(state["generation"]), self._record.evaluations, parents, exhausted=bool(state["exhausted"])
        )
