"""The run of a training of exits: epochs, measurement, the document. Imported only where torch is needed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.engine import DOCUMENT_MEDIA_TYPE, Context, File, Problem, Recorder, Step
from engines.contract.integer_format import counted
from engines.contract.quantities import SHARE
from engines.contract.results import Result, Table, TableColumn
from engines.cost.soc.operations import operation_table
from engines.data.data_set import Split
from engines.data.documents import ImageData
from engines.data.torch_images import pinned
from engines.learning.course import Course
from engines.learning.curves import loss_curve
from engines.methods.hadas.exit_measurements import SCHEMA, right_rows, sure_rows
from engines.methods.hadas.exits import Positions, block_positions, exit_table
from engines.methods.hadas.training.export import onnx_bytes, stages_archive
from engines.methods.hadas.training.params import TrainExitsParams
from engines.methods.hadas.training.rule_file import RuleFile
from engines.methods.hadas.training.rules import HeldOutOutputs, RuleSet
from engines.methods.hadas.training.shapes import BackboneShape, network_content
from engines.methods.hadas.training.trainer import Trainer
from engines.search.ends.confidence import RULES, Rule
from engines.workloads.loader import load_network

_STATE = "trained-exits"  # name of the working file
WEIGHTS_FILE, DOCUMENT_FILE = "exits.safetensors", "measured-exits.json"
ONNX_FILE, STAGES_FILE = "exits.onnx", "exits-by-stage.zip"
RULE_FILES: dict[Rule, str] = {
    "largest_probability": "exits-by-largest-probability.onnx",
    "entropy": "exits-by-entropy.onnx",
}
_TRAINING_SHARE = 0.9
_MOST_SURE = 150_000  # images x ends of which a document keeps how sure they are: six digits for each, of 2 MB in all


@dataclass(frozen=True)
class _Places:
    """The backbone's document, where its exits stand, and multiply-accumulates up to each end and of each exit."""

    content: dict[str, Any]
    positions: Positions
    reached: Any
    heads: Any


def run_training(
    problem: Problem[TrainExitsParams], shape: BackboneShape, data: ImageData, record: Recorder
) -> Iterator[Step]:
    """Yield all steps of a run."""
    context, params = record.context, problem.params
    with pinned(context.device):
        trainer = Trainer(shape, data.read(context.files), params, context.random, context.device)
        course = Course(trainer)
        if record.state is not None:
            course.restore(record.state, context.files)

        def told() -> tuple[float, str, tuple[Result, ...]]:
            part = "exits" if course.epoch > params.epochs else "backbone"
            phases = {"Backbone": (0, params.epochs), "Exits": (params.epochs, trainer.epochs)}
            return _TRAINING_SHARE * course.share, f"{course.words} ({part})", (loss_curve(course.losses, phases),)

        yield from course.steps(record, told)
        if not course.done:
            return
        context.files.get_or_build(_STATE, trainer.state)
        yield _measured(problem, shape, trainer, record)


def ruled_of(problem: Problem[TrainExitsParams], shape: BackboneShape, data: ImageData, context: Context) -> RuleSet:
    """Return the rules on the outputs of the weights that the run kept, or that training gives again."""
    with pinned(context.device):
        trainer = Trainer(shape, data.read(context.files), problem.params, context.random, context.device)
        state = context.files.get_or_build(_STATE, lambda: _trained(trainer))
        trainer.restore(state, trainer.epochs)
        return _ruled(trainer, problem.params, _places(shape, problem.params))


def _trained(trainer: Trainer) -> bytes:
    Course(trainer).finish()
    return trainer.state()


