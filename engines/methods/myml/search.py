"""The run: the original's epochs, the published designs, then NSGA-II. Imported only where torch is needed."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.counts import counted
from engines.contract.designs import Designs
from engines.contract.engine import File, Recorder, Step
from engines.contract.limits import ROOM, nearest
from engines.contract.quantities import objectives_of
from engines.contract.results import Result
from engines.data.torch_images import pinned
from engines.learning.course import Course
from engines.learning.curves import loss_curve
from engines.methods.myml.bench import Bench, bench_with, keep_state
from engines.methods.myml.choices import PLATFORMS, original
from engines.methods.myml.instance import MymlInstance
from engines.methods.myml.original import Original
from engines.methods.myml.outcome import run_results
from engines.methods.myml.quantities import CHOICE, QUANTITIES
from engines.search.choice_operators import Alleles, ChoiceOperators
from engines.search.generations import Generations
from engines.search.nsga2 import Rated

_TRAINING_SHARE, _SEARCH_SHARE = 0.15, 0.8


def run_search(instance: MymlInstance, record: Recorder) -> Iterator[Step]:
    """All steps of a run."""
    context = record.context
    with pinned(context.device):
        data = instance.data.read(context.files)
        learner = Original(instance, data, context)
        course = Course(learner)
        if record.state is not None:
            course.restore(record.state, context.files)
        yield from course.steps(record, lambda: _told(course))
        if not course.done:
            return
        keep_state(learner)
        files = [learner.file()] if instance.given is None else []
        yield from _Run(bench_with(learner, data), record, course.state(context.files), files).steps()


def _told(course: Course) -> tuple[float, str, tuple[Result, ...]]:
    curve = loss_curve(course.losses, {"Cross-entropy": (0, course.learner.epochs)}, "Training of the original")
    return _TRAINING_SHARE * course.share, f"The original: {course.words}", (curve,)


class _Run:
    """Designs, batch by batch."""

    def __init__(self, bench: Bench, record: Recorder, state: Mapping[str, Any], files: Sequence[File]) -> None:
        self._bench, self._record, self._state, self._files = bench, record, state, files
        self._instance = bench.instance

    def steps(self) -> Iterator[Step]:
        """Baselines, search, what is to be said of both."""
        if not record_has_designs(self._record):
            first = self._first()
            if first is None:
                return
            yield first
        finished = yield from self._searched()
        if not finished or self._record.context.stop_requested():
            return
        designs = self._record.designs
        if not designs.counted(QUANTITIES).any():
            yield self._record.infeasible(nearest(self._instance.allowed, designs.take(_of_search(designs))))
            return
        results = run_results(self._bench, designs)
        if results is None:
            return
        yield self._record.step(1.0, f"{counted(self._record.evaluations)} networks pruned", results)

    def _first(self) -> Step | None:
        choices = [original(platform) for platform in PLATFORMS]
        names = ["Original, CPU", "Original, accelerator"]
        published = self._instance.baselines
        found = self._bench.designs([*choices, *published])
        if found is None:
            return None
        titles = {"cpu": "As published, CPU", "accelerator": "As published, accelerator"}
        labelled = Designs(
            found.columns, found.decisions, label=[*names, *(titles[each.platform] for each in published)]
        )
        self._record.add(labelled, "baseline", np.zeros(len(labelled), np.int64))
        words = "The original and the published schedules are measured"
        return self._record.step(_TRAINING_SHARE, words, files=self._files, state=self._state)

    def _searched(self) -> Generator[Step, None, bool]:
        instance, record = self._instance, self._record
        sizes = np.array(instance.space.sizes)
        alleles = Alleles(np.tile(np.arange(sizes.max()), (len(sizes), 1)), sizes)
        params, total = instance.params, min(instance.params.evaluations, math.prod(sizes.tolist()))
        operators = ChoiceOperators(alleles, params.population, set())
        search = Generations(
            operators, params.population, total, lambda number: record.context.random("generation", number)
        )
        state = record.state
        if state is not None and "generation" in state:
            operators.seen.update(tuple(row) for row in np.asarray(state["seen"], np.int64).tolist())
            parents = Rated(*(np.asarray(state[name]) for name in ("genes", "costs", "violation")))
            search.continue_from(int(state["generation"]), record.evaluations, parents)
        for genes in search.asked(record.context.stop_requested):
            found = self._bench.designs([instance.space.choice_of(row) for row in genes])
            if found is None:
                return False
            record.add(found)
            operators.seen.update(tuple(row) for row in genes.tolist())
            parents = search.tell(_rated(instance, genes, found))
            seen = np.array(sorted(operators.seen), dtype=np.int32)
            kept = {
                **self._state, "generation": search.generation, "genes": parents.genes, "costs": parents.costs,
                "violation": parents.violation, "seen": seen,
            }  # fmt: skip
            self._state = kept
            fraction = _TRAINING_SHARE + _SEARCH_SHARE * record.evaluations / total
            yield record.step(fraction, f"{record.evaluations} of {total} networks pruned", state=kept)
        return search.done


def record_has_designs(record: Recorder) -> bool:
    """Whether the baselines were told."""
    return record.told > 0


def _of_search(designs: Designs) -> IntArray:
    return np.flatnonzero(designs.of_origin("search"))


def _rated(instance: MymlInstance, genes: IntArray, found: Designs) -> Rated:
    objectives = objectives_of(CHOICE.roles(QUANTITIES, instance.params))
    costs = [found.columns[each.name] * (1.0 if each.sense == "minimise" else -1.0) for each in objectives]
    room = found.columns[ROOM.name]
    return Rated(genes, np.stack(costs, axis=1), np.where(room < 0, -room, 0.0))
