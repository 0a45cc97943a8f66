"""The engine train-supernet: trains a supernet, measures subnets on held-out examples, and hands out the weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

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
from engines.contract.errors import DecisionError, ProblemError
from engines.contract.estimates import around
from engines.contract.integer_format import counted, many
from engines.contract.parameter_fields import choice_title
from engines.contract.questions import TRAINING
from engines.contract.results import Breakdown, Result, Table
from engines.data.documents import IMAGE_DATA, ImageData, load_image_data
from engines.data.training_data import image_data_of, require_torch
from engines.documents.input_kinds import slot
from engines.methods.magnas.supernet.params import TrainSupernetParams
from engines.methods.magnas.supernet.planning import SECONDS_PER_BLOCK, SECONDS_PER_MAC, Pace, pace_of
from engines.methods.magnas.supernet.quantities import QUANTITIES
from engines.supernets.space import SupernetSpace
from engines.supernets.spaces import Shape, pyramid_vig_space, small_space, vig_s_space

_MEMORY_MB = 8000.0  # torch alone takes 4 GB of addresses


def _load_images(content: Mapping[str, Any]) -> ImageData:
    """Return a data set of images; signals, which are images of one column, are for other networks."""
    data = load_image_data(content)
    require(not data.is_signals, "width", data.width, "images of more than one column")
    return data


class TrainSupernetEngine(Engine[TrainSupernetParams, SupernetSpace]):
    """Sandwich training with live curves; a design is a subnet with its measured accuracy."""

    name = "train-supernet"
    title = "Supernet training"
    summary = "Trains a supernet of vision graph networks and measures its subnets on held-out images."
    source = "odema-2023 (MaGNAS, ACM TECS 22(5s)), section 4.1"
    question = TRAINING
    version = 1
    tags = ("training", "supernet")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "data": replace(
            slot(
                IMAGE_DATA,
                "Images for training and evaluation. Empty: the bundled handwritten digits.",
                title="Data set",
                required=False,
            ),
            load=_load_images,
        ),
    }
    Params = TrainSupernetParams
    quantities = QUANTITIES
    progress_metrics = ("accuracy_percent",)
    result_types = (Breakdown, Table)
    breakdowns = (
        MetricBreakdown("macs", "macs", "by part of the network", "bars"),
        MetricBreakdown("macs", "macs", "by kind of work", "parts"),
    )

    def prepare(self, problem: Problem[TrainSupernetParams]) -> SupernetSpace:
        """Refuse a supernet that does not fit the images, and batches larger than the examples."""
        space = space_of(problem)
        data, params = image_data_of(problem), problem.params
        count = min(data.examples["train"], params.training_examples or data.examples["train"])
        require(
            params.batch_size <= count,
            "params.batch_size",
            params.batch_size,
            f"at most {count}, the number of examples",
        )
        return space

    def plan(self, problem: Problem[TrainSupernetParams], space: SupernetSpace) -> Plan:
        """Return the subnets that will be measured, and time."""
        data, params = image_data_of(problem), problem.params
        pace = pace_of(space, data, params)
        count = params.measured_subnets + 2 * len(space.operators)
        checks = (
            PlanCheck(True, f"{counted(space.size)} different subnets ({counted(space.printed_size)} encodings)"),
            PlanCheck(True, f"{counted(data.examples['train'])} images of {data.title} to learn from"),
            PlanCheck(True, f"Graphs of {', '.join(str(side**2) for side in space.sides)} nodes"),
            PlanCheck(True, _assumption(pace)),
        )
        return Plan(
            evaluations=count,
            memory_mb=_MEMORY_MB,
            time_s=around(pace.seconds, 0.05) if params.use_gpu else around(pace.seconds),
            needs=frozenset({"torch", "gpu"} if params.use_gpu else {"torch"}),
            determinism="pinned",
            checks=checks,
            notes=_slow(pace, params),
        )

    def estimator(self, problem: Problem[TrainSupernetParams]) -> tuple[str, Certainty]:
        """Return the certainty: accuracy is measured."""
        return f"accuracy on held-out images of {image_data_of(problem).slug}", "measured"

    def model(self, problem: Problem[TrainSupernetParams]) -> str:
        """Return the supernet that is trained and on what."""
        return f"supernet “{choice_title(problem.params, 'family')}” on {image_data_of(problem).slug}"

    def primary_metric(self, problem: Problem[TrainSupernetParams]) -> str:
        """Return the accuracy column."""
        return "accuracy_percent"

    def run(self, problem: Problem[TrainSupernetParams], space: SupernetSpace, record: Recorder) -> Iterator[Step]:
        """Yield training, then the measurement of subnets."""
        require_torch()
        if record.state is None:
            yield record.step(0.0, "Reads the images and builds the supernet")
        from engines.methods.magnas.supernet.run import run_training

        yield from run_training(problem, space, image_data_of(problem), record)

    def evaluate(
        self, problem: Problem[TrainSupernetParams], space: SupernetSpace, decisions: Decisions, context: Context
    ) -> Designs:
        """Measure the subnets again; trains first where the weights of the run are not at hand."""
        require_torch()
        from engines.methods.magnas.supernet.run import measured_again

        architectures = [space.decode(_architecture_of(decision)) for decision in decisions]
        return measured_again(problem, space, image_data_of(problem), context, architectures)

    def explain(
        self, problem: Problem[TrainSupernetParams], space: SupernetSpace, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return the structure of the subnet and the costs of its blocks."""
        from engines.supernets.results import architecture_table, block_table, size_breakdown

        architecture = space.decode(_architecture_of(decision))
        return (
            architecture_table(space, architecture),
            size_breakdown(space, architecture),
            block_table(space, architecture),
        )


