"""Configurations of a front, built, fine-tuned and measured one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.engine import DOCUMENT_MEDIA_TYPE, Context, File
from engines.contract.quantities import SHARE
from engines.contract.results import Note, Table, TableColumn
from engines.data.data_set import DataSet
from engines.methods.map_and_conquer.decision import decoded
from engines.methods.map_and_conquer.model.scoring import score
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.real_network import RealNetwork
from engines.methods.map_and_conquer.stage_measurements import DOCUMENT_FILE, measured_document
from engines.methods.map_and_conquer.staged.torch_network import build, in_stages, reordered
from engines.methods.map_and_conquer.staged.training import importance, learn, most_important_first, revive, right_at
from engines.search.ends.correctness import MeasuredCorrectness, shares_leaving, union_accuracy
from engines.search.ends.costs import expected_cost

COLUMNS = ("assumed", "first", "last", "any", "leaves_first", "latency_s", "energy_j")


@dataclass(frozen=True)
class Measuring:
    """Training and measurement of configurations of one problem."""

    instance: CutInstance
    real: RealNetwork
    params: MapAndConquerParams
    context: Context

    @cached_property
    def data(self) -> DataSet:
        """The examples."""
        return self.real.data.read(self.context.files)

    @cached_property
    def _trained(self) -> tuple[Any, float]:
        """The whole network as stages begin with it, and what it reached; the same whenever it is trained again."""
        random = self.context.random("whole network")
        network = build(self.real.chain, int(random.integers(2**31)))
        learn(network, self.data, self.params.epochs, random)
        percent = float(100 * right_at(network, self.data.test, self.data.feature_scale).mean())
        values = importance(network, self.data, random)
        order = most_important_first(values)
        reordered(network, order)
        revive(network, [one[places] for one, places in zip(values, order, strict=True)], random)
        return network, percent

    def measured(self, number: int, decision: Mapping[str, Any]) -> tuple[FloatArray, tuple[File, ...]]:
        """Return the measured accuracies of a design and its stages as a file; `number` selects the random stream.

        Returns:
            The `COLUMNS` in order, then what each stage sees, then the accuracy of each in per cent; and the files.
        """
        from engines.methods.map_and_conquer.staged.export import onnx_bytes

        population, clocks = decoded(self.instance, decision)
        network = in_stages(self._trained[0], self.real.chain, population.partition[0], population.reuse[0])
        learn(network, self.data, self.params.fine_tuning_epochs, self.context.random("stages", number))
        right = MeasuredCorrectness(right_at(network, self.data.test, self.data.feature_scale))
        scores = score(self.instance.costs_at(clocks), self.instance.accuracy, population)
        every = np.ones((1, right.right.shape[1]), dtype=bool)
        leaving = shares_leaving(right, every)
        content = onnx_bytes(network, self.real.chain, self.data.scaling)
        files = (File(f"design-{number + 1}.onnx", "application/onnx", content),)
        found = np.array(
            [
                scores.accuracy_percent[0],
                100 * right.accuracy[0],
                100 * right.accuracy[-1],
                100 * union_accuracy(right, every)[0],
                leaving[0, 0],
                expected_cost(leaving, scores.latency_up_to_s)[0],
                expected_cost(leaving, scores.energy_up_to_j)[0],
                *self.instance.accuracy.layer_mass(population.partition, population.reuse)[0].mean(axis=1),
                *(100 * right.accuracy),
            ]
        )
        return found, files

    def rest(
        self, rows: list[int], decisions: Sequence[Mapping[str, Any]], done: int
    ) -> Iterator[tuple[FloatArray, tuple[File, ...]]]:
        """Yield what the designs in `rows` reach, from the place `done` on, and their files."""
        for row in rows[done:]:
            if self.context.stop_requested():
                return
            yield self.measured(row, decisions[row])

    @property
    def width(self) -> int:
        """Numbers of a configuration that was measured."""
        return len(COLUMNS) + 2 * self.instance.stages

    def document(self, found: FloatArray, seed: int) -> File:
        """Return all stages that were measured, `found` of shape `k x width`, as a document that this engine takes."""
        seen, percent = np.split(found[:, len(COLUMNS) :], 2, axis=1)
        content = measured_document(
            self.instance.workload.network.slug, self.real.data.slug, self.real.chain.classes, self._trained[1],
            list(zip(seen.ravel().tolist(), percent.ravel().tolist(), strict=True)),
            {**self.params.model_dump(mode="json"), "seed": seed},
        )  # fmt: skip
        return File(DOCUMENT_FILE, DOCUMENT_MEDIA_TYPE, json.dumps(content, sort_keys=True, allow_nan=False).encode())

    def results(self, rows: list[int], found: FloatArray) -> tuple[Table, Note]:
        """Return the results of the measurements so far, `found` of shape `k x width`."""
        value = dict(zip(COLUMNS, found.T[: len(COLUMNS)], strict=True))
        table = Table(
            name="measured",
            title="Trained and measured",
            table_columns=(
                TableColumn("Design", tuple(f"#{row + 1}" for row in rows[: len(found)])),
                TableColumn("Last stage, assumed", value["assumed"], "%"),
                TableColumn("Last stage", value["last"], "%"),
                TableColumn("First stage", value["first"], "%"),
                TableColumn("Any stage", value["any"], "%"),
                TableColumn("Answered by the first stage", value["leaves_first"], SHARE),
                TableColumn("Latency, inputs as measured", value["latency_s"], "s"),
                TableColumn("Energy, inputs as measured", value["energy_j"], "J"),
            ),
        )
        text = f"The whole network reaches {self._trained[1]:.1f} % on the {len(self.data.test)} examples of {self.data.title} "
        text += "that nothing was learnt from or chosen by; the stages were fine-tuned from its weights, the most important "
        text += "channels first."
        return table, Note("measured-whole", "Accuracy, measured", text)


def spread(front: FloatArray, rows: IntArray, count: int) -> list[int]:
    """Pick designs of a front, evenly spread over one of its objectives, ascending.

    Args:
        front: this objective of each design on the front, shape `k`.
        rows: their numbers, shape `k`.
        count: largest number of results.
    """
    order = np.argsort(front, kind="stable")
    places = np.unique(np.linspace(0, len(order) - 1, min(count, len(order))).round().astype(np.int64))
    return [int(rows[order[place]]) for place in places]
