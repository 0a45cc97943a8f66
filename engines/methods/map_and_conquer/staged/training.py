"""Training of a chain, importance of its channels, and fine-tuning of its stages.

Importance of a channel: Molchanov et al. 2019 (CVPR, "Importance estimation for neural network pruning"), equation 8: the square of
the sum of gradient times weight over its parameters, averaged over batches; the reference that odema-2024 names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.data.data_set import DataSet, Split

if TYPE_CHECKING:
    import torch

BATCH = 64
LEARNING_RATE = 1e-2
_MEASURED_AT_ONCE = 512


def learn(network: torch.nn.Module, data: DataSet, epochs: int, random: np.random.Generator) -> None:
    """Train on the examples to learn from, in place, with Adam; the rate falls along half a cosine.

    Outputs of shape `n x classes`, or `n x M x classes` of stages, whose losses are added up.
    """
    import torch
    from torch.nn import functional

    network.train()
    steps = epochs * -(-len(data.train) // BATCH)
    optimiser = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, max(1, steps))
    for _ in range(epochs):
        for rows in _batches(len(data.train), random):
            images, labels = _tensors(data.train.take(rows), data.feature_scale)
            outputs = network(images)
            if outputs.dim() == 2:
                outputs = outputs[:, None]
            loss = sum(functional.cross_entropy(outputs[:, stage], labels) for stage in range(outputs.shape[1]))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    network.eval()


def importance(whole: torch.nn.Module, data: DataSet, random: np.random.Generator) -> list[FloatArray]:
    """Return the importance of every channel of every layer, each of shape `channels`."""
    from torch.nn import functional

    convolutions: Any = whole.convolutions
    found = [np.zeros(convolution.weight.shape[0]) for convolution in convolutions]
    for rows in _batches(len(data.train), random):
        images, labels = _tensors(data.train.take(rows), data.feature_scale)
        whole.zero_grad()
        functional.cross_entropy(whole(images), labels).backward()
        for values, convolution in zip(found, convolutions, strict=True):
            products = (convolution.weight * convolution.weight.grad).sum(dim=(1, 2, 3))
            products = products + convolution.bias * convolution.bias.grad
            values += products.detach().double().numpy() ** 2
    whole.zero_grad()
    return found


def most_important_first(values: list[FloatArray]) -> list[IntArray]:
    """Return the order of the channels of each layer; of equal ones the first stays first."""
    return [np.argsort(-each, kind="stable") for each in values]


def revive(whole: torch.nn.Module, values: list[FloatArray], random: np.random.Generator) -> int:
    """Set fresh weights for channels whose output is zero for all examples, in place; return their number.

    A channel whose ReLU never opens has no importance and no gradient: a last stage made of such channels would never learn.

    Args:
        whole: the trained network.
        values: `importance` of its channels, in their present order.
        random: draws the weights, as He et al. 2015.
    """
    import torch

    convolutions: Any = whole.convolutions
    count = 0
    with torch.no_grad():
        for one, convolution in zip(values, convolutions, strict=True):
            still = np.flatnonzero(one == 0)
            shape = (len(still), *convolution.weight.shape[1:])
            fresh = np.sqrt(2 / np.prod(shape[1:])) * random.standard_normal(shape)
            convolution.weight[still] = torch.from_numpy(fresh.astype(np.float32))
            convolution.bias[still] = 0.0
            count += len(still)
    return count


def right_at(network: torch.nn.Module, split: Split, feature_scale: float) -> BoolArray:
    """Return whether each example is answered rightly at each stage, shape `examples x M`; one stage for a whole network."""
    from engines.learning.torch_learner import outputs_of

    parts = np.split(np.arange(len(split)), range(_MEASURED_AT_ONCE, len(split), _MEASURED_AT_ONCE))
    outputs = outputs_of(network, (_tensors(split.take(rows), feature_scale)[0] for rows in parts))
    outputs = outputs[:, None] if outputs.ndim == 2 else outputs
    return np.asarray(outputs.argmax(axis=2) == split.labels[:, None])


def _batches(count: int, random: np.random.Generator) -> list[IntArray]:
    order = random.permutation(count)
    return [np.sort(order[start : start + BATCH]) for start in range(0, count, BATCH)]


def _tensors(split: Split, scale: float) -> tuple[Any, Any]:
    import torch

    values = np.asarray(split.features, dtype=np.float32) * np.float32(scale)
    return torch.from_numpy(values), torch.from_numpy(split.labels.copy())
