"""The run of an architecture search: generations, what is reported of them, checkpoints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.designs import Designs
from engines.contract.engine import Recorder, Step
from engines.contract.integer_format import counted
from engines.contract.quantities import Sense
from engines.methods.magnas.outcome import run_results
from engines.methods.magnas.quantities import QUANTITIES
from engines.methods.magnas.search.accuracy import Accuracy, accuracy_of
from engines.methods.magnas.search.inner_search import MappingChoices, map_architecture
from engines.methods.magnas.search.outer_search import ArchitectureOperators, ArchitectureScores, Ranking
from engines.methods.magnas.search.scoring import Scoring
from engines.methods.magnas.search.setup import Setup
from engines.search.generations import Generations
from engines.search.running_front import RunningFront
from engines.supernets.genome import Genome
from engines.supernets.results import OPERATOR_TITLES
from engines.supernets.space import Architecture
from hardware.soc.summary import unit_title

_SENSES: tuple[Sense, ...] = ("maximise", "minimise", "minimise")
_COLUMNS = ("accuracy_percent", "latency_s", "energy_j")
_TOLD_LESS = 1.25  # of a whole run about 12,000 designs beside the front: each names its whole architecture
_MEASURED_TOGETHER = 10


class SearchRun:
    """One run. Its evaluations are architectures, baselines left out.

    Attributes:
        front: accuracy, latency and energy of the non-dominated designs so far that keep the limits.
    """

    def __init__(self, setup: Setup, record: Recorder) -> None:
        context = record.context
        self._setup, self._record, self._context = setup, record, context
        self._params = setup.params
        self._accuracy: Accuracy = accuracy_of(setup, context)
        self._scoring, self._genome = Scoring(setup), Genome(setup.space)
        params = setup.params
        ranking = Ranking(params.fitness, params.error_exponent, params.energy_exponent, params.latency_exponent)
        kept = max(2, round(params.population * params.kept_percent / 100))
        self._operators = ArchitectureOperators(self._genome, ranking, params.mutation, params.crossover, kept)
        self._search = Generations(
            self._operators, params.population, params.evaluations, lambda number: context.random("generation", number)
        )
        self.front = RunningFront(_SENSES)
        self._measured: list[float] = []  # accuracies of the generation in the making
        if record.state is not None:
            self._restore(record.state)

    # -- steps --------------------------------------------------------------------------------------------------------

    def baselines(self) -> Step:
        """Return the largest architecture of each graph operator on each unit alone."""
        setup = self._setup
        for operator in setup.space.operators if self._params.baselines else ():
            architecture = setup.space.largest(operator)
            costs = setup.table.costs(architecture)
            able = np.flatnonzero(np.isfinite(costs.latency_s[:, :, setup.reference]).all(axis=0))
            units = np.repeat(able[:, None], costs.blocks, axis=1)
            titles = [f"{OPERATOR_TITLES[operator]}, {unit_title(setup.model.units[at])} alone" for at in able]
            setting = np.full(len(able), setup.reference)
            percent = self._accuracy.percent(architecture)
            designs = self._scoring.designs(architecture, percent, units, setting, titles)
            self._record.add(designs, "baseline", np.zeros(len(able), np.int64))
        return self._step(0.01, "Largest architectures on each unit alone")

    def generations(self) -> Iterator[Step]:
        """Yield the generation after generation, until the budget or the space is used up."""
        for genes in self._search.asked(self._context.stop_requested):
            yield from self._generation(genes)
        if self._search.done:
            yield self._record.step(1.0, self._words(), run_results(self._setup, self.front.points))

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
        self._search.tell(scored)
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
        parts = [
            self._scoring.designs(self._genome.decode(genes), float(percent), each.units, each.setting)
            for genes, percent, each in zip(scored.genes, scored.accuracy_percent, scored.mapped, strict=True)
        ]
        designs = Designs.concatenate(parts)
        at = np.repeat(self._record.scored(len(scored)), [len(part) for part in parts])
        on_front = self.front.extend(designs.matrix(_COLUMNS), self._record.slack(designs.columns) >= 0)
        total = _TOLD_LESS * self._params.evaluations * self._params.kept_mappings
        told = np.flatnonzero(on_front | self._record.sampled(self._search.generation, len(designs), total))
        self._record.add(designs.take(told), at=at[told])

    # -- what a step says ---------------------------------------------------------------------------------------------

    def _words(self) -> str:
        return f"{counted(self._record.evaluations)} architectures, {counted(len(self.front))} designs on the front"

    # -- checkpoints --------------------------------------------------------------------------------------------------

    def _step(self, fraction: float, words: str) -> Step:
        population = self._search.parents
        state: dict[str, Any] = {
            "generation": self._search.generation,
            "exhausted": self._search.exhausted,
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
        self._search.continue_from(
            int(state["generation"]), self._record.evaluations, parents, exhausted=bool(state["exhausted"])
        )
