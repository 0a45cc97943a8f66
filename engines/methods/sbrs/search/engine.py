"""The engine sbrs-search: networks for run-time switching, trained for real, by accuracy, throughput, memory and energy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Bound,
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
from engines.contract.integer_format import counted
from engines.contract.limits import ruled_out
from engines.contract.parameter_fields import choice_title
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, Curve, LayerGraph, Result, Schedule, Table
from engines.cost.calibration.words import ROOFLINE, inheritance_note
from engines.data.data_set import DataSet
from engines.data.documents import IMAGE_DATA
from engines.data.training_data import image_data_of, training_seconds
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, workload_slot
from engines.methods.sbrs.search.archive import AS_GIVEN, FINAL, NetworkRecord, designs_of, finalists, read_decision
from engines.methods.sbrs.search.params import SearchParams
from engines.methods.sbrs.search.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.sbrs.search.report import (
    accuracy_curve,
    data_note,
    derived,
    files_of,
    network_results,
    scenarios_of,
    selection,
    space_table,
)
from engines.methods.sbrs.search.search import Evolution
from engines.methods.sbrs.search.space import NAME, SearchContext, laboratory
from engines.methods.sbrs.search.training import Task, TrainingTask, rows_of, train
from engines.methods.sbrs.torch_network import initial_weights, pack_weights, unpack_weights
from engines.running.prepared_problems import ready_of

_MEMORY_MB = 3000.0  # of addresses: torch alone has 1.2 GB


class SbrsSearchEngine(Engine[SearchParams, SearchContext]):
    """Algorithm 1: partial training and evolution of clusters, then final training and the derived application."""

    name = "sbrs-search"
    title = "Networks for run-time switching"
    summary = "Networks by accuracy, throughput, memory and energy, trained for real, and the switching application made of them."
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

    def prepare(self, problem: Problem[SearchParams]) -> SearchContext:
        """Refuse spaces, devices and texts that cannot be."""
        lab = laboratory(problem)
        lab.figures(lab.smallest())
        count = problem.params.population * problem.params.generations
        require(
            count <= 20_000,
            "params.generations",
            problem.params.generations,
            f"at most {counted(20_000)} trainings in all",
        )
        return lab

    def plan(self, problem: Problem[SearchParams], lab: SearchContext) -> Plan:
        """Return the trainings and time."""
        params = problem.params
        examples = lab.data.examples["train"]
        random = np.random.default_rng(0)
        drawn = [lab.genotype.graph(lab.genotype.draw(random), NAME).document() for _ in range(4)]
        macs = float(np.mean([_macs(document) for document in drawn]))
        epochs = (
            params.population * (params.generations + 1) * params.epochs_per_generation
            + params.finalists * params.final_epochs
        )
        seconds = training_seconds(epochs, examples, macs, params.batch_size)
        return Plan(
            evaluations=params.population * params.generations + params.finalists,
            memory_mb=_MEMORY_MB,
            time_s=around(seconds),
            needs=frozenset({"torch"}),
            determinism="pinned",
            checks=(
                PlanCheck(True, f"{counted(epochs)} epochs of {counted(examples)} examples of {lab.data.title}"),
                PlanCheck(True, f"All networks run on {lab.pricer.unit}, {lab.costs_words}"),
            ),
            notes=(
                data_note(lab).text,
                *(note.text for note in inheritance_note(lab.covered.calibration, lab.covered.soc)),
            ),
        )

    def bounds(self, problem: Problem[SearchParams], lab: SearchContext) -> tuple[Bound, ...]:
        """Return what the smallest network needs and reaches."""
        figures = lab.figures(lab.smallest())
        return (
            Bound("memory_bytes", "Memory of any network", figures["memory_bytes"], "B"),
            Bound("throughput_fps", "Throughput of any network", figures["throughput_fps"], "fps"),
        )

    def estimator(self, problem: Problem[SearchParams]) -> tuple[str, Certainty]:
        """Return the cost model."""
        lab = ready_of(self, problem)
        return f"{ROOFLINE}, {lab.costs_words}; accuracy is measured", lab.covered.certainty()

    def model(self, problem: Problem[SearchParams]) -> str:
        """Return the space of networks and what they learn."""
        return (
            f"networks of the space “{choice_title(problem.params, 'space')}”, trained on {image_data_of(problem).slug}"
        )

    def run(self, problem: Problem[SearchParams], lab: SearchContext, record: Recorder) -> Iterator[Step]:
        """Yield evolution, final training, derivation; or that the smallest network exceeds the memory of the device."""
        least = self.bounds(problem, lab)
        beyond = ruled_out(lab.allowed(least[0].value), least)
        if beyond:
            yield record.infeasible(next(iter(beyond.values())))
            return
        yield from _Run(problem, lab, record).steps()

    def evaluate(
        self, problem: Problem[SearchParams], lab: SearchContext, decisions: Decisions, context: Context
    ) -> Designs:
        """Return the costs again, with the accuracy that the decision holds (the label says so).

        Without one it is trained and measured.
        """
        data: DataSet | None = None
        measured, labels = [], []
        for decision in decisions:
            genome, known = read_decision(lab.genotype, decision)
            labels.append(AS_GIVEN if known else FINAL)
            if known is None:
                data = data or lab.data.read(context.files)
                graph = lab.genotype.graph(genome, NAME)
                random = context.random("own", repr(genome))
                weights = pack_weights(initial_weights(graph, random))
                known = _final(lab, data, genome, weights, random, context)
            measured.append(known)
        return designs_of(measured, [lab.figures(each.genome) for each in measured], labels)

    def explain(
        self, problem: Problem[SearchParams], lab: SearchContext, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return the layers of a network with their costs."""
        genome, _ = read_decision(lab.genotype, decision)
        return network_results(lab, genome)


