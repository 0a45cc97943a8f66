"""The engine train-bottleneck: branches that send little, really trained and measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from engines.contract.designs import Designs
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
)
from engines.contract.estimates import around
from engines.contract.integer_format import counted
from engines.contract.questions import TRAINING
from engines.contract.results import Breakdown, Note, Result, Table, TableColumn
from engines.cost.calibration.unmeasured import estimates_as_remedies
from engines.cost.soc_networks import NetworkPricer, covered_networks
from engines.data.documents import IMAGE_DATA, ImageData
from engines.data.training_data import image_data_of, require_torch, training_seconds
from engines.documents.input_kinds import calibration_slot, slot, soc_slot
from engines.methods.split_computing.bottleneck.costs import ENCODER, TrainingReady
from engines.methods.split_computing.bottleneck.measuring import Bench, decoded
from engines.methods.split_computing.bottleneck.params import TrainBottleneckParams
from engines.methods.split_computing.bottleneck.quantities import QUANTITIES
from engines.methods.split_computing.bottleneck.shapes import (
    OPERATOR_TITLES,
    OPERATORS,
    VIEWS,
    BranchDesign,
    bottlenecks_of,
    network_content,
    shape_of,
)
from engines.workloads.loader import load_network
from engines.workloads.network import ScenarioModel
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc
from hardware.soc.summary import unit_title

_MEMORY_MB = 8000.0  # torch alone takes 4 GB of addresses


class TrainBottleneckEngine(Engine[TrainBottleneckParams, TrainingReady]):
    """Trains two branches, distils bottlenecks and cheaper blocks from them, and searches block by block."""

    name = "train-bottleneck"
    title = "Bottleneck training"
    summary = "Trains branches with late fusion, then bottlenecks and cheaper blocks by distillation, and measures what they lose."
    source = "odema-2024 section 5.3 (bottleneck, blockwise search)"
    question = TRAINING
    version = 1
    tags = ("training", "split computing", "soc")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("The device that runs the encoders, and the rest where nothing is sent.", "jetson-tx2"),
        "data": slot(
            IMAGE_DATA, "Images to learn from and to measure by. Empty: the bundled handwritten digits.", title="Data set",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the branches"),
    }  # fmt: skip
    Params = TrainBottleneckParams
    quantities = QUANTITIES
    progress_metrics = ("accuracy_percent", "sent_bytes", "macs")
    result_types = (Breakdown, Note, Table)
    breakdowns = (MetricBreakdown("energy_j", "energy", "by block", "parts"),)

    def prepare(self, problem: Problem[TrainBottleneckParams]) -> TrainingReady:
        """Refuse images of one column, bottlenecks that are none, operations that no estimate of the device covers."""
        return _ready(problem)

    def plan(self, problem: Problem[TrainBottleneckParams], ready: TrainingReady) -> Plan:
        """Designs that are measured at most, and time."""
        data, params = image_data_of(problem), problem.params
        count = len(ready.bottlenecks)
        searched = len(OPERATORS) ** (params.blocks - 1)
        sent = [counted(ready.shape.sent_bytes(each)) for each in (None, ready.bottlenecks[0], ready.bottlenecks[-1])]
        images = f"{counted(data.examples['train'])} images"
        designs = f"{count} bottlenecks, {counted(count * searched)} designs"
        costs = ready.covered.of(ready.pricer.unit).words(params.precision)
        return Plan(
            evaluations=count * min(params.targets, searched) + 1,
            memory_mb=_MEMORY_MB,
            time_s=around(_seconds(ready, data, params)),
            needs=frozenset({"torch"}),
            determinism="pinned",
            checks=(
                PlanCheck(True, f"{VIEWS} branches of {params.blocks} blocks on {data.title}, {images}"),
                PlanCheck(True, f"{designs}; {sent[0]} B a branch become {sent[1]} to {sent[2]} B"),
                PlanCheck(True, f"Times of {unit_title(ready.pricer.unit)}: {costs}"),
            ),
        )  # fmt: skip

    def estimator(
        self, problem: Problem[TrainBottleneckParams]
    ) -> tuple[str, Literal["fitted", "predicted", "measured"]]:
        """Accuracy is measured."""
        return f"accuracy on held-out images of {image_data_of(problem).slug}", "measured"

    def model(self, problem: Problem[TrainBottleneckParams]) -> str:
        """What is trained and on what."""
        return f"{VIEWS} branches of {problem.params.blocks} blocks on {image_data_of(problem).slug}"

    def primary_metric(self, problem: Problem[TrainBottleneckParams]) -> str:
        """Accuracy."""
        return "accuracy_percent"

    def run(self, problem: Problem[TrainBottleneckParams], ready: TrainingReady, record: Recorder) -> Iterator[Step]:
        """The branches, their parts, the search and the measurement."""
        require_torch()
        from engines.methods.split_computing.bottleneck.run import run_training

        yield from run_training(problem, ready, image_data_of(problem), record)

    def evaluate(
        self,
        problem: Problem[TrainBottleneckParams],
        ready: TrainingReady,
        decisions: Sequence[Mapping[str, Any]],
        context: Context,
    ) -> Designs:
        """Measures again; trains first where the weights of the run are not at hand."""
        chosen = [decoded(ready, decision) for decision in decisions]
        return _bench(problem, ready, context).designs(chosen)

    def explain(
        self,
        problem: Problem[TrainBottleneckParams],
        ready: TrainingReady,
        decision: Mapping[str, Any],
        context: Context,
    ) -> tuple[Result, ...]:
        """Loss and accuracy before and after, the parts of a branch, where its energy goes."""
        design, bench = decoded(ready, decision), _bench(problem, ready, context)
        costs = ready.costs(design)
        parts = tuple(costs.energy_j)
        values = VIEWS * np.array([[costs.energy_j[part] for part in parts]])
        titles = tuple(part.capitalize().replace("Block", "Block ") for part in parts)
        return (
            bench.before_and_after(design), _parts_table(bench, design),
            Breakdown("energy", "Energy of both branches on the device", ("Branches",), titles, values, "J"),
            *_notes(ready, problem),
        )  # fmt: skip


@estimates_as_remedies
def _ready(problem: Problem[TrainBottleneckParams]) -> TrainingReady:
    params, soc = problem.params, problem.value("hardware", Soc)
    shape = shape_of(image_data_of(problem), params)
    bottlenecks = bottlenecks_of(shape, params)
    samples = [
        load_network(network_content(shape, BranchDesign(each, shape.original.blocks), "branch", "Branch"))
        for each in (None, bottlenecks[-1])
    ]
    covered = covered_networks(soc, problem.optional("calibration", SocCalibration), samples, params.unmeasured)
    for sample in samples:
        covered = covered.within_memory([ScenarioModel(sample, 1)], params.precision)
    pricer = NetworkPricer(covered.soc, covered.calibration, params.unit, params.precision, params.power_mode or None)
    pricer.choose_unit(samples)
    return TrainingReady(shape, bottlenecks, pricer, covered)


def _bench(problem: Problem[TrainBottleneckParams], ready: TrainingReady, context: Context) -> Bench:
    require_torch()
    from engines.methods.split_computing.bottleneck.run import bench_of

    return bench_of(problem, ready, image_data_of(problem), context)


def _seconds(ready: TrainingReady, data: ImageData, params: TrainBottleneckParams) -> float:
    """Return the seconds of both trainings, by multiplications."""
    original = VIEWS * sum(ready.costs(ready.shape.original).macs.values())
    parts = sum(float(each[1:].sum()) for each in ready.operator_costs("macs"))
    for bottleneck in ready.bottlenecks:
        found = ready.costs(BranchDesign(bottleneck, ready.shape.original.blocks)).macs
        parts += VIEWS * (found[ENCODER] + found["decoder"])
    tuned = params.tuning_epochs * min(params.targets, len(OPERATORS) ** (params.blocks - 1)) * len(ready.bottlenecks)
    trainings = ((params.epochs, original), (params.distillation_epochs, parts), (tuned, original))
    return sum(training_seconds(epochs, data.examples["train"], macs, params.batch_size) for epochs, macs in trainings)


def _parts_table(bench: Bench, design: BranchDesign) -> Table:
    costs = bench.ready.costs(design)
    parts = tuple(costs.macs)
    kept = dict(zip((f"block{number}" for number in range(2, 2 + len(design.blocks))), design.blocks, strict=True))
    return Table(
        "parts", "Parts of a branch",
        (
            TableColumn("Part", tuple(part.capitalize().replace("Block", "Block ") for part in parts)),
            TableColumn("What it is", tuple(OPERATOR_TITLES[kept[part]] if part in kept else "" for part in parts)),
            TableColumn("MACs", np.array(list(costs.macs.values()))),
            TableColumn("Latency on the device", np.array([costs.latency_s.get(part, 0.0) for part in parts]), "s"),
            TableColumn("Energy on the device", np.array([costs.energy_j.get(part, 0.0) for part in parts]), "J"),
        ),
    )  # fmt: skip


def _notes(ready: TrainingReady, problem: Problem[TrainBottleneckParams]) -> tuple[Note, ...]:
    chosen = "calibration" not in problem.inputs
    return tuple(ready.covered.of(ready.pricer.unit).notes(chosen=chosen, precision=problem.params.precision))
