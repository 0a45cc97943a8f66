"""What trainings share: the falling rate, the order of an epoch, states as safetensors. Imported only where torch is needed."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch
from safetensors.torch import load, save
from torch import nn

_MOMENTS = ("exp_avg", "exp_avg_sq", "step")


def batches_of(
    stream: Callable[..., np.random.Generator], epoch: int, examples: int, batch_size: int
) -> list[npt.NDArray[np.int64]]:
    """Rows of the whole batches of an epoch, in an order that its number alone decides."""
    order = stream("order", epoch).permutation(examples)
    size = min(batch_size, examples)
    return [order[at : at + size] for at in range(0, examples - size + 1, size)]


def set_rate(optimizer: torch.optim.Optimizer, highest: float, share: float) -> None:
    """The learning rate after a share of the training, along a cosine from `highest` to 0."""
    for group in optimizer.param_groups:
        group["lr"] = highest * 0.5 * (1 + math.cos(math.pi * share))


def packed_state(network: nn.Module, optimizer: torch.optim.Optimizer) -> bytes:
    """Weights and moments of Adam as safetensors; with the number of the epoch all that it takes to go on."""
    held = {f"weights.{name}": value for name, value in network.state_dict().items()}
    for name, parameter in network.named_parameters():
        moments = optimizer.state.get(parameter, {})
        held |= {f"{moment}.{name}": moments[moment] for moment in _MOMENTS if moment in moments}
    return bytes(save({name: value.detach().cpu().contiguous() for name, value in held.items()}))


def restore_weights(network: nn.Module, state: bytes) -> None:
    """Weights of a packed state."""
    held = load(state)
    network.load_state_dict(
        {name.removeprefix("weights."): value for name, value in held.items() if name.startswith("weights.")}
    )


def restore_moments(network: nn.Module, optimizer: torch.optim.Optimizer, state: bytes) -> None:
    """Moments of a packed state, for a new optimiser of the same network."""
    held = load(state)
    for name, parameter in network.named_parameters():
        moments = {moment: held[f"{moment}.{name}"] for moment in _MOMENTS if f"{moment}.{name}" in held}
        if moments:
            optimizer.state[parameter] = {
                moment: value if moment == "step" else value.to(parameter.device) for moment, value in moments.items()
            }
