"""NSGA-II over packages up to symmetry, for spaces too large to list.

An individual is a package with a goal; it is worth what the best schedule of the package by that goal reaches. Packages beyond the
limits, or on which the workload cannot run, are worth less than all others, by how far they are beyond. Packages that are the same
but for symmetry are one individual. Every generation draws from a stream of its own, so that a continued run makes the same one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.engine import Context
from engines.contract.integer_format import many
from engines.methods.package_search.packages.baselines import baseline_packages
from engines.methods.package_search.packages.space import Genotype, PackageSpace
from engines.methods.package_search.params import ScheduleGoal, objective_columns, schedule_goals
from engines.methods.package_search.quantities import COLUMNS
from engines.methods.package_search.search.genetic import offspring, survivors
from engines.methods.package_search.search.progress import SIZE, Batch, Progress
from engines.methods.package_search.search.scheduling import BestSchedule, ScheduleProblem, Task, schedule_package
from engines.search.nsga2 import Nsga2, Rating

Individual = tuple[int, ...]  # the goal, then the genotype

_OUT_OF_QUESTION = 1e30  # pymoo wants finite numbers
_CANNOT_RUN = 1.0
_IDLE_GENERATIONS = 20


class EvolutionarySearch:
    """The evolutionary search and its state.

    Args:
        setting, space: the problem.
        progress: counted on.
        context: for work, random numbers, and a stop.
    """

    def __init__(self, setting: ScheduleProblem, space: PackageSpace, progress: Progress, context: Context) -> None:
        self._setting, self._space, self._progress, self._context = setting, space, progress, context
        self._goals = schedule_goals(setting.params)
        self._columns = [COLUMNS.index(name) for name in objective_columns(setting.params)]
        self._letters = space.letters(0)
        self._heads = space.head_sizes()
        self._known: dict[Individual, FloatArray | None] = {}
        self._seen: set[Genotype] = set()

    def knows(self, genotype: Genotype, goal: ScheduleGoal, values: Sequence[float]) -> None:
        """Take over a schedule that was found before a resume."""
        self._known[(self._goals.index(goal), *genotype)] = np.array(values)[self._columns]
        self._seen.add(genotype)

    def run(self, position: Mapping[str, Any]) -> Iterator[Batch]:
        """Yield the batches of schedules until the evaluations are used up or nothing new turns up.

        Args:
            position: position of the last checkpoint; empty at the start.
        """
        search = Nsga2(self, lambda generation: self._context.random("packages", generation))
        search.generation = int(position.get("generation", 0))
        idle = int(position.get("idle", 0))
        for row in np.asarray(position.get("impossible", []), dtype=np.int64).tolist():
            self._known[tuple(row)] = None
            self._seen.add(tuple(row[1:]))
        if search.generation:
            search.parents = self._rated(np.asarray(position["genes"], dtype=np.int64))
        fresh = bool(int(position.get("fresh", 0)))
        while not self._context.stop_requested():
            genes = search.ask(self._setting.params.population)
            if not len(genes):
                return
            parents = genes if search.parents is None else search.parents.genes
            before = self._progress.evaluations
            for batch in self._schedule(genes, {"generation": search.generation, "idle": idle, "genes": parents}):
                yield batch
                if self._context.stop_requested():
                    return
            idle = 0 if fresh or self._progress.evaluations > before else idle + 1
            if self._is_over(idle):
                return
            search.tell(self._rated(genes))
            fresh = False

    def _is_over(self, idle: int) -> bool:
        return idle >= _IDLE_GENERATIONS or self._progress.evaluations >= self._setting.params.evaluations

    # -- individuals --------------------------------------------------------------------------------------------------

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """Return the baselines that belong to the space, each with every goal, then individuals at random, all different.

        Shape `k x genes`.
        """
        rows: dict[Individual, None] = {}
        for candidate in baseline_packages(self._space.base).values():
            try:
                genotype = self._space.genotype(candidate)
            except ValueError:
                continue
            rows |= dict.fromkeys((goal, *genotype) for goal in range(len(self._goals)))
        genes = 1 + len(self._heads) + len(self._letters)
        for _ in range(20 * count):
            if len(rows) >= count:
                break
            row = np.array([[self._draw(random, position) for position in range(genes)]])
            rows[tuple(self._mend(row)[0].tolist())] = None
        return np.array(list(rows)[:count], dtype=np.int64)

    def _draw(self, random: np.random.Generator, position: int) -> int:
        if position == 0:
            return int(random.integers(len(self._goals)))
        if position <= len(self._heads):
            return int(random.integers(self._heads[position - 1]))
        allowed = self._letters[position - 1 - len(self._heads)]
        return int(allowed[int(random.integers(len(allowed)))])

    def _mend(self, genes: IntArray) -> IntArray:
        rows = [(row[0], *self._space.canonical(tuple(row[1:]))) for row in genes.tolist()]
        return np.array(rows, dtype=np.int64).reshape(genes.shape)

    def children(self, parents: Rating, random: np.random.Generator, count: int) -> IntArray:
        """Return as many children as there are parents, all new, shape `k x genes`; fewer where none can be found."""
        return offspring(parents, self._draw, self._mend, random)

    def survivors(self, parents: Rating | None, children: Rating) -> Rating:
        """Return the best distinct ones of parents and children."""
        if parents is None:
            return children
        both = Rating.joined(parents, children)
        both = both.take(np.unique(both.genes, axis=0, return_index=True)[1])
        return both.take(survivors(both, min(len(both.genes), self._setting.params.population)))

    # -- what they are worth ------------------------------------------------------------------------------------------

    def _rated(self, genes: IntArray) -> Rating:
        costs = np.full((len(genes), len(self._columns)), _OUT_OF_QUESTION)
        violation = np.zeros(len(genes))
        for number, row in enumerate(genes.tolist()):
            over = self._space.violation(tuple(row[1:]))
            values = self._known.get(tuple(row))
            violation[number] = over if over > 0 or values is not None else _CANNOT_RUN
            if values is not None:
                costs[number] = values
        return Rating(genes, costs, violation)

    def _schedule(self, genes: IntArray, place: Mapping[str, Any]) -> Iterator[Batch]:
        """Schedule the individuals (`k x genes`) that are new and within the limits, `SIZE` at a time."""
        rows = [tuple(row) for row in genes.tolist()]
        wanted = [r for r in rows if r not in self._known and self._space.violation(r[1:]) == 0]
        for begin in range(0, len(wanted), SIZE):
            room = self._setting.params.evaluations - self._progress.evaluations
            part = wanted[begin : begin + min(SIZE, room)]
            if not part:
                return
            tasks = [Task(self._space.candidate(row[1:]), (self._goals[row[0]],)) for row in part]
            answers = self._context.executor.map(schedule_package, self._setting, tasks)
            founds: list[BestSchedule] = []
            for row, own in zip(part, answers, strict=True):
                self._known[row] = np.array(own[0].values)[self._columns] if own else None
                founds += own
                if row[1:] not in self._seen:
                    self._seen.add(row[1:])
                    self._progress.scheduled += bool(own)
                    self._progress.cannot_run += not own
            self._progress.count(founds)
            yield Batch(
                f"Generation {place['generation']}: {many(self._progress.scheduled, 'package')}",
                tuple(founds),
                min(1.0, self._progress.evaluations / self._setting.params.evaluations),
                {**place, "fresh": 1, "impossible": self._impossible(genes.shape[1])},
            )

    def _impossible(self, width: int) -> IntArray:
        """Return individuals on which the workload cannot run: nothing else in a checkpoint or the stored designs tells of them.

        Shape `k x width`.
        """
        rows = [row for row, values in self._known.items() if values is None]
        return np.array(rows, dtype=np.int64).reshape(-1, width)
