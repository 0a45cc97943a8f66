"""The SCAR engine: multi-model schedules on heterogeneous chiplet packages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from engines.checkpoints import pack_checkpoint, unpack_checkpoint
from engines.contract import Context, Engine, Infeasibility, InputKind, Plan, Problem, Resume, Step, require
from engines.designs import Designs
from engines.methods.scar.certificates import proof_results, window_proofs
from engines.methods.scar.decision import ScarSchedule, decode, encode, layout_dataflow, validate
from engines.methods.scar.explain import explain_schedule, run_results
from engines.methods.scar.objectives import goal_of
from engines.methods.scar.openings import Openings, openings_results, schedule_results
from engines.methods.scar.params import ScarParams
from engines.methods.scar.planning import make_plan
from engines.methods.scar.quantities import QUANTITIES
from engines.methods.scar.scoring import COLUMNS, Scorer
from engines.methods.scar.stages import Batch, Candidate, schedule_batches
from engines.methods.scar.stated_model import choices_table
from engines.methods.scar.tables import ScenarioTables, build_tables, with_dataflow
from engines.methods.scar.window_options import DeadEndError
from engines.methods.scar.windows import dead_end, possible_cuts
from engines.results import Result
from engines.search.indicators import non_dominated
from engines.workloads.loader import load_scenario
from engines.workloads.network import Scenario
from engines.workloads.pricing import left_out_notes, require_priced
from engines.workloads.rates import unused_terms_notes
from hardware.loader import load_package
from hardware.package import DATAFLOWS, ChipletPackage

MOST_DESIGNS = 20_000
_SAMPLED_DESIGNS = 15_000
_MOST_CHIPLETS = 62  # occupied chiplets are bits of a signed 64-bit integer


class ScarEngine(Engine):
    """Window-by-window search, exact or greedy as published, and a front around it."""

    name = "scar"
    title = "SCAR"
    summary = (
        "Schedules several networks on a package of chiplets: time windows, segments and the chiplets they run on."
    )
    source = "odema-2024, chapter 4 (MICRO 2024, arXiv 2405.00790)"
    version = 4
    tags = ("scheduling", "chiplets", "multi-model")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": InputKind(
            "hardware",
            "Chiplet package",
            "A mesh of accelerator chiplets with off-chip memory at its sides.",
            load_package,
            ("chiplet-package/1",),
        ),
        "workload": InputKind(
            "workload",
            "Workload",
            "The networks that run at the same time, with their batches; a single network counts as one model.",
            load_scenario,
            ("scenario/1", "network/1"),
        ),
    }
    Params = ScarParams
    quantities = QUANTITIES

    def check(self, problem: Problem) -> None:
        """Refuse a package that the cost model or the search cannot describe, and a workload without work."""
        goal_of(problem.params)
        package, scenario = _inputs(problem)
        count = len(package.chiplets)
        require(
            1 <= count <= _MOST_CHIPLETS,
            "inputs.hardware.package",
            count,
            f"a package of 1 to {_MOST_CHIPLETS} chiplets",
        )
        dataflows = sorted({chiplet.dataflow for chiplet in package.chiplets})
        for dataflow in dataflows:
            require(
                dataflow in DATAFLOWS, "inputs.hardware.chiplets", dataflow, f"chiplets of {' or '.join(DATAFLOWS)}"
            )
        require(any(package.has_interface(c.index) for c in package.chiplets), "inputs.hardware.off_chip_memory",
                package.memory.sides, "sides with at least one chiplet")  # fmt: skip
        require(len(scenario.models) > 0, "inputs.workload.models", 0, "at least one model")
        require_priced(scenario)
        for model in scenario.models:
            layers = len(model.network.layers)
            require(layers > 0, f"inputs.workload.{model.network.slug}", layers, "at least one layer that computes")
        params = problem.params
        if params.n_splits_search == "range":
            accepted = f"at most {params.n_splits}, where the range ends (n_splits)"
            require(params.n_splits_least <= params.n_splits, "params.n_splits_least", params.n_splits_least, accepted)
        if params.model_chiplets.strip():
            possible_cuts(_tables(problem))

    def plan(self, problem: Problem) -> Plan:
        """Evaluations, time, whether it fits, and lower bounds."""
        plan = make_plan(_tables(problem))
        scenario = _inputs(problem)[1]
        return replace(plan, notes=(*plan.notes, *left_out_notes(scenario), *unused_terms_notes(scenario)))

    def estimator(self, problem: Problem) -> tuple[str, Literal["fitted", "predicted", "measured"]]:
        """The cost model in words."""
        params = problem.params
        forms = f"MAESTRO's closed forms (kcp_ws, {params.output_stationary_mapping}, dpt"
        forms += "; its off-chip rule)" if params.dram_rule == "maestro" else ")"
        return f"{forms} and the package model of odema-2024 section 4.3", "predicted"

    def primary_metric(self, problem: Problem) -> str:
        """What the search was asked for."""
        return {"latency": "latency_s", "energy": "energy_j"}.get(problem.params.objective, "edp_js")

    def run(self, problem: Problem, context: Context, resume: Resume | None = None) -> Iterator[Step]:
        """The schedule of the chosen search first, then baselines, then combinations until the evaluations are used up."""
        package, scenario = _inputs(problem)
        tables = _tables(problem)
        cuts, infeasible = possible_cuts(tables)
        if infeasible is not None:
            yield _infeasible_step(infeasible)
            return
        report = _Report(problem, context, resume)
        named: list[Candidate] = []
        notes: list[str] = []
        openings: Openings | None = None
        try:
            for batch in schedule_batches(package, scenario, tables, cuts, context):
                named += [candidate for candidate in batch.candidates if candidate.title]
                notes += batch.notes
                openings = openings or batch.openings
                step = report.step(batch)
                if step is not None:
                    yield step
        except DeadEndError as found:
            yield _infeasible_step(dead_end(tables, found))
            return
        assert openings is not None  # the first batch always has them
        proofs = _proofs(tables, openings, report.front)
        scores = [report.scorers.score(candidate.schedule) for candidate in named]
        results = run_results(named, scores, report.best(), tuple(dict.fromkeys(notes)), report.exhausted)
        choices = choices_table(problem.params, goal_of(problem.params).title, openings.chosen.cut.n_splits)
        yield Step(
            1.0, f"{report.evaluations} schedules evaluated", report.metrics(), results=(*results, *proofs, choices)
        )

    def evaluate(self, problem: Problem, decisions: Sequence[Mapping[str, Any]], context: Context) -> Designs:
        """The same numbers again, with origin "user"."""
        scorers = _Scorers(problem)
        schedules = [decode(decision) for decision in decisions]
        for schedule in schedules:
            validate(schedule, scorers.tables(schedule))
        count = len(schedules)
        values = np.array([scorers.score(schedule) for schedule in schedules]).reshape(count, len(COLUMNS))
        return _designs(values, schedules, np.zeros(count, np.int64), ["user"] * count, [""] * count)

    def explain(self, problem: Problem, decision: Mapping[str, Any], context: Context) -> tuple[Result, ...]:
        """Grid, schedule, energy breakdown and windows of one design."""
        scorers = _Scorers(problem)
        schedule = decode(decision)
        tables = scorers.tables(schedule)
        validate(schedule, tables)
        return explain_schedule(tables, schedule, scorers.scorer(schedule))


def _infeasible_step(found: Infeasibility) -> Step:
    return Step(1.0, f"Needs {found.demand:g} {found.limit}, has {found.bound:g}.", infeasible=found)


def _proofs(tables: ScenarioTables, openings: Openings, front: npt.NDArray[np.float64]) -> tuple[Result, ...]:
    """What is proven of the windows of the first schedule, and of the best schedule of the run."""
    goal, chosen = goal_of(tables.params), openings.chosen
    best = float(goal.value(front[:, 0], front[:, 1]).min())
    proofs = window_proofs(tables, chosen.cut.windows, chosen.trajectory, goal)
    return (
        *schedule_results(best, openings, goal, tables.params),
        *proof_results(chosen.trajectory, proofs, goal),
        *openings_results(openings, goal),
    )


class _Scorers:
    """A scorer per package variant, made on first use."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._scorers: dict[str | None, Scorer] = {}

    def scorer(self, schedule: ScarSchedule) -> Scorer:
        dataflow = layout_dataflow(schedule.layout)
        if dataflow not in self._scorers:
            self._scorers[dataflow] = Scorer(_tables(self._problem, dataflow))
        return self._scorers[dataflow]

    def tables(self, schedule: ScarSchedule) -> ScenarioTables:
        return self.scorer(schedule).tables

    def score(self, schedule: ScarSchedule) -> tuple[float, ...]:
        return self.scorer(schedule).score(schedule)


