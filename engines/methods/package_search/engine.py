"""The package search: the chiplet package as a variable, with the best schedule of each package inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.explain import SCHEDULE_COMPOSED
from engines.chiplets.problem.decision import PackageSchedule, validate
from engines.chiplets.problem.edits import schedule_edits
from engines.chiplets.problem.requirements import require_package, require_work
from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Bound,
    Context,
    Edits,
    Engine,
    Infeasibility,
    InputKind,
    MetricBreakdown,
    Plan,
    Problem,
    Recorder,
    Step,
    require,
)
from engines.contract.integer_format import counted, many
from engines.contract.quantities import objectives_of
from engines.contract.questions import PACKAGE
from engines.contract.results import Breakdown, ChipletGrid, Note, Result, Schedule, Table
from engines.cost.dataflow.element_widths import bits_words
from engines.cost.estimators.registry import cost_model_words
from engines.cost.memory_capacity import memory_check, memory_demand, memory_notes
from engines.cost.package.area import area_coefficients
from engines.cost.soc.model import counted_bits
from engines.documents.input_kinds import package_slot, slot, workload_slot
from engines.methods.package_search.decision import decode, encode
from engines.methods.package_search.explain import explain_design
from engines.methods.package_search.outcome import front_files, front_of, run_results
from engines.methods.package_search.packages.baselines import baseline_packages
from engines.methods.package_search.packages.candidate import Candidate, candidate_of
from engines.methods.package_search.packages.limits import LIMITS, bounds_of
from engines.methods.package_search.packages.package_cost import money_results, require_priced
from engines.methods.package_search.packages.space import PackageSpace, build_space
from engines.methods.package_search.params import (
    OBJECTIVE_COLUMNS,
    PackageSearchParams,
    objective_columns,
    objectives,
    schedule_goals,
)
from engines.methods.package_search.planning import is_exhaustive, make_plan
from engines.methods.package_search.quantities import CHOICE, COLUMNS, DECISION_COLUMNS, QUANTITIES
from engines.methods.package_search.search.evolutionary import EvolutionarySearch
from engines.methods.package_search.search.exhaustive import RankedPackages, rank_packages, search_all
from engines.methods.package_search.search.progress import Batch, Progress
from engines.methods.package_search.search.scheduling import (
    ScheduleProblem,
    Task,
    bound_package,
    package_values,
    schedule_package,
)
from engines.search.running_front import RunningFront
from engines.workloads.network import Scenario
from engines.workloads.rates import unused_terms_notes
from engines.workloads.unknown_operators import left_out_notes
from hardware.package.model import ChipletPackage
from hardware.silicon.family import SILICON_COST
from hardware.silicon.model import SiliconCosts


class PackageSearchEngine(Engine[PackageSearchParams, ScheduleProblem]):
    """Exhaustive up to symmetry with bounds, or NSGA-II; exact schedules inside."""

    name = "package-search"
    title = "Package search"
    summary = "Searches chiplet packages: dataflow of every chiplet, sizes, bandwidths, interfaces; each with its best schedule."
    source = "own; schedules and costs as odema-2024, chapter 4; silicon area fitted to published figures"
    question = PACKAGE
    version = 3
    tags = ("hardware search", "chiplets", "multi-model")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": package_slot(
            "Given package", "The package to start from: its mesh, and all figures that do not vary."
        ),
        "workload": workload_slot(
            "Workload",
            "The networks that run at the same time, with their batches; a single network counts as one model.",
            preferred="mlperf-scenario-4",
        ),
        "costs": slot(
            SILICON_COST,
            "Costs of wafers, masks, design and assembly. Empty: the run computes no costs.",
            required=False,
        ),
    }
    Params = PackageSearchParams
    quantities = QUANTITIES
    objectives = CHOICE
    limits = LIMITS
    progress_metrics = ("latency_s", "energy_j", "edp_js", "area_mm2")
    result_types = (ChipletGrid, Schedule, Breakdown, Table, Note)
    breakdowns = (
        *SCHEDULE_COMPOSED,
        MetricBreakdown("area_mm2", "area", "by part", "parts"),
        MetricBreakdown("area_mm2", "area", "by chiplet", "bars"),
    )
    decision_columns = DECISION_COLUMNS

    def prepare(self, problem: Problem[PackageSearchParams]) -> ScheduleProblem:
        """Refuse what the cost models cannot describe, an empty choice of objectives, and spaces too large to list."""
        costs = problem.value("costs", SiliconCosts) if "costs" in problem.inputs else None
        setting = ScheduleProblem(
            problem.value("hardware", ChipletPackage), problem.value("workload", Scenario), problem.params, costs
        )
        base, params = setting.base, setting.params
        require_package(base)
        word_bytes = area_coefficients().word_bytes
        reason = f"The area model knows multiply-accumulate units of {8 * word_bytes} bits alone."
        ways = [f"Copy the package with word_bytes {word_bytes}, and set params.bits to the bits of your network."]
        field, accepted = "inputs.hardware.word_bytes", f"{word_bytes}"
        require(base.word_bytes == word_bytes, field, base.word_bytes, accepted, reason=reason, remedies=ways)
        require_work(setting.scenario, base, ignore_memory=params.ignore_memory, bits=params.bits)
        require(len(objectives(params)) > 0, "params.minimise_edp", False, "on, unless another objective is on")
        accepted = "off, or on with silicon costs in the input costs"
        reason = "Packages have a price only with silicon costs."
        require(costs is not None or not params.minimise_cost, "params.minimise_cost", True, accepted, reason=reason)
        if costs is not None:
            require_priced(base, costs)
        space = build_space(base, params)
        if params.method == "exhaustive":
            accepted = "auto or evolutionary"
            reason = "There are too many packages to evaluate all."
            ways = ["Allow fewer choices."]
            require(space.can_be_listed(), "params.method", params.method, accepted, reason=reason, remedies=ways)
        return setting

    def plan(self, problem: Problem[PackageSearchParams], setting: ScheduleProblem) -> Plan:
        """Return packages, schedules, time, whether any package keeps the limits."""
        plan = make_plan(setting, build_space(setting.base, setting.params))
        aside = (*left_out_notes(setting.scenario), *unused_terms_notes(setting.scenario))
        base, demand = setting.base, memory_demand(setting.scenario.models, stated=not setting.params.bits)
        checks = (*plan.checks, memory_check(base, demand, counted_bits(base.bits, problem.params.bits)))
        return replace(plan, checks=checks, notes=(*plan.notes, *aside))

    def bounds(self, problem: Problem[PackageSearchParams], setting: ScheduleProblem) -> tuple[Bound, ...]:
        """Return the bounds that the smallest package sets."""
        return bounds_of(build_space(setting.base, setting.params))

    def estimator(self, problem: Problem[PackageSearchParams]) -> tuple[str, Certainty]:
        """Return the cost models in words."""
        text = "MAESTRO's closed forms and the package model of odema-2024 section 4.3; area fitted to seven NVDLA figures in 28 nm"
        return text + bits_words(problem.params.bits) + cost_model_words(problem.params.cost_model), "predicted"

    def primary_metric(self, problem: Problem[PackageSearchParams]) -> str:
        """Return the first of the goals that packages are scheduled for."""
        return OBJECTIVE_COLUMNS[schedule_goals(problem.params)[0]]

    def run(self, problem: Problem[PackageSearchParams], setting: ScheduleProblem, record: Recorder) -> Iterator[Step]:
        """Yield the baselines first, then packages, most promising first or generation by generation."""
        context = record.context
        space = build_space(setting.base, setting.params)
        report = _Report(problem, setting, record)
        if not report.position and setting.params.baselines:
            if context.stop_requested():
                return
            yield report.step(_baselines(setting, report.progress, context))
        ranked: RankedPackages | None = None
        if is_exhaustive(space, setting):
            ranked = rank_packages(setting, space, context.stop_requested)
            if ranked is None:
                return
        for batch in _batches(setting, space, ranked, report, context):
            yield report.step(batch)
        if context.stop_requested():
            return
        why = _why_nothing_runs(setting, ranked) if not report.progress.scheduled else None
        if why is not None:
            yield record.infeasible(why, f"No package can run the workload: {why.limit}.")
            return
        yield report.last(space, ranked)

    def evaluate(
        self, problem: Problem[PackageSearchParams], setting: ScheduleProblem, decisions: Decisions, context: Context
    ) -> Designs:
        """Return the same numbers again, with origin "user"."""
        parts = [_decoded(setting, decision) for decision in decisions]
        rows = [package_values(setting, scorer, schedule) for _, _, schedule, scorer in parts]
        count = len(rows)
        values = np.array(rows).reshape(count, len(COLUMNS))
        columns = {name: values[:, number] for number, name in enumerate(COLUMNS)}
        return Designs(columns, [encode(candidate, goal, schedule) for candidate, goal, schedule, _ in parts])

    def edits(self, problem: Problem[PackageSearchParams], setting: ScheduleProblem, decision: Decision) -> Edits:
        """Return the segments on the chiplets of the package, and cuts between them; the package stays."""
        candidate, goal, schedule, scorer = _decoded(setting, decision)
        found = schedule_edits(scorer.tables, schedule)
        return replace(
            found,
            moved=lambda piece, place: {
                **encode(candidate, goal, schedule),
                "windows": found.moved(piece, place)["windows"],
            },
        )

    def explain(
        self, problem: Problem[PackageSearchParams], setting: ScheduleProblem, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return grid, schedule, energy, windows and silicon of one design, and its package as YAML."""
        candidate, goal, schedule, scorer = _decoded(setting, decision)
        package = scorer.tables.package_model.package
        money = money_results(package, setting.costs, setting.params.systems)
        return explain_design(problem.inputs["hardware"].content, candidate, goal, schedule, scorer, money)


