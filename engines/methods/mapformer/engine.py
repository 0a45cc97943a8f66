"""The engine mapformer: several networks at once on one board, mapped by one of several managers."""

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
    require,
)
from engines.contract.questions import MAPPING
from engines.contract.results import Breakdown, Note, Result, Schedule, Table
from engines.cost.calibration.unmeasured import chosen_calibration
from engines.cost.calibration.words import ROOFLINE
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, workload_slot
from engines.methods.mapformer.changes import changes_of
from engines.methods.mapformer.estimator.document import ESTIMATOR_WEIGHTS
from engines.methods.mapformer.estimator.fitting import estimator_of
from engines.methods.mapformer.explain import explain_mapping
from engines.methods.mapformer.omniboost.shipped_networks import OMNIBOOST, shipped_for
from engines.methods.mapformer.params import MapFormerParams
from engines.methods.mapformer.planning import known_bounds, make_plan
from engines.methods.mapformer.presets import PRESETS
from engines.methods.mapformer.problem.designs import evaluated_designs
from engines.methods.mapformer.problem.edits import mix_edits
from engines.methods.mapformer.problem.instance import MixInstance, instance_of
from engines.methods.mapformer.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.mapformer.run import Run
from engines.running.prepared_problems import ready_of

_RIVALS = ("mosaic", "odmdef", "genetic", *OMNIBOOST)
_NEEDS = {"gpu": {"gpu"}, **{name: {"cpu", "gpu"} for name in _RIVALS}}


class MapFormerEngine(Engine[MapFormerParams, MixInstance]):
    """Managers under one simulator and one power limit, with a bound on what is possible."""

    name = "mapformer"
    title = "Many networks on one board"
    summary = "Maps up to ten networks at once to the compute units of a board, with clocks, within a power limit."
    source = "karatzas-2024 (MapFormer, ICCAD 2024); search and bound of our own"
    question = MAPPING
    version = 6
    tags = ("mapping", "soc", "dvfs", "multi-network")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("A device with power of every unit and of its memory.", "jetson-agx-xavier"),
        "workload": workload_slot(
            "Mix of networks",
            "1 to 10 networks that run at once; rates and priorities count.",
            preferred="ten-image-networks",
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the networks"),
        "weights": slot(
            ESTIMATOR_WEIGHTS,
            "Estimator that MapFormer uses for mappings. Empty: the built-in one for the device.",
            title="Estimator",
            required=False,
        ),
    }
    Params = MapFormerParams
    quantities = QUANTITIES
    limits = LIMITS
    progress_metrics = ("throughput_per_s", "power_w", "inferences_per_j", "fairness_fraction", "bound_fraction")
    result_types = (Schedule, Breakdown, Table, Note)
    breakdowns = (
        MetricBreakdown("power_w", "power", "by unit", "bars"),
        MetricBreakdown("power_w", "power", "by part", "parts"),
    )
    decision_columns = DECISION_COLUMNS
    presets = PRESETS

    def prepare(self, problem: Problem[MapFormerParams]) -> MixInstance:
        """Refuse mixes that are too large, operations that no unit runs, clocks that do not exist, devices without power."""
        instance = instance_of(problem)
        kinds = {unit.kind for name, unit in instance.soc.units.items()}
        wanted = _NEEDS.get(problem.params.manager, set())
        accepted = "ours or random" if not wanted <= kinds else ""
        reason = "The other managers need compute units that this device lacks."
        require(wanted <= kinds, "params.manager", problem.params.manager, accepted, reason=reason)
        if problem.params.manager in OMNIBOOST:
            accepted = "a manager other than OmniBoost"
            require(
                shipped_for(instance.soc.slug) is not None,
                "params.manager",
                problem.params.manager,
                accepted,
                reason=f"No network of OmniBoost is built in for {instance.soc.slug}.",
            )
        estimator_of(problem, instance)
        if problem.params.changes.strip():
            changes_of(problem.params.changes, instance.names, instance.power_limit_w)
            told = problem.params.manager == "mapformer"
            ways = ["Choose another manager."]
            accepted = "empty for the manager MapFormer"
            require(not told, "params.changes", problem.params.changes, accepted, remedies=ways)
        return instance

    def plan(self, problem: Problem[MapFormerParams], ready: MixInstance) -> Plan:
        """Return mappings, time, networks and clocks."""
        return make_plan(ready, problem.params, "calibration" not in problem.inputs, estimator_of(problem, ready))

    def bounds(self, problem: Problem[MapFormerParams], ready: MixInstance) -> tuple[Bound, ...]:
        """Return the power that any mapping needs."""
        return known_bounds(ready)

    def estimator(self, problem: Problem[MapFormerParams]) -> tuple[str, Certainty]:
        """Return the cost model under a simulated board."""
        covered = ready_of(self, problem).covered
        words = f"{ROOFLINE}, {covered.words()}; board simulated in steady state"
        return words, weakest(covered.certainty(), "predicted")

    def surer_designs(self, problem: Problem[MapFormerParams]) -> SurerDesigns:
        """Return networks on measured units alone."""
        covered = ready_of(self, problem).covered
        units = covered.surer_units
        return (
            SurerDesigns(covered.datasheet_units, weakest(covered.certainty(units), "predicted"))
            if units
            else SurerDesigns()
        )

    def chosen_inputs(self, problem: Problem[MapFormerParams]) -> Mapping[str, str]:
        """Return the built-in calibration."""
        return chosen_calibration(problem, ready_of(self, problem).covered)

    def primary_metric(self, problem: Problem[MapFormerParams]) -> str:
        """Return the mean throughput, within the power limit."""
        return "throughput_per_s"

    def run(self, problem: Problem[MapFormerParams], ready: MixInstance, record: Recorder) -> Iterator[Step]:
        """Yield everything on the GPU first, then the manager."""
        yield from Run(problem, ready, record).steps()

    def evaluate(
        self, problem: Problem[MapFormerParams], ready: MixInstance, decisions: Decisions, context: Context
    ) -> Designs:
        """Return the same numbers again, with origin "user"."""
        return evaluated_designs(ready, decisions)

    def edits(self, problem: Problem[MapFormerParams], ready: MixInstance, decision: Decision) -> Edits:
        """Return the segments of networks on units, cuts between them, and clocks."""
        return mix_edits(ready, decision)

    def explain(
        self, problem: Problem[MapFormerParams], ready: MixInstance, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return the lanes of units, networks, segments, clocks, power."""
        return explain_mapping(ready, decision)
