"""Algorithm 1, one generation at a time: what is trained, what survives, what a checkpoint keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from engines.contract.designs import Designs
from engines.contract.engine import Context
from engines.data.data_set import DataSet
from engines.methods.sbrs.search.archive import NetworkRecord, costs_of, designs_of
from engines.methods.sbrs.search.evolution import Individual, crossover_at, select, vary
from engines.methods.sbrs.search.space import NAME, SearchContext
from engines.methods.sbrs.search.training import Task, TrainingOutcome, TrainingTask, rows_of, train
from engines.methods.sbrs.torch_network import (
    inherited_weights,
    initial_weights,
    pack_weights,
    unpack_weights,
)

_TOGETHER = 4  # networks between two looks at whether somebody asked for a stop


class Evolution:
    """A population and its history.

    Args:
        laboratory: space, data, costs.
        data: the examples.
        context: of the run.
        state: of a checkpoint; None to begin.
    """

    def __init__(
        self, laboratory: SearchContext, data: DataSet, context: Context, state: Mapping[str, Any] | None = None
    ) -> None:
        self._laboratory, self._data, self._context = laboratory, data, context
        self.population: list[Individual] = []
        self.generation = -1
        if state is not None:
            self.generation = int(state["generation"])
            self.population = [_individual(row) for row in state["population"]]

    @property
    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
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
        """Return one generation; all its networks as designs. None where a stop was asked for."""
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
        figures = [self._laboratory.figures(each.genome) for each in measured]
        designs = designs_of(measured, figures)
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
        """Return the weights to go on from: its own, or laid out again after a change."""
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
