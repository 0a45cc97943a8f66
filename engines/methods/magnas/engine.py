"""The engine magnas: vision graph architectures searched together with their mappings and clocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Bound,
    Context,
    Edits,
    Engine,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Problem,
    Recorder,
    Runnable,
    Step,
)
from engines.contract.estimates import around
from engines.contract.integer_format import counted
from engines.contract.parameter_fields import choice_title
from engines.contract.plan import warnings_of
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, LayerGraph, Note, Result, Schedule, Table
from engines.cost.calibration.words import ROOFLINE
from engines.documents.input_kinds import calibration_slot, slot, soc_slot
from engines.mapping.designs.edits import mapping_edits
from engines.mapping.explain.mapping_results import MAPPING_COMPOSED, explain_mapping
from engines.mapping.problem.limits import LIMITS
from engines.methods.magnas.architectures.surrogate import published_accuracy
from engines.methods.magnas.outcome import accuracy_note
from engines.methods.magnas.params import MagnasParams
from engines.methods.magnas.quantities import DECISION_COLUMNS, QUANTITIES
from engines.methods.magnas.runnable import MEASURABLE, runnable_architecture
from engines.methods.magnas.search.accuracy import accuracy_of
from engines.methods.magnas.search.scoring import Scoring, architecture_of
from engines.methods.magnas.search.setup import Setup, build_setup
from engines.running.prepared_problems import ready_of
from engines.supernets.results import architecture_table, size_breakdown
from engines.supernets.weights_document import SUPERNET_WEIGHTS

_TORCH_MEMORY_MB = 8000.0
# Processor time per architecture on one core: 2,000 in 7.6 s, 300 with clocks after the mapping in 12 s, 100 by the published
# search in 1.9 s, 100 with clocks searched jointly in 2.2 s.
_EXACT_S, _JOINT_S_PER_SETTING, _PUBLISHED_S_PER_MAPPING, _CLOCKS_S, _OTHER_S = 2.5e-3, 1.1e-3, 7e-6, 8.4e-3, 1.2e-3
_MEASURED_S_PER_IMAGE = 3e-4
_START_S = 0.4


class MagnasEngine(Engine[MagnasParams, Setup]):
    """Outer NSGA-II over architectures, inner exact mapping of each, clocks as a third level."""

    name = "magnas"
    title = "MaGNAS"
    summary = "Searches vision graph architectures together with their mapping to the units of a system on a chip."
    source = "odema-2023 (MaGNAS, ACM TECS 22(5s), article 108)"
    question = NETWORK
    version = 1
    tags = ("architecture search", "mapping", "soc", "dvfs")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("A device with several units and a shared memory.", "jetson-agx-xavier"),
        "weights": slot(
            SUPERNET_WEIGHTS,
            "Its subnets are searched and measured. Empty: the published space, with the accuracy of published neighbours.",
            title="Trained supernet",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the networks"),
    }
    Params = MagnasParams
    quantities = QUANTITIES
    limits = LIMITS[:2]
    progress_metrics = ("accuracy_percent", "latency_s", "energy_j")
    result_types = (Schedule, LayerGraph, Breakdown, Table, Note)
    breakdowns = (*MAPPING_COMPOSED, MetricBreakdown("macs", "macs", "by part of the network", "bars"))
    decision_columns = DECISION_COLUMNS
    measurable = MEASURABLE

    def prepare(self, problem: Problem[MagnasParams]) -> Setup:
        """Refuse a device without calibration, blocks that no unit can run, clocks or modes that do not exist."""
        return build_setup(problem)

    def plan(self, problem: Problem[MagnasParams], setup: Setup) -> Plan:
        """Return architectures, time, size of the space, bounds."""
        params = problem.params
        seconds = _START_S + params.evaluations * _architecture_s(setup)
        measured = setup.weights is not None
        checks = (
            PlanCheck(
                True,
                f"{counted(setup.space.size)} different architectures ({counted(setup.space.printed_size)} encodings)",
            ),
            PlanCheck(True, f"Units: {', '.join(setup.model.units)}; clock settings: {len(setup.settings)}"),
            PlanCheck(True, f"Costs: {setup.covered.words()}"),
            PlanCheck(True, _accuracy_words(setup)),
        )
        return Plan(
            evaluations=params.evaluations,
            memory_mb=_TORCH_MEMORY_MB if measured else 600.0 + params.evaluations * 0.02,
            time_s=around(seconds),
            needs=frozenset({"torch"} if measured else ()),
            determinism="pinned" if measured else "exact",
            checks=checks,
            notes=(
                *(() if measured else (accuracy_note(setup).text,)),
                *warnings_of(setup.covered.notes(chosen=setup.chosen)),
            ),
        )

    def bounds(self, problem: Problem[MagnasParams], setup: Setup) -> tuple[Bound, ...]:
        """Return the least of the space."""
        latency, energy = setup.table.least()
        return (
            Bound("latency_s", "Latency of any design", latency, "s"),
            Bound("energy_j", "Energy of any design", energy, "J"),
        )

    def estimator(self, problem: Problem[MagnasParams]) -> tuple[str, Certainty]:
        """Cost model, and where accuracy is from."""
        setup = ready_of(self, problem)
        words = f"{ROOFLINE}, {setup.covered.words()}; accuracy "
        return words + (
            "measured" if setup.weights is not None else "of published neighbours"
        ), setup.covered.certainty()

    def certainties(self, problem: Problem[MagnasParams]) -> Mapping[str, Certainty]:
        """Return the certainty: accuracy is measured with weights, else that of the nearest published network."""
        return {"accuracy_percent": "measured" if "weights" in problem.inputs else "predicted"}

    def model(self, problem: Problem[MagnasParams]) -> str:
        """Return the subnets of the trained supernet, else the published space and whose accuracy it has."""
        weights = problem.inputs.get("weights")
        if weights is not None:
            return f"subnets of {weights.slug} v{weights.version}"
        return f"published space, accuracy of {choice_title(problem.params, 'data_set')}"

    def primary_metric(self, problem: Problem[MagnasParams]) -> str:
        """Return the accuracy stands first; what is told of a run is its fastest design."""
        return "latency_s"

    def run(self, problem: Problem[MagnasParams], setup: Setup, record: Recorder) -> Iterator[Step]:
        """Yield the baselines first, then generation after generation."""
        from engines.methods.magnas.run import SearchRun

        search = SearchRun(setup, record)
        if record.state is None:
            yield search.baselines()
        yield from search.generations()

    def evaluate(self, problem: Problem[MagnasParams], setup: Setup, decisions: Decisions, context: Context) -> Designs:
        """Return the same numbers again, with origin "user"."""
        accuracy, scoring = accuracy_of(setup, context), Scoring(setup)
        found = []
        for decision in decisions:
            architecture = architecture_of(setup, decision)
            found.append(scoring.evaluated(architecture, accuracy.percent(architecture), decision))
        return Designs.concatenate(found)

    def edits(self, problem: Problem[MagnasParams], setup: Setup, decision: Decision) -> Edits:
        """Return the blocks of the architecture on units, and clocks."""
        return mapping_edits(setup.instance(architecture_of(setup, decision)), decision, setup.settings)

    def explain(
        self, problem: Problem[MagnasParams], setup: Setup, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return architecture, schedule, blocks by unit, use of units, energy, work and clocks of one design."""
        architecture = architecture_of(setup, decision)
        mapping = explain_mapping(setup.instance(architecture), decision)
        return (
            mapping[0],
            architecture_table(setup.space, architecture),
            *mapping[1:],
            size_breakdown(setup.space, architecture),
        )

    def runnable(
        self, problem: Problem[MagnasParams], setup: Setup, decision: Decision, figures: Mapping[str, float]
    ) -> Runnable:
        """Return the network of the architecture."""
        return runnable_architecture(setup, architecture_of(setup, decision))


def _architecture_s(setup: Setup) -> float:
    params, settings = setup.params, len(setup.settings)
    seconds = _OTHER_S
    if params.inner == "exact":
        seconds += _EXACT_S if params.clocks != "joint" else _JOINT_S_PER_SETTING * settings
    elif params.inner == "nsga2_published":
        seconds += params.inner_evaluations * _PUBLISHED_S_PER_MAPPING
    if params.clocks == "after_mapping":
        seconds += _CLOCKS_S * np.sqrt(settings)
    if setup.weights is not None:
        images = 256 + min(params.validation_images, setup.weights.data.examples["validation"])
        seconds += 0.05 + images * _MEASURED_S_PER_IMAGE
    return float(seconds)


def _accuracy_words(setup: Setup) -> str:
    if setup.weights is not None:
        return f"Accuracy is measured on {setup.weights.data.title}"
    return (
        f"Accuracy is that of published neighbours on {published_accuracy(setup.params.data_set).title}, not measured"
    )
