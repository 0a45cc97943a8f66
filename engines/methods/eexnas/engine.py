"""The engine eexnas: 1-D networks with an early exit for a microcontroller, each trained, priced and written as C code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from engines.contract.designs import Designs
from engines.contract.engine import (
    Bound,
    Context,
    Engine,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Preset,
    Problem,
    Recorder,
    Runnable,
    Step,
)
from engines.contract.estimates import around
from engines.contract.integer_format import counted
from engines.contract.limits import Allowed
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, LayerGraph, Note, Result, Table
from engines.data.documents import IMAGE_DATA
from engines.data.scaling import NOT_STORED
from engines.data.training_data import require_torch, training_seconds
from engines.documents.input_kinds import slot, soc_slot
from engines.methods.eexnas.decision import read_decision
from engines.methods.eexnas.instance import EexnasInstance, instance_of
from engines.methods.eexnas.params import THRESHOLDS, EexnasParams
from engines.methods.eexnas.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.eexnas.runnable import MEASURABLE, runnable_network

_MEMORY_MB = 8000.0  # torch alone takes 4 GB of addresses
_MACS_PER_SAMPLE = 900.0  # of a window, the mean of networks that are drawn
_PROPOSAL_S = 0.2
_DEVICE = "efm32-giant-gecko"


class EexnasEngine(Engine[EexnasParams, EexnasInstance]):
    """Scalarised Thompson sampling over trained networks."""

    name = "eexnas"
    title = "Networks with an exit for a microcontroller"
    summary = (
        "Searches small 1-D networks with an early exit: each is trained, calibrated, priced and written as C code."
    )
    source = "odema-2024 appendix B (EExNAS)"
    question = NETWORK
    version = 3
    tags = ("architecture search", "early exits", "training", "microcontroller")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("The microcontroller: its clock, power and RAM.", _DEVICE),
        "data": slot(
            IMAGE_DATA,
            "Windows of signals to learn from and to measure by. Empty: generated beats or motions.",
            title="Signals",
            required=False,
        ),
    }
    Params = EexnasParams
    quantities = QUANTITIES
    decision_columns = DECISION_COLUMNS
    limits = LIMITS
    progress_metrics = ("accuracy_percent", "energy_j")
    result_types = (LayerGraph, Breakdown, Table, Note)
    breakdowns = (
        MetricBreakdown("energy_j", "energy", "by layer", "parts"),
        MetricBreakdown("energy_j", "energy", "by how long windows stay", "bars"),
    )
    measurable = MEASURABLE
    presets = (
        Preset("generated-beats", "Generated beats on a Giant Gecko", {"hardware": _DEVICE}),
        Preset(
            "generated-beats-random", "The same at random, to compare with", {"hardware": _DEVICE}, {"search": "random"}
        ),
        Preset(
            "generated-beats-improvement",
            "The same by expected hypervolume improvement",
            {"hardware": _DEVICE},
            {"search": "improvement"},
        ),
        Preset(
            "generated-beats-binary",
            "32-bit and binary networks together",
            {"hardware": _DEVICE},
            {"arithmetic": "both"},
        ),
    )

    def prepare(self, problem: Problem[EexnasParams]) -> EexnasInstance:
        """Refuse images, and devices of which too little is known."""
        return instance_of(problem)

    def plan(self, problem: Problem[EexnasParams], ready: EexnasInstance) -> Plan:
        """Trainings and time."""
        params, space, device = problem.params, ready.space, ready.device
        macs = _MACS_PER_SAMPLE * space.samples
        training_s = training_seconds(params.epochs * params.networks, ready.examples, macs, params.batch_size)
        words = f"{counted(params.networks)} networks, {counted(params.epochs)} epochs each of {counted(ready.examples)} windows"
        notes: tuple[str, ...] = ()
        if ready.data is None:
            notes = ("The signals are generated: accuracies on them say nothing of real hearts or wearers.",)
        elif ready.data.scaling is None:
            notes = (" ".join(NOT_STORED),)
        return Plan(
            evaluations=params.networks * len(THRESHOLDS),
            memory_mb=_MEMORY_MB,
            time_s=around(training_s + _PROPOSAL_S * params.networks),
            needs=frozenset({"torch"}),
            determinism="pinned",
            checks=(
                PlanCheck(
                    True, f"{ready.data_title}: {space.channels} x {space.samples} values, {space.classes} classes"
                ),
                PlanCheck(True, words),
                PlanCheck(
                    True, f"{device.title}: {device.clock_hz / 1e6:g} MHz, {device.ram_bytes / 1024:g} KiB of RAM"
                ),
            ),
            notes=notes,
        )

    def bounds(self, problem: Problem[EexnasParams], ready: EexnasInstance) -> tuple[Bound, ...]:
        """RAM: the first layer of every network has its input and at least so many outputs."""
        return (Bound("ram_bytes", "RAM of any network", ready.device.ram(ready.space.smallest), "B"),)

    def limit_values(self, problem: Problem[EexnasParams], ready: EexnasInstance) -> Allowed:
        """Return the limits with the memory of the device among them."""
        return ready.allowed

    def estimator(self, problem: Problem[EexnasParams]) -> tuple[str, Literal["fitted", "predicted", "measured"]]:
        """Accuracy is measured, the rest is counted."""
        return "accuracy measured on held-out windows, energy by counted operations", "predicted"

    def model(self, problem: Problem[EexnasParams]) -> str:
        """What is learnt."""
        return instance_of(problem).data_title

    def primary_metric(self, problem: Problem[EexnasParams]) -> str:
        """Accuracy."""
        return "accuracy_percent"

    def run(self, problem: Problem[EexnasParams], ready: EexnasInstance, record: Recorder) -> Iterator[Step]:
        """Network after network."""
        require_torch()
        from engines.methods.eexnas.search import run_search

        yield from run_search(ready, record)

    def evaluate(
        self,
        problem: Problem[EexnasParams],
        ready: EexnasInstance,
        decisions: Sequence[Mapping[str, Any]],
        context: Context,
    ) -> Designs:
        """Measures again; trains first where the weights of the run are not at hand."""
        if not decisions:
            return Designs.empty(QUANTITIES)
        require_torch()
        from engines.methods.eexnas.search import evaluated

        return evaluated(ready, decisions, context)

    def explain(
        self, problem: Problem[EexnasParams], ready: EexnasInstance, decision: Mapping[str, Any], context: Context
    ) -> tuple[Result, ...]:
        """Layers by end, energy, RAM plan, calibration, every threshold."""
        require_torch()
        from engines.methods.eexnas.explain import explained
        from engines.methods.eexnas.search import judged_of

        judged, threshold = judged_of(ready, [decision], context)[0]
        return explained(ready, judged, threshold)

    def runnable(
        self,
        problem: Problem[EexnasParams],
        ready: EexnasInstance,
        decision: Mapping[str, Any],
        figures: Mapping[str, float],
    ) -> Runnable:
        """The network up to each of its two ends."""
        return runnable_network(read_decision(ready.space, decision)[0], figures)
