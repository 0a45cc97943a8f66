"""The engine soc-mapping: which unit of a system on a chip runs which block of a network, with the exact front."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.certainty import Certainty, SurerDesigns
from engines.contract.designs import Decision, Designs
from engines.contract.engine import Context, Edits, InputKind, Plan, Problem, Recorder, Runnable, Step, require
from engines.contract.integer_format import many
from engines.contract.limits import Allowed
from engines.contract.questions import MAPPING
from engines.contract.results import Breakdown, LayerGraph, Note, Result, Schedule, Table
from engines.cost.calibration.unmeasured import chosen_calibration
from engines.cost.calibration.words import ROOFLINE
from engines.documents.input_kinds import calibration_slot, soc_slot, workload_slot
from engines.mapping.designs.decision import GOVERNOR, checked, encode
from engines.mapping.designs.decision_columns import MAPPING_COLUMNS
from engines.mapping.designs.edits import mapping_edits
from engines.mapping.designs.neighbours import neighbouring_mappings
from engines.mapping.designs.scoring import evaluated
from engines.mapping.explain.broken_limits import broken_words, own_note
from engines.mapping.explain.mapping_results import MAPPING_COMPOSED, explain_mapping
from engines.mapping.problem.instance import Instance, standalone
from engines.mapping.problem.limits import LIMITS
from engines.mapping.problem.pricing import Pricing
from engines.mapping.problem.settings import searched_settings
from engines.mapping.search.exact import Progress, exact_points, left_out, search_exactly
from engines.mapping.solver.unit_mapping import MappingFront, MappingScores, score
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
from engines.methods.soc_mapping.planning import make_plan, space_words
from engines.methods.soc_mapping.presets import ACCELERATORS, PRESETS
from engines.methods.soc_mapping.problem.instance import instance_of, options_of, pricing_of_problem
from engines.methods.soc_mapping.problem.own_mappings import own_mappings, with_another
from engines.methods.soc_mapping.quantities import CHOICE, QUANTITIES, best_metric
from engines.methods.soc_mapping.runnable import MEASURABLE, runnable_mapping
from engines.methods.soc_mapping.search.diagnosis import diagnose
from engines.methods.soc_mapping.search.heuristic import heuristic_search, rated_mappings
from engines.methods.soc_mapping.search.report import Report
from engines.search.prepared_problem import PreparedEngine, PreparedProblem
from engines.search.strategies import Beginning, Columns, Own, Search
from engines.workloads.assumed_chain import scoped
from engines.workloads.network import Scenario
from hardware.soc.summary import unit_title

_MOST_GENES = 2_000_000  # of a population, which a checkpoint holds
_MOST_GENERATIONS = 5000  # a step each
_NOTHING_FOUND = MappingFront(
    np.empty((0, 0), np.int64),
    np.empty(0, np.int64),
    MappingScores(np.empty(0), np.empty(0), np.empty(0, np.int64)),
    0,
    0.0,
)


class PreparedMapping(PreparedProblem[SocMappingParams, Decision, Context]):
    """A network and a device, checked at the highest clocks alone. A design is its decision.

    Attributes:
        highest: the instance at the highest clocks alone.
        settings: how many clock settings are searched.
    """

    share = (0.01, 0.99)

    def __init__(self, problem: Problem[SocMappingParams]) -> None:
        """Refuse a device without calibration, blocks that no unit can run, and rules, clocks or modes that do not exist."""
        self.problem, self.scenario = problem, problem.value("workload", Scenario)
        require(len(self.scenario.models) > 0, "inputs.workload.models", 0, "a list of at least one model")
        self.highest = instance_of(problem, highest_clocks_alone=True)
        options = options_of(problem.params)
        self.settings = len(searched_settings(self.highest.soc, self.highest.model.calibration, options))
        instance, params = self.highest, problem.params
        own_mappings(params.own_mappings, instance)
        genes = params.population * (len(instance.blocks) + 1)
        accepted = f"at most {_MOST_GENES // (len(instance.blocks) + 1)} for {many(len(instance.blocks), 'block')}"
        require(genes <= _MOST_GENES, "params.population", params.population, accepted)
        least = -(-params.evaluations // _MOST_GENERATIONS)
        enough = params.method == "exact" or params.population >= least
        require(
            enough,
            "params.population",
            params.population,
            f"at least {least} for {params.evaluations} evaluations",
        )

    @cached_property
    def instance(self) -> Instance:
        """The instance at all clock settings, priced on first use."""
        return self.highest if self.settings == 1 else instance_of(self.problem)

    def decode(self, decision: Decision) -> Decision:
        """Return the decision, with the clocks that governors choose."""
        return checked(self.instance, decision)

    def strategy(self) -> Own[Decision]:
        """Return the exact search, NSGA-II, or random search."""
        params, words = self.problem.params, space_words(self.highest, self.settings)
        if params.method == "exact":
            return Own(self.settings * len(self.highest.units) * params.labels, words, "", self._exactly)
        return Own(params.evaluations, words, "", self._generations)

    def plan(self, evaluations: int) -> Plan:
        """Return time, which unit may have what, and bounds."""
        return make_plan(self.highest, self.problem.params, self.settings, evaluations)

    def facts(self) -> tuple[Result, ...]:
        """Return what a reader of the numbers must know."""
        return tuple(model_notes(self.highest, self.scenario, "calibration" not in self.problem.inputs))

    def begin(self, record: Recorder) -> Generator[Step, None, Beginning[Context]]:
        """Say which mappings of a user's own violate which limits."""
        yield from ()
        instance, (names, units) = self.instance, self._own
        scores = score(instance.costs, units, np.full(len(names), instance.reference))
        return Beginning(record.context, results=own_note(names, broken_words(instance, units, scores)))

    @cached_property
    def _own(self) -> tuple[tuple[str, ...], IntArray]:
        return own_mappings(self.problem.params.own_mappings, self.highest)

    def baselines(self) -> dict[str, Decision]:
        """Return the network on each unit alone, where a unit can run it, and the user's own mappings, at the highest clocks.

        Where clocks are searched, single units at those of the default governors as well.
        """
        instance, found = self.instance, dict[str, Decision]()
        if self.problem.params.baselines:
            units, scores = standalone(instance.costs, instance.reference)
            for unit in np.flatnonzero(np.isfinite(scores.latency_s)).tolist():
                found[f"{unit_title(instance.units[unit])} alone"] = encode(instance, units[unit], instance.reference)
            for title, decision in list(found.items()) if self.settings > 1 else ():
                governed = checked(instance, {**decision, "clocks_mhz": GOVERNOR})
                found[f"{title}, default governor"] = governed
        own = zip(*self._own, strict=True)
        return found | {name: encode(instance, row, instance.reference) for name, row in own}

    def evaluate(self, designs: Sequence[Decision], context: Context) -> Columns:
        """Score mappings at their clocks."""
        return evaluated(self.instance, designs)

    def unmet(self, allowed: Allowed, designs: Designs) -> None:
        """Leave it to the search, which knows whether any mapping meets the limits."""

    def neighbours(self, decision: Decision) -> Iterator[Decision]:
        """Return a block on another unit, or a clock at another step."""
        return neighbouring_mappings(self.instance, decision)

    def edits(self, decision: Decision) -> Edits:
        """Return the blocks on units, and clocks; a new exploration scores the mapping beside its front."""
        found = mapping_edits(self.instance, decision, self.instance.settings)
        own = with_another(self.problem.params.own_mappings, decision["units"])
        return replace(found, params={"own_mappings": own})

    def explain(self, design: Decision, context: Context) -> tuple[Result, ...]:
        """Schedule, blocks by unit, use of units, energy and clocks of one mapping."""
        return explain_mapping(self.instance, design)

    def runnable(self, design: Decision, figures: Mapping[str, float]) -> Runnable:
        """Return the network as runnable pieces, if all of it is mapped to CPUs."""
        return runnable_mapping(self.highest, design)

    def _report(self, record: Recorder) -> Report:
        return Report(self.instance, self.problem.params, record, best_metric(self.problem.params))

    def _clocks(self, report: Report) -> list[Result]:
        """Return where clocks were searched: what they bring the best mapping."""
        searched = self.settings > 1 and report.best is not None
        return [clocks_compared(self.instance, report.best, report.metric)] if searched and report.best else []

    def _infeasible(self, record: Recorder) -> Step:
        return record.infeasible(diagnose(self.instance.searched_costs, self.instance.limits, self.problem.params))

    def _exactly(self, search: Search[Decision]) -> Iterator[Step]:
        instance, record, labels = self.instance, search.record, self.problem.params.labels
        report, state = self._report(record), record.state or {}
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
            yield self._infeasible(record)
            return
        assert last is not None  # there is at least one setting
        count, share = left_out(instance, labels, report.points)
        proof = exact_note(last.searched, len(instance.settings), last.labels, last.error_s, count)
        missing = [left_out_note(count, share)] if count else []
        search.results = (scoped(proof, instance.workload.network), *missing, *self._clocks(report))
        search.words = f"{many(len(report.front), 'mapping')} on the front"

    def _generations(self, search: Search[Decision]) -> Iterator[Step]:
        instance, record, params = self.instance, search.record, self.problem.params
        points, error_s = exact_points(instance, params.labels)
        if not len(points):
            yield self._infeasible(record)
            return
        reference, report = Reference(instance, points, error_s), self._report(record)
        generations, state = heuristic_search(instance, params, record.context), record.state or {}
        counts: list[float] = list(state.get("counts", []))
        shares: list[float] = list(state.get("shares", []))
        if "population" in state:
            parents = rated_mappings(instance, np.asarray(state["population"], dtype=np.int64))
            generations.continue_from(len(counts), record.evaluations, parents)
        for genes in generations.asked(record.context.stop_requested):
            rated = rated_mappings(instance, genes)
            parents = generations.tell(rated)
            report.take(generations.generation, rated)
            counts.append(float(generations.scored))
            shares.append(reference.share_percent(report.points))
            kept = {"counts": counts, "shares": shares, "population": parents.genes.astype(np.int32)}
            yield report.generation(kept)
        share = reference.share_percent(report.points)
        beside = scoped(heuristic_note(params, reference, share), instance.workload.network)
        search.results = (convergence(counts, shares), beside, *self._clocks(report))
        search.words = f"{share:.1f} % of the exact hypervolume"


