"""The run of a training of bottlenecks: epochs, search, measurement, documents. Imported only where torch is needed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from safetensors.torch import save

from engines.contract.arrays import FloatArray
from engines.contract.engine import DOCUMENT_MEDIA_TYPE, Context, File, Problem, Recorder, Step
from engines.contract.integer_format import counted
from engines.contract.results import Note, Result, Table, TableColumn
from engines.data.documents import ImageData
from engines.data.torch_images import pinned
from engines.learning.course import Course
from engines.learning.curves import loss_curve
from engines.methods.split_computing.bottleneck.costs import TrainingReady
from engines.methods.split_computing.bottleneck.document import DOCUMENT_FILE, SCHEMA
from engines.methods.split_computing.bottleneck.measuring import Bench, words_of
from engines.methods.split_computing.bottleneck.params import TrainBottleneckParams
from engines.methods.split_computing.bottleneck.shapes import (
    OPERATOR_TITLES,
    OPERATORS,
    BranchDesign,
    network_content,
)
from engines.methods.split_computing.bottleneck.trainer import Trainer
from hardware.soc.summary import unit_title

_STATE = "trained-bottlenecks"  # name of the working file
WEIGHTS_FILE, TUNED_FILE, NETWORK_FILE = (
    "bottlenecks.safetensors",
    "branches.safetensors",
    "branch-with-bottleneck.json",
)
_TRAINING_SHARE = 0.6


def run_training(
    problem: Problem[TrainBottleneckParams], ready: TrainingReady, data: ImageData, record: Recorder
) -> Iterator[Step]:
    """All steps of a run."""
    context, params = record.context, problem.params
    with pinned(context.device):
        trainer = _trainer(problem, ready, data, context)
        course = Course(trainer)
        if record.state is not None:
            course.restore(record.state, context.files)

        def told() -> tuple[float, str, tuple[Result, ...]]:
            part = "parts" if course.epoch > params.epochs else "branches"
            return _TRAINING_SHARE * course.share, f"{course.words} ({part})", _loss_curves(course.losses, params)

        yield from course.steps(record, told)
        if not course.done:
            return
        context.files.get_or_build(_STATE, trainer.state)
        state = course.state(context.files)
        yield from _measured(problem, _bench(ready, trainer), trainer, data, record, state)


def bench_of(problem: Problem[TrainBottleneckParams], ready: TrainingReady, data: ImageData, context: Context) -> Bench:
    """The weights that the run kept, or that training gives again, ready to be measured."""
    with pinned(context.device):
        trainer = _trainer(problem, ready, data, context)
        trainer.restore(context.files.get_or_build(_STATE, lambda: _trained(trainer)), trainer.epochs)
        return _bench(ready, trainer)


def _trainer(
    problem: Problem[TrainBottleneckParams], ready: TrainingReady, data: ImageData, context: Context
) -> Trainer:
    images = data.read(context.files)
    return Trainer(ready.shape, ready.bottlenecks, images, problem.params, context.random, context.device)


def _trained(trainer: Trainer) -> bytes:
    Course(trainer).finish()
    return trainer.state()


def _bench(ready: TrainingReady, trainer: Trainer) -> Bench:
    splits = {"validation": trainer.data.validation, "test": trainer.data.test}
    held = dict[tuple[str, BranchDesign], FloatArray]()

    def outputs(split: str, design: BranchDesign) -> FloatArray:
        if (split, design) not in held:
            with pinned(trainer.device):
                tuned = trainer.tuned(design)
                held.update(((name, design), trainer.outputs(part, tuned)) for name, part in splits.items())
        return held[split, design]

    labels = {name: split.labels[: trainer.most_measured] for name, split in splits.items()}
    return Bench(ready, trainer.deviations(splits["validation"]), outputs, labels)


def _measured(
    problem: Problem[TrainBottleneckParams], bench: Bench, trainer: Trainer, data: ImageData, record: Recorder,
    state: dict[str, Any],
) -> Iterator[Step]:  # fmt: skip
    """The designs of one bottleneck after the other, then the documents."""
    params, original, context = problem.params, bench.ready.shape.original, record.context
    curves = _loss_curves(state["losses"].tolist(), params)
    if not len(record.designs):
        record.add(bench.designs([original], ["Without a bottleneck"]), "baseline")
    chosen = bench.searched(params.cost, params.targets)
    together = len(chosen) // len(bench.ready.bottlenecks)
    for begin in range(len(record.designs) - 1, len(chosen), together):
        if context.stop_requested():
            return
        record.add(bench.designs(chosen[begin : begin + together]))
        fraction = _TRAINING_SHARE + (1 - _TRAINING_SHARE) * (begin + together) / (len(chosen) + 1)
        words = f"{begin + together} of {len(chosen)} designs measured"
        yield record.step(fraction, words, curves, state=state)
    yield _last_step(problem, bench, trainer, data, record, chosen)


def _last_step(
    problem: Problem[TrainBottleneckParams], bench: Bench, trainer: Trainer, data: ImageData, record: Recorder,
    chosen: list[BranchDesign],
) -> Step:  # fmt: skip
    params, original = problem.params, bench.ready.shape.original
    columns = record.designs.take(np.arange(1, 1 + len(chosen))).columns
    best = chosen[min(range(len(chosen)), key=lambda row: _order(columns, row))]
    weights, tuned = trainer.state(), save(trainer.tuned(best).state_dict())
    accuracy = 100 * float(bench.scores(original).right[-1])
    ready = bench.ready
    document: dict[str, Any] = {
        "schema": SCHEMA, "slug": f"bottlenecks-on-{data.slug}"[:80].rstrip("-"), "title": f"Bottlenecks on {data.title}"[:2000],
        "summary": "", "source": "trained by the engine train-bottleneck (odema-2024 section 5.3)",
        "file": {"sha256": hashlib.sha256(weights).hexdigest(), "size_bytes": len(weights)},
        "images": data.slug, "device": f"{ready.covered.soc.title}, {unit_title(ready.pricer.unit)}",
        "original_accuracy_percent": accuracy,
        "designs": [_section(bench, design, columns, row) for row, design in enumerate(chosen)],
        "training": {**params.model_dump(mode="json"), "seed": problem.seed},
    }  # fmt: skip
    network = network_content(
        ready.shape, best, "branch-with-bottleneck", f"Branch with a bottleneck: {words_of(best)}"
    )
    files = (
        File(WEIGHTS_FILE, "application/octet-stream", weights),
        File(TUNED_FILE, "application/octet-stream", bytes(tuned)),
        File(DOCUMENT_FILE, DOCUMENT_MEDIA_TYPE, _json(document)),
        File(NETWORK_FILE, DOCUMENT_MEDIA_TYPE, _json(network)),
    )
    results = (bench.before_and_after(best), _parts_table(bench), _search_note(bench, len(chosen)))
    return record.step(1.0, f"{counted(len(chosen))} designs measured", results, files)


def _order(columns: Mapping[str, FloatArray], row: int) -> tuple[float, float, float]:
    """The most accurate first, then what sends least, then what computes least."""
    return -float(columns["accuracy_percent"][row]), float(columns["sent_bytes"][row]), float(columns["macs"][row])


def _section(bench: Bench, design: BranchDesign, columns: Mapping[str, FloatArray], row: int) -> dict[str, Any]:
    costs, found = bench.ready.costs(design), design.bottleneck
    assert found is not None  # only the original has none
    seconds = costs.encoder_s + costs.tail_s
    return {
        "channels": found.channels, "stride": found.stride, "blocks": list(design.blocks), "sent_bytes": costs.sent_bytes,
        "macs": sum(costs.macs.values()), "encoder_s": costs.encoder_s, "tail_s": costs.tail_s,
        "power_w": sum(costs.energy_j.values()) / seconds,
        "accuracy_percent": float(columns["accuracy_percent"][row]),
        "test_accuracy_percent": float(columns["test_accuracy_percent"][row]),
    }  # fmt: skip


def _json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, sort_keys=True, allow_nan=False).encode()


def _parts_table(bench: Bench) -> Table:
    """Every part that was distilled, with how far it is from its block and what it takes."""
    ready = bench.ready
    places, parts, deviations, macs = list[str](), list[str](), list[float](), list[float]()
    for bottleneck, deviation in zip(ready.bottlenecks, bench.deviations[0], strict=True):
        design = BranchDesign(bottleneck, ready.shape.original.blocks)
        costs = ready.costs(design).macs
        places.append("Block 1")
        parts.append(f"Bottleneck: {words_of(design)}")
        deviations.append(float(deviation))
        macs.append(2 * (costs["encoder"] + costs["decoder"]))
    for number, (values, costs_of) in enumerate(
        zip(bench.deviations[1:], ready.operator_costs("macs"), strict=True), start=2
    ):
        for operator, deviation, cost in zip(OPERATORS, (0.0, *values.tolist()), costs_of.tolist(), strict=True):
            places.append(f"Block {number}")
            parts.append(OPERATOR_TITLES[operator])
            deviations.append(deviation)
            macs.append(cost)
    return Table(
        "distilled", "Parts and their blocks",
        (
            TableColumn("In place of", tuple(places)), TableColumn("Part", tuple(parts)),
            TableColumn("Deviation", np.array(deviations)), TableColumn("MACs of both branches", np.array(macs)),
        ),
    )  # fmt: skip


def _search_note(bench: Bench, measured: int) -> Note:
    count = len(bench.ready.bottlenecks) * len(OPERATORS) ** (len(bench.ready.shape.widths) - 1)
    text = f"Of {counted(count)} designs {counted(measured)} were assembled and measured: for every bottleneck those whose parts "
    text += "deviate least together at each target of cost. The walk finds the least sum for certain; that a smaller sum loses "
    text += "less accuracy is the method's assumption, and a design that was not measured may be better."
    return Note("proof", "How good these designs are for certain", text, role="proof")


def _loss_curves(losses: Sequence[float], params: TrainBottleneckParams) -> tuple[Result, ...]:
    epochs = params.epochs
    phases = {
        "Branches: cross-entropy": (0, epochs),
        "Parts: squared distance": (epochs, epochs + params.distillation_epochs),
    }
    return (loss_curve(losses, phases),)
