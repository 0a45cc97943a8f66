"""The run of an architecture search: generations, what is reported of them, checkpoints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.counts import counted
from engines.contract.designs import Designs
from engines.contract.engine import Context, Infeasibility, Problem, Resume, Step
from engines.contract.non_dominated import non_dominated
from engines.contract.quantities import Sense
from engines.contract.thousandths import in_thousandths
from engines.methods.magnas.accuracy import Accuracy, accuracy_of
from engines.methods.magnas.architecture_results import OPERATOR_TITLES
from engines.methods.magnas.inner import Mapped, map_architecture
from engines.methods.magnas.outer import ArchitectureOperators, Genome, Ranking, Scored
from engines.methods.magnas.search_outcome import run_results
from engines.methods.magnas.search_params import MagnasParams
from engines.methods.magnas.search_quantities import QUANTITIES
from engines.methods.magnas.search_scoring import Scoring
from engines.methods.magnas.search_setup import Setup
from engines.methods.magnas.space import Architecture
from engines.running.checkpoints import pack_checkpoint, unpack_checkpoint
from engines.search.nsga2 import Nsga2
from hardware.soc.summary import unit_title

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
_SENSES: tuple[Sense, ...] = ("maximise", "minimise", "minimise")
_COLUMNS = ("accuracy_percent", "latency_s", "energy_j")
_SAMPLED_DESIGNS = 12_000
_MEASURED_TOGETHER = 10


class SearchRun:
    """One run.

    Attributes:
        evaluations: architectures that were scored, baselines left out.
        front: accuracy, latency and energy of the non-dominated designs so far that keep the limits, shape `k x 3`.
    """

    def __init__(self, problem: Problem[MagnasParams], setup: Setup, context: Context, resume: Resume | None) -> None:
        self._problem, self._setup, self._context = problem, setup, context
        self._params = problem.params
        self._accuracy: Accuracy = accuracy_of(setup, context)
        self._scoring, self._genome = Scoring(setup), Genome(setup.space)
        params = problem.params
        ranking = Ranking(params.fitness, params.error_exponent, params.energy_exponent, params.latency_exponent)
        kept = max(2, round(params.population * params.kept_percent / 100))
        self._operators = ArchitectureOperators(self._genome, ranking, params.mutation, params.crossover, kept)
        self._search = Nsga2(self._operators, lambda generation: context.random("generation", generation))
        self.front: FloatArray = np.empty((0, len(_COLUMNS)))
        self.evaluations = 0
        self._measured: list[float] = []  # accuracies of the generation in the making
        self._exhausted = False
        if resume is not None:
            self._restore(resume)

    # -- steps --------------------------------------------------------------------------------------------------------

    def infeasible(self) -> Infeasibility | None:
        """A limit that no architecture, mapping or setting can keep."""
        bounds = zip(("latency", "energy"), ("s", "J"), self._setup.table.least(), strict=True)
        for name, unit, least in bounds:
            field = f"{name}_limit_{unit.lower()}"
            limit = getattr(self._params, field)
            if limit is not None and least > limit:
                remedy = f"Allow at least {in_thousandths(least, unit)}, below which nothing in the space can be."
                return Infeasibility(name, least, limit, unit, least - limit, ((remedy, f"params.{field}"),))
        return None

    def baselines(self) -> Step:
        """The largest architecture of each graph operator on each unit alone."""
        found = []
        setup = self._setup
        for operator in setup.space.operators if self._params.baselines else ():
            architecture = setup.space.largest(operator)
            costs = setup.table.costs(architecture)
            able = np.flatnonzero(np.isfinite(costs.latency_s[:, :, setup.reference]).all(axis=0))
            units = np.repeat(able[:, None], costs.blocks, axis=1)
            titles = [f"{OPERATOR_TITLES[operator]}, {unit_title(setup.model.units[at])} alone" for at in able]
            setting = np.full(len(able), setup.reference)
            percent = self._accuracy.percent(architecture)
            if len(able):
                found.append(self._scoring.designs(architecture, percent, units, setting, 0, "baseline", titles))
        return self._step(
            0.01, "Largest architectures on each unit alone", Designs.concatenate(found) if found else None
        )

    def generations(self) -> Iterator[Step]:
        """Generation after generation, until the budget or the space is used up."""
        total = self._params.evaluations
        while self.evaluations < total and not self._exhausted:
            yield from self._next_generation()
            if self._context.stop_requested():
                return
        yield Step(1.0, self._words(), self._metrics(), results=tuple(run_results(self._setup, self.front)))

    def _fraction(self) -> float:
        share: float = (self.evaluations + len(self._measured)) / self._params.evaluations
        return 0.01 + 0.98 * min(1.0, share)

    def _next_generation(self) -> Iterator[Step]:
        """Score new architectures and keep the best. Until its last step everything but the measured accuracies is as before."""
        params = self._params
        genes = self._search.ask(min(params.population, params.evaluations - self.evaluations))
        if not len(genes):
            self._exhausted = True
            return
        architectures = [self._genome.decode(row) for row in genes]
        yield from self._measure(architectures)
        if len(self._measured) < len(genes):
            return
        scored = Scored(genes, np.array(self._measured), self._mapped(genes, architectures))
        self._measured = []
        found_at = self.evaluations + 1 + np.arange(len(scored))
        designs = self._designs(scored, found_at.tolist())
        self.evaluations += len(scored)
        self._search.tell(scored)
        yield self._step(self._fraction(), self._words(), self._reported(designs))

    def _measure(self, architectures: Sequence[Architecture]) -> Iterator[Step]:
        """Accuracies of a generation into `_measured`; stops in between where that was asked for."""
        for number in range(len(self._measured), len(architectures)):
            if self._context.stop_requested():
                return
            if self._setup.weights is not None and number and number % _MEASURED_TOGETHER == 0:
                words = (
                    f"{self._words()}; {counted(number)} of {counted(len(architectures))} of this generation measured"
                )
                yield self._step(self._fraction(), words, None)
            self._measured.append(self._accuracy.percent(architectures[number]))

    def _mapped(self, genes: IntArray, architectures: Sequence[Architecture]) -> tuple[Mapped, ...]:
        items = [
            (self._setup.table.costs(each), self._context.random("mapping", code))
            for each, code in zip(architectures, self._genome.codes(genes).tolist(), strict=True)
        ]
        return tuple(self._context.executor.map(map_architecture, self._setup.inner, items))

    def _designs(self, scored: Scored, found_at: Sequence[int]) -> Designs:
        parts = [
            self._scoring.designs(self._genome.decode(genes), float(percent), each.units, each.setting, at, "search")
            for genes, percent, each, at in zip(
                scored.genes, scored.accuracy_percent, scored.mapped, found_at, strict=True
            )
        ]
        return Designs.concatenate(parts)

    def _reported(self, designs: Designs) -> Designs:
        """Of a generation's designs those that are new on the front, and a sample of the others."""
        before = len(self.front)
        points = designs.matrix(_COLUMNS)
        allowed = designs.feasible(QUANTITIES)
        merged = np.concatenate([self.front, np.where(allowed[:, None], points, np.nan)])
        on_front = non_dominated(merged, _SENSES)
        self.front = merged[on_front]
        share = _SAMPLED_DESIGNS / (self._params.evaluations * self._params.kept_mappings)
        drawn = self._context.random("report", self._search.generation).random(len(points)) < share
        return designs.take(np.flatnonzero(on_front[before:] | drawn))

    # -- what a step says ---------------------------------------------------------------------------------------------

    def _words(self) -> str:
        return f"{counted(self.evaluations)} architectures, {counted(len(self.front))} designs on the front"

    def _metrics(self) -> dict[str, float]:
        found = {"evaluations": float(self.evaluations)}
        if len(self.front):
            best, least = self.front.max(axis=0), self.front.min(axis=0)
            found |= {"accuracy_percent": float(best[0]), "latency_s": float(least[1]), "energy_j": float(least[2])}
        return found

    def _step(self, fraction: float, words: str, designs: Designs | None) -> Step:
        given = designs if designs is not None and len(designs) else None
        return Step(fraction, words, self._metrics(), given, checkpoint=self._checkpoint())

    # -- checkpoints --------------------------------------------------------------------------------------------------

    def _checkpoint(self) -> bytes:
        population = self._search.parents
        state: dict[str, Any] = {
            "evaluations": self.evaluations,
            "generation": self._search.generation,
            "exhausted": self._exhausted,
            "measured": np.array(self._measured, dtype=np.float64),
            "seen": np.array(sorted(self._operators.seen), dtype=np.int32),
        }
        if population is not None:
            state |= {"genes": population.genes.astype(np.int16), "accuracy": population.accuracy_percent}
        problem = self._problem
        return pack_checkpoint(problem.engine, problem.version, problem.hash(), state)

    def _restore(self, resume: Resume) -> None:
        problem = self._problem
        state: Mapping[str, Any] = unpack_checkpoint(resume.checkpoint, problem.engine, problem.version, problem.hash())
        self.evaluations, self._search.generation = int(state["evaluations"]), int(state["generation"])
        self._exhausted = bool(state["exhausted"])
        self._operators.seen = set(state["seen"].tolist())
        self._measured = state["measured"].tolist()
        designs = resume.designs
        self.front = designs.matrix(_COLUMNS)[designs.front(QUANTITIES)]
        if "genes" in state:
            genes = state["genes"].astype(np.int64)
            mapped = self._mapped(genes, [self._genome.decode(row) for row in genes])
            self._search.parents = Scored(genes, state["accuracy"], mapped)
