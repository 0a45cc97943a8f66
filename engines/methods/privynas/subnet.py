"""One network of the supernet, cut, and the training of its server's side. Imported only where torch is needed.

The server's side learns on clean and noisy tensors, while the device's side stays (odema-2024 section A.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from engines.contract.arrays import IntArray
from engines.data.data_set import DataSet
from engines.data.torch_images import Images
from engines.learning.torch_learner import Stream, TorchLearner, adam, batches_of
from engines.methods.privynas.choice import Choice
from engines.methods.privynas.learner import joint_loss
from engines.methods.privynas.mechanism import noise, scale_of
from engines.methods.privynas.network import OperationBlock, PrivacySupernet, protected
from engines.methods.privynas.params import PrivynasParams


class Subnet(nn.Module):
    """One network of the supernet with weights of its own, both sides of its cut.

    Attributes:
        choice: the choice.
        bound: B behind its cut.
    """

    def __init__(self, supernet: PrivacySupernet, choice: Choice) -> None:
        super().__init__()
        active = [
            OperationBlock(deepcopy(block), place)
            for block, place in zip(supernet.blocks, choice.operations, strict=True)
        ]
        self.edge = nn.Sequential(deepcopy(supernet.stem), *active[: choice.position])
        self.server = nn.Sequential(*active[choice.position :], deepcopy(supernet.head))
        self.choice, self.bound = choice, float("nan")

    def protected(self, maps: Tensor, stream: np.random.Generator, epsilon: float | None = None) -> Tensor:
        """Return the transmitted tensor of an edge output, clipped and with noise, at the design's budget or another one."""
        scale = scale_of(self.bound, self.choice.epsilon if epsilon is None else epsilon)
        return protected(maps, self.bound, scale, lambda shape: noise(stream, shape))


class ServerLearner(TorchLearner):
    """The server's side of one design.

    Args:
        subnet: both sides, with its bound.
        data: training data.
        images: the same as batches.
        params: parameters of the search.
        stream: keyed random streams; the design's name is added to their names.
    """

    def __init__(self, subnet: Subnet, data: DataSet, images: Images, params: PrivynasParams, stream: Stream) -> None:
        super().__init__(subnet.server, params.server_epochs)
        self._subnet, self._data, self._images, self._params = subnet, data, images, params
        self._keyed = stream

    def new_optimizer(self, epoch: int) -> torch.optim.Optimizer:
        """Return an optimiser of the server's side alone."""
        return adam(self.network.parameters(), self._params.learning_rate)

    def batches(self, epoch: int) -> Sequence[IntArray]:
        """Return the training batches of images."""
        return batches_of(self._stream, epoch, len(self._data.train), self._params.batch_size)

    def progress(self, epoch: int, share: float) -> float:
        """Lower the rate over the whole training."""
        return (epoch + share) / self.epochs

    def loss(self, batch: Any, epoch: int) -> Tensor:
        """Return the value of eq. A.2."""
        train = self._data.train
        images = self._images.batch(train, batch)
        labels = torch.from_numpy(train.labels[batch]).to(images.device)
        with torch.no_grad():
            maps = self._subnet.edge(images)
            both = torch.cat([maps, self._subnet.protected(maps, self._stream("noise", epoch, int(batch[0])))])
        clean, noisy = self.network(both).chunk(2)
        return joint_loss(clean, noisy, labels, self._params.clean_share)

    def _stream(self, *names: str | int) -> np.random.Generator:
        return self._keyed("server", self._subnet.choice.name, *names)
