"""Training of a supernet by the sandwich rule, step by step, from keyed random streams.

Source: odema-2023 section 4.1.3 and 5.1.2. Each step trains the largest and the smallest subnet, each with one random graph
operator throughout, and random subnets whose operators are dealt out evenly. Departures: the teacher of the distillation is the
supernet's own largest subnet (as in Yu and Huang, ICCV 2019), not a network trained before; weight decay is decoupled (AdamW).

Everything random comes from streams keyed by names and the number of the step, so that a training that was stopped anywhere goes
on as if it had not been. This module is imported only where torch is needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from engines.contract.arrays import IntArray
from engines.data.data_set import DataSet, Split
from engines.data.torch_images import Images
from engines.learning.torch_learner import (
    Stream,
    packed_state,
    packed_weights,
    restore_moments,
    restore_weights,
    set_rate,
)
from engines.methods.magnas.supernet.params import TrainSupernetParams
from engines.supernets.measuring import measured_accuracy, training_order
from engines.supernets.network import Supernet
from engines.supernets.space import Architecture, SupernetSpace

ROLES = ("largest", "smallest", "random")


@dataclass(frozen=True)
class StepLoss:
    """Mean cross-entropy of a step on the labels: of the largest, the smallest and the random subnets (NaN without)."""

    largest: float
    smallest: float
    random: float


class Trainer:
    """A supernet under training.

    Args:
        space: its shapes.
        data: training data.
        params: parameters of the search.
        stream: keyed random streams (`Context.random`).
        device: torch's name of the device.

    Attributes:
        step: steps that were made.
        steps: steps of the whole training.
        training_rows: training rows of the examples that it learns from, in a seeded order.
    """

    def __init__(
        self,
        space: SupernetSpace,
        data: DataSet,
        params: TrainSupernetParams,
        stream: Stream,
        device: str = "cpu",
    ) -> None:
        self.space, self.data, self.params, self._stream, self._device = space, data, params, stream, device
        self.images = Images(data, space.image_side, device)
        self.training_rows = training_order(stream("examples"), data, params.training_examples)
        self.steps_per_epoch = max(1, len(self.training_rows) // params.batch_size)
        self.steps, self.step = params.epochs * self.steps_per_epoch, 0
        self.supernet = Supernet(space)
        self.supernet.initialise(torch.Generator().manual_seed(_seed(stream("weights"))))
        self.supernet.to(device)
        self._optimizer = torch.optim.AdamW(
            self.supernet.parameters(), lr=params.learning_rate, betas=(0.9, 0.999), weight_decay=params.weight_decay
        )

    @property
    def epoch(self) -> int:
        """Number of completed epochs."""
        return self.step // self.steps_per_epoch

    def train_step(self) -> StepLoss:
        """Return one batch through every subnet of the sandwich, then one step along the sum of their gradients."""
        rows = self._batch_rows()
        images = self.images.batch(self.data.train, rows)
        labels = torch.from_numpy(self.data.train.labels[rows]).to(self._device)
        self._optimizer.zero_grad(set_to_none=True)
        set_rate(self._optimizer, self.params.learning_rate, self.step / self.steps)
        largest, *others = self.sandwich()
        logits, first = self._learn(images, labels, largest, 0, None)
        taught = logits.detach().softmax(1)
        losses = [self._learn(images, labels, each, place, taught)[1] for place, each in enumerate(others, start=1)]
        self._optimizer.step()
        self.step += 1
        return StepLoss(first, losses[0], float(np.mean(losses[1:])) if losses[1:] else math.nan)

    def sandwich(self) -> list[Architecture]:
        """Return the subnets of the present step: largest, smallest, random ones."""
        stream, space = self._stream("subnets", self.step), self.space
        operators = [space.operators[place] for place in stream.integers(len(space.operators), size=2)]
        found = [space.largest(operators[0]), space.smallest(operators[1])]
        drawn = [space.random(stream) for _ in range(self.params.random_subnets)]
        dealt = [stream.permutation(len(space.operators)) for _ in space.widths]
        for number, architecture in enumerate(drawn):
            at = number % len(space.operators)
            found.append(space.with_operators(architecture, [space.operators[deal[at]] for deal in dealt]))
        return found

    def accuracy(self, architecture: Architecture, split: Split, most: int | None = None) -> float:
        """Return the share of correct examples, in percent, with the subnet's own batch statistics (of training examples).

        Args:
            architecture: architecture of the subnet.
            split: name of the held-out split.
            most: only the first so many.
        """
        return measured_accuracy(self.supernet, self.images, self.data, self.training_rows, architecture, split, most)

    def weights(self) -> bytes:
        """Return the weights as safetensors."""
        return packed_weights(self.supernet)

    def state(self) -> bytes:
        """Return the weights and moments of the optimiser as safetensors.

        With the number of the step all that it takes to continue.
        """
        return packed_state(self.supernet, self._optimizer)

    def restore(self, state: bytes, step: int) -> None:
        """Go on from a state.

        Raises:
            CheckpointError: the state is of another supernet.
        """
        restore_weights(self.supernet, state)
        restore_moments(self.supernet, self._optimizer, state)
        self.step = step

    def _batch_rows(self) -> IntArray:
        epoch, at = divmod(self.step, self.steps_per_epoch)
        order = self._stream("order", epoch).permutation(self.training_rows)
        return order[at * self.params.batch_size : (at + 1) * self.params.batch_size]

    def _learn(
        self, images: Tensor, labels: Tensor, architecture: Architecture, place: int, taught: Tensor | None
    ) -> tuple[Tensor, float]:
        """Add one subnet's gradient; its logits and its cross-entropy on the labels."""
        logits = self.supernet(images, architecture, self._dropped(len(images), place))
        on_labels = functional.cross_entropy(logits, labels)
        loss = on_labels
        if taught is not None:
            share = self.params.distillation
            loss = (1 - share) * on_labels + share * functional.cross_entropy(logits, taught)
        loss.backward()
        return logits, float(on_labels.detach())

    def _dropped(self, count: int, place: int) -> Tensor | None:
        if not self.params.dropout:
            return None
        kept = 1 - self.params.dropout
        drawn = self._stream("dropout", self.step, place).random((count, self.space.head_channels)) < kept
        return torch.from_numpy((drawn / kept).astype(np.float32)).to(self._device)


def _seed(stream: np.random.Generator) -> int:
    return int(stream.integers(2**62))