class _Report:
    """Scores batches, decides which designs to report and turns them into steps; skips what was reported before a resume."""

    def __init__(self, problem: Problem, context: Context, resume: Resume | None) -> None:
        self.scorers = _Scorers(problem)
        self.evaluations = 0
        self._problem, self._context = problem, context
        self._hash = problem.hash()
        self._number = self._resume_at = 0
        self._reported = 0
        self._front: npt.NDArray[np.float64] = np.empty((0, 2))
        if resume is not None:
            state = unpack_checkpoint(resume.checkpoint, ScarEngine.name, ScarEngine.version, self._hash)
            self._resume_at = int(state["steps"])
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
        """For a step."""
        return {"evaluations": float(self.evaluations), **dict(zip(COLUMNS[:3], self.best(), strict=True))}

    def step(self, batch: Batch) -> Step | None:
        """The step of a batch; None if it was reported before."""
        before = self.evaluations
        self.evaluations += len(batch.candidates)
        self._number += 1
        if self._number <= self._resume_at or not batch.candidates:
            return None
        schedules = [candidate.schedule for candidate in batch.candidates]
        found = _designs(
            np.array([self.scorers.score(schedule) for schedule in schedules]),
            schedules,
            np.arange(before + 1, self.evaluations + 1),
            [candidate.origin for candidate in batch.candidates],
            [candidate.label for candidate in batch.candidates],
        )
        found = found.take(self._worth_reporting(found))
        self._reported += len(found)
        budget = int(self._problem.params.evaluations)
        return Step(
            fraction=min(self.evaluations / budget, 1.0) * 0.99,
            message=batch.message,
            metrics=self.metrics(),
            designs=found,
            checkpoint=pack_checkpoint(ScarEngine.name, ScarEngine.version, self._hash, {"steps": self._number}),
        )

    def _worth_reporting(self, found: Designs) -> npt.NDArray[np.int64]:
        """All non-dominated designs, all baselines, and a seeded sample of the rest that fits `MOST_DESIGNS`."""
        on_front = self._extend_front(found)
        sampled = np.ones(len(found), bool)
        budget = int(self._problem.params.evaluations)
        if budget > MOST_DESIGNS:
            draws = self._context.random("report", self._number).random(len(found))
            sampled = draws < _SAMPLED_DESIGNS / budget
            sampled &= np.cumsum(sampled) + self._reported + on_front.sum() <= MOST_DESIGNS
        baseline = np.array([origin == "baseline" for origin in found.origin])
        return np.flatnonzero(on_front | sampled | baseline)

    def _extend_front(self, found: Designs) -> npt.NDArray[np.bool_]:
        """Add search designs to the front; tells which of `found` are on it now."""
        searched = np.array([origin == "search" for origin in found.origin], dtype=bool)
        points = found.matrix(COLUMNS[:2])
        merged = np.concatenate([self._front, points[searched]])
        keep = non_dominated(merged, ("minimise", "minimise"))
        on_front = np.zeros(len(found), dtype=bool)
        on_front[np.flatnonzero(searched)] = keep[len(self._front) :]
        self._front = np.unique(merged[keep], axis=0)
        return on_front


def _designs(
    values: npt.NDArray[np.float64],
    schedules: Sequence[ScarSchedule],
    found_at: npt.NDArray[np.int64],
    origin: Sequence[str],
    label: Sequence[str],
) -> Designs:
    columns = {name: values[:, number] for number, name in enumerate(COLUMNS)}
    return Designs(columns, [encode(schedule) for schedule in schedules], found_at, origin, label)


def _inputs(problem: Problem) -> tuple[ChipletPackage, Scenario]:
    """The parsed documents."""
    package = problem.values.get("hardware") or load_package(problem.inputs["hardware"].content)
    scenario = problem.values.get("workload") or load_scenario(problem.inputs["workload"].content)
    return package, scenario


def _tables(problem: Problem, dataflow: str | None = None) -> ScenarioTables:
    package, scenario = _inputs(problem)
    variant = package if dataflow is None else with_dataflow(package, dataflow)
    return build_tables(variant, scenario, problem.params)
