"""Training and measuring networks: partial training as the search goes, full training at its end. One thread, deterministic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import IntArray
from engines.data.data_set import DataSet, Split
from engines.methods.sbrs.graph import Graph
from engines.methods.sbrs.torch_network import build, pack_weights, unpack_weights, weights_of


@dataclass(frozen=True, eq=False)
class TrainingTask:
    """The training set-up of all networks of a generation.

    Attributes:
        data: the data set.
        learning_rate, batch_size: settings of the training with Adam.
        normalised: whether batch normalisation follows every convolution.
        measured_on: splits that accuracy is measured on.
    """

    data: DataSet
    learning_rate: float
    batch_size: int
    normalised: bool = False
    measured_on: tuple[str, ...] = ("validation",)


@dataclass(frozen=True, eq=False)
class Task:
    """One network to train on the given rows of the training split, in that order, and to measure then."""

    graph: Graph
    weights: bytes
    rows: IntArray


@dataclass(frozen=True, eq=False)
class TrainingOutcome:
    """A network after training, as safetensors, and its accuracy on each of the measured splits."""

    weights: bytes
    accuracies_percent: tuple[float, ...]


def train(lesson: TrainingTask, task: Task) -> TrainingOutcome:
    """Train one network; nothing but the arguments matters for what comes out."""
    from engines.data.torch_images import pinned

    with pinned("cpu"):
        network = build(task.graph, unpack_weights(task.weights), normalised=lesson.normalised)
        if task.rows.size:
            _learn(network, lesson, task.rows)
        splits = [lesson.data.splits()[name] for name in lesson.measured_on]
        accuracies = tuple(accuracy_percent(network, split, lesson.data.feature_scale) for split in splits)
        return TrainingOutcome(pack_weights(weights_of(network, task.graph)), accuracies)


def accuracy_percent(network: Any, split: Split, scale: float, batch: int = 512) -> float:
    """Return the share of correct predictions for the examples of a split, in %."""
    from engines.learning.torch_learner import outputs_of

    starts = range(0, len(split), batch)
    outputs = outputs_of(network, (tensor_of(split.features[start : start + batch], scale) for start in starts))
    return 100.0 * int((outputs.argmax(axis=1) == split.labels).sum()) / len(split)


def tensor_of(features: npt.NDArray[Any], scale: float) -> Any:
    """Return the features as a tensor `n x channels x height x width`; a signal is a map of one column."""
    import torch

    values = np.asarray(features, dtype=np.float32) * np.float32(scale)
    return torch.from_numpy(values if values.ndim == 4 else values[..., None])


def _learn(network: Any, lesson: TrainingTask, rows: IntArray) -> None:
    import torch
    from torch.nn import functional

    network.train()
    optimiser = torch.optim.Adam(network.parameters(), lr=lesson.learning_rate)
    split = lesson.data.train
    for start in range(0, rows.size, lesson.batch_size):
        chosen = rows[start : start + lesson.batch_size]
        if lesson.normalised and chosen.size < 2:  # no moments of a single example
            continue
        loss = functional.cross_entropy(
            network(tensor_of(split.features[chosen], lesson.data.feature_scale)),
            torch.from_numpy(split.labels[chosen].copy()),
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def rows_of(examples: int, share: float, random: np.random.Generator) -> IntArray:
    """Return the rows of `share` epochs, each epoch in an order of its own."""
    wanted = max(1, round(examples * share))
    epochs = [random.permutation(examples) for _ in range(-(-wanted // examples))]
    return np.concatenate(epochs)[:wanted].astype(np.int64)
