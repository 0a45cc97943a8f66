"""The engine magnas: vision graph architectures searched together with their mappings and clocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

import numpy as np

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision
from engines.contract.engine import (
    Bound,
    Context,
    Edits,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Problem,
    Runnable,
)
from engines.contract.estimates import around
from engines.contract.integer_format import counted
from engines.contract.parameter_fields import choice_title
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, LayerGraph, Note, Result, Schedule, Table
from engines.cost.calibration.words import ROOFLINE
from engines.documents.input_kinds import calibration_slot, slot, soc_slot
from engines.mapping.designs.edits import mapping_edits
from engines.mapping.explain.mapping_results import MAPPING_COMPOSED, explain_mapping
from engines.mapping.problem.limits import LIMITS
from engines.methods.magnas.architectures.surrogate import published_accuracy
from engines.methods.magnas.params import MagnasParams
from engines.methods.magnas.quantities import DECISION_COLUMNS, QUANTITIES
from engines.methods.magnas.runnable import MEASURABLE, runnable_architecture
from engines.methods.magnas.search.accuracy import Accuracy, accuracy_note, accuracy_of
from engines.methods.magnas.search.architecture_search import ArchitectureSearch
from engines.methods.magnas.search.scoring import (
    ArchitectureDesign,
    architecture_of,
    columns_of,
    decode,
    designs_of,
    encode,
)
from engines.methods.magnas.search.setup import Setup, build_setup
from engines.running.calibrated_engine import CalibratedEngine, CalibratedProblem
from engines.running.prepared_problems import ready_of
from engines.search.strategies import Columns, Own
from engines.supernets.results import OPERATOR_TITLES, architecture_table, size_breakdown
from engines.supernets.weights_document import SUPERNET_WEIGHTS
from hardware.soc.summary import unit_title

_TORCH_MEMORY_MB = 8000.0
# Processor time per architecture on one core: 2,000 in 7.6 s, 300 with clocks after the mapping in 12 s, 100 by the published
# search in 1.9 s, 100 with clocks searched jointly in 2.2 s.
_EXACT_S, _JOINT_S_PER_SETTING, _PUBLISHED_S_PER_MAPPING, _CLOCKS_S, _OTHER_S = 2.5e-3, 1.1e-3, 7e-6, 8.4e-3, 1.2e-3
_MEASURED_S_PER_IMAGE = 3e-4
_START_S = 0.4


class PreparedArchitectures(CalibratedProblem[MagnasParams, ArchitectureDesign, Callable[[], Accuracy]]):
    """A space of architectures for a device; accuracy is measured or looked up where it is asked for."""

    share = (0.01, 0.98)

    def __init__(self, problem: Problem[MagnasParams]) -> None:
        """Refuse a device without calibration, blocks that no unit can run, clocks or modes that do not exist."""
        self.setup = build_setup(problem)
        self.covered = self.setup.covered

    def decode(self, decision: Decision) -> ArchitectureDesign:
        """Return architecture, mapping and clocks of a decision."""
        return decode(self.setup, decision)

    def encode(self, design: ArchitectureDesign) -> dict[str, Any]:
        """Return the decision of a design."""
        return encode(self.setup, design)

    def label(self, design: ArchitectureDesign) -> str:
        """Return the architecture in short words, of designs of the search."""
        return design.label

    def strategy(self) -> Own[ArchitectureDesign]:
        """Return the outer search, in which each architecture is mapped."""
        space = self.setup.space
        words = f"{counted(space.size)} different architectures ({counted(space.printed_size)} encodings)"
        steps = lambda search: ArchitectureSearch(self.setup, search).steps()  # noqa: E731
        return Own(self.setup.params.evaluations, words, "", steps)

    def plan(self, evaluations: int) -> Plan:
        """Return units, clocks, costs, accuracy and time."""
        setup, measured = self.setup, self.setup.weights is not None
        lines = (
            f"Units: {', '.join(setup.model.units)}; clock settings: {len(setup.settings)}",
            f"Costs: {setup.covered.words()}",
            _accuracy_words(setup),
        )
        return Plan(
            evaluations,
            _TORCH_MEMORY_MB if measured else 600.0 + evaluations * 0.02,
            around(_START_S + evaluations * _architecture_s(setup)),
            frozenset({"torch"} if measured else ()),
            "pinned" if measured else "exact",
            tuple(PlanCheck(True, line) for line in lines),
        )

    def facts(self) -> tuple[Result, ...]:
        """Return the notes on the sources of accuracies and costs."""
        return (accuracy_note(self.setup), *self.setup.covered.notes(chosen=self.setup.chosen))

    def baselines(self) -> dict[str, ArchitectureDesign]:
        """Return the largest architecture of each graph operator on each unit alone."""
        setup, found = self.setup, list[ArchitectureDesign]()
        for operator in setup.space.operators if setup.params.baselines else ():
            architecture = setup.space.largest(operator)
            costs = setup.table.costs(architecture)
            able = np.flatnonzero(np.isfinite(costs.latency_s[:, :, setup.reference]).all(axis=0))
            units = np.repeat(able[:, None], costs.blocks, axis=1)
            titles = [f"{OPERATOR_TITLES[operator]}, {unit_title(setup.model.units[at])} alone" for at in able]
            found += designs_of(setup, architecture, None, units, np.full(len(able), setup.reference), titles)
        return {each.label: each for each in found}

    def bounds(self) -> tuple[Bound, ...]:
        """Return the lower bounds of latency and energy over the space."""
        latency, energy = self.setup.table.least()
        return (
            Bound("latency_s", "Latency of any design", latency, "s"),
            Bound("energy_j", "Energy of any design", energy, "J"),
        )

    def context_of(self, context: Context) -> Callable[[], Accuracy]:
        """Return a function that provides the accuracies; it reads the weights at the first call."""
        return cache(lambda: accuracy_of(self.setup, context))

    def completed(
        self, designs: Sequence[ArchitectureDesign], context: Callable[[], Accuracy]
    ) -> list[ArchitectureDesign]:
        """Measure or look up the accuracy of architectures without one."""
        percent = cache(lambda architecture: context().percent(architecture))
        return [
            replace(each, accuracy_percent=percent(each.architecture)) if each.accuracy_percent is None else each
            for each in designs
        ]

    def evaluate(self, designs: Sequence[ArchitectureDesign], context: Callable[[], Accuracy]) -> Columns:
        """Return accuracy, costs and eq. 13 of each mapping."""
        return columns_of(self.setup, designs)

    def edits(self, decision: Decision) -> Edits:
        """Return blocks of the architecture on units, and clocks."""
        return mapping_edits(self.setup.instance(architecture_of(self.setup, decision)), decision, self.setup.settings)

    def explain(self, design: ArchitectureDesign, context: Callable[[], Accuracy]) -> tuple[Result, ...]:
        """Return architecture, schedule, blocks by unit, use of units, energy, work and clocks."""
        space, architecture = self.setup.space, design.architecture
        instance = design.instance or self.setup.instance(architecture)
        decision = {name: value for name, value in self.encode(design).items() if name != "architecture"}
        schedule, *others = explain_mapping(instance, decision)
        return (schedule, architecture_table(space, architecture), *others, size_breakdown(space, architecture))

    def runnable(self, design: ArchitectureDesign, figures: Mapping[str, float]) -> Runnable:
        """Return the network of the architecture."""
        return runnable_architecture(self.setup, design.architecture)


class MagnasEngine(CalibratedEngine[MagnasParams, PreparedArchitectures]):
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
            "A supernet whose subnets are searched and measured. Empty: the published space, with the accuracy of "
            "published neighbours.",
            title="Trained supernet",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the networks"),
    }
    Params = MagnasParams
    prepares = PreparedArchitectures
    quantities = QUANTITIES
    limits = LIMITS[:2]
    progress_metrics = ("accuracy_percent", "latency_s", "energy_j")
    result_types = (Schedule, LayerGraph, Breakdown, Table, Note)
    breakdowns = (*MAPPING_COMPOSED, MetricBreakdown("macs", "macs", "by part of the network", "bars"))
    decision_columns = DECISION_COLUMNS
    measurable = MEASURABLE

    def estimator(self, problem: Problem[MagnasParams]) -> tuple[str, Certainty]:
        """Return the cost model, and where accuracy is from."""
        covered = ready_of(self, problem).setup.covered
        accuracy = "measured" if "weights" in problem.inputs else "of published neighbours"
        return f"{ROOFLINE}, {covered.words()}; accuracy {accuracy}", covered.certainty()

    def certainties(self, problem: Problem[MagnasParams]) -> Mapping[str, Certainty]:
        """Return measured for accuracy by weights; else it is that of the nearest published network."""
        return {"accuracy_percent": "measured" if "weights" in problem.inputs else "predicted"}

    def model(self, problem: Problem[MagnasParams]) -> str:
        """Return the subnets of the trained supernet, else the published space and whose accuracy it has."""
        weights = problem.inputs.get("weights")
        if weights is not None:
            return f"subnets of {weights.slug} v{weights.version}"
        return f"published space, accuracy of {choice_title(problem.params, 'data_set')}"

    def primary_metric(self, problem: Problem[MagnasParams]) -> str:
        """Return latency: accuracy is the first objective, but the fastest design represents a run."""
        return "latency_s"


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
