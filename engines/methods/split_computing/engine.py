"""The engine split-computing: which sensor pipelines a car sends to a server, chosen in every window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Context,
    Engine,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Preset,
    Problem,
    Recorder,
    Step,
)
from engines.contract.estimates import around
from engines.contract.integer_format import many
from engines.contract.questions import CONTROL
from engines.contract.results import Breakdown, Matrix, Result, Table, Trace
from engines.data.training_data import require_torch
from engines.documents.input_kinds import slot, trace_slots
from engines.methods.split_computing.bottleneck.document import MEASURED_BOTTLENECKS
from engines.methods.split_computing.controllers import DQN, Controller, controller_of
from engines.methods.split_computing.explain import explain_controller
from engines.methods.split_computing.instance import ControlInstance, instance_of
from engines.methods.split_computing.outcome import model_notes
from engines.methods.split_computing.params import SplitComputingParams
from engines.methods.split_computing.quantities import LIMITS, QUANTITIES
from engines.methods.split_computing.run import run_controllers, weights_of
from engines.methods.split_computing.scoring import BASELINES, bench_of, scored, searched
from hardware.radio.family import RADIO
from hardware.radio.summary import radio_words

# Processor time on one core.
_START_S, _CONTROLLER_S, _UPDATE_S = 0.5, 2e-7, 1.6e-3
_MEMORY_MB, _TORCH_MEMORY_MB = 800.0, 8000.0  # torch alone takes 4 GB of addresses


class SplitComputingEngine(Engine[SplitComputingParams, ControlInstance]):
    """Controllers that choose in every window, measured on the same windows."""

    name = "split-computing"
    title = "Run-time control of split computing"
    summary = "Finds controllers that decide in every window which sensor pipelines a car sends to a server."
    source = "odema-2024 chapter 5 (Romanus); exact controllers of our own"
    question = CONTROL
    version = 3
    tags = ("offloading", "split computing", "reinforcement learning", "radio")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "radio": slot(RADIO, "The wireless link of the car, with its power.", preferred="wifi-smartphone"),
        **trace_slots(),
        "bottleneck": slot(
            MEASURED_BOTTLENECKS,
            "Bottlenecks that a run trained and measured: times, power and payload of a pipeline are theirs. Empty: those of the "
            "parameters.",
            title="Trained bottlenecks",
            required=False,
        ),
    }
    Params = SplitComputingParams
    quantities = QUANTITIES
    limits = LIMITS
    progress_metrics = ("energy_j", "risky_fraction")
    result_types = (Breakdown, Matrix, Table, Trace)
    breakdowns = (MetricBreakdown("energy_j", "energy", "by part", "parts"),)
    presets = (
        Preset("published", "As published: Drive PX2, Wi-Fi, a busy server", {"radio": "wifi-smartphone"}),
        Preset("exact", "Exact optima and thresholds alone, in seconds", {"radio": "wifi-smartphone"}, {"dqn": False}),
        Preset(
            "strict", "Only very good detections may be sent", {"radio": "wifi-smartphone"},
            {"quality_threshold": 0.98, "load": 0.9},
        ),
        Preset("lte", "Over LTE, with a better view of the scene", {"radio": "lte-smartphone"}, {"context_share": 0.5}),
    )  # fmt: skip

    def prepare(self, problem: Problem[SplitComputingParams]) -> ControlInstance:
        """Refuse radios without an uplink, counts that cannot be offloaded, deadlines that the car alone cannot keep."""
        return instance_of(problem)

    def plan(self, problem: Problem[SplitComputingParams], ready: ControlInstance) -> Plan:
        """Return the controllers and time."""
        params, count = problem.params, len(searched(ready)) + len(BASELINES)
        learning_s = _UPDATE_S * params.dqn_updates + 3 if params.dqn else 0.0
        system = ready.system
        needed = ", ".join(
            f"{each} pipelines from {system.least_bits_per_s(each, ready.queue.mean_s) / 1e6:.3g} Mbit/s on"
            for each in system.counts[1:]
        )
        return Plan(
            evaluations=count + params.dqn,
            memory_mb=_TORCH_MEMORY_MB if params.dqn else _MEMORY_MB,
            time_s=around(_START_S + learning_s + _CONTROLLER_S * params.windows * count),
            needs=frozenset({"torch"}) if params.dqn else frozenset(),
            determinism="pinned",
            checks=(
                PlanCheck(True, f"{many(count + params.dqn, 'controller')} on {many(params.windows, 'window')}"),
                PlanCheck(True, f"In time at the mean delay of {1e3 * ready.queue.mean_s:.4g} ms: {needed}"),
                PlanCheck(True, radio_words(ready.radio)),
                *(() if ready.trained is None else (PlanCheck(True, ready.trained.words),)),
            ),
            notes=tuple(note.text for note in model_notes(ready) if note.level == "warning"),
        )

    def estimator(self, problem: Problem[SplitComputingParams]) -> tuple[str, Certainty]:
        """Return the measured times of a car's computer, the radio's power, simulated scenes."""
        return "window model of odema-2024 chapter 5; simulated scenes", "predicted"

    def model(self, problem: Problem[SplitComputingParams]) -> str:
        """Return the car."""
        return f"{problem.params.pipelines} sensor pipelines"

    def run(self, problem: Problem[SplitComputingParams], ready: ControlInstance, record: Recorder) -> Iterator[Step]:
        """Yield the known controllers, then the training of the double DQN."""
        if problem.params.dqn:
            require_torch()
        yield from run_controllers(ready, record)

    def evaluate(
        self, problem: Problem[SplitComputingParams], ready: ControlInstance, decisions: Decisions, context: Context
    ) -> Designs:
        """Return the measured again on the same windows; trains first where the weights of the run are not at hand."""
        return scored(bench_of(ready, context), decisions, _learnt(ready, context))

    def explain(
        self, problem: Problem[SplitComputingParams], ready: ControlInstance, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return maps, shares of actions, energy by part, a drive."""
        actions, penalty = len(ready.system.counts), problem.params.penalty
        controller = controller_of(decision, actions, penalty, _learnt(ready, context))
        return explain_controller(bench_of(ready, context), controller)


def _learnt(ready: ControlInstance, context: Context) -> Callable[[], Controller]:
    def learnt() -> Controller:
        require_torch()
        from engines.methods.split_computing.double_dqn import controller_from

        return controller_from(ready, context.files.get_or_build(DQN, lambda: weights_of(ready, context)))

    return learnt
