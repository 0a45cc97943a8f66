"""The engine split-network: which layers of a network run on a device, which at a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from engines.contract.certainty import Certainty, weakest
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Context,
    Edits,
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
from engines.contract.integer_format import many
from engines.contract.limits import Allowed
from engines.contract.questions import SPLIT
from engines.contract.results import Breakdown, LayerGraph, Note, Result, Schedule, Table
from engines.cost.calibration.unmeasured import chosen_calibration
from engines.cost.calibration.words import ROOFLINE
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, trace_slots, workload_slot
from engines.methods.split_network.edits import cut_edits
from engines.methods.split_network.explain import explain_cut
from engines.methods.split_network.instance import SplitInstance, instance_of
from engines.methods.split_network.outcome import BASELINES, model_notes, run_results, with_ways_out
from engines.methods.split_network.params import SplitNetworkParams
from engines.methods.split_network.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.split_network.runnable import MEASURABLE, runnable_cut
from engines.methods.split_network.scoring import designs_of, evaluated_designs, every_priced, priced
from engines.running.prepared_problems import ready_of
from hardware.radio.family import RADIO
from hardware.radio.summary import radio_words
from hardware.soc.summary import unit_title

# Processor time on one core.
_START_S, _CUT_S = 0.5, 1e-4


class SplitNetworkEngine(Engine[SplitNetworkParams, SplitInstance]):
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

    def prepare(self, problem: Problem[SplitNetworkParams]) -> SplitInstance:
        """Refuse radios without an uplink, units that do not exist, operations that no estimate covers."""
        return instance_of(problem)

    def plan(self, problem: Problem[SplitNetworkParams], ready: SplitInstance) -> Plan:
        """Return the cuts and time."""
        count = len(ready.cuts.inside) * (1 if problem.params.compression == 1 else 2)
        notes = model_notes(ready, "calibration" not in problem.inputs)
        known = f"at {ready.bandwidth_bits_per_s / 1e6:g} Mbit/s; {1e3 * ready.queue.mean_s:.4g} ms before the server starts"
        return Plan(
            evaluations=count + len(BASELINES),
            memory_mb=250.0,
            time_s=around(_START_S + _CUT_S * count),
            checks=(
                PlanCheck(True, f"{many(len(ready.graph.names), 'layer')}, {many(len(ready.cuts.inside), 'cut')}"),
                PlanCheck(True, f"{unit_title(ready.unit)} runs the layers of the device"),
                PlanCheck(True, f"{radio_words(ready.radio)}, {known}"),
                PlanCheck(True, f"Costs: {ready.covered.of(ready.unit).words()}"),
            ),
            notes=tuple(note.text for note in notes if note.level == "warning"),
        )

    def estimator(self, problem: Problem[SplitNetworkParams]) -> tuple[str, Certainty]:
        """Return the cost model of the device, and the radio's power by throughput."""
        ready = ready_of(self, problem)
        covered = ready.covered.of(ready.unit)
        words = f"{ROOFLINE}, {covered.words()}; radio by power and throughput"
        return words, weakest(covered.certainty(), "predicted")

    def chosen_inputs(self, problem: Problem[SplitNetworkParams]) -> Mapping[str, str]:
        """Return the built-in calibration."""
        return chosen_calibration(problem, ready_of(self, problem).covered)

    def limit_values(self, problem: Problem[SplitNetworkParams], ready: SplitInstance) -> Allowed:
        """Return the limits with the memory of the device among them."""
        return ready.allowed

    def run(self, problem: Problem[SplitNetworkParams], ready: SplitInstance, record: Recorder) -> Iterator[Step]:
        """Yield all on the device and all at the server, then every cut.

        It takes a second, so that nothing is kept to go on from.
        """
        ends = np.stack([np.ones(len(ready.graph.names), dtype=bool), np.zeros(len(ready.graph.names), dtype=bool)])
        both = priced(ready, ends, np.zeros(2, dtype=bool))
        record.add(designs_of(ready, both, record.context, BASELINES), "baseline")
        notes = model_notes(ready, "calibration" not in problem.inputs)
        yield record.step(0.1, "All on the device, all at the server", notes)
        if record.context.stop_requested():
            return
        cuts = every_priced(ready)
        found = designs_of(ready, cuts, record.context)
        record.add(found)
        unmet = record.unmet()
        if unmet is not None:
            yield record.infeasible(with_ways_out(ready, cuts, unmet))
            return
        results = run_results(ready, cuts, record.designs)
        yield record.step(1.0, f"{many(len(found), 'cut')} priced", results)

    def evaluate(
        self, problem: Problem[SplitNetworkParams], ready: SplitInstance, decisions: Decisions, context: Context
    ) -> Designs:
        """Return the same numbers again, with origin "user"."""
        return evaluated_designs(ready, decisions, context)

    def edits(self, problem: Problem[SplitNetworkParams], ready: SplitInstance, decision: Decision) -> Edits:
        """Return the cut along the layers, and whether what is sent passes through a bottleneck."""
        return cut_edits(ready, decision)

    def explain(
        self, problem: Problem[SplitNetworkParams], ready: SplitInstance, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return device, radio and server over time, energy, what is sent, both sides of the graph."""
        return explain_cut(ready, decision)

    def runnable(
        self,
        problem: Problem[SplitNetworkParams],
        ready: SplitInstance,
        decision: Decision,
        figures: Mapping[str, float],
    ) -> Runnable:
        """Return the layers on the device."""
        return runnable_cut(ready, decision)