def space_of(problem: Problem[TrainSupernetParams]) -> SupernetSpace:
    """Return the supernet's shapes.

    Raises:
        ProblemError: they do not fit the images.
    """
    data, params = image_data_of(problem), problem.params
    classes = len(data.classes)
    if params.family in ("vig_s", "pyramid_vig"):
        make = vig_s_space if params.family == "vig_s" else pyramid_vig_space
        return make(classes, data.channels)
    side = params.image_side or data.height
    if params.image_side is None and data.height != data.width:
        accepted = "given"
        raise ProblemError(
            "params.image_side", None, accepted, reason=f"The images of {data.height} x {data.width} are not square."
        )
    try:
        shape: Shape = "isotropic" if params.family == "small" else "pyramid"
        return small_space(data.channels, side, classes, params.width, shape, params.deepest)
    except ProblemError as error:
        if error.field.startswith("params."):
            raise
        raise ProblemError(
            "params.image_side", side, f"{error.accepted}", reason="The side does not fit the supernet."
        ) from error


def _architecture_of(decision: Mapping[str, Any]) -> Any:
    if "architecture" not in decision:
        raise DecisionError("decision", dict(decision), "a mapping with the key architecture")
    return decision["architecture"]


def _assumption(pace: Pace) -> str:
    """Return a sentence on the estimate of the run time and its assumptions."""
    return (
        f"{many(pace.steps, 'step')} of {counted(pace.step_macs / 1e6)} million multiply-accumulates. The time assumes one core "
        f"that does {1e-9 / SECONDS_PER_MAC:.0f} billion per second, forward and backward. It adds "
        f"{1e3 * SECONDS_PER_BLOCK:.0f} ms per block and the work on graphs, fitted to small supernets"
    )


def _slow(pace: Pace, params: TrainSupernetParams) -> tuple[str, ...]:
    if pace.seconds < 6 * 3600 or params.use_gpu:
        return ()
    return ("Without a GPU this takes many hours. A small supernet, fewer examples or a GPU make it shorter.",)
