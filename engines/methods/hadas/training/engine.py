"""The engine train-exits: exits that are really trained, and rules by which images leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision
from engines.contract.engine import Context, InputKind, Problem
from engines.contract.quantities import SHARE
from engines.contract.questions import TRAINING
from engines.contract.results import Breakdown, Result
from engines.data.documents import IMAGE_DATA, ImageData
from engines.data.training_data import image_data_of
from engines.documents.input_kinds import slot
from engines.learning.course import Course
from engines.learning.curves import loss_curve
from engines.learning.trained_problem import TrainedProblem
from engines.methods.hadas.training.params import TrainExitsParams
from engines.methods.hadas.training.quantities import QUANTITIES
from engines.methods.hadas.training.rules import THRESHOLDS, ExitRule, read_decision
from engines.methods.hadas.training.shapes import BackboneShape, shape_of
from engines.search.ends.confidence import RULES
from engines.search.prepared_problem import PreparedEngine
from engines.search.strategies import Columns, Own

if TYPE_CHECKING:  # they import torch
    from engines.methods.hadas.training.run import TrainedExits
    from engines.methods.hadas.training.trainer import Trainer

_START_S, _MULTIPLICATIONS_PER_S = 3.0, 1.5e9


class PreparedTraining(TrainedProblem[TrainExitsParams, ExitRule, "TrainedExits"]):
    """Images from which a backbone with exits is to learn."""

    share = (0.9, 0.1)
    state_name = "trained-exits"

    def __init__(self, problem: Problem[TrainExitsParams]) -> None:
        """Refuse images that are not square."""
        self.problem, self.data = problem, image_data_of(problem)
        self.shape = shape_of(self.data, problem.params)

    def decode(self, decision: Decision) -> ExitRule:
        """Return the exits and the rule of a decision."""
        return read_decision(decision, self.problem.params.blocks - 1)

    def strategy(self) -> Own[ExitRule]:
        """Return the strategy that measures every choice."""
        exits = self.problem.params.blocks - 1
        words = f"{exits} exits on {self.data.title}, {self.data.examples['train']} images to learn from"
        count = 1 + min(127, 2**exits - 1) * len(RULES) * len(THRESHOLDS)
        return Own(count, words, "", lambda search: search.beginning.context.search(search))

    def seconds(self, evaluations: int) -> float:
        """Return the seconds of both trainings, by multiplications."""
        return _seconds(self.shape, self.data, self.problem.params)

    def learner(self, context: Context) -> Trainer:
        """Return the learner of the backbone with its exits."""
        from engines.methods.hadas.training.trainer import Trainer

        data = self.data.read(context.files)
        return Trainer(self.shape, data, self.problem.params, context.random, context.device)

    def trained_context(self, learner: Trainer) -> TrainedExits:
        """Return the exit rules on the measured outputs."""
        from engines.methods.hadas.training.run import TrainedExits

        return TrainedExits(self.problem, self.shape, learner)

    def progress(self, course: Course) -> tuple[float, str, tuple[Result, ...]]:
        """Return share, words and the losses of both trainings."""
        epochs = self.problem.params.epochs
        part = "exits" if course.epoch > epochs else "backbone"
        phases = {"Backbone": (0, epochs), "Exits": (epochs, course.learner.epochs)}
        return self.share[0] * course.share, f"{course.words} ({part})", (loss_curve(course.losses, phases),)

    def evaluate(self, designs: Sequence[ExitRule], context: TrainedExits) -> Columns:
        """Return the measured columns of the designs, shape `n` each."""
        return context.ruled.columns(designs)

    def explain(self, design: ExitRule, context: TrainedExits) -> tuple[Result, ...]:
        """Return the share of the images that leaves at each end, right and wrong."""
        ruled, at = context.ruled, context.ruled.left_at(design)
        right = ruled.validation.right[np.arange(len(at)), at]
        ends = [*design.exits, ruled.exits + 1]
        shares = np.array([[right[at == end - 1].sum(), (~right[at == end - 1]).sum()] for end in ends]) / len(at)
        titles = (*(f"After block{end}" for end in ends[:-1]), "Own end")
        return (Breakdown("leaving", "Where images leave", titles, ("Right", "Wrong"), shares, SHARE),)


class TrainExitsEngine(PreparedEngine[TrainExitsParams]):
    """Trains a backbone and, on it frozen, all its exits; a design is a set of exits with a rule."""

    name = "train-exits"
    title = "Exit training"
    summary = "Trains a network with early exits on images and measures rules by which images leave."
    source = "odema-2024 section 2.3.2 (HADAS, DATE 2023)"
    question = TRAINING
    version = 2
    tags = ("training", "early exits")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "data": slot(
            IMAGE_DATA,
            "Images for training and evaluation. Empty: the bundled handwritten digits.",
            title="Data set",
            required=False,
        )
    }
    Params = TrainExitsParams
    prepares = PreparedTraining
    quantities = QUANTITIES
    progress_metrics = ("accuracy_percent", "macs")
    result_types = (Breakdown,)

    def estimator(self, problem: Problem[TrainExitsParams]) -> tuple[str, Certainty]:
        """Return the images that accuracy is measured on."""
        return f"accuracy on held-out images of {image_data_of(problem).slug}", "measured"

    def model(self, problem: Problem[TrainExitsParams]) -> str:
        """Return a description of the trained model and its data set."""
        return f"backbone of {problem.params.blocks} blocks on {image_data_of(problem).slug}"

    def primary_metric(self, problem: Problem[TrainExitsParams]) -> str:
        """Return accuracy, which trainings are about."""
        return "accuracy_percent"


def _seconds(shape: BackboneShape, data: ImageData, params: TrainExitsParams) -> float:
    """Return the seconds of both trainings, by multiplications."""
    before, trunk, exits = shape.channels, 0.0, 0.0
    for width, side in zip(shape.widths, shape.sides, strict=True):
        trunk += 9.0 * before * width * side**2
        exits += 9.0 * width * params.exit_channels * max(1, side - 2) ** 2
        before = width
    work = data.examples["train"] * (3 * params.epochs * trunk + params.exit_epochs * (trunk + 3 * exits))
    return _START_S + work / _MULTIPLICATIONS_PER_S
