"""The report of a run: scores of its schedules, which of them are kept, and the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engines.chiplets.costs.scoring import COLUMNS, Scorer
from engines.chiplets.problem.decision import PackageSchedule, encode, layout_dataflow
from engines.chiplets.problem.tables import ScenarioTables, build_tables, with_dataflow
from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.engine import Problem, Recorder, Step
from engines.contract.integer_format import many
from engines.methods.scar.course.stages import Batch
from engines.methods.scar.params import ScarParams
from engines.methods.scar.pieces import Pieces
from engines.search.running_front import RunningFront
from engines.workloads.network import Scenario
from hardware.package.model import ChipletPackage

MOST_DESIGNS = 20_000


def inputs_of(problem: Problem[ScarParams]) -> tuple[ChipletPackage, Scenario]:
    """Return the parsed documents."""
    return problem.value("hardware", ChipletPackage), problem.value("workload", Scenario)


def tables_of(problem: Problem[ScarParams], dataflow: str | None = None) -> ScenarioTables:
    """Cost tables of a problem; `dataflow`: with all chiplets of that one."""
    package, scenario = inputs_of(problem)
    variant = package if dataflow is None else with_dataflow(package, dataflow)
    return build_tables(variant, scenario, problem.params)


class Scorers:
    """A scorer per package variant, made on first use."""

    def __init__(self, problem: Problem[ScarParams]) -> None:
        self._problem = problem
        self._scorers: dict[str | None, Scorer] = {}

    @property
    def given(self) -> ScenarioTables:
        """The tables of the package as it is given."""
        return self._of(None).tables

    def scorer(self, schedule: PackageSchedule) -> Scorer:
        """Return the scorer of the package that a schedule is for."""
        return self._of(layout_dataflow(schedule.layout))

    def _of(self, dataflow: str | None) -> Scorer:
        if dataflow not in self._scorers:
            self._scorers[dataflow] = Scorer(tables_of(self._problem, dataflow))
        return self._scorers[dataflow]

    def tables(self, schedule: PackageSchedule) -> ScenarioTables:
        """Return the tables of that package."""
        return self.scorer(schedule).tables

    def score(self, schedule: PackageSchedule) -> tuple[float, ...]:
        """Return the values of `COLUMNS`."""
        return self.scorer(schedule).score(schedule)


class Report:
    """Scores batches, decides which designs to report and turns them into steps; skips what was reported before a resume.

    Attributes:
        pieces: parts searched so far, stored by checkpoints.
    """

    def __init__(self, params: ScarParams, scorers: Scorers, record: Recorder) -> None:
        self.scorers = scorers
        self._record, self._budget = record, int(params.evaluations)
        self._number, self._resume_at = 0, int(record.state["steps"]) if record.state else 0
        self._front = RunningFront(("minimise", "minimise"), distinct=True)
        self.pieces = Pieces(record.state)
        self._extend_front(record.designs)

    @property
    def exhausted(self) -> bool:
        """Whether fewer schedules were evaluated than asked for."""
        return self._record.evaluations < self._budget

    @property
    def front(self) -> FloatArray:
        """Latency and energy of the non-dominated schedules of the search, shape `n x 2`."""
        return self._front.points

    def best(self) -> tuple[float, float, float]:
        """Return the least latency, energy and energy-delay product of the search so far."""
        latency_s, energy_j = self.front.T
        return float(latency_s.min()), float(energy_j.min()), float((latency_s * energy_j).min())

    def step(self, batch: Batch) -> Step | None:
        """Return the step of a batch; None if it was reported before."""
        self._number += 1
        if self._number <= self._resume_at or not batch.candidates:
            return None
        schedules = [candidate.schedule for candidate in batch.candidates]
        values = np.array([self.scorers.score(schedule) for schedule in schedules])
        found = designs_of(values, schedules, [candidate.label for candidate in batch.candidates])
        found = replace(found, origin=[candidate.origin for candidate in batch.candidates])
        at, told = self._record.scored(len(found)), self._worth_reporting(found)
        found = found.take(told)
        self._record.add(found, found.origin, at[told])
        return self._step(batch.message)

    def kept(self) -> Step:
        """Return a step without designs whose checkpoint keeps what was searched since the last one."""
        searched = f"{many(self.pieces.position, 'search')} of windows"
        steps = self.pieces.joint_steps
        return self._step(f"{searched}, {many(steps, 'step')} over all windows together" if steps else searched)

    def _step(self, message: str) -> Step:
        # While a resumed run walks through what it did before, all that it reported stays reported.
        state = {"steps": max(self._number, self._resume_at), **self.pieces.state()}
        self.pieces.saved()
        return self._record.step(min(self._record.evaluations / self._budget, 1.0) * 0.99, message, state=state)

    def _worth_reporting(self, found: Designs) -> IntArray:
        """Return all non-dominated designs, all baselines, and a seeded sample of the rest that fits `MOST_DESIGNS`."""
        on_front = self._extend_front(found)
        sampled = np.ones(len(found), bool)
        if self._budget > MOST_DESIGNS:
            sampled = self._record.sampled(self._number, len(found), self._budget)
            sampled &= np.cumsum(sampled) + self._record.told + on_front.sum() <= MOST_DESIGNS
        return np.flatnonzero(on_front | sampled | found.of_origin("baseline"))

    def _extend_front(self, found: Designs) -> BoolArray:
        """Add search designs to the front; tells which of `found` are on it now."""
        return self._front.extend(found.matrix(COLUMNS[:2]), found.of_origin("search"))


def designs_of(values: FloatArray, schedules: Sequence[PackageSchedule], label: Sequence[str] = ()) -> Designs:
    """Return the designs from the values of `COLUMNS`, shape `n x columns`, and what they belong to."""
    columns = {name: values[:, number] for number, name in enumerate(COLUMNS)}
    return Designs(columns, [encode(schedule) for schedule in schedules], label=label)
