"""Training of a backbone, then of all its exits at once on the frozen backbone (odema-2024 eq. 2.4).

The loss of the exits is the mean over exits of cross-entropy to the label and distillation from the backbone's own end, at
temperature 1. Every epoch draws its order from a stream of its number: a training that was stopped goes on as if it had not
been. Imported only where torch is needed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from engines.data.data_set import DataSet, Split
from engines.data.torch_images import Images
from engines.data.torch_training import batches_of, packed_state, restore_moments, restore_weights, set_rate
from engines.methods.hadas.training.network import MultiExit
from engines.methods.hadas.training.params import TrainExitsParams
from engines.methods.hadas.training.shapes import BackboneShape

FloatArray = npt.NDArray[np.float64]
_MEASURED_TOGETHER = 256


class Trainer:
    """A backbone with exits under training.

    Args:
        shape: of the backbone.
        data: what it learns.
        params: how.
        stream: keyed random streams (`Context.random`).
        device: torch's name of the device.

    Attributes:
        epoch: epochs that were made, those of the backbone first.
        epochs: of both trainings together.
    """

    def __init__(
        self,
        shape: BackboneShape,
        data: DataSet,
        params: TrainExitsParams,
        stream: Callable[..., np.random.Generator],
        device: str = "cpu",
    ) -> None:
        self.data, self._params, self._stream, self._device = data, params, stream, device
        self._images = Images(data, shape.side, device)
        with torch.random.fork_rng():
            torch.manual_seed(int(stream("weights").integers(2**31)))
            self.network = MultiExit(shape, params.exit_channels).to(device)
        self.epoch, self.epochs = 0, params.epochs + params.exit_epochs
        self._optimizer = self._new_optimizer()

    @property
    def on_exits(self) -> bool:
        """Whether the next epoch is one of the exits."""
        return self.epoch >= self._params.epochs

    def train_epoch(self) -> float:
        """One pass over the examples; the mean loss."""
        if self.epoch == self._params.epochs:
            self._optimizer = self._new_optimizer()
        batches = batches_of(self._stream, self.epoch, len(self.data.train), self._params.batch_size)
        self._set_modes()
        losses = [self._step(rows, number / len(batches)) for number, rows in enumerate(batches)]
        self.epoch += 1
        return float(np.mean(losses))

    def outputs(self, split: Split, most: int) -> FloatArray:
        """Outputs of all ends for the first `most` examples of a split, shape `examples x n x classes`."""
        self.network.eval()
        rows = np.arange(min(most, len(split)))
        batches = [rows[at : at + _MEASURED_TOGETHER] for at in range(0, len(rows), _MEASURED_TOGETHER)]
        with torch.no_grad():
            parts = [self.network(self._images.batch(split, batch)).cpu().numpy() for batch in batches]
        return np.concatenate(parts).astype(np.float64)

    def state(self) -> bytes:
        """Weights and moments as safetensors; with the number of the epoch all that it takes to go on."""
        return packed_state(self.network, self._optimizer)

    def restore(self, state: bytes, epoch: int) -> None:
        """Go on from a state."""
        restore_weights(self.network, state)
        self.epoch = epoch
        self._optimizer = self._new_optimizer()
        restore_moments(self.network, self._optimizer, state)

    def _new_optimizer(self) -> torch.optim.Adam:
        part = self.network.exits if self.on_exits else self.network.backbone
        return torch.optim.Adam(part.parameters(), lr=self._params.learning_rate)

    def _set_modes(self) -> None:
        """The frozen backbone keeps its statistics as well as its weights."""
        self.network.train()
        if self.on_exits:
            self.network.backbone.eval()
        self.network.backbone.requires_grad_(not self.on_exits)

    def _step(self, rows: npt.NDArray[np.int64], within: float) -> float:
        first, count = (self._params.epochs, self._params.exit_epochs) if self.on_exits else (0, self._params.epochs)
        set_rate(self._optimizer, self._params.learning_rate, (self.epoch - first + within) / count)
        images = self._images.batch(self.data.train, rows)
        labels = torch.from_numpy(self.data.train.labels[rows]).to(self._device)
        self._optimizer.zero_grad(set_to_none=True)
        if self.on_exits:
            loss = exit_loss(self.network(images), labels)
        else:
            loss = functional.cross_entropy(self.network.backbone(images), labels)
        loss.backward()
        self._optimizer.step()
        return float(loss.detach())


def exit_loss(outputs: Tensor, labels: Tensor) -> Tensor:
    """Eq. 2.4: mean over exits of the cross-entropy to the label and the divergence from the last end.

    Args:
        outputs: of all ends, shape `b x n x classes`.
        labels: shape `b`.
    """
    exits, taught = outputs[:, :-1], outputs[:, -1].detach()
    count = exits.shape[1]
    labelled = functional.cross_entropy(exits.flatten(0, 1), labels.repeat_interleave(count))
    told = functional.log_softmax(exits, dim=-1).flatten(0, 1)
    teacher = functional.softmax(taught, dim=-1).repeat_interleave(count, dim=0)
    return labelled + functional.kl_div(told, teacher, reduction="batchmean")
