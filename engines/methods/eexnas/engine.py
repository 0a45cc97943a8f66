"""The engine eexnas: 1-D networks with an early exit for a microcontroller, each trained, priced and written as C code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engines.contract.designs import Decision, Designs
from engines.contract.engine import (
    Bound,
    Context,
    File,
    Infeasibility,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Preset,
    Problem,
    Runnable,
)
from engines.contract.integer_format import counted, many
from engines.contract.limits import Allowed, unmet
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, LayerGraph, Note, Result, Table
from engines.data.documents import IMAGE_DATA
from engines.data.scaling import NOT_STORED
from engines.data.training_data import training_seconds
from engines.documents.input_kinds import slot, soc_slot
from engines.learning.trained_problem import TorchProblem
from engines.methods.eexnas.explain import explained
from engines.methods.eexnas.instance import instance_of
from engines.methods.eexnas.params import THRESHOLDS, EexnasParams
from engines.methods.eexnas.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES, RAM
from engines.methods.eexnas.runnable import MEASURABLE, runnable_network
from engines.methods.eexnas.space import Design, read_decision
from engines.search.prepared_problem import PreparedEngine
from engines.search.strategies import Columns, Own

if TYPE_CHECKING:  # it imports torch
    from engines.methods.eexnas.search import TrainedNetworks

_MACS_PER_SAMPLE = 900.0  # of a window, the mean of networks that are drawn
_PROPOSAL_S = 0.2
_DEVICE = "efm32-giant-gecko"


class PreparedNetworks(TorchProblem[EexnasParams, Design, "TrainedNetworks"]):
    """Networks for a microcontroller."""

    def __init__(self, problem: Problem[EexnasParams]) -> None:
        """Refuse images, and devices of which too little is known."""
        self.instance = instance_of(problem)

    def decode(self, decision: Decision) -> Design:
        """Return the network and its threshold."""
        return read_decision(self.instance.space, decision)

    def encode(self, design: Design) -> dict[str, Any]:
        """Return blocks, hidden layer, arithmetic and threshold."""
        return {**design[0].architecture.decision, "threshold": design[1]}

    def strategy(self) -> Own[Design]:
        """Return the search by the models of the objectives, at every threshold."""
        params, examples = self.instance.params, counted(self.instance.examples)
        words = f"{many(params.networks, 'network')}, {many(params.epochs, 'epoch')} each of {examples} windows"
        return Own(
            params.networks * len(THRESHOLDS), words, "", lambda search: search.beginning.context.search(search.record)
        )

    def seconds(self, evaluations: int) -> float:
        """Return the seconds of all trainings and choices."""
        params, space = self.instance.params, self.instance.space
        macs, epochs = _MACS_PER_SAMPLE * space.samples, params.epochs * params.networks
        training_s = training_seconds(epochs, self.instance.examples, macs, params.batch_size)
        return training_s + _PROPOSAL_S * params.networks

    def checks(self) -> tuple[PlanCheck, ...]:
        """Return the checks on windows and device."""
        space, device = self.instance.space, self.instance.device
        words = f"{self.instance.data_title}: {space.channels} x {space.samples} values, {space.classes} classes"
        memory = f"{device.title}: {device.clock_hz / 1e6:g} MHz, {device.ram_bytes / 1024:g} KiB of RAM"
        return (PlanCheck(True, words), PlanCheck(True, memory))

    def plan(self, evaluations: int) -> Plan:
        """Return the plan with what the signals cannot say."""
        data, notes = self.instance.data, tuple[str, ...]()
        if data is None:
            notes = ("The signals are generated: accuracies on them say nothing of real hearts or wearers.",)
        elif data.scaling is None:
            notes = (" ".join(NOT_STORED),)
        return replace(super().plan(evaluations), notes=notes)

    def bounds(self) -> tuple[Bound, ...]:
        """Return RAM: the first layer of every network has its input and at least so many outputs."""
        least = self.instance.device.ram(self.instance.space.smallest)
        return (Bound("ram_bytes", "RAM of any network", least, "B"),)

    def limit_values(self, allowed: Allowed) -> Allowed:
        """Return the limits with the memory of the device among them."""
        return self.instance.allowed

    def context_of(self, context: Context) -> TrainedNetworks:
        """Return the trained networks and their outputs for the windows."""
        from engines.methods.eexnas.search import TrainedNetworks

        return TrainedNetworks(self.instance, context)

    def evaluate(self, designs: Sequence[Design], context: TrainedNetworks) -> Columns:
        """Return the columns by the outputs of each network."""
        networks = {laid: context.outputs(laid) for laid in dict.fromkeys(laid for laid, _ in designs)}
        rows = [networks[laid].columns(self.instance, (threshold,)) for laid, threshold in designs]
        return {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}

    def explain(self, design: Design, context: TrainedNetworks) -> tuple[Result, ...]:
        """Return layers by end, energy, RAM plan, calibration, every threshold."""
        return explained(self.instance, context.outputs(design[0]), design[1])

    def report(self, designs: Designs, context: TrainedNetworks) -> tuple[Result, ...]:
        """Return the best weighted sum, accuracies of other seeds, and what the C code takes."""
        return context.report()

    def ending(self, designs: Designs, context: TrainedNetworks) -> tuple[str, Sequence[File]]:
        """Return the C code of the networks on the front."""
        return context.ending(designs)

    def unmet(self, allowed: Allowed, designs: Designs) -> Infeasibility | None:
        """Return the RAM of the smallest network where none fits the device."""
        if len(designs):
            return super().unmet(allowed, designs)
        needed = self.instance.device.ram(self.instance.space.smallest) / 1024
        return unmet(RAM, needed, allowed[RAM], reached=False)

    def runnable(self, design: Design, figures: Mapping[str, float]) -> Runnable:
        """Return the network up to each of its two ends."""
        return runnable_network(design[0], figures)


class EexnasEngine(PreparedEngine[EexnasParams]):
    """Scalarised Thompson sampling over trained networks."""

    name = "eexnas"
    title = "Networks with an exit for a microcontroller"
    summary = (
        "Searches small 1-D networks with an early exit. Each is trained, calibrated, evaluated and written as C code."
    )
    source = "odema-2024 appendix B (EExNAS)"
    question = NETWORK
    version = 3
    tags = ("architecture search", "early exits", "training", "microcontroller")
    inputs: ClassVar = {
        "hardware": soc_slot("The microcontroller: its clock, power and RAM.", _DEVICE),
        "data": slot(
            IMAGE_DATA,
            "Windows of signals for training and evaluation. Empty: generated beats or motions.",
            title="Signals",
            required=False,
        ),
    }
    Params = EexnasParams
    prepares = PreparedNetworks
    cost_model = ("accuracy measured on held-out windows, energy by counted operations", "predicted")
    measured_columns = (
        "accuracy_percent",
        "backbone_accuracy_percent",
        "test_accuracy_percent",
        "backbone_test_accuracy_percent",
        "ece_before_percent",
        "ece_percent",
    )
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
            "generated-beats-improvement", "The same by expected hypervolume improvement", {"hardware": _DEVICE},
            {"search": "improvement"},
        ),
        Preset(
            "generated-beats-binary", "32-bit and binary networks together", {"hardware": _DEVICE}, {"arithmetic": "both"}
        ),
    )  # fmt: skip

    def model(self, problem: Problem[EexnasParams]) -> str:
        """Return a description of the networks and their training data."""
        return instance_of(problem).data_title
