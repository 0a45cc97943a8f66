"""Training of a backbone, then of all its exits at once on the frozen backbone (odema-2024 eq. 2.4).

The loss of the exits is the mean over exits of cross-entropy to the label and distillation from the backbone's own end, at
temperature 1. Every epoch draws its order from a stream of its number: a training that was stopped continues as if it had not
been. Imported only where torch is needed.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from engines.contract.arrays import FloatArray, IntArray
from engines.data.data_set import DataSet, Split
from engines.data.torch_images import Images
from engines.learning.torch_learner import Stream, TorchLearner, batches_of, outputs_of
from engines.methods.hadas.training.network import MultiExit
from engines.methods.hadas.training.params import TrainExitsParams
from engines.methods.hadas.training.shapes import BackboneShape

_MEASURED_TOGETHER = 256


class Trainer(TorchLearner):
    """A backbone with exits under training: first the backbone, then the exits.

    Args:
        shape: shape of the backbone.
        data: training data.
        params: parameters of the search.
        stream: keyed random streams (`Context.random`).
        device: torch's name of the device.
    """

    def __init__(
        self, shape: BackboneShape, data: DataSet, params: TrainExitsParams, stream: Stream, device: str = "cpu"
    ) -> None:
        self.data, self._params, self._stream, self._device = data, params, stream, device
        self._images = Images(data, shape.side, device)
        with torch.random.fork_rng():
            torch.manual_seed(int(stream("weights").integers(2**31)))
            network = MultiExit(shape, params.exit_channels).to(device)
        super().__init__(network, params.epochs + params.exit_epochs, phases=(params.epochs,))

    def outputs(self, split: Split, most: int) -> FloatArray:
        """Return the outputs of all ends for the first `most` examples of a split, shape `examples x n x classes`."""
        rows = np.arange(min(most, len(split)))
        batches = (rows[at : at + _MEASURED_TOGETHER] for at in range(0, len(rows), _MEASURED_TOGETHER))
        return outputs_of(self.network, (self._images.batch(split, batch) for batch in batches))

    def new_optimizer(self, epoch: int) -> torch.optim.Adam:
        """Return an optimiser of the part that learns."""
        part = self.network.exits if self._on_exits(epoch) else self.network.backbone
        return torch.optim.Adam(part.parameters(), lr=self._params.learning_rate)

    def set_modes(self, epoch: int) -> None:
        """Keep the statistics of the frozen backbone as well as its weights."""
        self.network.train()
        if self._on_exits(epoch):
            self.network.backbone.eval()
        self.network.backbone.requires_grad_(not self._on_exits(epoch))

    def batches(self, epoch: int) -> list[IntArray]:
        """Return the training rows of an epoch, in random batches."""
        return batches_of(self._stream, epoch, len(self.data.train), self._params.batch_size)

    def progress(self, epoch: int, share: float) -> float:
        """Return the share of the learning rate in either training, which falls along a cosine."""
        params = self._params
        first, count = (params.epochs, params.exit_epochs) if self._on_exits(epoch) else (0, params.epochs)
        return (epoch - first + share) / count

    def loss(self, batch: IntArray, epoch: int) -> Tensor:
        """Return the value of eq. 2.4 of the exits, cross-entropy of the backbone."""
        images = self._images.batch(self.data.train, batch)
        labels = torch.from_numpy(self.data.train.labels[batch]).to(self._device)
        if self._on_exits(epoch):
            return exit_loss(self.network(images), labels)
        return functional.cross_entropy(self.network.backbone(images), labels)

    def _on_exits(self, epoch: int) -> bool:
        return epoch >= self._params.epochs


def exit_loss(outputs: Tensor, labels: Tensor) -> Tensor:
    """Return the value of eq. 2.4: mean over exits of the cross-entropy to the label and the divergence from the last end.

    Args:
        outputs: outputs of all ends, shape `b x n x classes`.
        labels: shape `b`.
    """
    exits, taught = outputs[:, :-1], outputs[:, -1].detach()
    count = exits.shape[1]
    labelled = functional.cross_entropy(exits.flatten(0, 1), labels.repeat_interleave(count))
    told = functional.log_softmax(exits, dim=-1).flatten(0, 1)
    teacher = functional.softmax(taught, dim=-1).repeat_interleave(count, dim=0)
    return labelled + functional.kl_div(told, teacher, reduction="batchmean")