class SocMappingEngine(PreparedEngine[SocMappingParams, PreparedMapping]):
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
    prepares = PreparedMapping
    quantities = QUANTITIES
    objectives = CHOICE
    limits = LIMITS
    progress_metrics = ("latency_s", "energy_j", "edp_js")
    presets = PRESETS
    result_types = (Schedule, LayerGraph, Breakdown, Table, Note)
    breakdowns = MAPPING_COMPOSED
    decision_columns = MAPPING_COLUMNS
    measurable = MEASURABLE

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
        """Return what the search was asked for."""
        return best_metric(problem.params)

    def comparison(self, problem: Problem[SocMappingParams], designs: Designs) -> Table:
        """Return single units, a user's own mappings, and the best of the front."""
        return comparison(designs, self.quantities_of(problem.params))


def _error_factors(pricing: Pricing, used: Sequence[str] | None = None) -> dict[str, float]:
    """Return the error factor of each metric of designs on all units, or on those in `used`; none but of calibrated estimates."""
    calibration = pricing.model.calibration
    if calibration is None or pricing.certainty(used) != "calibrated":
        return {}
    latency, energy, power = (calibration.error_factor(name) for name in ("latency", "energy", "power"))
    both = None if latency is None or energy is None else math.exp(math.hypot(math.log(latency), math.log(energy)))
    found = {"latency_s": latency, "energy_j": energy, "power_w": power or both, "edp_js": both}
    return {name: factor for name, factor in found.items() if factor is not None}
