"""The engine split-network: which layers of a network run on a device, which at a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from engines.contract.designs import Decision, Designs
from engines.contract.engine import (
    Context,
    Edits,
    Infeasibility,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Preset,
    Problem,
    Runnable,
)
from engines.contract.estimates import around
from engines.contract.integer_format import many
from engines.contract.limits import Allowed, nearest
from engines.contract.questions import SPLIT
from engines.contract.results import Breakdown, LayerGraph, Note, Result, Schedule, Table
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, trace_slots, workload_slot
from engines.methods.split_network.edits import cut_edits
from engines.methods.split_network.explain import explain_cut
from engines.methods.split_network.instance import instance_of
from engines.methods.split_network.outcome import BASELINES, best_cut_maps, model_notes, proof_text, with_ways_out
from engines.methods.split_network.params import SplitNetworkParams
from engines.methods.split_network.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.split_network.runnable import MEASURABLE, runnable_cut
from engines.methods.split_network.scoring import Cut, columns_of, decode, encode, every, priced
from engines.running.calibrated_engine import CalibratedEngine, CalibratedProblem
from engines.search.strategies import Columns, Exhaustive, ListedDesigns
from engines.workloads.assumed_chain import scoped
from hardware.radio.family import RADIO
from hardware.radio.summary import radio_words
from hardware.soc.summary import unit_title

# Processor time on one core.
_START_S, _CUT_S = 0.5, 1e-4
_BATCH = 2048


class PreparedCuts(CalibratedProblem[SplitNetworkParams, Cut, Context]):
    """A network, a device, its radio and a server."""

    share = (0.1, 0.9)
    counts_baselines = True

    def __init__(self, problem: Problem[SplitNetworkParams]) -> None:
        """Refuse radios without an uplink, units that do not exist, operations that no estimate covers."""
        self.instance, self.chosen = instance_of(problem), "calibration" not in problem.inputs
        self.covered = self.instance.covered.of(self.instance.unit)

    @cached_property
    def cuts(self) -> list[Cut]:
        """Every cut, with and without a bottleneck."""
        return every(self.instance)

    def decode(self, decision: Decision) -> Cut:
        """Return the cut of a decision."""
        return decode(self.instance, decision)

    def encode(self, design: Cut) -> dict[str, Any]:
        """Return the last layers on the device."""
        return encode(self.instance, design)

    def strategy(self) -> Exhaustive[Cut]:
        """Return the search that evaluates every cut."""
        return Exhaustive(ListedDesigns(self.cuts), _BATCH)

    def baselines(self) -> dict[str, Cut]:
        """Return all on the device and all at the server."""
        layers = len(self.instance.graph.names)
        return dict(zip(BASELINES, (Cut(np.ones(layers, bool)), Cut(np.zeros(layers, bool))), strict=True))

    def evaluate(self, designs: Sequence[Cut], context: Context) -> Columns:
        """Return the columns of cuts."""
        return columns_of(self.instance, priced(self.instance, designs), context)

    def plan(self, evaluations: int) -> Plan:
        """Return layers, unit, link, costs and time."""
        ready = self.instance
        known = f"at {ready.bandwidth_bits_per_s / 1e6:g} Mbit/s; {1e3 * ready.queue.mean_s:.4g} ms before the server starts"
        lines = (
            f"{many(len(ready.graph.names), 'layer')}, {many(len(ready.cuts.inside), 'cut')}",
            f"{unit_title(ready.unit)} runs the layers of the device",
            f"{radio_words(ready.radio)}, {known}",
            f"Costs: {self.covered.words()}",
        )
        checks = tuple(PlanCheck(True, line) for line in lines)
        return Plan(evaluations, 250.0, around(_START_S + _CUT_S * evaluations), checks=checks)

    def facts(self) -> tuple[Result, ...]:
        """Return what a reader of the numbers must know."""
        return model_notes(self.instance, self.chosen)

    def limit_values(self, allowed: Allowed) -> Allowed:
        """Return the limits with the memory of the device among them."""
        return self.instance.allowed

    def unmet(self, allowed: Allowed, designs: Designs) -> Infeasibility:
        """Return the limit that no cut meets, and the least bandwidth at which one does."""
        return with_ways_out(self.instance, priced(self.instance, self.cuts), nearest(allowed, designs))

    def scoped(self, proof: Note, designs: Designs) -> Note:
        """Return the proof for the graph of the network, or for its assumed chain."""
        return scoped(replace(proof, text=proof_text(self.instance)), self.instance.network)

    def report(self, designs: Designs, context: Context) -> tuple[Result, ...]:
        """Return the best cut by bandwidth and delay."""
        return best_cut_maps(self.instance, priced(self.instance, self.cuts))

    def edits(self, decision: Decision) -> Edits:
        """Return the cut along the layers, and whether what is sent passes through a bottleneck."""
        return cut_edits(self.instance, decision)

    def explain(self, design: Cut, context: Context) -> tuple[Result, ...]:
        """Return device, radio and server over time, energy, what is sent, both sides of the graph."""
        return explain_cut(self.instance, design)

    def runnable(self, design: Cut, figures: Mapping[str, float]) -> Runnable:
        """Return the layers on the device."""
        return runnable_cut(self.instance, design)


class SplitNetworkEngine(CalibratedEngine[SplitNetworkParams, PreparedCuts]):
    """Every cut, priced."""

    name = "split-network"
    title = "Network cut between device and server"
    summary = "Finds where to cut a network between a device and a server, by bandwidth and queue."
    source = "odema-2024 chapter 5 (channel, queue, radio); exact search of our own"
    question = SPLIT
    version = 5
    tags = ("offloading", "split computing", "soc", "radio")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("The device that runs the beginning of the network.", "jetson-tx2"),
        "workload": workload_slot(
            "Network", "The network that is cut; the first one of a scenario.", preferred="resnet152"
        ),
        "radio": slot(RADIO, "The wireless link of the device, with its power.", preferred="wifi-smartphone"),
        "server": soc_slot(
            "The server that runs the rest. Empty: a server that is faster than the device by the factor below.",
            title="Server",
            required=False,
        ),
        **trace_slots(),
        "calibration": calibration_slot("the built-in one of the device that covers most of the network"),
    }
    Params = SplitNetworkParams
    prepares = PreparedCuts
    other_costs = "; radio by power and throughput"
    surest = "predicted"
    quantities = QUANTITIES
    limits = LIMITS
    progress_metrics = ("latency_s", "energy_j")
    result_types = (Schedule, Breakdown, Table, LayerGraph, Note)
    breakdowns = (
        MetricBreakdown("latency_s", "schedule", "by where it is spent", "lanes"),
        MetricBreakdown("energy_j", "energy", "by part", "parts"),
    )
    decision_columns = DECISION_COLUMNS
    measurable = MEASURABLE
    presets = (
        Preset(
            "resnet152-wifi", "ResNet-152 between Jetson TX2 and a server over Wi-Fi",
            {"hardware": "jetson-tx2", "workload": "resnet152", "radio": "wifi-smartphone"},
            question="Where to cut ResNet-152 between a Jetson TX2 and a server behind Wi-Fi?",
        ),
        Preset(
            "resnet152-lte", "ResNet-152 over LTE that varies, with a busy server",
            {"hardware": "jetson-tx2", "workload": "resnet152", "radio": "lte-smartphone"},
            {"compression": 16.0, "channel": "rayleigh", "queue": "geometric"},
        ),
        Preset(
            "googlenet-as-it-is", "GoogLeNet without a bottleneck, in its own precision",
            {"hardware": "jetson-tx2", "workload": "googlenet", "radio": "wifi-smartphone"},
            {"compression": 1.0, "int8": False},
        ),
    )  # fmt: skip
