"""The engine soc-mapping: which unit of a system on a chip runs which block of a network, with the exact front."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from engines.contract.certainty import Certainty, SurerDesigns
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Context,
    Edits,
    Engine,
    InputKind,
    Plan,
    Problem,
    Recorder,
    Runnable,
    Step,
    require,
)
from engines.contract.integer_format import many
from engines.contract.questions import MAPPING
from engines.contract.results import Breakdown, LayerGraph, Note, Result, Schedule, Table
from engines.cost.calibration.unmeasured import chosen_calibration
from engines.cost.calibration.words import ROOFLINE
from engines.documents.input_kinds import calibration_slot, soc_slot, workload_slot
from engines.mapping.designs.decision_columns import MAPPING_COLUMNS
from engines.mapping.designs.edits import mapping_edits
from engines.mapping.designs.neighbours import neighbouring_mappings
from engines.mapping.designs.scoring import evaluated_designs
from engines.mapping.explain.mapping_results import MAPPING_COMPOSED, explain_mapping
from engines.mapping.problem.instance import Instance
from engines.mapping.problem.limits import LIMITS
from engines.mapping.problem.pricing import Pricing
from engines.mapping.search.exact import Progress, exact_points, left_out, search_exactly
from engines.mapping.solver.unit_mapping import MappingFront, MappingScores
from engines.methods.soc_mapping.outcome import (
    Reference,
    clocks_compared,
    comparison,
    convergence,
    exact_note,
    heuristic_note,
    left_out_note,
    model_notes,
)
from engines.methods.soc_mapping.params import SocMappingParams
from engines.methods.soc_mapping.planning import make_plan
from engines.methods.soc_mapping.presets import ACCELERATORS, PRESETS
from engines.methods.soc_mapping.problem.instance import pricing_of_problem
from engines.methods.soc_mapping.problem.own_mappings import own_mappings, with_another
from engines.methods.soc_mapping.problem.problem_costs import MappingProblem, prepared
from engines.methods.soc_mapping.quantities import CHOICE, OBJECTIVE_COLUMNS, QUANTITIES
from engines.methods.soc_mapping.runnable import MEASURABLE, runnable_mapping
from engines.methods.soc_mapping.search.diagnosis import diagnose
from engines.methods.soc_mapping.search.heuristic import heuristic_search, rated_mappings
from engines.methods.soc_mapping.search.report import Report
from engines.workloads.assumed_chain import scoped
from engines.workloads.network import Scenario

_MOST_GENES = 2_000_000  # of a population, which a checkpoint holds
_MOST_GENERATIONS = 5000  # a step each


class SocMappingEngine(Engine[SocMappingParams, MappingProblem]):
    """Exact dynamic programming, and the published and tuned evolutionary searches beside it."""

    name = "soc-mapping"
    title = "SoC mapping"
    summary = (
        "Maps the blocks of a network to the compute units of a system on a chip. Finds the exact Pareto front "
        "of latency and energy."
    )
    source = "odema-2023 (MaGNAS, ACM TECS 22(5s)), inner engine of section 4.3; exact search of our own"
    question = MAPPING
    version = 4
    tags = ("mapping", "soc", "dvfs")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("A device with several units and a shared memory.", ACCELERATORS["hardware"]),
        "workload": workload_slot(
            "Workload",
            "The network that is mapped; of a scenario its first model, with its batch.",
            preferred=ACCELERATORS["workload"],
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the network"),
    }
    precedence = 1  # of those that take a system on a chip
    Params = SocMappingParams
    quantities = QUANTITIES
    objectives = CHOICE
    limits = LIMITS
    progress_metrics = ("latency_s", "energy_j", "edp_js")
    presets = PRESETS
    result_types = (Schedule, LayerGraph, Breakdown, Table, Note)
    breakdowns = MAPPING_COMPOSED
    decision_columns = MAPPING_COLUMNS
    measurable = MEASURABLE

    def prepare(self, problem: Problem[SocMappingParams]) -> MappingProblem:
        """Refuse a device without calibration, blocks that no unit can run, and rules, clocks or modes that do not exist."""
        require(
            len(problem.value("workload", Scenario).models) > 0,
            "inputs.workload.models",
            0,
            "a list of at least one model",
        )
        ready = prepared(problem)
        instance = ready.highest
        own_mappings(problem.params.own_mappings, instance)
        genes = problem.params.population * (len(instance.blocks) + 1)
        accepted = f"at most {_MOST_GENES // (len(instance.blocks) + 1)} for {many(len(instance.blocks), 'block')}"
        require(genes <= _MOST_GENES, "params.population", problem.params.population, accepted)
        least = -(-problem.params.evaluations // _MOST_GENERATIONS)
        enough = problem.params.method == "exact" or problem.params.population >= least
        require(
            enough,
            "params.population",
            problem.params.population,
            f"at least {least} for {problem.params.evaluations} evaluations",
        )
        return ready

    def plan(self, problem: Problem[SocMappingParams], ready: MappingProblem) -> Plan:
        """Return mappings, time, which unit may have what, and bounds."""
        chosen = "calibration" not in problem.inputs
        return make_plan(ready.highest, problem.value("workload", Scenario), problem.params, ready.settings, chosen)

    def estimator(self, problem: Problem[SocMappingParams]) -> tuple[str, Certainty]:
        """Return the cost model and its certainty."""
        pricing = pricing_of_problem(problem)
        if pricing.covered is None:
            words = f"dataflow cost model, {pricing.model.precision}, no measurement"
            return words + pricing.model.estimator_words, pricing.certainty()
        fused = "" if pricing.fusion == "none" else "; operators fused, without measurements of fused ones"
        return f"{ROOFLINE}, {pricing.measured.words()}{fused}", pricing.certainty()

    def chosen_inputs(self, problem: Problem[SocMappingParams]) -> Mapping[str, str]:
        """Return the built-in calibration."""
        return chosen_calibration(problem, pricing_of_problem(problem).covered)

    def error_factors(self, problem: Problem[SocMappingParams]) -> Mapping[str, float]:
        """Return the error factor of each metric, from networks held out of the calibration.

        Errors of products and ratios are treated as independent.

        None where a unit is estimated without measurements, or by those of another device: the error is unknown.
        """
        return _error_factors(pricing_of_problem(problem))

    def surer_designs(self, problem: Problem[SocMappingParams]) -> SurerDesigns:
        """Return mappings to measured units alone."""
        pricing = pricing_of_problem(problem)
        units = pricing.covered.surer_units if pricing.covered else ()
        if not units:
            return SurerDesigns()
        return SurerDesigns(pricing.datasheet_units, pricing.certainty(units), _error_factors(pricing, units))

    def primary_metric(self, problem: Problem[SocMappingParams]) -> str:
        """Return the metric that defines "best": energy with a limit on latency, else the energy-delay product."""
        params = problem.params
        chosen = OBJECTIVE_COLUMNS[params.objectives]
        if len(chosen) == 1:
            return chosen[0]
        limited = params.latency_limit_s is not None or params.latency_slack_percent is not None
        return "energy_j" if limited and "energy_j" in chosen else "edp_js"

    def run(self, problem: Problem[SocMappingParams], ready: MappingProblem, record: Recorder) -> Iterator[Step]:
        """Yield the single units first, then the chosen search."""
        report = Report(ready.instance, problem.params, record, self.primary_metric(problem))
        if record.state is None:
            yield report.baselines()
        if record.context.stop_requested():
            return
        search = _run_exactly if problem.params.method == "exact" else _run_heuristic
        yield from search(problem, ready.instance, report, record)

    def evaluate(
        self, problem: Problem[SocMappingParams], ready: MappingProblem, decisions: Decisions, context: Context
    ) -> Designs:
        """Return the same numbers again, with origin "user"."""
        return evaluated_designs(ready.instance, decisions)

    def neighbours(
        self, problem: Problem[SocMappingParams], ready: MappingProblem, decision: Decision
    ) -> Iterator[dict[str, Any]]:
        """Return a block on another unit, or a clock at another step."""
        return neighbouring_mappings(ready.instance, decision)

    def edits(self, problem: Problem[SocMappingParams], ready: MappingProblem, decision: Decision) -> Edits:
        """Return the blocks on units, and clocks; a new exploration scores the mapping beside its front."""
        found = mapping_edits(ready.instance, decision, ready.instance.settings)
        own = with_another(problem.params.own_mappings, decision["units"])
        return replace(found, params={"own_mappings": own})

    def explain(
        self, problem: Problem[SocMappingParams], ready: MappingProblem, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Schedule, blocks by unit, use of units, energy and clocks of one mapping."""
        return explain_mapping(ready.instance, decision)

    def runnable(
        self,
        problem: Problem[SocMappingParams],
        ready: MappingProblem,
        decision: Decision,
        figures: Mapping[str, float],
    ) -> Runnable:
        """Return the network as runnable pieces, if all of it is mapped to CPUs."""
        return runnable_mapping(ready.highest, decision)