class _Run:
    """The steps of a run."""

    def __init__(self, problem: Problem[SearchParams], lab: SearchContext, record: Recorder) -> None:
        self._problem, self._lab, self._record = problem, lab, record
        self._data = lab.data.read(record.context.files)
        self._evolution = Evolution(lab, self._data, record.context, record.state)
        self._chosen: list[int] = list(record.state["chosen"]) if record.state else []

    def steps(self) -> Iterator[Step]:
        """Yield all that is left to do."""
        params, evolution = self._lab.params, self._evolution
        if evolution.generation < 0:
            words = f"Training of the first {params.population} networks"
            yield self._record.step(0.0, words, self._first_results())
            if not evolution.begin():
                return
            yield self._step("First population trained")
        while evolution.generation < params.generations:
            designs = evolution.advance()
            if designs is None:
                return
            self._record.add(designs)
            best = float(designs.columns["accuracy_percent"].max())
            words = f"Generation {evolution.generation} of {params.generations}, best accuracy {best:.1f} %"
            yield self._step(words, (self._accuracy_curve(),))
        if not self._chosen:
            self._chosen = finalists(self._record.designs, self._lab.requirements, params.finalists)
        yield from self._finish()

    def _first_results(self) -> tuple[Result, ...]:
        lab = self._lab
        costs = lab.covered.notes(chosen="calibration" not in self._problem.inputs, precision=lab.params.precision)
        return (space_table(lab), data_note(lab), *costs)

    def _accuracy_curve(self) -> Curve:
        accuracies = self._record.designs.columns["accuracy_percent"]
        return accuracy_curve(accuracies.reshape(-1, self._lab.params.population), self._lab.data.title)

    @property
    def _finals(self) -> Designs:
        """Return what follows the networks of all generations."""
        designs = self._record.designs
        return designs.take(np.arange(self._evolution.generation * self._lab.params.population, len(designs)))

    def _finish(self) -> Iterator[Step]:
        """Yield the final training of one network after the other, then the application."""
        lab, record = self._lab, self._record
        for done, number in enumerate(self._chosen[len(self._finals) :], start=len(self._finals) + 1):
            if record.context.stop_requested():
                return
            known = self._trained_to_the_end(number)
            record.add(designs_of([known], [lab.figures(known.genome)], [FINAL]))
            yield self._step(f"{done} of {len(self._chosen)} networks trained to the end")
        if not self._chosen:
            yield record.step(1.0, "No network meets the limits: more generations may find one.")
            return
        serves, table = selection(lab, self._finals)
        scenarios = scenarios_of(lab, self._finals, serves, record.context.files)
        graph, results = derived(lab, scenarios)
        verb = "network serves" if len(scenarios) == 1 else "networks serve"
        words = f"{len(scenarios)} {verb} all requirement sets ({len(lab.requirements)})"
        yield record.step(1.0, words, (table, *results), files_of(lab, scenarios, graph))

    def _trained_to_the_end(self, number: int) -> NetworkRecord:
        """Return the network of design `number` after its final training."""
        context, decision = self._record.context, self._record.designs.decisions[number]
        genome = self._lab.genotype.check(decision["clusters"])
        weights, random = context.files.get(decision["weights"]), context.random("final", number)
        return _final(self._lab, self._data, genome, weights, random, context, decision["epochs"])

    def _step(self, message: str, results: tuple[Result, ...] = ()) -> Step:
        params = self._lab.params
        whole = params.generations + 2 + len(self._chosen or range(params.finalists))
        fraction = (self._evolution.generation + 1 + len(self._finals)) / whole
        return self._record.step(fraction, message, results, (), {**self._evolution.state, "chosen": self._chosen})


def _final(
    lab: SearchContext,
    data: DataSet,
    genome: Any,
    weights: bytes,
    random: np.random.Generator,
    context: Context,
    epochs: float = 0.0,
) -> NetworkRecord:
    """Train a network to the end, with batch normalisation, and measure it on both held-out splits."""
    params = lab.params
    graph = lab.genotype.graph(genome, NAME)
    lesson = TrainingTask(data, params.learning_rate, params.batch_size, True, ("validation", "test"))
    rows = rows_of(len(data.train), params.final_epochs, random) if params.final_epochs else np.empty(0, np.int64)
    trained = train(lesson, Task(graph, weights, rows))
    validation, test = trained.accuracies_percent
    key = context.files.put(pack_weights(unpack_weights(trained.weights)))
    return NetworkRecord(genome, validation, epochs + params.final_epochs, key, test)


def _macs(document: Mapping[str, Any]) -> int:
    from engines.workloads.loader import load_network

    return load_network(document).macs
