"""The SCAR engine: multi-model schedules on heterogeneous chiplet packages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from engines.chiplets.costs.scoring import COLUMNS
from engines.chiplets.decision_columns import SCHEDULE_COLUMNS
from engines.chiplets.explain import SCHEDULE_COMPOSED, explain_schedule
from engines.chiplets.problem.decision import decode, validate
from engines.chiplets.problem.edits import schedule_edits
from engines.chiplets.problem.neighbours import neighbouring_schedules
from engines.chiplets.problem.objectives import goal_of
from engines.chiplets.problem.requirements import require_package, require_work
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.quantities import QUANTITIES
from engines.chiplets.windows.certificates import proof_results, window_proofs
from engines.chiplets.windows.feasibility import dead_end, possible_cuts
from engines.chiplets.windows.options import DeadEndError
from engines.contract.arrays import FloatArray
from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Context,
    Edits,
    Engine,
    Infeasibility,
    InputKind,
    Plan,
    Preset,
    Problem,
    Recorder,
    Step,
    require,
)
from engines.contract.integer_format import many
from engines.contract.questions import SCHEDULE
from engines.contract.results import Breakdown, ChipletGrid, Note, Result, Schedule, Table
from engines.cost.dataflow.element_widths import bits_words
from engines.cost.estimators.registry import cost_model_words
from engines.cost.memory_capacity import memory_check, memory_demand, memory_notes
from engines.cost.soc.model import counted_bits
from engines.documents.input_kinds import package_slot, workload_slot
from engines.methods.scar.course.baselines import other_packages
from engines.methods.scar.course.comparison import run_results
from engines.methods.scar.course.openings import Openings, openings_results, schedule_results
from engines.methods.scar.course.report import Report, Scorers, designs_of, inputs_of
from engines.methods.scar.course.stages import Candidate, schedule_batches
from engines.methods.scar.own_schedules import own_schedules, with_another
from engines.methods.scar.params import LONGEST_SCHEDULES, ScarParams
from engines.methods.scar.planning import make_plan
from engines.methods.scar.stated_model import choices_table
from engines.workloads.rates import unused_terms_notes
from engines.workloads.unknown_operators import left_out_notes

# Where two dataflows pay: the networks suit both, and no package of one of them is as good.
_SOCIAL = {"hardware": "simba-3x3-het-sides-256", "workload": "xrbench-scenario-9"}


class ScarEngine(Engine[ScarParams, Scorers]):
    """Window-by-window search, exact or greedy as published, and a front around it."""

    name = "scar"
    title = "SCAR"
    summary = (
        "Schedules several networks on a package of chiplets: time windows, segments and the chiplets they run on."
    )
    source = "odema-2024, chapter 4 (MICRO 2024, arXiv 2405.00790)"
    question = SCHEDULE
    version = 5
    tags = ("scheduling", "chiplets", "multi-model")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": package_slot(
            "Chiplet package",
            "A mesh of accelerator chiplets with off-chip memory at its sides.",
            _SOCIAL["hardware"],
        ),
        "workload": workload_slot(
            "Workload",
            "The networks that run at the same time, with their batches; a single network counts as one model.",
            preferred=_SOCIAL["workload"],
        ),
    }
    precedence = 2
    Params = ScarParams
    quantities = QUANTITIES
    progress_metrics = COLUMNS[:3]
    result_types = (ChipletGrid, Schedule, Breakdown, Table, Note)
    breakdowns = SCHEDULE_COMPOSED
    decision_columns = SCHEDULE_COLUMNS
    presets = (
        Preset(
            "headset", "Networks of a headset on nine chiplets of two dataflows",
            {"hardware": "simba-3x3-het-sides-left-right-256", "workload": "xrbench-scenario-6"}, {"evaluations": 100},
            question="Which chiplets run the networks of a headset, and when?",
        ),
        Preset(
            "datacentre", "Language models, segmentation and images on nine large chiplets",
            {"hardware": "simba-3x3-het-sides", "workload": "mlperf-scenario-4"},
        ),
    )  # fmt: skip

    def prepare(self, problem: Problem[ScarParams]) -> Scorers:
        """Refuse a package that the cost model or the search cannot describe, and a workload without work."""
        goal_of(problem.params)
        scorers = Scorers(problem)
        package, scenario = inputs_of(problem)
        require_package(package)
        require(any(package.has_interface(c.index) for c in package.chiplets), "inputs.hardware.off_chip_memory",
                package.memory.sides, "sides with at least one chiplet")  # fmt: skip
        params = problem.params
        require_work(scenario, package, ignore_memory=params.ignore_memory, bits=params.bits)
        if params.n_splits_search == "range":
            accepted = f"at most {params.n_splits}, where the range ends (n_splits)"
            require(params.n_splits_least <= params.n_splits, "params.n_splits_least", params.n_splits_least, accepted)
        if params.model_chiplets.strip():
            possible_cuts(scorers.given)
        own_schedules(params.own_schedules, scorers)
        return scorers

    def plan(self, problem: Problem[ScarParams], scorers: Scorers) -> Plan:
        """Return evaluations, time, whether it fits, and lower bounds."""
        plan = make_plan(scorers.given, problem.params.evaluations)
        package, scenario = inputs_of(problem)
        memory = memory_check(
            package,
            memory_demand(scenario.models, stated=not problem.params.bits),
            counted_bits(package.bits, problem.params.bits),
        )
        return replace(
            plan,
            checks=(*plan.checks, memory),
            notes=(*plan.notes, *left_out_notes(scenario), *unused_terms_notes(scenario)),
        )

    def estimator(self, problem: Problem[ScarParams]) -> tuple[str, Certainty]:
        """Return the cost model in words."""
        params = problem.params
        forms = f"MAESTRO's closed forms (kcp_ws, {params.output_stationary_mapping}, dpt"
        forms += "; its off-chip rule)" if params.dram_rule == "maestro" else ")"
        forms += bits_words(params.bits) + cost_model_words(params.cost_model)
        return f"{forms} and the package model of odema-2024 section 4.3", "predicted"

    def baseline_hardware(self, problem: Problem[ScarParams]) -> Mapping[str, str]:
        """Return the packages of one dataflow, but for that of the problem."""
        return other_packages(inputs_of(problem)[0])

    def primary_metric(self, problem: Problem[ScarParams]) -> str:
        """Return the column of the selected objective."""
        return {"latency": "latency_s", "energy": "energy_j"}.get(problem.params.objective, "edp_js")

    def run(self, problem: Problem[ScarParams], scorers: Scorers, record: Recorder) -> Iterator[Step]:
        """Yield the schedule of the chosen search first, then baselines, then combinations until the evaluations are used up."""
        package, scenario = inputs_of(problem)
        tables, context = scorers.given, record.context
        cuts, infeasible = possible_cuts(tables)
        if infeasible is not None:
            yield record.infeasible(infeasible, _needed(infeasible))
            return
        report = Report(problem.params, scorers, record)
        named: list[Candidate] = []
        notes: list[str] = []
        openings: Openings | None = None
        own = own_schedules(problem.params.own_schedules, scorers)
        try:
            for batch in schedule_batches(problem.params, package, scenario, tables, cuts, context, report.pieces, own):
                if batch is None:
                    if report.pieces.due:
                        yield report.kept()
                    continue
                named += [candidate for candidate in batch.candidates if candidate.title]
                notes += batch.notes
                openings = openings or batch.openings
                step = report.step(batch)
                if step is not None:
                    yield step
        except DeadEndError as found:
            ended = dead_end(tables, found)
            yield record.infeasible(ended, _needed(ended))
            return
        assert openings is not None  # the first batch always has them
        proofs = _proofs(tables, openings, report.front)
        scores = [report.scorers.score(candidate.schedule) for candidate in named]
        results = run_results(named, scores, report.best(), tuple(dict.fromkeys(notes)), report.exhausted)
        choices = choices_table(problem.params, goal_of(problem.params).title, openings.chosen.cut.n_splits)
        memory = memory_notes(
            package,
            memory_demand(scenario.models, stated=not problem.params.bits),
            counted_bits(package.bits, problem.params.bits),
        )
        results = (*results, *proofs, choices, *memory)
        yield record.step(1.0, f"{many(record.evaluations, 'schedule')} evaluated", results)

    def evaluate(
        self, problem: Problem[ScarParams], scorers: Scorers, decisions: Decisions, context: Context
    ) -> Designs:
        """Return the same numbers again, with origin "user"."""
        schedules = [decode(decision) for decision in decisions]
        for schedule in schedules:
            validate(schedule, scorers.tables(schedule))
        count = len(schedules)
        values = np.array([scorers.score(schedule) for schedule in schedules]).reshape(count, len(COLUMNS))
        return designs_of(values, schedules)

    def neighbours(
        self, problem: Problem[ScarParams], scorers: Scorers, decision: Decision
    ) -> Iterator[dict[str, Any]]:
        """Return a segment on another chiplet, two of them swapped, or a cut moved by a layer."""
        return neighbouring_schedules(decision, len(inputs_of(problem)[0].chiplets))

    def edits(self, problem: Problem[ScarParams], scorers: Scorers, decision: Decision) -> Edits:
        """Return the segments on chiplets, and cuts between them; a new exploration scores the schedule beside what it finds."""
        schedule = decode(decision)
        own = with_another(problem.params.own_schedules, schedule)
        params = {"own_schedules": own} if len(own) <= LONGEST_SCHEDULES else {}
        return replace(schedule_edits(scorers.tables(schedule), schedule), params=params)

    def explain(
        self, problem: Problem[ScarParams], scorers: Scorers, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return grid, schedule, energy breakdown and windows of one design."""
        schedule = decode(decision)
        tables = scorers.tables(schedule)
        validate(schedule, tables)
        return explain_schedule(tables, schedule, scorers.scorer(schedule))


def _needed(found: Infeasibility) -> str:
    return f"Needs {found.demand:g} {found.limit}, has {found.bound:g}."


def _proofs(tables: ScenarioTables, openings: Openings, front: FloatArray) -> tuple[Result, ...]:
    """Return the proofs of the time windows of the first schedule, and of the best schedule of the run."""
    goal, chosen = goal_of(tables.params), openings.chosen
    best = float(goal.value(front[:, 0], front[:, 1]).min())
    proofs = window_proofs(tables, chosen.cut.windows, chosen.trajectory, goal)
    return (
        *schedule_results(best, openings, goal, tables.params),
        *proof_results(chosen.trajectory, proofs, goal),
        *openings_results(openings, goal),
    )
