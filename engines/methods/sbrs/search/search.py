"""Algorithm 1 (minakova-2022, section 6): generations, final training, and the application derived from its networks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import Context, Step
from engines.contract.results import Result
from engines.data.data_set import DataSet
from engines.methods.sbrs.search import report
from engines.methods.sbrs.search.archive import FINAL, NetworkRecord, costs_of, finalists
from engines.methods.sbrs.search.evolution import Individual, crossover_at, select, vary
from engines.methods.sbrs.search.genotype import Genome
from engines.methods.sbrs.search.space import NAME, SearchContext
from engines.methods.sbrs.search.training import Task, TrainingOutcome, TrainingTask, rows_of, train
from engines.methods.sbrs.torch_network import inherited_weights, initial_weights, pack_weights, unpack_weights
from engines.search.strategies import Search

_TOGETHER = 4  # networks between two looks at whether somebody asked for a stop


class FinalTraining:
    """Trainings to the end, with batch normalisation, measured on both held-out splits."""

    def __init__(self, laboratory: SearchContext, context: Context) -> None:
        self.laboratory, self.context = laboratory, context

    @cached_property
    def data(self) -> DataSet:
        """The examples, read where something is trained."""
        return self.laboratory.data.read(self.context.files)

    def own(self, genome: Genome) -> NetworkRecord:
        """Return a network of one's own, trained from random weights."""
        random = self.context.random("own", repr(genome))
        weights = initial_weights(self.laboratory.genotype.graph(genome, NAME), random)
        return self.of(genome, pack_weights(weights), random)

    def of(self, genome: Genome, weights: bytes, random: np.random.Generator, epochs: float = 0.0) -> NetworkRecord:
        """Return a network trained from weights that already have `epochs`."""
        params, graph = self.laboratory.params, self.laboratory.genotype.graph(genome, NAME)
        lesson = TrainingTask(self.data, params.learning_rate, params.batch_size, True, ("validation", "test"))
        share = params.final_epochs
        rows = rows_of(len(self.data.train), share, random) if share else np.empty(0, np.int64)
        trained = train(lesson, Task(graph, weights, rows))
        validation, test = trained.accuracies_percent
        key = self.context.files.put(pack_weights(unpack_weights(trained.weights)))
        return NetworkRecord(genome, validation, epochs + share, key, test, FINAL)


class SwitchingSearch:
    """The search of this engine; each evaluation is a training."""

    def __init__(self, search: Search[NetworkRecord]) -> None:
        self._search, self._record, state = search, search.record, search.record.state
        self._training: FinalTraining = search.beginning.context
        self._laboratory = self._training.laboratory
        self._evolution = Evolution(search, state)
        self._chosen: list[int] = list(state["chosen"]) if state else []

    def steps(self) -> Iterator[Step]:
        """Yield the remaining steps of the run."""
        params, evolution = self._laboratory.params, self._evolution
        if evolution.generation < 0:
            words = f"Training of the first {params.population} networks"
            yield self._record.step(0.0, words, report.first_results(self._laboratory))
            if not evolution.begin():
                return
            yield self._step("First population trained")
        while evolution.generation < params.generations:
            designs = evolution.advance()
            if designs is None:
                return
            self._record.add(designs)
            best = float(designs.columns["accuracy_percent"].max())
            words = f"Generation {evolution.generation} of {params.generations}, best accuracy {best:.1f} %"
            accuracies = self._record.designs.columns["accuracy_percent"].reshape(-1, params.population)
            yield self._step(words, (report.accuracy_curve(accuracies, self._laboratory.data.title),))
        if not self._chosen:
            self._chosen = finalists(self._record.designs, self._laboratory.requirements, params.finalists)
        yield from self._finish()

    @property
    def _finals(self) -> Designs:
        """Return the designs that follow the networks of all generations."""
        designs = self._record.designs
        return designs.take(np.arange(self._evolution.generation * self._laboratory.params.population, len(designs)))

    def _finish(self) -> Iterator[Step]:
        """Train one network after the other to the end, then derive the application."""
        lab, context = self._laboratory, self._record.context
        for done, number in enumerate(self._chosen[len(self._finals) :], start=len(self._finals) + 1):
            if context.stop_requested():
                return
            decision = self._record.designs.decisions[number]
            genome, weights = lab.genotype.check(decision["clusters"]), context.files.get(decision["weights"])
            network = self._training.of(genome, weights, context.random("final", number), decision["epochs"])
            self._record.add(self._search.evaluate([network]))
            yield self._step(f"{done} of {len(self._chosen)} networks trained to the end")
        if self._chosen:
            serves, table = report.selection(lab, self._finals)
            scenarios = report.scenarios_of(lab, self._finals, serves, context.files)
            graph, results = report.derived(lab, scenarios)
            verb = "network serves" if len(scenarios) == 1 else "networks serve"
            self._search.words = f"{len(scenarios)} {verb} all requirement sets ({len(lab.requirements)})"
            self._search.results, self._search.files = (table, *results), report.files_of(lab, scenarios, graph)

    def _step(self, message: str, results: tuple[Result, ...] = ()) -> Step:
        params = self._laboratory.params
        whole = params.generations + 2 + len(self._chosen or range(params.finalists))
        fraction = (self._evolution.generation + 1 + len(self._finals)) / whole
        return self._record.step(fraction, message, results, (), {**self._evolution.state, "chosen": self._chosen})


