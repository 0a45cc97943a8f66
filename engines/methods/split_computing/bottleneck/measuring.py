"""Designs measured: which there are, what each is worth, how they are written down. Without torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.errors import DecisionError
from engines.contract.results import Table, TableColumn
from engines.methods.split_computing.bottleneck.costs import ENCODER, TrainingReady
from engines.methods.split_computing.bottleneck.search import best_by_target
from engines.methods.split_computing.bottleneck.shapes import OPERATORS, VIEWS, Bottleneck, BranchDesign

Outputs = Callable[[str, BranchDesign], FloatArray]
FUSED = "Both, fused"


@dataclass(frozen=True)
class Scores:
    """Scores of each branch and of all fused, shape `views + 1`: share of correct images, and cross-entropy."""

    right: FloatArray
    loss: FloatArray


@dataclass(frozen=True, eq=False)
class Bench:
    """The trained parts, with all that measuring designs needs.

    Attributes:
        deviations: deviations of each place those of its parts, the bottlenecks' first.
        outputs: (split, design) -> outputs of its branches, shape `images x views x classes`.
        labels: split -> of those images.
        trainer: of the parts, for their weights (`trainer.Trainer`).
    """

    ready: TrainingReady
    deviations: Sequence[FloatArray]
    outputs: Outputs
    labels: Mapping[str, IntArray]
    trainer: Any = None

    def searched(self, cost: str, targets: int) -> list[BranchDesign]:
        """Return the winners of the blockwise search for every bottleneck."""
        deviations = [np.concatenate([[0.0], each]) for each in self.deviations[1:]]
        found = best_by_target(deviations, self.ready.operator_costs(cost), targets)
        blocks = [tuple(OPERATORS[number] for number in each) for each in found]
        return [BranchDesign(bottleneck, each) for bottleneck in self.ready.bottlenecks for each in blocks]

    def deviation(self, design: BranchDesign) -> float:
        """Return the value of eq. 5.2."""
        total = 0.0
        if design.bottleneck is not None:
            total += float(self.deviations[0][self.ready.bottlenecks.index(design.bottleneck)])
        for values, operator in zip(self.deviations[1:], design.blocks, strict=True):
            number = OPERATORS.index(operator)
            total += float(values[number - 1]) if number else 0.0
        return total

    def scores(self, design: BranchDesign, split: str = "validation") -> Scores:
        """Return accuracy and loss of a design, measured on held-out images."""
        return scores_of(self.outputs(split, design), self.labels[split])

    def columns(self, chosen: Sequence[BranchDesign]) -> dict[str, FloatArray]:
        """Return the columns of designs, shape `n` each."""
        before = self.scores(self.ready.shape.original)
        rows = [self._row(design, before) for design in chosen]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def _row(self, design: BranchDesign, before: Scores) -> dict[str, float]:
        costs, scores, tested = self.ready.costs(design), self.scores(design), self.scores(design, "test")
        return {
            "accuracy_percent": 100 * float(scores.right[-1]),
            "sent_bytes": float(VIEWS * costs.sent_bytes),
            "macs": VIEWS * sum(costs.macs.values()),
            "test_accuracy_percent": 100 * float(tested.right[-1]),
            "lost_percent": 100 * float(before.right[-1] - scores.right[-1]),
            "loss": float(scores.loss[-1]),
            "deviation": self.deviation(design),
            "encoder_macs": VIEWS * costs.macs.get(ENCODER, 0.0),
            "encoder_s": costs.encoder_s,
            "tail_s": costs.tail_s,
            "energy_j": VIEWS * sum(costs.energy_j.values()),
        }

    def before_and_after(self, design: BranchDesign) -> Table:
        """Return the loss and accuracy as in Table 5.1, of each view and of both."""
        before, after = self.scores(self.ready.shape.original), self.scores(design)
        titles = ("View from the left", "View from the right", FUSED)
        return Table(
            "before-after", f"Before and after: {words_of(design)}",
            (
                TableColumn("Branches", titles),
                TableColumn("Loss before", before.loss), TableColumn("Loss after", after.loss),
                TableColumn("Accuracy before", 100 * before.right, "%"), TableColumn("Accuracy after", 100 * after.right, "%"),
            ),
        )  # fmt: skip


def scores_of(outputs: FloatArray, labels: IntArray) -> Scores:
    """Return the late fusion: the mean of the branches' probabilities.

    Args:
        outputs: shape `images x views x classes`.
        labels: shape `images`.
    """
    shifted = np.exp(outputs - outputs.max(axis=-1, keepdims=True))
    probabilities = shifted / shifted.sum(axis=-1, keepdims=True)
    every = np.concatenate([probabilities, probabilities.mean(axis=1, keepdims=True)], axis=1)
    told = np.take_along_axis(every, labels[:, None, None], axis=2)[:, :, 0]
    right = every.argmax(axis=-1) == labels[:, None]
    return Scores(right.mean(axis=0), -np.log(np.maximum(told, 1e-12)).mean(axis=0))


def decision_of(design: BranchDesign) -> dict[str, Any]:
    """Return the decision as it is stored; 0 channels: no bottleneck."""
    found = design.bottleneck or Bottleneck(0, 1)
    return {"channels": found.channels, "stride": found.stride, "blocks": list(design.blocks)}


def decoded(ready: TrainingReady, decision: Mapping[str, Any]) -> BranchDesign:
    """Return the design of a decision.

    Raises:
        DecisionError: a bottleneck that was not trained, or operators that do not exist.
    """
    asked = (decision.get("channels"), decision.get("stride"))
    trained = {(each.channels, each.stride): each for each in ready.bottlenecks}
    if asked != (0, 1) and asked not in trained:
        accepted = ", ".join(f"{channels} and {stride}" for channels, stride in [(0, 1), *sorted(trained)])
        raise DecisionError("decision.channels", asked, f"one of the trained channels and strides: {accepted}")
    blocks, count = decision.get("blocks"), len(ready.shape.widths) - 1
    if not isinstance(blocks, list) or len(blocks) != count or any(each not in OPERATORS for each in blocks):
        raise DecisionError("decision.blocks", blocks, f"{count} of {', '.join(OPERATORS)}")
    return BranchDesign(trained.get(asked), tuple(blocks))


def words_of(design: BranchDesign) -> str:
    """Return a design in a few words."""
    if design.bottleneck is None:
        return "no bottleneck"
    return f"{design.bottleneck.channels} channels, 1/{design.bottleneck.stride} of each side"
