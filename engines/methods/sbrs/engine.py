"""The engine sbrs: one application of several networks that share layers, and switches between them at run time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Context,
    Engine,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Problem,
    Recorder,
    Step,
    require,
)
from engines.contract.estimates import around
from engines.contract.integer_format import counted, many
from engines.contract.limits import Allowed
from engines.contract.plan import warnings_of
from engines.contract.questions import CONTROL
from engines.contract.results import Breakdown, LayerGraph, Matrix, Note, Result, Schedule, Table, Trace
from engines.cost.calibration.public_comparison import public_notes
from engines.cost.calibration.unmeasured import chosen_calibration
from engines.cost.calibration.words import ROOFLINE
from engines.cost.memory_capacity import unknown_memory_notes
from engines.documents.input_kinds import calibration_slot, measured_slot, slot, soc_slot, workload_slot
from engines.methods.sbrs.explain import explain_application, served
from engines.methods.sbrs.explain_mission import mission_results
from engines.methods.sbrs.instance import MOST_DESIGNS, Instance, build_instance
from engines.methods.sbrs.params import SbrsParams
from engines.methods.sbrs.quantities import LIMITS, QUANTITIES
from engines.methods.sbrs.scoring import build, decode, designs_of, score
from engines.running.prepared_problems import ready_of
from hardware.battery.family import BATTERY
from hardware.environment.family import ENVIRONMENT

_BATCH = 16
_ALONE = "One network alone: a static application, nothing switches"
_SECONDS_PER_LAYER_PAIR = 7.5e-6  # five image networks and 208 applications: 1.15 s


class SbrsEngine(Engine[SbrsParams, Instance]):
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
    quantities = QUANTITIES
    limits = LIMITS
    progress_metrics = ("memory_bytes", "response_delay_s")
    result_types = (Schedule, Trace, Matrix, LayerGraph, Breakdown, Table, Note)
    breakdowns = (MetricBreakdown("memory_bytes", "memory", "by what it holds", "parts", bar="Application"),)

    def prepare(self, problem: Problem[SbrsParams]) -> Instance:
        """Refuse networks without an estimate, texts that cannot be read, and too many applications."""
        instance = build_instance(problem)
        count = instance.candidate_count
        reason = f"There are {many(count, 'application')}, more than the limit of {counted(MOST_DESIGNS)}."
        require(
            count <= MOST_DESIGNS, "params.largest_set", problem.params.largest_set, "a smaller number", reason=reason
        )
        return instance

    def plan(self, problem: Problem[SbrsParams], instance: Instance) -> Plan:
        """Return applications, time, what is known of accuracy."""
        candidates = instance.candidates()
        layers = float(np.mean([len(network.cnn.layers) for network in instance.networks]))
        asked = 1 if problem.params.request == "first" else layers
        pairs = float(np.mean([len(networks) ** 2 for networks, _ in candidates]))
        seconds = 0.1 + len(candidates) * pairs * layers * asked * _SECONDS_PER_LAYER_PAIR
        known = sum(network.accuracy_percent is not None for network in instance.networks)
        words = f"Accuracy of {known} of {len(instance.networks)} networks is given"
        several = len(instance.networks) > 1
        switches = f"{len(instance.networks)} networks to switch between" if several else _ALONE
        return Plan(
            evaluations=len(candidates),
            memory_mb=250.0,
            time_s=around(seconds),
            checks=(
                PlanCheck(several, switches),
                PlanCheck(True, f"All networks run on {instance.unit}, {_costs_words(instance)}"),
                PlanCheck(known == len(instance.networks), words),
                *(
                    [PlanCheck(True, f"The power budget is the profile {mission.budget.name}")]
                    if (mission := instance.mission)
                    else []
                ),
            ),
            notes=(
                *_accuracy_notes(instance),
                *warnings_of(_costs_notes(instance)),
            ),
        )

    def estimator(self, problem: Problem[SbrsParams]) -> tuple[str, Certainty]:
        """Return the name of the cost model and the certainty of its estimates."""
        instance = ready_of(self, problem)
        return f"{ROOFLINE}, {_costs_words(instance)}", instance.covered.certainty()

    def chosen_inputs(self, problem: Problem[SbrsParams]) -> Mapping[str, str]:
        """Return the built-in calibration."""
        return chosen_calibration(problem, ready_of(self, problem).covered)

    def limit_values(self, problem: Problem[SbrsParams], ready: Instance) -> Allowed:
        """Return the limits with the memory of the device among them."""
        return ready.allowed

    def run(self, problem: Problem[SbrsParams], instance: Instance, record: Recorder) -> Iterator[Step]:
        """Score every candidate."""
        candidates, context = instance.candidates(), record.context
        while record.evaluations < len(candidates) and not context.stop_requested():
            batch = candidates[record.evaluations : record.evaluations + _BATCH]
            record.add(designs_of(instance, batch, context.executor.map(score, instance, batch)))
            words = f"{counted(record.evaluations)} of {counted(len(candidates))} applications"
            last = record.evaluations == len(candidates)
            unmet = record.unmet() if last else None
            if unmet is not None:
                yield record.infeasible(unmet, words)
                return
            results = _overall(instance) if last else ()
            yield record.step(record.evaluations / len(candidates), words, results, state={})

    def evaluate(
        self, problem: Problem[SbrsParams], instance: Instance, decisions: Decisions, context: Context
    ) -> Designs:
        """Return the same numbers again, with origin "user"."""
        candidates = [decode(instance, decision) for decision in decisions]
        return designs_of(instance, candidates, [score(instance, candidate) for candidate in candidates])

    def explain(
        self, problem: Problem[SbrsParams], instance: Instance, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return supergraph, memory, switches, requirements and mission of one application."""
        return explain_application(instance, decision)

    def result_types_of(self, problem: Problem[SbrsParams]) -> tuple[type[Result], ...]:
        """Return the result types; traces need a mission, which an environment makes."""
        return tuple(each for each in self.result_types if each is not Trace or "environment" in problem.inputs)


def _overall(instance: Instance) -> tuple[Result, ...]:
    """Return the results of the whole run: the published application, whose networks the requirement sets select."""
    application = build(instance, (instance.selected, ("I", "O", "par")))
    notes = tuple(Note("accuracy", "Accuracy", text, "warning") for text in _accuracy_notes(instance))
    costs = _costs_notes(instance)
    return (*served(instance, application), *mission_results(instance, instance.selected), *notes, *costs)


def _costs_words(instance: Instance) -> str:
    return instance.covered.words()


def _costs_notes(instance: Instance) -> list[Note]:
    costs = instance.covered
    notes = [*costs.notes(chosen=instance.chosen), *unknown_memory_notes(costs.soc)]
    for network in instance.networks:
        estimate = {instance.unit: 1 / network.throughput_fps}
        found = public_notes(costs.soc, network.cnn.name, 1, estimate, instance.params.precision)
        notes += [replace(note, name=f"{note.name}-{network.cnn.name}") for note in found]
    return notes


def _accuracy_notes(instance: Instance) -> tuple[str, ...]:
    unknown = [network.cnn.name for network in instance.networks if network.accuracy_percent is None]
    if not unknown:
        return ()
    if len(unknown) == len(instance.networks):
        return ("No accuracy is given: it counts as equal in all ranks. Fill in “Accuracies” to rank by it.",)
    return (f"No accuracy is given of {', '.join(unknown)}: it counts as 0 % in the ranks.",)
