"""Steps after the training of exits: the measurement, the rules, the document. Imported only where torch is needed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engines.contract.engine import DOCUMENT_MEDIA_TYPE, File, Problem, Step
from engines.contract.integer_format import counted
from engines.contract.quantities import SHARE
from engines.contract.results import Result, Table, TableColumn
from engines.cost.soc.operations import operation_table
from engines.data.data_set import Split
from engines.methods.hadas.exit_measurements import SCHEMA, right_rows, sure_rows
from engines.methods.hadas.exits import Positions, block_positions, exit_table
from engines.methods.hadas.training.export import onnx_bytes, stages_archive
from engines.methods.hadas.training.params import TrainExitsParams
from engines.methods.hadas.training.rule_file import RuleFile
from engines.methods.hadas.training.rules import ExitRule, RuleSet
from engines.methods.hadas.training.shapes import BackboneShape, network_content
from engines.methods.hadas.training.trainer import Trainer
from engines.search.ends.confidence import RULES, HeldOutOutputs, Rule
from engines.search.strategies import Search
from engines.workloads.loader import load_network

WEIGHTS_FILE, DOCUMENT_FILE = "exits.safetensors", "measured-exits.json"
ONNX_FILE, STAGES_FILE = "exits.onnx", "exits-by-stage.zip"
RULE_FILES: dict[Rule, str] = {
    "largest_probability": "exits-by-largest-probability.onnx",
    "entropy": "exits-by-entropy.onnx",
}
_MOST_SURE = 150_000  # images x ends of which a document keeps how sure they are: six digits for each, of 2 MB in all


@dataclass(frozen=True)
class _Places:
    """The backbone's document, where its exits stand, and multiply-accumulates up to each end and of each exit."""

    content: dict[str, Any]
    positions: Positions
    reached: Any
    heads: Any


class TrainedExits:
    """Exits that were trained, and rules on what was measured of them."""

    def __init__(self, problem: Problem[TrainExitsParams], shape: BackboneShape, trainer: Trainer) -> None:
        self._problem, self._shape, self._trainer = problem, shape, trainer
        self._places = _places(shape, problem.params)
        held = [self._held(split) for split in (trainer.data.validation, trainer.data.test)]
        self.ruled = RuleSet(held[0], held[1], self._places.reached, self._places.heads)

    def _held(self, split: Split) -> HeldOutOutputs:
        most = self._problem.params.measured_examples
        return HeldOutOutputs(self._trainer.outputs(split, most), split.labels[:most])

    def search(self, search: Search[ExitRule]) -> Iterator[Step]:
        """Measure every choice, and what no rule can know next to them."""
        designs = search.evaluate(self.ruled.choices())
        search.record.add(designs)
        ideal = search.evaluate(self.ruled.ideal())
        labelled = replace(ideal, label=["Ideal mapping"] * len(ideal))
        search.record.add(labelled, "baseline", np.zeros(len(ideal), np.int64))
        search.words = f"{counted(len(designs))} choices of exits and rules measured"
        search.results, search.files = (_ends_table(self.ruled, self._places),), self._files()
        yield from ()

    def _files(self) -> tuple[File, ...]:
        problem, shape, trainer, places, ruled = (
            self._problem, self._shape, self._trainer, self._places, self.ruled
        )  # fmt: skip
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
        return (
            File(WEIGHTS_FILE, "application/octet-stream", weights),
            File(DOCUMENT_FILE, DOCUMENT_MEDIA_TYPE, json.dumps(document, sort_keys=True, allow_nan=False).encode()),
            File(ONNX_FILE, "application/onnx", onnx_bytes(trainer.network, shape)),
            File(STAGES_FILE, "application/zip", stages_archive(trainer.network, shape)),
            *(File(name, "application/onnx", ruled_files.onnx_bytes(rule)) for rule, name in RULE_FILES.items()),
        )


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