class Evolution:
    """A population and its history.

    Args:
        search: search of the run.
        state: state of a checkpoint; None to begin.
    """

    def __init__(self, search: Search[NetworkRecord], state: Mapping[str, Any] | None = None) -> None:
        training: FinalTraining = search.beginning.context
        self._laboratory, self._context = training.laboratory, training.context
        self._data, self._evaluate = training.data, search.evaluate
        self.population: list[Individual] = []
        self.generation = -1
        if state is not None:
            self.generation = int(state["generation"])
            self.population = [_individual(row) for row in state["population"]]

    @property
    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint."""
        return {"generation": self.generation, "population": [asdict(each) for each in self.population]}

    def begin(self) -> bool:
        """Draw the first population and train it once; False where a stop was asked for."""
        genotype, count = self._laboratory.genotype, self._laboratory.params.population
        genomes = [genotype.draw(self._context.random("genome", number)) for number in range(count)]
        graphs = [genotype.graph(genome, NAME) for genome in genomes]
        weights = [
            pack_weights(initial_weights(graph, self._context.random("weights", number)))
            for number, graph in enumerate(graphs)
        ]
        trained = self._train([Individual(genome, "") for genome in genomes], weights, 0)
        if trained is None:
            return False
        share = self._laboratory.params.epochs_per_generation
        self.population = [
            Individual(genome, self._context.files.put(each.weights), epochs=share)
            for genome, each in zip(genomes, trained, strict=True)
        ]
        self.generation = 0
        return True

    def advance(self) -> Designs | None:
        """Run one generation; return all its networks as designs, None where a stop was asked for."""
        params, number = self._laboratory.params, self.generation + 1
        trained = self._train(
            self.population, [self._weights(place, number) for place in range(len(self.population))], number
        )
        if trained is None:
            return None
        share = params.epochs_per_generation
        self.population = [
            Individual(each.genome, self._context.files.put(result.weights), epochs=each.epochs + share)
            for each, result in zip(self.population, trained, strict=True)
        ]
        measured = [
            NetworkRecord(each.genome, result.accuracies_percent[0], each.epochs, each.weights)
            for each, result in zip(self.population, trained, strict=True)
        ]
        designs = self._evaluate(measured)
        random = self._context.random("vary", number)
        kept = select(self.population, costs_of(designs), params.replaced, random)
        rate = crossover_at(params.crossover, number, params.generations)
        genotype = self._laboratory.genotype
        self.population = vary(kept, genotype, params.mutation, params.mutation_change, rate, random)
        self.generation = number
        return designs

    def _train(
        self, population: Sequence[Individual], weights: Sequence[bytes], number: int
    ) -> list[TrainingOutcome] | None:
        params, genotype = self._laboratory.params, self._laboratory.genotype
        lesson = TrainingTask(self._data, params.learning_rate, params.batch_size)
        tasks = [
            Task(
                genotype.graph(each.genome, NAME),
                own,
                rows_of(
                    len(self._data.train), params.epochs_per_generation, self._context.random("rows", number, place)
                ),
            )
            for place, (each, own) in enumerate(zip(population, weights, strict=True))
        ]
        found: list[TrainingOutcome] = []
        for start in range(0, len(tasks), _TOGETHER):
            if self._context.stop_requested():
                return None
            found += self._context.executor.map(train, lesson, tasks[start : start + _TOGETHER])
        return found

    def _weights(self, place: int, number: int) -> bytes:
        """Return weights to continue from: its own, or laid out again after a change."""
        individual = self.population[place]
        own = self._context.files.get(individual.weights)
        if not individual.changed:
            return own
        before = unpack_weights(own)
        if individual.donor:
            cluster = f"c{individual.donated}."
            given = unpack_weights(self._context.files.get(individual.donor))
            before = {name: array for name, array in before.items() if not name.startswith(cluster)} | {
                name: array for name, array in given.items() if name.startswith(cluster)
            }
        graph = self._laboratory.genotype.graph(individual.genome, NAME)
        return pack_weights(inherited_weights(graph, before, self._context.random("inherit", number, place)))


def _individual(row: Mapping[str, Any]) -> Individual:
    genome = tuple(tuple((int(layer[0]), int(layer[1])) for layer in cluster) for cluster in row["genome"])
    return Individual(**{**row, "genome": genome})
