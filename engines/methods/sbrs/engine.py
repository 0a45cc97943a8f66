"""The engine sbrs: one application of several networks that share layers, and switches between them at run time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from engines.contract.designs import Decision, Designs
from engines.contract.engine import Context, InputKind, MetricBreakdown, Plan, PlanCheck, Problem, require
from engines.contract.estimates import around
from engines.contract.integer_format import counted, many
from engines.contract.limits import Allowed
from engines.contract.questions import CONTROL
from engines.contract.results import Breakdown, LayerGraph, Matrix, Note, Result, Schedule, Table, Trace
from engines.cost.calibration.public_comparison import public_notes
from engines.cost.memory_capacity import unknown_memory_notes
from engines.documents.input_kinds import calibration_slot, measured_slot, slot, soc_slot, workload_slot
from engines.methods.sbrs.explain import explain_application, served
from engines.methods.sbrs.explain_mission import mission_results
from engines.methods.sbrs.instance import MOST_DESIGNS, Candidate, Instance, build_instance
from engines.methods.sbrs.params import SbrsParams
from engines.methods.sbrs.quantities import LIMITS, QUANTITIES
from engines.methods.sbrs.scoring import build, decode, encode, score
from engines.running.calibrated_engine import CalibratedEngine, CalibratedProblem
from engines.search.strategies import Columns, Exhaustive, ListedDesigns
from hardware.battery.family import BATTERY
from hardware.environment.family import ENVIRONMENT

_BATCH = 16
_ALONE = "One network alone: a static application, nothing switches"
_SECONDS_PER_LAYER_PAIR = 7.5e-6  # five image networks and 208 applications: 1.15 s


class PreparedApplications(CalibratedProblem[SbrsParams, Candidate, Context]):
    """Networks on a device, and the applications that may be made of them."""

    share = (0.0, 1.0)

    def __init__(self, problem: Problem[SbrsParams]) -> None:
        """Refuse networks without an estimate, texts that cannot be read, and too many applications."""
        self.instance = build_instance(problem)
        self.covered = self.instance.covered
        count = self.instance.candidate_count
        reason = f"There are {many(count, 'application')}, more than the limit of {counted(MOST_DESIGNS)}."
        require(count <= MOST_DESIGNS, "params.largest_set", problem.params.largest_set, "smaller", reason=reason)

    def decode(self, decision: Decision) -> Candidate:
        """Return networks and adaptive attributes of a decision."""
        return decode(self.instance, decision)

    def encode(self, design: Candidate) -> Mapping[str, Any]:
        """Return the names of the networks, and the adaptive attributes."""
        return encode(self.instance, design)

    def strategy(self) -> Exhaustive[Candidate]:
        """Return the search that evaluates every application."""
        return Exhaustive(ListedDesigns(self.instance.candidates()), _BATCH)

    def evaluate(self, designs: Sequence[Candidate], context: Context) -> Columns:
        """Return the scores of applications, on all processes."""
        rows = context.executor.map(score, self.instance, designs)
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def plan(self, evaluations: int) -> Plan:
        """Return applications, time, what is known of accuracy."""
        instance, params = self.instance, self.instance.params
        layers = float(np.mean([len(network.cnn.layers) for network in instance.networks]))
        asked = 1 if params.request == "first" else layers
        pairs = float(np.mean([len(networks) ** 2 for networks, _ in instance.candidates()]))
        known, count = sum(each.accuracy_percent is not None for each in instance.networks), len(instance.networks)
        budget = (
            () if instance.mission is None else (f"The power budget is the profile {instance.mission.budget.name}",)
        )
        return Plan(
            evaluations,
            250.0,
            around(0.1 + evaluations * pairs * layers * asked * _SECONDS_PER_LAYER_PAIR),
            checks=(
                PlanCheck(count > 1, f"{count} networks to switch between" if count > 1 else _ALONE),
                PlanCheck(True, f"All networks run on {instance.unit}, {instance.covered.words()}"),
                PlanCheck(known == count, f"Accuracy of {known} of {count} networks is given"),
                *(PlanCheck(True, line) for line in budget),
            ),
        )

    def facts(self) -> tuple[Result, ...]:
        """Return what to know of accuracies and costs."""
        return (*_accuracy_notes(self.instance), *_costs_notes(self.instance))

    def limit_values(self, allowed: Allowed) -> Allowed:
        """Return the limits with the memory of the device among them."""
        return self.instance.allowed

    def report(self, designs: Designs, context: Context) -> tuple[Result, ...]:
        """Return what belongs to the whole run: the paper's application, whose networks the requirement sets select."""
        instance = self.instance
        application = build(instance, (instance.selected, ("I", "O", "par")))
        return (*served(instance, application), *mission_results(instance, instance.selected))

    def explain(self, design: Candidate, context: Context) -> tuple[Result, ...]:
        """Return supergraph, memory, switches, requirements and mission of one application."""
        return explain_application(self.instance, design)


class SbrsEngine(CalibratedEngine[SbrsParams, PreparedApplications]):
    """The engine that evaluates every application of one kind: its networks, and the rate of change of its shared layers."""

    name = "sbrs"
    title = "Run-time switching"
    summary = "One application of several networks that share layers and buffers, and switch while a device runs."
    source = "minakova-2022 (SBRS, ACM TECS 21(2) art. 14), sections 4 and 6 to 9"
    question = CONTROL
    version = 3
    tags = ("switching", "soc", "energy")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("The device on which the application runs.", "jetson-tx2"),
        "workload": workload_slot(
            "Networks",
            "The networks to switch between: those of a scenario. One alone is a static application.",
            preferred="switching-image-networks",
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the networks"),
        "environment": slot(ENVIRONMENT, "A power budget over time: the mission. Empty: no mission.", required=False),
        "battery": slot(BATTERY, "Battery that the mission drains.", required=False),
        "measured": measured_slot("the mission"),
    }
    Params = SbrsParams
    prepares = PreparedApplications
    quantities = QUANTITIES
    limits = LIMITS
    progress_metrics = ("memory_bytes", "response_delay_s")
    result_types = (Schedule, Trace, Matrix, LayerGraph, Breakdown, Table, Note)
    breakdowns = (MetricBreakdown("memory_bytes", "memory", "by what it holds", "parts", bar="Application"),)

    def result_types_of(self, problem: Problem[SbrsParams]) -> tuple[type[Result], ...]:
        """Return the result types; traces need a mission, which an environment makes."""
        return tuple(each for each in self.result_types if each is not Trace or "environment" in problem.inputs)


def _costs_notes(instance: Instance) -> list[Note]:
    costs = instance.covered
    notes = [*costs.notes(chosen=instance.chosen), *unknown_memory_notes(costs.soc)]
    for network in instance.networks:
        estimate = {instance.unit: 1 / network.throughput_fps}
        found = public_notes(costs.soc, network.cnn.name, 1, estimate, instance.params.precision)
        notes += [replace(note, name=f"{note.name}-{network.cnn.name}") for note in found]
    return notes


def _accuracy_notes(instance: Instance) -> tuple[Note, ...]:
    unknown = [network.cnn.name for network in instance.networks if network.accuracy_percent is None]
    text = f"No accuracy is given of {', '.join(unknown)}: it counts as 0 % in the ranks."
    if len(unknown) == len(instance.networks):
        text = "No accuracy is given: it counts as equal in all ranks. Fill in “Accuracies” to rank by it."
    return (Note("accuracy", "Accuracy", text, "warning"),) if unknown else ()