def _decoded(setting: ScheduleProblem, decision: Mapping[str, Any]) -> tuple[Candidate, str, PackageSchedule, Scorer]:
    candidate, goal, schedule = decode(decision, len(setting.base.chiplets))
    scorer = Scorer(setting.tables(candidate))
    validate(schedule, scorer.tables)
    return candidate, goal, schedule, scorer


def _baselines(setting: ScheduleProblem, progress: Progress, context: Context) -> Batch:
    """Return the baselines that can run, each by the first goal."""
    named = baseline_packages(setting.base)
    tasks = [Task(candidate, schedule_goals(setting.params)[:1]) for candidate in named.values()]
    answers = context.executor.map(schedule_package, setting, tasks)
    founds = tuple(found for own in answers for found in own)
    progress.count(founds)
    names = tuple(name for name, own in zip(named, answers, strict=True) for _ in own)
    return Batch("Baselines", founds, 0.0, {}, names)


def _batches(
    setting: ScheduleProblem, space: PackageSpace, ranked: RankedPackages | None, report: _Report, context: Context
) -> Iterator[Batch]:
    """Yield the batches of the exhaustive search where packages are ranked, else of NSGA-II."""
    if ranked is None:
        search = EvolutionarySearch(setting, space, report.progress, context)
        report.teach(search, space)
        return search.run(report.position)
    done = int(report.position.get("done", 0))
    return search_all(setting, space, ranked, report.archive, report.progress, context, done)


