"""The engine train-exits: exits that are really trained, and rules by which images leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import Context, Engine, InputKind, Plan, PlanCheck, Problem, Recorder, Step
from engines.contract.estimates import around
from engines.contract.quantities import SHARE
from engines.contract.questions import TRAINING
from engines.contract.results import Breakdown, Result
from engines.data.documents import IMAGE_DATA, ImageData
from engines.data.training_data import image_data_of, require_torch
from engines.documents.input_kinds import slot
from engines.methods.hadas.training.params import TrainExitsParams
from engines.methods.hadas.training.quantities import QUANTITIES
from engines.methods.hadas.training.rules import THRESHOLDS
from engines.methods.hadas.training.shapes import BackboneShape, shape_of
from engines.search.ends.confidence import RULES

_MEMORY_MB = 8000.0  # torch alone takes 4 GB of addresses
_START_S, _MULTIPLICATIONS_PER_S = 3.0, 1.5e9


class TrainExitsEngine(Engine[TrainExitsParams, BackboneShape]):
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
            "Images to learn from and to measure by. Empty: the bundled handwritten digits.",
            title="Data set",
            required=False,
        )
    }
    Params = TrainExitsParams
    quantities = QUANTITIES
    progress_metrics = ("accuracy_percent", "macs")
    result_types = (Breakdown,)

    def prepare(self, problem: Problem[TrainExitsParams]) -> BackboneShape:
        """Refuse images that are not square."""
        return shape_of(image_data_of(problem), problem.params)

    def plan(self, problem: Problem[TrainExitsParams], shape: BackboneShape) -> Plan:
        """Return the choices that are measured, and time."""
        data, params = image_data_of(problem), problem.params
        subsets = min(127, 2 ** (params.blocks - 1) - 1)
        checks = (
            PlanCheck(
                True, f"{params.blocks - 1} exits on {data.title}, {data.examples['train']} images to learn from"
            ),
        )
        return Plan(
            evaluations=1 + subsets * len(RULES) * len(THRESHOLDS),
            memory_mb=_MEMORY_MB,
            time_s=around(_seconds(shape, data, params)),
            needs=frozenset({"torch"}),
            determinism="pinned",
            checks=checks,
        )

    def estimator(self, problem: Problem[TrainExitsParams]) -> tuple[str, Certainty]:
        """Return the certainty: accuracy is measured."""
        return f"accuracy on held-out images of {image_data_of(problem).slug}", "measured"

    def model(self, problem: Problem[TrainExitsParams]) -> str:
        """Return what is trained and on what."""
        return f"backbone of {problem.params.blocks} blocks on {image_data_of(problem).slug}"

    def primary_metric(self, problem: Problem[TrainExitsParams]) -> str:
        """Return the accuracy."""
        return "accuracy_percent"

    def run(self, problem: Problem[TrainExitsParams], shape: BackboneShape, record: Recorder) -> Iterator[Step]:
        """Yield the backbone, the exits, the measurement."""
        require_torch()
        from engines.methods.hadas.training.run import run_training

        yield from run_training(problem, shape, image_data_of(problem), record)

    def evaluate(
        self, problem: Problem[TrainExitsParams], shape: BackboneShape, decisions: Decisions, context: Context
    ) -> Designs:
        """Measure again; trains first where the weights of the run are not at hand."""
        require_torch()
        from engines.methods.hadas.training.run import ruled_of

        return ruled_of(problem, shape, image_data_of(problem), context).designs(decisions)

    def explain(
        self, problem: Problem[TrainExitsParams], shape: BackboneShape, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return the share of the images that leaves at each end, right and wrong."""
        require_torch()
        from engines.methods.hadas.training.run import ruled_of

        ruled = ruled_of(problem, shape, image_data_of(problem), context)
        at = ruled.left_at(decision)
        right = ruled.validation.right[np.arange(len(at)), at]
        ends = [*decision["exits"], ruled.exits + 1]
        shares = np.array([[right[at == end - 1].sum(), (~right[at == end - 1]).sum()] for end in ends]) / len(at)
        titles = (*(f"After block{end}" for end in ends[:-1]), "Own end")
        return (Breakdown("leaving", "Where images leave", titles, ("Right", "Wrong"), shares, SHARE),)


def _seconds(shape: BackboneShape, data: ImageData, params: TrainExitsParams) -> float:
    """Return the seconds of both trainings, by multiplications."""
    before, trunk, exits = shape.channels, 0.0, 0.0
    for width, side in zip(shape.widths, shape.sides, strict=True):
        trunk += 9.0 * before * width * side**2
        exits += 9.0 * width * params.exit_channels * max(1, side - 2) ** 2
        before = width
    work = data.examples["train"] * (3 * params.epochs * trunk + params.exit_epochs * (trunk + 3 * exits))
    return _START_S + work / _MULTIPLICATIONS_PER_S
