"""What a run reports: scores of its schedules, which of them are kept, and the steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engines.chiplets.costs.scoring import COLUMNS, Scorer
from engines.chiplets.problem.decision import PackageSchedule, encode, layout_dataflow
from engines.chiplets.problem.tables import ScenarioTables, build_tables, with_dataflow
from engines.contract.counts import counted
from engines.contract.designs import Designs
from engines.contract.engine import Context, Problem, Resume, Step
from engines.contract.non_dominated import non_dominated
from engines.methods.scar.course.stages import Batch
from engines.methods.scar.params import ScarParams
from engines.methods.scar.pieces import Pieces
from engines.running.checkpoints import pack_checkpoint, unpack_checkpoint
from engines.workloads.network import Scenario
from hardware.package.model import ChipletPackage

MOST_DESIGNS = 20_000
_SAMPLED_DESIGNS = 15_000


def inputs_of(problem: Problem[ScarParams]) -> tuple[ChipletPackage, Scenario]:
    """The parsed documents."""
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
        """The scorer of the package that a schedule is for."""
        return self._of(layout_dataflow(schedule.layout))

    def _of(self, dataflow: str | None) -> Scorer:
        if dataflow not in self._scorers:
            self._scorers[dataflow] = Scorer(tables_of(self._problem, dataflow))
        return self._scorers[dataflow]

    def tables(self, schedule: PackageSchedule) -> ScenarioTables:
        """The tables of that package."""
        return self.scorer(schedule).tables

    def score(self, schedule: PackageSchedule) -> tuple[float, ...]:
        """The values of `COLUMNS`."""
        return self.scorer(schedule).score(schedule)


class Report:
    """Scores batches, decides which designs to report and turns them into steps; skips what was reported before a resume.

    Attributes:
        pieces: what was searched so far; checkpoints keep it.
    """

    def __init__(self, problem: Problem[ScarParams], scorers: Scorers, context: Context, resume: Resume | None) -> None:
        self.scorers = scorers
        self.evaluations = 0
        self._problem, self._context = problem, context
        self._hash = problem.hash()
        self._number = self._resume_at = 0
        self._reported = 0
        self._front: npt.NDArray[np.float64] = np.empty((0, 2))
        self.pieces = Pieces()
        if resume is not None:
            state = unpack_checkpoint(resume.checkpoint, self._problem.engine, self._problem.version, self._hash)
            self._resume_at = int(state["steps"])
            self.pieces = Pieces(state)
            self._reported = len(resume.designs)
            self._extend_front(resume.designs)

    @property
    def exhausted(self) -> bool:
        """Whether fewer schedules were evaluated than asked for."""
        return self.evaluations < int(self._problem.params.evaluations)

    @property
    def front(self) -> npt.NDArray[np.float64]:
        """Latency and energy of the non-dominated schedules of the search, shape `n x 2`."""
        return self._front

    def best(self) -> tuple[float, float, float]:
        """Least latency, energy and energy-delay product of the search so far."""
        return (float(self._front[:, 0].min()), float(self._front[:, 1].min()), float(self._front.prod(axis=1).min()))

    def metrics(self) -> dict[str, float]:
        """For a step; without the best values while no search has given a design."""
        best = dict(zip(COLUMNS[:3], self.best(), strict=True)) if len(self._front) else {}
        return {"evaluations": float(self.evaluations), **best}

    def step(self, batch: Batch) -> Step | None:
        """The step of a batch; None if it was reported before."""
        before = self.evaluations
        self.evaluations += len(batch.candidates)
        self._number += 1
        if self._number <= self._resume_at or not batch.candidates:
            return None
        schedules = [candidate.schedule for candidate in batch.candidates]
        found = designs_of(
            np.array([self.scorers.score(schedule) for schedule in schedules]),
            schedules,
            np.arange(before + 1, self.evaluations + 1),
            [candidate.origin for candidate in batch.candidates],
            [candidate.label for candidate in batch.candidates],
        )
        found = found.take(self._worth_reporting(found))
        self._reported += len(found)
        return Step(self._fraction, batch.message, self.metrics(), found, checkpoint=self._checkpoint())

    def kept(self) -> Step:
        """A step without designs whose checkpoint keeps what was searched since the last one."""
        words = f"{counted(self.pieces.position)} searches of windows"
        return Step(self._fraction, words, self.metrics(), checkpoint=self._checkpoint())

    @property
    def _fraction(self) -> float:
        return min(self.evaluations / int(self._problem.params.evaluations), 1.0) * 0.99

    def _checkpoint(self) -> bytes:
        # While a resumed run walks through what it did before, all that it reported stays reported.
        state = {"steps": max(self._number, self._resume_at), **self.pieces.state()}
        self.pieces.saved()
        return pack_checkpoint(self._problem.engine, self._problem.version, self._hash, state)

    def _worth_reporting(self, found: Designs) -> npt.NDArray[np.int64]:
        """All non-dominated designs, all baselines, and a seeded sample of the rest that fits `MOST_DESIGNS`."""
        on_front = self._extend_front(found)
        sampled = np.ones(len(found), bool)
        budget = int(self._problem.params.evaluations)
        if budget > MOST_DESIGNS:
            draws = self._context.random("report", self._number).random(len(found))
            sampled = draws < _SAMPLED_DESIGNS / budget
            sampled &= np.cumsum(sampled) + self._reported + on_front.sum() <= MOST_DESIGNS
        return np.flatnonzero(on_front | sampled | found.of_origin("baseline"))

    def _extend_front(self, found: Designs) -> npt.NDArray[np.bool_]:
        """Add search designs to the front; tells which of `found` are on it now."""
        searched = found.of_origin("search")
        points = found.matrix(COLUMNS[:2])
        merged = np.concatenate([self._front, points[searched]])
        keep = non_dominated(merged, ("minimise", "minimise"))
        on_front = np.zeros(len(found), dtype=bool)
        on_front[np.flatnonzero(searched)] = keep[len(self._front) :]
        self._front = np.unique(merged[keep], axis=0)
        return on_front


def designs_of(
    values: npt.NDArray[np.float64],
    schedules: Sequence[PackageSchedule],
    found_at: npt.NDArray[np.int64],
    origin: Sequence[str],
    label: Sequence[str],
) -> Designs:
    """Designs from the values of `COLUMNS`, shape `n x columns`, and what they belong to."""
    columns = {name: values[:, number] for number, name in enumerate(COLUMNS)}
    return Designs(columns, [encode(schedule) for schedule in schedules], found_at, origin, label)
