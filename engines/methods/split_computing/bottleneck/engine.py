"""The engine train-bottleneck: branches that send little, really trained and measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Designs
from engines.contract.engine import Context, File, MetricBreakdown, PlanCheck, Problem
from engines.contract.integer_format import counted, many
from engines.contract.questions import TRAINING
from engines.contract.results import Breakdown, Note, Result, Table, TableColumn
from engines.cost.calibration.unmeasured import estimates_as_remedies
from engines.cost.soc_networks import NetworkPricer, covered_networks
from engines.data.documents import IMAGE_DATA
from engines.data.training_data import image_data_of, training_seconds
from engines.documents.input_kinds import calibration_slot, slot, soc_slot
from engines.learning.course import Course
from engines.learning.trained_problem import TrainedProblem
from engines.methods.split_computing.bottleneck.costs import ENCODER, TrainingReady
from engines.methods.split_computing.bottleneck.measuring import Bench, decision_of, decoded
from engines.methods.split_computing.bottleneck.outcome import (
    TRAINING_SHARE,
    ending,
    loss_curves,
    measured_steps,
    report,
)
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
from engines.search.prepared_problem import PreparedEngine
from engines.search.strategies import Columns, Own
from engines.workloads.loader import load_network
from engines.workloads.network import ScenarioModel
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc
from hardware.soc.summary import unit_title

if TYPE_CHECKING:  # it imports torch
    from engines.methods.split_computing.bottleneck.trainer import Trainer


class PreparedBottlenecks(TrainedProblem[TrainBottleneckParams, BranchDesign, Bench]):
    """Branches whose parts are to be trained."""

    share = (TRAINING_SHARE, 1 - TRAINING_SHARE)
    state_name = "trained-bottlenecks"

    def __init__(self, problem: Problem[TrainBottleneckParams]) -> None:
        """Refuse images of one column, bottlenecks that are none, operations that no estimate of the device covers."""
        self.ready, self._chosen = training_ready(problem), "calibration" not in problem.inputs

    def decode(self, decision: Decision) -> BranchDesign:
        """Return a bottleneck that was trained, and blocks."""
        return decoded(self.ready, decision)

    def encode(self, design: BranchDesign) -> dict[str, Any]:
        """Return channels, stride and blocks."""
        return decision_of(design)

    def strategy(self) -> Own[BranchDesign]:
        """Return the blockwise search for every bottleneck, and the original."""
        params, data, bottlenecks = self.ready.params, self.ready.data, self.ready.bottlenecks
        images = f"{counted(data.examples['train'])} images"
        words = f"{VIEWS} branches of {params.blocks} blocks on {data.title}, {images}"
        measured = len(bottlenecks) * min(params.targets, len(OPERATORS) ** (params.blocks - 1)) + 1
        return Own(measured, words, "", measured_steps)

    def checks(self) -> tuple[PlanCheck, ...]:
        """Return designs, bytes that are sent, and estimates of the device."""
        ready, count = self.ready, len(self.ready.bottlenecks)
        sent = [counted(ready.shape.sent_bytes(each)) for each in (None, ready.bottlenecks[0], ready.bottlenecks[-1])]
        designs = f"{count} bottlenecks, {many(count * len(OPERATORS) ** (ready.params.blocks - 1), 'design')}"
        costs = ready.covered.of(ready.pricer.unit).words()
        return (
            PlanCheck(True, f"{designs}; {sent[0]} B a branch become {sent[1]} to {sent[2]} B"),
            PlanCheck(True, f"Times of {unit_title(ready.pricer.unit)}: {costs}"),
        )

    def seconds(self, evaluations: int) -> float:
        """Return the seconds of both trainings and of tuning, by multiplications."""
        ready, params, images = self.ready, self.ready.params, self.ready.data.examples["train"]
        original = VIEWS * sum(ready.costs(ready.shape.original).macs.values())
        parts = sum(float(each[1:].sum()) for each in ready.operator_costs("macs"))
        for bottleneck in ready.bottlenecks:
            found = ready.costs(BranchDesign(bottleneck, ready.shape.original.blocks)).macs
            parts += VIEWS * (found[ENCODER] + found["decoder"])
        tuned = params.tuning_epochs * (evaluations - 1)
        trainings = ((params.epochs, original), (params.distillation_epochs, parts), (tuned, original))
        return sum(training_seconds(epochs, images, macs, params.batch_size) for epochs, macs in trainings)

    def learner(self, context: Context) -> Trainer:
        """Return branches and parts."""
        from engines.methods.split_computing.bottleneck.trainer import Trainer

        ready, data = self.ready, self.ready.data.read(context.files)
        return Trainer(ready.shape, ready.bottlenecks, data, ready.params, context.random, context.device)

    def progress(self, course: Course) -> tuple[float, str, tuple[Result, ...]]:
        """Return the losses of branches and parts."""
        part = "parts" if course.epoch > self.ready.params.epochs else "branches"
        return self.share[0] * course.share, f"{course.words} ({part})", loss_curves(course.losses, self.ready.params)

    def trained_context(self, learner: Trainer) -> Bench:
        """Return the context that measures designs."""
        return learner.bench(self.ready)

    def evaluate(self, designs: Sequence[BranchDesign], context: Bench) -> Columns:
        """Measure on held-out images."""
        return context.columns(designs)

    def explain(self, design: BranchDesign, context: Bench) -> tuple[Result, ...]:
        """Return loss and accuracy before and after, the parts of a branch, where its energy goes."""
        costs, ready = self.ready.costs(design), self.ready
        parts = tuple(costs.energy_j)
        values = VIEWS * np.array([[costs.energy_j[part] for part in parts]])
        titles = tuple(part.capitalize().replace("Block", "Block ") for part in parts)
        return (
            context.before_and_after(design), _parts_table(ready, design),
            Breakdown("energy", "Energy of both branches on the device", ("Branches",), titles, values, "J"),
            *ready.covered.of(ready.pricer.unit).notes(chosen=self._chosen),
        )  # fmt: skip

    def report(self, designs: Designs, context: Bench) -> tuple[Result, ...]:
        """Return the most accurate design, all parts, and what the search leaves open."""
        return report(designs, context)

    def ending(self, designs: Designs, context: Bench) -> tuple[str, Sequence[File]]:
        """Return weights and documents."""
        return ending(designs, context)


class TrainBottleneckEngine(PreparedEngine[TrainBottleneckParams]):
    """Trains two branches, distils bottlenecks and cheaper blocks from them, and searches block by block."""

    name = "train-bottleneck"
    title = "Bottleneck training"
    summary = "Trains branches with late fusion, then bottlenecks and cheaper blocks by distillation, and measures what they lose."
    source = "odema-2024 section 5.3 (bottleneck, blockwise search)"
    question = TRAINING
    version = 1
    tags = ("training", "split computing", "soc")
    inputs: ClassVar = {
        "hardware": soc_slot("The device that runs the encoders, and the rest of the network if nothing is sent.", "jetson-tx2"),
        "data": slot(
            IMAGE_DATA, "Images for training and evaluation. Empty: the bundled handwritten digits.", title="Data set",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the branches"),
    }  # fmt: skip
    Params = TrainBottleneckParams
    prepares = PreparedBottlenecks
    quantities = QUANTITIES
    progress_metrics = ("accuracy_percent", "sent_bytes", "macs")
    result_types = (Breakdown, Note, Table)
    breakdowns = (MetricBreakdown("energy_j", "energy", "by block", "parts"),)

    def estimator(self, problem: Problem[TrainBottleneckParams]) -> tuple[str, Certainty]:
        """Return that accuracy is measured."""
        return f"accuracy on held-out images of {image_data_of(problem).slug}", "measured"

    def model(self, problem: Problem[TrainBottleneckParams]) -> str:
        """Return a description of the trained model and its data set."""
        return f"{VIEWS} branches of {problem.params.blocks} blocks on {image_data_of(problem).slug}"


@estimates_as_remedies
def training_ready(problem: Problem[TrainBottleneckParams]) -> TrainingReady:
    """Return the branches, and what they take on the device."""
    params, soc, data = problem.params, problem.value("hardware", Soc), image_data_of(problem)
    shape = shape_of(data, params)
    bottlenecks = bottlenecks_of(shape, params)
    samples = [
        load_network(network_content(shape, BranchDesign(each, shape.original.blocks), "branch", "Branch"))
        for each in (None, bottlenecks[-1])
    ]
    covered = covered_networks(
        soc, problem.optional("calibration", SocCalibration), samples, params.unmeasured, params.precision
    )
    for sample in samples:
        covered = covered.within_memory([ScenarioModel(sample, 1)])
    pricer = NetworkPricer(covered.soc, covered.calibration, params.unit, params.precision, params.power_mode or None)
    pricer.choose_unit(samples)
    return TrainingReady(shape, bottlenecks, pricer, covered, params, data, problem.seed)


def _parts_table(ready: TrainingReady, design: BranchDesign) -> Table:
    costs = ready.costs(design)
    parts = tuple(costs.macs)
    kept = dict(zip((f"block{number}" for number in range(2, 2 + len(design.blocks))), design.blocks, strict=True))
    return Table(
        "parts", "Parts of a branch",
        (
            TableColumn("Part", tuple(part.capitalize().replace("Block", "Block ") for part in parts)),
            TableColumn("Type", tuple(OPERATOR_TITLES[kept[part]] if part in kept else "" for part in parts)),
            TableColumn("MACs", np.array(list(costs.macs.values()))),
            TableColumn("Latency on the device", np.array([costs.latency_s.get(part, 0.0) for part in parts]), "s"),
            TableColumn("Energy on the device", np.array([costs.energy_j.get(part, 0.0) for part in parts]), "J"),
        ),
    )  # fmt: skip
