"""Training of the original network, and what it says of images. Imported only where torch is needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.engine import Context, File
from engines.data.data_set import DataSet, Split
from engines.data.splitting import stratified_split
from engines.data.torch_images import Images
from engines.learning.torch_learner import TorchLearner, adam, batches_of
from engines.methods.myml.block_floating_point import BlockFormat
from engines.methods.myml.instance import MymlInstance
from engines.methods.myml.network import Blocks
from engines.methods.myml.uploaded_weights import FILE, read, written

_MEASURED_TOGETHER = 256


def network_of(instance: MymlInstance, context: Context) -> Blocks:
    """Return the network with the uploaded weights, or with those of the seed."""
    with torch.random.fork_rng():
        torch.manual_seed(int(context.random("weights").integers(2**31)))
        network = Blocks(instance.layers, instance.halved)
    if instance.given is not None:
        held = read(instance.given, instance.layers, context.files)
        network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in held.items()})
    network.to(context.device)
    return network


class Original(TorchLearner):
    """The original under training, on its own share of the images to learn from.

    Attributes:
        pool: images of the user, which it never sees.
    """

    def __init__(self, instance: MymlInstance, data: DataSet, context: Context) -> None:
        super().__init__(network_of(instance, context), instance.epochs)
        share = 0.01 * instance.params.kept_back_percent
        self._own, self.pool = stratified_split(data.train, (1 - share, share))
        self.instance, self.data, self.context = instance, data, context
        self._images = Images(data, None, context.device)

    def new_optimizer(self, epoch: int) -> torch.optim.Optimizer:
        """Return an Adam optimiser for the original network."""
        return adam(self.network.parameters(), self.instance.params.original_learning_rate)

    def progress(self, epoch: int, share: float) -> float:
        """Return the progress over all epochs."""
        return (epoch + share) / self.epochs

    def batches(self, epoch: int) -> Sequence[IntArray]:
        """Return the training batches of the original network, without the user's images."""
        return batches_of(self.context.random, epoch, len(self._own), self.instance.params.original_batch)

    def loss(self, batch: IntArray, epoch: int) -> Tensor:
        """Return the cross-entropy of a batch."""
        labels = torch.from_numpy(self._own.labels[batch]).to(self.context.device)
        return functional.cross_entropy(self.network(self._images.batch(self._own, batch)), labels)

    def file(self) -> File:
        """Return its weights as they can be uploaded again."""
        arrays = {name: value.detach().cpu().numpy() for name, value in self.network.state_dict().items()}
        instance = self.instance
        return File(FILE, "application/octet-stream", written(arrays, instance.data, instance.params, instance.seed))


def outputs_of(network: Blocks, images: Images, split: Split, form: BlockFormat | None = None) -> FloatArray:
    """Return the outputs for all images of a split, `n x classes`."""
    rows = np.arange(len(split))
    with torch.no_grad():
        parts = [
            network(images.batch(split, rows[at : at + _MEASURED_TOGETHER]), form).cpu().numpy()
            for at in range(0, len(rows), _MEASURED_TOGETHER)
        ]
    return np.concatenate(parts).astype(np.float64)