def _places(shape: BackboneShape, params: TrainExitsParams) -> _Places:
    content = network_content(shape, "trained-backbone", "Backbone with trained exits")
    network = load_network(content)
    table = operation_table(network.operations)
    positions = block_positions(network, table, 1)
    count = params.blocks - 1
    positions = Positions(
        positions.blocks[:count], positions.numbers[:count], params.blocks, positions.starts[: count + 1],
        positions.shapes[:count],
    )  # fmt: skip
    each = np.add.reduceat(np.where(table.runs, table.macs, 0.0), np.array(positions.starts))
    share = params.exit_channels
    heads = [float(exit_table(each_shape, shape.classes, share).macs.sum()) for each_shape in positions.shapes]
    return _Places(content, positions, np.cumsum(each), np.array([*heads, 0.0]))


def _ruled(trainer: Trainer, params: TrainExitsParams, places: _Places) -> RuleSet:
    held = [_held(trainer, split, params.measured_examples) for split in (trainer.data.validation, trainer.data.test)]
    return RuleSet(held[0], held[1], places.reached, places.heads)


def _held(trainer: Trainer, split: Split, most: int) -> HeldOutOutputs:
    return HeldOutOutputs(trainer.outputs(split, most), split.labels[:most])


def _measured(problem: Problem[TrainExitsParams], shape: BackboneShape, trainer: Trainer, record: Recorder) -> Step:
    places = _places(shape, problem.params)
    ruled = _ruled(trainer, problem.params, places)
    designs = ruled.designs(ruled.decisions())
    record.add(designs)
    ideal = ruled.ideal()
    record.add(ideal, "baseline", np.zeros(len(ideal), np.int64))
    weights = trainer.state()
    document: dict[str, Any] = {
        "schema": SCHEMA, "slug": f"exits-{problem.params.blocks}-blocks",
        "title": f"Exits of a backbone of {problem.params.blocks} blocks",
        "summary": "", "source": "trained by the engine train-exits (odema-2024 eq. 2.4)",
        "file": {"sha256": hashlib.sha256(weights).hexdigest(), "size_bytes": len(weights)},
        "network": places.content,
        "exits": [
            {"after": name, "operations": after}
            for name, after in zip(places.positions.blocks, places.positions.starts[1:], strict=True)
        ],
        "classes": shape.classes, "exit_channels": problem.params.exit_channels, "right": right_rows(ruled.validation.right),
        "training": {**problem.params.model_dump(mode="json"), "seed": problem.seed},
    }  # fmt: skip
    if ruled.validation.right.size <= _MOST_SURE:
        document["sure"] = {
            "temperatures": ruled.temperatures[:-1].tolist(),
            **{rule: sure_rows(ruled.sure(rule)) for rule in RULES},
        }
    ruled_files = RuleFile(trainer.network, shape, ruled.temperatures.tolist())
    files = (
        File(WEIGHTS_FILE, "application/octet-stream", weights),
        File(DOCUMENT_FILE, DOCUMENT_MEDIA_TYPE, json.dumps(document, sort_keys=True, allow_nan=False).encode()),
        File(ONNX_FILE, "application/onnx", onnx_bytes(trainer.network, shape)),
        File(STAGES_FILE, "application/zip", stages_archive(trainer.network, shape)),
        *(File(name, "application/onnx", ruled_files.onnx_bytes(rule)) for rule, name in RULE_FILES.items()),
    )
    words = f"{counted(len(designs))} choices of exits and rules measured"
    return record.step(1.0, words, (_ends_table(ruled, places),), files)


def _ends_table(ruled: RuleSet, places: _Places) -> Result:
    right = ruled.validation.right
    titles = (*(f"After {name}" for name in places.positions.blocks), "Own end")
    return Table(
        "ends",
        "Ends by themselves",
        (
            TableColumn("End", titles),
            TableColumn("Right on validation", right.mean(axis=0), SHARE),
            TableColumn("Right on test", ruled.test.right.mean(axis=0), SHARE),
            TableColumn("Right there or before", np.logical_or.accumulate(right, axis=1).mean(axis=0), SHARE),
            TableColumn("MACs up to there", places.reached),
            TableColumn("MACs of the exit", places.heads),
            TableColumn("Temperature", ruled.temperatures),
        ),
    )