def _error_factors(pricing: Pricing, used: Sequence[str] | None = None) -> dict[str, float]:
    """Return the error factor of each metric of designs on all units, or on those in `used`; none but of calibrated estimates."""
    calibration = pricing.model.calibration
    if calibration is None or pricing.certainty(used) != "calibrated":
        return {}
    latency, energy, power = (calibration.error_factor(name) for name in ("latency", "energy", "power"))
    both = None if latency is None or energy is None else math.exp(math.hypot(math.log(latency), math.log(energy)))
    found = {"latency_s": latency, "energy_j": energy, "power_w": power or both, "edp_js": both}
    return {name: factor for name, factor in found.items() if factor is not None}


def _run_exactly(
    problem: Problem[SocMappingParams], instance: Instance, report: Report, record: Recorder
) -> Iterator[Step]:
    state, labels = record.state or {}, problem.params.labels
    last, begin = None, None
    if "rest" in state:
        rest = np.asarray(state["rest"], dtype=np.int64)
        last = begin = Progress(
            _NOTHING_FOUND, rest, int(state["searched"]), int(state["labels"]), float(state["error_s"])
        )
    for last in search_exactly(instance, labels, report.points, begin):
        yield report.exact(last)
        if record.context.stop_requested():
            return
    if not len(report.front):
        yield record.infeasible(diagnose(instance.searched_costs, instance.limits, problem.params))
        return
    assert last is not None  # there is at least one setting
    count, share = left_out(instance, labels, report.points)
    proof = [exact_note(last.searched, len(instance.settings), last.labels, last.error_s, count)]
    proof = [scoped(note, instance.workload.network) for note in proof]
    proof += [left_out_note(count, share)] if count else []
    results = (
        comparison(instance, report.points, problem.params.own_mappings),
        *proof,
        *_clocks(instance, report),
        *_model_notes(problem, instance),
    )
    yield record.step(1.0, f"{many(len(report.front), 'mapping')} on the front", results)


