"""The engine split-computing: which sensor pipelines a car sends to a server, chosen in every window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from engines.contract.designs import Decision, Designs
from engines.contract.engine import Context, File, InputKind, MetricBreakdown, Plan, PlanCheck, Preset, Problem, Step
from engines.contract.estimates import around
from engines.contract.integer_format import counted, many
from engines.contract.questions import CONTROL
from engines.contract.results import Breakdown, Matrix, Result, Table, Trace
from engines.data.training_data import require_torch
from engines.documents.input_kinds import slot, trace_slots
from engines.methods.split_computing.bottleneck.document import MEASURED_BOTTLENECKS
from engines.methods.split_computing.controllers import DQN, EXACT, TITLES, controller_of, local
from engines.methods.split_computing.explain import explain_controller
from engines.methods.split_computing.instance import instance_of
from engines.methods.split_computing.outcome import (
    CERTAINTY,
    action_shares,
    comparison,
    dqn_note,
    learning_curve,
    model_notes,
)
from engines.methods.split_computing.params import SplitComputingParams
from engines.methods.split_computing.quantities import LIMITS, QUANTITIES
from engines.methods.split_computing.scoring import BASELINES, Bench, bench_of, scored, searched
from engines.search.prepared_problem import PreparedEngine, PreparedProblem
from engines.search.strategies import Columns, Own, Search
from hardware.radio.family import RADIO
from hardware.radio.summary import radio_words

WEIGHTS_FILE = "double-dqn.float32"
# Processor time on one core.
_START_S, _CONTROLLER_S, _UPDATE_S = 0.5, 2e-7, 1.6e-3
_MEMORY_MB, _TORCH_MEMORY_MB = 800.0, 8000.0  # torch alone takes 4 GB of addresses
_KNOWN_SHARE, _BATCH = 0.2, 64


class PreparedControllers(PreparedProblem[SplitComputingParams, Decision, Bench]):
    """A car, its channel, the server and the scenes. A design is the decision that names a controller."""

    counts_baselines = True
    share = (0.01, 0.99)

    def __init__(self, problem: Problem[SplitComputingParams]) -> None:
        """Refuse radios without an uplink, counts that cannot be offloaded, deadlines that the car alone cannot keep."""
        self.instance, self.params = instance_of(problem), problem.params

    def decode(self, decision: Decision) -> Decision:
        """Return the decision, if it names a controller."""
        controller_of(decision, len(self.instance.system.counts), self.params.penalty, lambda: local)
        return decision

    def encode(self, design: Decision) -> Decision:
        """Return the decision itself."""
        return dict(design)

    def label(self, design: Decision) -> str:
        """Return the title of the exact optimum and of the double DQN."""
        kind = str(design["controller"])
        return TITLES[kind] if kind in (EXACT, DQN) else ""

    def strategy(self) -> Own[Decision]:
        """Return the controllers that need no learning, then the training of the double DQN."""
        count = len(searched(self.instance)) + self.params.dqn
        words = f"{many(count + len(BASELINES), 'controller')} on {many(self.params.windows, 'window')}"
        return Own(count, words, CERTAINTY, self._steps)

    def plan(self, evaluations: int) -> Plan:
        """Return bandwidths from which pipelines come back in time, radio, memory and time."""
        ready, params = self.instance, self.params
        learning_s = _UPDATE_S * params.dqn_updates + 3 if params.dqn else 0.0
        needed = ", ".join(
            f"{each} pipelines from {ready.system.least_bits_per_s(each, ready.queue.mean_s) / 1e6:.3g} Mbit/s on"
            for each in ready.system.counts[1:]
        )
        lines = [f"In time at the mean delay of {1e3 * ready.queue.mean_s:.4g} ms: {needed}", radio_words(ready.radio)]
        lines += [] if ready.trained is None else [ready.trained.words]
        return Plan(
            evaluations,
            _TORCH_MEMORY_MB if params.dqn else _MEMORY_MB,
            around(_START_S + learning_s + _CONTROLLER_S * params.windows * (evaluations - params.dqn)),
            frozenset({"torch"} if params.dqn else ()),
            "pinned",
            tuple(PlanCheck(True, line) for line in lines),
        )

    def facts(self) -> tuple[Result, ...]:
        """Return what a reader of the numbers must know."""
        return model_notes(self.instance)

    def baselines(self) -> dict[str, Decision]:
        """Return all in the car, R-agnostic and the oracle."""
        return {TITLES[name]: {"controller": name} for name in BASELINES}

    def context_of(self, context: Context) -> Bench:
        """Return the windows; the double DQN is trained where the weights of the run are not at hand."""
        return bench_of(self.instance, context)

    def evaluate(self, designs: Sequence[Decision], context: Bench) -> Columns:
        """Measure controllers on the same windows."""
        return scored(context, designs)

    def explain(self, design: Decision, context: Bench) -> tuple[Result, ...]:
        """Return maps, shares of actions, energy by part, a drive."""
        return explain_controller(context, context.controller(design))

    def report(self, designs: Designs, context: Bench) -> tuple[Result, ...]:
        """Return what the named controllers do how often."""
        return (action_shares(context, designs), *((dqn_note(context),) if self.params.dqn else ()))

    def _steps(self, search: Search[Decision]) -> Iterator[Step]:
        if self.params.dqn:
            require_torch()
        if search.record.state is None:
            yield from self._known(search)
        if self.params.dqn and search.record.unmet() is None:
            yield from self._trained(search)

    def _known(self, search: Search[Decision]) -> Iterator[Step]:
        record, decisions = search.record, searched(self.instance)
        for begin in range(0, len(decisions), _BATCH):
            if record.context.stop_requested():
                return
            part = decisions[begin : begin + _BATCH]
            record.add(search.evaluate(part))
            done = begin + len(part)
            state: dict[str, Any] | None = {} if done == len(decisions) else None
            yield record.step(_KNOWN_SHARE * done / len(decisions), f"{many(done, 'controller')} measured", state=state)

    def _trained(self, search: Search[Decision]) -> Iterator[Step]:
        from engines.methods.split_computing.double_dqn import DoubleDqn, weights_bytes

        record, bench, context = search.record, search.beginning.context, search.record.context
        training, state = DoubleDqn(self.instance, context), record.state
        at, lost = list[int](), list[float]()
        if state is not None and "updates" in state:
            at, lost = [int(each) for each in state["at"]], [float(each) for each in state["lost"]]
            training.restore(state)
        while not training.done:
            if context.stop_requested():
                return
            training.train_chunk()
            at.append(training.updates)
            lost.append(bench.columns(training.controller()(bench.windows))["reward_lost"])
            share = _KNOWN_SHARE + (0.99 - _KNOWN_SHARE) * training.updates / self.params.dqn_updates
            words = f"Double DQN: update {counted(training.updates)}, {lost[-1]:.3g} of reward lost"
            kept = {"at": at, "lost": lost, **training.state()}
            yield record.step(share, words, (learning_curve(at, lost),), state=kept)
        data = context.files.get_or_build(DQN, lambda: weights_bytes(training.controller()))
        record.add(search.evaluate([{"controller": DQN}]))
        search.files = (File(WEIGHTS_FILE, "application/octet-stream", data),)
        search.words = "Double DQN trained and measured"


class SplitComputingEngine(PreparedEngine[SplitComputingParams, PreparedControllers]):
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
    prepares = PreparedControllers
    cost_model = ("window model of odema-2024 chapter 5; simulated scenes", "predicted")
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

    def model(self, problem: Problem[SplitComputingParams]) -> str:
        """Return the car."""
        return f"{problem.params.pipelines} sensor pipelines"

    def comparison(self, problem: Problem[SplitComputingParams], designs: Designs) -> Table:
        """Return the named controllers side by side."""
        return comparison(designs)
