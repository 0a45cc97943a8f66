"""Training of the original network, epoch after epoch, and what it says of images. Imported only where torch is needed."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional

from engines.contract.arrays import FloatArray
from engines.contract.engine import Context
from engines.data.data_set import DataSet, Split
from engines.data.splitting import stratified_split
from engines.data.torch_images import Images
from engines.data.torch_training import batches_of, packed_state, restore_moments, restore_weights, set_rate
from engines.methods.myml.instance import MymlInstance
from engines.methods.myml.network import Blocks

_MEASURED_TOGETHER = 256


def network_of(instance: MymlInstance, context: Context) -> Blocks:
    """With the weights that the seed gives."""
    with torch.random.fork_rng():
        torch.manual_seed(int(context.random("weights").integers(2**31)))
        network = Blocks(instance.layers, instance.halved)
    network.to(context.device)
    return network


class OriginalTrainer:
    """Trains the original on its own share of the images to learn from.

    Attributes:
        epoch: that were trained.
        pool: images of the user, which it never sees.
    """

    def __init__(self, instance: MymlInstance, data: DataSet, context: Context) -> None:
        share = 0.01 * instance.params.kept_back_percent
        self._own, self.pool = stratified_split(data.train, (1 - share, share))
        self.instance, self.context, self.epoch = instance, context, 0
        self.network = network_of(instance, context)
        self._optimizer = torch.optim.Adam(self.network.parameters(), lr=instance.params.original_learning_rate)
        self._images = Images(data, None, context.device)

    def state(self) -> bytes:
        """All that it takes to go on, with the number of the epoch."""
        return packed_state(self.network, self._optimizer)

    def restore(self, state: bytes, epoch: int) -> None:
        """Stand behind that epoch."""
        self.epoch = epoch
        restore_weights(self.network, state)
        restore_moments(self.network, self._optimizer, state)

    def train_epoch(self) -> float | None:
        """Mean loss of the next one; None where a stop was asked for within it."""
        params, losses = self.instance.params, list[float]()
        batches = batches_of(self.context.random, self.epoch, len(self._own), params.original_batch)
        for number, rows in enumerate(batches):
            if self.context.stop_requested():
                return None
            set_rate(
                self._optimizer, params.original_learning_rate, (self.epoch + number / len(batches)) / params.epochs
            )
            labels = torch.from_numpy(self._own.labels[rows]).to(self.context.device)
            loss = functional.cross_entropy(self.network(self._images.batch(self._own, rows)), labels)
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self._optimizer.step()
            losses.append(float(loss.detach()))
        self.epoch += 1
        return float(np.mean(losses))


def outputs_of(network: Blocks, images: Images, split: Split, form: object = None) -> FloatArray:
    """Of all its images, `n x classes`."""
    rows = np.arange(len(split))
    with torch.no_grad():
        parts = [
            network(images.batch(split, rows[at : at + _MEASURED_TOGETHER]), form).cpu().numpy()
            for at in range(0, len(rows), _MEASURED_TOGETHER)
        ]
    return np.concatenate(parts).astype(np.float64)
