"""The engine map-and-conquer: one network cut by width into stages that run on several units at the same time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from engines.contract.certainty import Certainty, SurerDesigns, weakest
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Bound,
    Context,
    Edits,
    Engine,
    InputKind,
    MetricBreakdown,
    Plan,
    Problem,
    Recorder,
    Step,
)
from engines.contract.questions import MAPPING
from engines.contract.results import Breakdown, Matrix, Note, Result, Schedule, Table
from engines.cost.calibration.unmeasured import chosen_calibration
from engines.cost.calibration.words import ROOFLINE
from engines.data.documents import IMAGE_DATA
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, workload_slot
from engines.methods.map_and_conquer.designs import evaluated_designs
from engines.methods.map_and_conquer.edits import configuration_edits
from engines.methods.map_and_conquer.explain.design_results import explain_design
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.planning import known_bounds, make_plan
from engines.methods.map_and_conquer.presets import PRESETS
from engines.methods.map_and_conquer.problem.instance import (
    CutInstance,
    instance_of,
)
from engines.methods.map_and_conquer.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.map_and_conquer.run import Run
from engines.methods.map_and_conquer.stage_measurements import MEASURED_CUTS
from engines.running.prepared_problems import ready_of


class MapAndConquerEngine(Engine[MapAndConquerParams, CutInstance]):
    """The published evolution, NSGA-II, and a search layer by layer with bounds."""

    name = "map-and-conquer"
    title = "Map-and-Conquer"
    summary = (
        "Divides a network by width into stages on several compute units of a system on a chip. Easy "
        "inputs leave early."
    )
    source = "odema-2024 (dissertation), section 2.4; Map-and-Conquer, DAC 2023"
    question = MAPPING
    version = 2
    tags = ("mapping", "soc", "dvfs", "dynamic network")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("A device with at least two units and a shared memory.", "jetson-agx-xavier"),
        "workload": workload_slot(
            "Workload",
            "The network that is cut; of a scenario its first model, with its batch.",
            preferred="visformer-small",
        ),
        "data": slot(
            IMAGE_DATA, "Data set for the training of designs. Empty: handwritten digits.", title="Data", required=False
        ),
        "accuracies": slot(
            MEASURED_CUTS,
            "Stages of the same network that a run trained and measured; accuracies follow them. Empty: assumed.",
            title="Measured stages",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the network"),
    }
    Params = MapAndConquerParams
    quantities = QUANTITIES
    limits = LIMITS
    progress_metrics = ("latency_s", "energy_j", "accuracy_percent", "performance_js")
    result_types = (Schedule, Matrix, Breakdown, Table, Note)
    breakdowns = (
        MetricBreakdown("whole_latency_s", "schedule", "by stage and unit", "lanes"),
        MetricBreakdown("whole_latency_s", "schedule", "by kind of work", "kinds"),
        MetricBreakdown("whole_energy_j", "energy", "by stage", "bars"),
        MetricBreakdown("whole_energy_j", "energy", "by part", "parts"),
    )
    decision_columns = DECISION_COLUMNS
    presets = PRESETS

    def prepare(self, problem: Problem[MapAndConquerParams]) -> CutInstance:
        """Refuse networks without layers to cut, units that cannot run them, and limits that contradict each other."""
        return instance_of(problem)

    def plan(self, problem: Problem[MapAndConquerParams], ready: CutInstance) -> Plan:
        """Return configurations, time, units and bounds."""
        return make_plan(ready, problem.params, "calibration" not in problem.inputs)

    def bounds(self, problem: Problem[MapAndConquerParams], ready: CutInstance) -> tuple[Bound, ...]:
        """Return the latency at the highest clocks, accuracy, and energy where clocks are fixed."""
        return known_bounds(ready)

    def estimator(self, problem: Problem[MapAndConquerParams]) -> tuple[str, Certainty]:
        """Return the cost model; parts of layers were never measured."""
        pricing = ready_of(self, problem).pricing
        trees = "boosted trees trained on the " if problem.params.estimates == "boosted" else ""
        accuracy = "follows measured stages" if "accuracies" in problem.inputs else "is assumed"
        return f"{trees}{ROOFLINE}, {pricing.measured.words()}; accuracy {accuracy}", weakest(
            pricing.certainty(), "predicted"
        )

    def surer_designs(self, problem: Problem[MapAndConquerParams]) -> SurerDesigns:
        """Return the designs whose stages run on measured units only, with their certainty."""
        covered = ready_of(self, problem).pricing.measured
        units = covered.surer_units
        return (
            SurerDesigns(covered.datasheet_units, weakest(covered.certainty(units), "predicted"))
            if units
            else SurerDesigns()
        )

    def chosen_inputs(self, problem: Problem[MapAndConquerParams]) -> Mapping[str, str]:
        """Return the built-in calibration."""
        return chosen_calibration(problem, ready_of(self, problem).pricing.covered)

    def certainties(self, problem: Problem[MapAndConquerParams]) -> Mapping[str, Certainty]:
        """Return the accuracies follow stages that were measured, else they are assumed."""
        word: Certainty = "predicted" if "accuracies" in problem.inputs else "assumed"
        return dict.fromkeys(("accuracy_percent", "union_percent", "performance_js"), word)

    def error_factors(self, problem: Problem[MapAndConquerParams]) -> Mapping[str, float]:
        """Return the error factors of the calibration on whole networks; None where a unit is estimated without measurements."""
        pricing = ready_of(self, problem).pricing
        calibration = pricing.measured.calibration
        if pricing.certainty() != "calibrated":
            return {}
        found = {"latency_s": calibration.error_factor("latency"), "energy_j": calibration.error_factor("energy")}
        return {name: factor for name, factor in found.items() if factor is not None}

    def primary_metric(self, problem: Problem[MapAndConquerParams]) -> str:
        """Return P, by which the publication ranks."""
        return "performance_js"

    def run(self, problem: Problem[MapAndConquerParams], ready: CutInstance, record: Recorder) -> Iterator[Step]:
        """Yield the single units first, then the chosen search."""
        yield from Run(problem, ready, record).steps()

    def evaluate(
        self, problem: Problem[MapAndConquerParams], ready: CutInstance, decisions: Decisions, context: Context
    ) -> Designs:
        """Return the same numbers again, with origin "user"."""
        return evaluated_designs(ready, decisions)

    def edits(self, problem: Problem[MapAndConquerParams], ready: CutInstance, decision: Decision) -> Edits:
        """Return the boards of an edit: stages on units, and clocks."""
        return configuration_edits(ready, decision)

    def explain(
        self, problem: Problem[MapAndConquerParams], ready: CutInstance, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return the stages over units with waits, what is cut and reused of each layer, energy by stage."""
        return explain_design(ready, decision)
