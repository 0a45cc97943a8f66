"""The engine sbrs-search: networks for run-time switching, trained for real, by accuracy, throughput, memory and energy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from engines.contract.designs import Decision
from engines.contract.engine import (
    Bound,
    Context,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Problem,
    require,
)
from engines.contract.estimates import around
from engines.contract.integer_format import counted, many
from engines.contract.limits import Allowed
from engines.contract.parameter_fields import choice_title
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, LayerGraph, Result, Schedule, Table
from engines.cost.calibration.words import inheritance_note
from engines.data.documents import IMAGE_DATA
from engines.data.training_data import image_data_of, training_seconds
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, workload_slot
from engines.methods.sbrs.search.archive import NetworkRecord, read_decision
from engines.methods.sbrs.search.params import SearchParams
from engines.methods.sbrs.search.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.sbrs.search.report import data_note, network_results
from engines.methods.sbrs.search.search import FinalTraining, SwitchingSearch
from engines.methods.sbrs.search.space import NAME, laboratory
from engines.running.calibrated_engine import CalibratedEngine, CalibratedProblem
from engines.search.strategies import Columns, Own
from engines.workloads.loader import load_network

_MEMORY_MB = 3000.0  # of addresses: torch alone has 1.2 GB
_MOST_TRAININGS = 20_000


class PreparedNetworks(CalibratedProblem[SearchParams, NetworkRecord, FinalTraining]):
    """A space of networks for a device."""

    def __init__(self, problem: Problem[SearchParams]) -> None:
        """Refuse spaces, devices and texts that cannot be."""
        self.laboratory, params = laboratory(problem), problem.params
        self.covered = self.laboratory.covered
        self.least = self.laboratory.figures(self.laboratory.smallest())
        fits = params.population * params.generations <= _MOST_TRAININGS
        accepted = f"a number that gives at most {counted(_MOST_TRAININGS)} trainings in all"
        require(fits, "params.generations", params.generations, accepted)

    def decode(self, decision: Decision) -> NetworkRecord:
        """Return a network of the space."""
        return read_decision(self.laboratory.genotype, decision)

    def encode(self, design: NetworkRecord) -> dict[str, Any]:
        """Return the network with what was measured of it."""
        return design.decision()

    def label(self, design: NetworkRecord) -> str:
        """Return whether it was trained to the end, or has its accuracy from a decision."""
        return design.label

    def strategy(self) -> Own[NetworkRecord]:
        """Return Algorithm 1."""
        params, data = self.laboratory.params, self.laboratory.data
        trainings = params.population * params.generations + params.finalists
        words = f"{many(round(self._epochs), 'epoch')} of {many(data.examples['train'], 'example')} of {data.title}"
        return Own(trainings, words, "", lambda search: SwitchingSearch(search).steps())

    @property
    def _epochs(self) -> float:
        params = self.laboratory.params
        joint = params.population * (params.generations + 1) * params.epochs_per_generation
        return joint + params.finalists * params.final_epochs

    def plan(self, evaluations: int) -> Plan:
        """Return time, unit and where numbers are from."""
        lab, random = self.laboratory, np.random.default_rng(0)
        drawn = [lab.genotype.graph(lab.genotype.draw(random), NAME).document() for _ in range(4)]
        macs = float(np.mean([load_network(document).macs for document in drawn]))
        seconds = training_seconds(self._epochs, lab.data.examples["train"], macs, lab.params.batch_size)
        costs = inheritance_note(lab.covered.calibration, lab.covered.soc)
        return Plan(
            evaluations,
            _MEMORY_MB,
            around(seconds),
            frozenset({"torch"}),
            "pinned",
            (PlanCheck(True, f"All networks run on {lab.pricer.unit}, {lab.costs_words}"),),
            notes=(data_note(lab).text, *(note.text for note in costs)),
        )

    def bounds(self) -> tuple[Bound, ...]:
        """Return the bounds by the smallest network of the space."""
        return (
            Bound("memory_bytes", "Memory of any network", self.least["memory_bytes"], "B"),
            Bound("throughput_fps", "Throughput of any network", self.least["throughput_fps"], "fps"),
        )

    def limit_values(self, allowed: Allowed) -> Allowed:
        """Return the limits with the memory of the device where the smallest network exceeds it."""
        return self.laboratory.allowed(self.least["memory_bytes"])

    def context_of(self, context: Context) -> FinalTraining:
        """Return the context that trains finalists completely."""
        return FinalTraining(self.laboratory, context)

    def completed(self, designs: Sequence[NetworkRecord], context: FinalTraining) -> list[NetworkRecord]:
        """Train networks whose decision states no accuracy."""
        return [context.own(each.genome) if each.accuracy_percent is None else each for each in designs]

    def evaluate(self, designs: Sequence[NetworkRecord], context: FinalTraining) -> Columns:
        """Return costs, and what was measured."""
        measured = ("accuracy_percent", "epochs", "test_accuracy_percent")
        rows = [
            {**self.laboratory.figures(each.genome), **{name: getattr(each, name) for name in measured}}
            for each in designs
        ]
        return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in rows[0]}

    def explain(self, design: NetworkRecord, context: FinalTraining) -> tuple[Result, ...]:
        """Return the layers of a network with their costs."""
        return network_results(self.laboratory, design.genome)


class SbrsSearchEngine(CalibratedEngine[SearchParams, PreparedNetworks]):
    """Algorithm 1: partial training and evolution of clusters, then final training and the derived application."""

    name = "sbrs-search"
    title = "Networks for run-time switching"
    summary = (
        "Searches and trains networks by accuracy, throughput, memory and energy. Derives the switching application."
    )
    source = "minakova-2022 (SBRS, ACM TECS 21(2) art. 14), section 6, Algorithm 1"
    question = NETWORK
    version = 1
    tags = ("network search", "training", "switching", "soc")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("The device on which the networks run.", "jetson-tx2"),
        "data": slot(
            IMAGE_DATA, "Data set that the networks learn. Empty: handwritten digits.", title="Data", required=False
        ),
        "workload": workload_slot(
            "Baseline network",
            "The network whose clusters make the space, where the space is “From the baseline network”.",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device"),
    }
    Params = SearchParams
    prepares = PreparedNetworks
    other_costs = "; accuracy is measured"
    measured_columns = (
        "accuracy_percent",
        "test_accuracy_percent",
    )
    quantities = QUANTITIES
    decision_columns = DECISION_COLUMNS
    limits = LIMITS
    progress_metrics = ("accuracy_percent",)
    result_types = (Schedule, LayerGraph, Breakdown, Table)
    breakdowns = (MetricBreakdown("energy_j", "energy", "by cluster", "bars"),)

    def model(self, problem: Problem[SearchParams]) -> str:
        """Return the space of networks and what they learn."""
        return (
            f"networks of the space “{choice_title(problem.params, 'space')}”, trained on {image_data_of(problem).slug}"
        )