def _why_nothing_runs(setting: ScheduleProblem, ranked: RankedPackages | None) -> Infeasibility | None:
    """Return why the workload cannot run on the packages; None where they could not be scheduled for another reason."""
    if ranked is not None:
        return None if ranked.packages else ranked.why
    given = bound_package(setting, candidate_of(setting.base))
    return given if isinstance(given, Infeasibility) else None


class _Report:
    """Turns batches into steps; knows what was found and reported before a resume.

    Attributes:
        position: position of the last checkpoint, which searches go on from; empty at the start.
        archive: the front so far.
    """

    def __init__(self, problem: Problem[PackageSearchParams], setting: ScheduleProblem, record: Recorder) -> None:
        self._problem, self._setting, self._record = problem, setting, record
        senses = [quantity.sense for quantity in objectives_of(CHOICE.roles(QUANTITIES, problem.params))]
        self.archive = RunningFront(senses, distinct=True)
        self.progress, self.position = Progress(), dict[str, Any]()
        if record.state is not None:
            self.position = {"baselines": True, **record.state}
            self.progress = Progress.restored(self.position.pop("progress"))
            self._extend(record.designs.take(np.flatnonzero(record.designs.of_origin("search"))))

    def teach(self, search: EvolutionarySearch, space: PackageSpace) -> None:
        """Pass earlier designs to a search."""
        chiplets = len(self._setting.base.chiplets)
        designs = self._record.designs
        for number in np.flatnonzero(designs.of_origin("search")).tolist():
            candidate, goal, _ = decode(designs.decisions[number], chiplets)
            values = [float(designs.columns[name][number]) for name in COLUMNS]
            search.knows(space.genotype(candidate), goal, values)  # type: ignore[arg-type]

    def step(self, batch: Batch) -> Step:
        """Return the step that reports a batch."""
        values = np.array([found.values for found in batch.founds]).reshape(len(batch.founds), len(COLUMNS))
        decisions = [encode(found.candidate, found.goal, found.schedule) for found in batch.founds]
        columns = {name: values[:, number] for number, name in enumerate(COLUMNS)}
        new = Designs(columns, decisions, label=batch.baselines)
        self._record.add(new, "baseline" if batch.baselines else "search")
        if not batch.baselines:
            self._extend(new)
        state = {"progress": self.progress.state(), **batch.position}
        return self._record.step(0.01 + 0.98 * batch.fraction, batch.message, state=state)

    def last(self, space: PackageSpace, ranked: RankedPackages | None) -> Step:
        """Return the last step of the run."""
        base, content = self._setting.base, self._problem.inputs["hardware"].content
        designs = self._record.designs
        front = front_of(designs, self._problem.params)
        results = run_results(space, designs, front, self.progress, ranked, _notes(self._setting, ranked))
        message = (
            f"{many(self.progress.scheduled, 'package')} scheduled, {counted(self.progress.pruned)} ruled out by bounds"
        )
        files = front_files(content, base, designs, front)
        return self._record.step(1.0, message, results, files)

    def _extend(self, designs: Designs) -> None:
        self.archive.extend(designs.matrix(objective_columns(self._problem.params)))


def _notes(setting: ScheduleProblem, ranked: RankedPackages | None) -> list[str]:
    """Return the notes on the search that a reader of the front needs."""
    notes = []
    if ranked is None:
        notes.append("NSGA-II evaluated a part of the packages; others may be better.")
    else:
        notes.append("Packages that are the same but for turning or mirroring are scheduled once.")
    if setting.params.schedules == "windows":
        notes.append("Schedules are best window by window, each from where the one before ends.")
    else:
        notes.append("Schedules are searched over all windows together.")
    base, demand = setting.base, memory_demand(setting.scenario.models, stated=not setting.params.bits)
    return [*notes, *(note.text for note in memory_notes(base, demand, counted_bits(base.bits, setting.params.bits)))]
