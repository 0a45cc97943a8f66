"""The engine map-and-conquer: one network cut by width into stages that run on several units at the same time."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, ClassVar

from engines.contract.certainty import Certainty, weakest
from engines.contract.designs import Decision, Designs
from engines.contract.engine import Bound, Context, Edits, InputKind, MetricBreakdown, Plan, Problem, Recorder, Step
from engines.contract.integer_format import powers_of_ten
from engines.contract.limits import ruled_out
from engines.contract.questions import MAPPING
from engines.contract.results import Breakdown, Matrix, Note, Result, Schedule, Table
from engines.cost.calibration.words import ROOFLINE
from engines.data.documents import IMAGE_DATA
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, workload_slot
from engines.methods.map_and_conquer.decision import Configuration, decoded, encoded, evaluated, whole_networks
from engines.methods.map_and_conquer.edits import configuration_edits
from engines.methods.map_and_conquer.explain.design_results import explain_design
from engines.methods.map_and_conquer.outcome import model_notes, tree_results
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.planning import known_bounds, make_plan
from engines.methods.map_and_conquer.presets import PRESETS
from engines.methods.map_and_conquer.problem.instance import instance_of
from engines.methods.map_and_conquer.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.map_and_conquer.run import Run
from engines.methods.map_and_conquer.search.generations import genome_of, least_bounds
from engines.methods.map_and_conquer.stage_measurements import MEASURED_CUTS
from engines.running.calibrated_engine import CalibratedEngine, CalibratedProblem
from engines.running.prepared_problems import ready_of
from engines.search.strategies import Beginning, Columns, Own
from hardware.soc.summary import unit_title


class PreparedCut(CalibratedProblem[MapAndConquerParams, Configuration, Context]):
    """A network that is cut by width, and the units of a device."""

    share = (0.01, 0.99)

    def __init__(self, problem: Problem[MapAndConquerParams]) -> None:
        """Refuse networks without layers to cut, units that cannot run them, and limits that contradict each other."""
        self.problem, self.instance = problem, instance_of(problem)
        self.covered = self.instance.pricing.measured

    def decode(self, decision: Decision) -> Configuration:
        """Return stages, clocks, cuts and reuse of a decision."""
        return decoded(self.instance, decision)

    def encode(self, design: Configuration) -> dict[str, Any]:
        """Return the decision of a configuration."""
        return encoded(self.instance, *design)[0]

    def strategy(self) -> Own[Configuration]:
        """Return the evolution, NSGA-II, or the search layer by layer."""
        params, instance = self.problem.params, self.instance
        pieces = len(instance.mappings) * len(instance.settings)
        count = pieces * params.labels if params.method == "layers" else params.evaluations
        words = f"{powers_of_ten(genome_of(instance).configurations)} configurations"
        return Own(count, words, "", lambda search: Run(self.problem, instance, search).steps())

    def begin(self, record: Recorder) -> Generator[Step, None, Beginning[Context] | None]:
        """End the run where no clocks keep the limit on energy."""
        energy = Bound("energy_j", "Energy of any configuration", least_bounds(self.instance).least_energy_j, "J")
        beyond = list(ruled_out(self.instance.allowed, (energy,)).values())
        if beyond:
            yield record.infeasible(beyond[0])
        return None if beyond else Beginning(record.context)

    def plan(self, evaluations: int) -> Plan:
        """Return time, memory and units."""
        return make_plan(self.instance, self.problem.params, evaluations)

    def facts(self) -> tuple[Result, ...]:
        """Return what a reader of the numbers must know."""
        return model_notes(self.instance, "calibration" not in self.problem.inputs)

    def report(self, designs: Designs, context: Context) -> tuple[Result, ...]:
        """Return how far boosted trees are off."""
        return tree_results(self.instance)

    def bounds(self) -> tuple[Bound, ...]:
        """Return the latency at the highest clocks, accuracy, and energy where clocks are fixed."""
        return known_bounds(self.instance)

    def baselines(self) -> dict[str, Configuration]:
        """Return the whole network on each unit alone."""
        whole = whole_networks(self.instance) if self.problem.params.baselines else {}
        return {f"{unit_title(unit)} alone": design for unit, design in whole.items()}

    def evaluate(self, designs: Sequence[Configuration], context: Context) -> Columns:
        """Score configurations at their own clocks."""
        return evaluated(self.instance, designs)

    def edits(self, decision: Decision) -> Edits:
        """Return the stages on units, and clocks."""
        return configuration_edits(self.instance, decision)

    def explain(self, design: Configuration, context: Context) -> tuple[Result, ...]:
        """Return the stages over units with waits, what is cut and reused of each layer, energy by stage."""
        return explain_design(self.instance, design)


class MapAndConquerEngine(CalibratedEngine[MapAndConquerParams, PreparedCut]):
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
    prepares = PreparedCut
    surest = "predicted"
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

    def estimator(self, problem: Problem[MapAndConquerParams]) -> tuple[str, Certainty]:
        """Return the cost model; parts of layers were never measured."""
        pricing = ready_of(self, problem).instance.pricing
        trees = "boosted trees trained on the " if problem.params.estimates == "boosted" else ""
        accuracy = "follows measured stages" if "accuracies" in problem.inputs else "is assumed"
        return f"{trees}{ROOFLINE}, {pricing.measured.words()}; accuracy {accuracy}", weakest(
            pricing.certainty(), "predicted"
        )

    def certainties(self, problem: Problem[MapAndConquerParams]) -> Mapping[str, Certainty]:
        """Return the accuracies follow stages that were measured, else they are assumed."""
        word: Certainty = "predicted" if "accuracies" in problem.inputs else "assumed"
        return dict.fromkeys(("accuracy_percent", "union_percent", "performance_js"), word)

    def error_factors(self, problem: Problem[MapAndConquerParams]) -> Mapping[str, float]:
        """Return the error factors of the calibration on whole networks; None where a unit is estimated without measurements."""
        pricing = ready_of(self, problem).instance.pricing
        calibration = pricing.measured.calibration
        if pricing.certainty() != "calibrated":
            return {}
        found = {"latency_s": calibration.error_factor("latency"), "energy_j": calibration.error_factor("energy")}
        return {name: factor for name, factor in found.items() if factor is not None}

    def primary_metric(self, problem: Problem[MapAndConquerParams]) -> str:
        """Return P, by which the publication ranks."""
        return "performance_js"
