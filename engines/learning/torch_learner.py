"""Networks of torch under training: the falling rate, the order of an epoch, states as safetensors."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor, nn

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.errors import CheckpointError

_MOMENTS = ("exp_avg", "exp_avg_sq", "step")
Stream = Callable[..., np.random.Generator]  # keyed random streams (`Context.random`)


class TorchLearner(ABC):
    """A network under training by Adam, as `engines.learning.course.Learner`.

    Args:
        network: on its device.
        epochs: epochs of the whole training.
        phases: epochs, next to the first, that begin with a new optimiser.
    """

    def __init__(self, network: nn.Module, epochs: int, phases: Iterable[int] = ()) -> None:
        self.network: Any = network
        self._epochs, self._begins = epochs, frozenset({0, *phases})
        self._optimizer: torch.optim.Optimizer | None = None

    @property
    def epochs(self) -> int:
        """Return the number of epochs of the whole training."""
        return self._epochs

    @abstractmethod
    def new_optimizer(self, epoch: int) -> torch.optim.Optimizer:
        """Return the optimiser of the phase of an epoch."""

    @abstractmethod
    def batches(self, epoch: int) -> Sequence[Any]:
        """Return the batches of an epoch; see `batches_of`."""

    @abstractmethod
    def loss(self, batch: Any, epoch: int) -> Tensor:
        """Return the loss of a batch, whose gradient is followed."""

    def set_modes(self, epoch: int) -> None:
        """Set what trains and what is frozen in an epoch."""
        self.network.train()

    def progress(self, epoch: int, share: float) -> float | None:
        """Return the share of its phase that is done before a batch, by which the rate falls.

        None: it stays as the optimiser has it.
        """
        return None

    def measure(self) -> Mapping[str, float]:
        """Do nothing by default."""
        return {}

    def enter(self, epoch: int) -> None:
        """Enter an epoch like `Learner.enter`."""
        if self._optimizer is None or epoch in self._begins:
            self._optimizer = self.new_optimizer(epoch)
        self.set_modes(epoch)

    def learn(self, batch: Any, epoch: int, share: float) -> float:
        """Take one optimiser step on a batch, and return its loss."""
        assert self._optimizer is not None  # `enter` was called
        done = self.progress(epoch, share)
        if done is not None:
            set_rate(self._optimizer, self._optimizer.defaults["lr"], done)
        self._optimizer.zero_grad(set_to_none=True)
        loss = self.loss(batch, epoch)
        loss.backward()
        self._optimizer.step()
        return float(loss.detach())

    def state(self) -> bytes:
        """Return the weights and moments as safetensors."""
        return packed_state(self.network, self._optimizer)

    def restore(self, state: bytes, epoch: int) -> None:
        """Load weights, and moments for the optimiser of that epoch; raise CheckpointError for those of another network."""
        restore_weights(self.network, state)
        self._optimizer = self.new_optimizer(epoch)
        restore_moments(self.network, self._optimizer, state)
        self.set_modes(epoch)


def adam(parameters: Iterable[nn.Parameter], learning_rate: float) -> torch.optim.Adam:
    """Return the Adam in one pass over weights and moments on a CPU, where steps of small networks wait for little else."""
    held = list(parameters)
    return torch.optim.Adam(held, lr=learning_rate, fused=True if held[0].device.type == "cpu" else None)


def batches_of(stream: Stream, epoch: int, examples: int, batch_size: int) -> list[IntArray]:
    """Return the rows of the whole batches of an epoch, in an order that its number alone decides."""
    order = stream("order", epoch).permutation(examples)
    size = min(batch_size, examples)
    return [order[at : at + size] for at in range(0, examples - size + 1, size)]


def set_rate(optimizer: torch.optim.Optimizer, highest: float, share: float) -> None:
    """Set the learning rate after a share of the training, along a cosine from `highest` to 0."""
    for group in optimizer.param_groups:
        group["lr"] = highest * 0.5 * (1 + math.cos(math.pi * share))


def packed_weights(network: nn.Module) -> bytes:
    """Return the weights and buffers as safetensors."""
    return bytes(save({name: value.detach().cpu().contiguous() for name, value in network.state_dict().items()}))


def packed_state(network: nn.Module, optimizer: torch.optim.Optimizer | None = None) -> bytes:
    """Return the weights and moments of Adam as safetensors; with the numbers of epoch and batch all that it takes to continue."""
    held = {f"weights.{name}": value for name, value in network.state_dict().items()}
    for name, parameter in network.named_parameters():
        moments = {} if optimizer is None else optimizer.state.get(parameter, {})
        held |= {f"{moment}.{name}": moments[moment] for moment in _MOMENTS if moment in moments}
    return bytes(save({name: value.detach().cpu().contiguous() for name, value in held.items()}))


def restore_weights(network: nn.Module, state: bytes) -> None:
    """Load the weights of a packed state.

    Raises:
        CheckpointError: they are of another network.
    """
    try:
        held = {name: value for name, value in load(state).items() if name.startswith("weights.")}
        network.load_state_dict({name.removeprefix("weights."): value for name, value in held.items()})
    except (KeyError, RuntimeError, SafetensorError) as error:
        raise CheckpointError(f"The stored weights do not fit the network: {str(error)[:300]}") from error


def restore_moments(network: nn.Module, optimizer: torch.optim.Optimizer, state: bytes) -> None:
    """Load the moments of a packed state, for a new optimiser of the same network."""
    held = load(state)
    for name, parameter in network.named_parameters():
        moments = {moment: held[f"{moment}.{name}"] for moment in _MOMENTS if f"{moment}.{name}" in held}
        if moments:
            optimizer.state[parameter] = {
                moment: value if moment == "step" else value.to(parameter.device) for moment, value in moments.items()
            }


def outputs_of(network: Any, batches: Iterable[Tensor]) -> FloatArray:
    """Return the outputs for batches, one after the other along the first axis, without gradients and in mode `eval`."""
    network.eval()
    with torch.no_grad():
        parts = [network(each).cpu().numpy() for each in batches]
    return np.concatenate(parts).astype(np.float64)