def _run_heuristic(
    problem: Problem[SocMappingParams], instance: Instance, report: Report, record: Recorder
) -> Iterator[Step]:
    points, error_s = exact_points(instance, problem.params.labels)
    if not len(points):
        yield record.infeasible(diagnose(instance.searched_costs, instance.limits, problem.params))
        return
    reference = Reference(instance, points, error_s)
    search = heuristic_search(instance, problem.params, record.context)
    state = record.state or {}
    counts: list[float] = list(state.get("counts", []))
    shares: list[float] = list(state.get("shares", []))
    if "population" in state:
        parents = rated_mappings(instance, np.asarray(state["population"], dtype=np.int64))
        search.continue_from(len(counts), record.evaluations, parents)
    for genes in search.asked(record.context.stop_requested):
        rated = rated_mappings(instance, genes)
        parents = search.tell(rated)
        report.take(search.generation, rated)
        counts.append(float(search.scored))
        shares.append(reference.share_percent(report.points))
        yield report.generation({"counts": counts, "shares": shares, "population": parents.genes.astype(np.int32)})
    if not search.done:
        return
    share = reference.share_percent(report.points)
    beside = scoped(heuristic_note(problem.params, reference, share), instance.workload.network)
    results: list[Result] = [convergence(counts, shares), beside]
    if len(report.front):
        results += [comparison(instance, report.points, problem.params.own_mappings), *_clocks(instance, report)]
    yield record.step(1.0, f"{share:.1f} % of the exact hypervolume", (*results, *_model_notes(problem, instance)))


def _clocks(instance: Instance, report: Report) -> list[Result]:
    """Return the gain of the searched clocks for the best mapping; nothing without a search of clocks."""
    if len(instance.settings) == 1 or report.best is None:
        return []
    return [clocks_compared(instance, report.best, report.metric)]


def _model_notes(problem: Problem[SocMappingParams], instance: Instance) -> list[Note]:
    return model_notes(instance, problem.value("workload", Scenario), "calibration" not in problem.inputs)


_NOTHING_FOUND = MappingFront(
    np.empty((0, 0), np.int64),
    np.empty(0, np.int64),
    MappingScores(np.empty(0), np.empty(0), np.empty(0, np.int64)),
    0,
    0.0,
)
