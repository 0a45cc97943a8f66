"""Training of the branches, then of all parts at once against their blocks (odema-2024 eq. 5.1 to 5.5).

A part is given what the original block was given and learns what that block gave out, so parts do not wait for each other, and
any of them fit together afterwards. Every epoch draws its order from a stream of its number: a training that was stopped continues
as if it had not been. Imported only where torch is needed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor
from torch.nn import functional

from engines.contract.arrays import FloatArray, IntArray
from engines.data.data_set import DataSet, Split
from engines.data.torch_images import Images
from engines.learning.torch_learner import Stream, TorchLearner, batches_of, set_rate
from engines.methods.split_computing.bottleneck.costs import TrainingReady
from engines.methods.split_computing.bottleneck.measuring import Bench
from engines.methods.split_computing.bottleneck.network import BranchNetwork, MultiBranch
from engines.methods.split_computing.bottleneck.params import TrainBottleneckParams
from engines.methods.split_computing.bottleneck.shapes import Bottleneck, BranchDesign, BranchShape

_TOGETHER = 256  # images that are measured at once


class Trainer(TorchLearner):
    """Branches and parts under training: first the branches, then all parts at once.

    Args:
        shape: shape of a branch.
        bottlenecks: bottlenecks to evaluate.
        data: training data.
        params: parameters of the search.
        stream: keyed random streams (`Context.random`).
        device: torch's name of the device.

    Attributes:
        device: torch's name of it.
    """

    def __init__(
        self,
        shape: BranchShape,
        bottlenecks: Sequence[Bottleneck],
        data: DataSet,
        params: TrainBottleneckParams,
        stream: Stream,
        device: str = "cpu",
    ) -> None:
        self.data, self.device = data, device
        self._shape, self._params, self._stream = shape, params, stream
        self._images = Images(data, None, device)
        with torch.random.fork_rng():
            torch.manual_seed(int(stream("weights").integers(2**31)))
            network = MultiBranch(shape, bottlenecks).to(device)
        super().__init__(network, params.epochs + params.distillation_epochs, phases=(params.epochs,))

    def bench(self, ready: TrainingReady) -> Bench:
        """Return the bench that measures designs; each design is assembled and tuned once."""
        splits = {"validation": self.data.validation, "test": self.data.test}
        held = dict[tuple[str, BranchDesign], FloatArray]()

        def outputs(split: str, design: BranchDesign) -> FloatArray:
            if (split, design) not in held:
                tuned = self.tuned(design)
                held.update(((name, design), self.outputs(part, tuned)) for name, part in splits.items())
            return held[split, design]

        labels = {name: split.labels[: self._params.measured_examples] for name, split in splits.items()}
        return Bench(ready, self.deviations(self.data.validation), outputs, labels, self)

    def tuned_weights(self, design: BranchDesign) -> bytes:
        """Return the weights of a design, as safetensors."""
        return bytes(save(self.tuned(design).state_dict()))

    def tuned(self, design: BranchDesign) -> BranchNetwork:
        """Return the branches as a design has them, tuned together on the labels and on what the original says.

        Every design meets the examples in the same order, so that what it becomes depends on nothing but the design. What it
        keeps of the original stays as it is: the parts alone learn.
        """
        network: BranchNetwork = self.network.assembled(design)
        if design == self._shape.original or not self._params.tuning_epochs:
            network.eval()
            return network
        optimizer = torch.optim.Adam(network.parameters(), lr=self._params.learning_rate)
        self.network.eval()
        network.train()
        for epoch in range(self._params.tuning_epochs):
            batches = self.batches(self.epochs + epoch)
            for number, rows in enumerate(batches):
                share = (epoch + number / len(batches)) / self._params.tuning_epochs
                set_rate(optimizer, self._params.learning_rate, share)
                views = self.network.views(self._images.batch(self.data.train, rows))
                with torch.no_grad():
                    taught = torch.stack(
                        [each(seen) for each, seen in zip(self.network.branches, views, strict=True)], dim=1
                    )
                optimizer.zero_grad(set_to_none=True)
                tuning_loss(network(views), taught, self._labels(rows)).backward()
                optimizer.step()
        network.eval()
        return network

    def outputs(self, split: Split, network: BranchNetwork) -> FloatArray:
        """Return the outputs of every branch for the first images of a split, shape `images x views x classes`."""
        with torch.no_grad():
            parts = [network(self.network.views(images)).cpu().numpy() for images in self._measured(split)]
        return np.concatenate(parts).astype(np.float64)

    def deviations(self, split: Split) -> list[FloatArray]:
        """Return the value of eq.

        5.5 with j = 1: mean distance of every part from its block by the block's standard deviation, sum of the views.

        Returns:
            of each place, the bottlenecks' first, one value per part.
        """
        with torch.no_grad():
            totals = [[_moments(*each) for each in self._taught(images)] for images in self._measured(split)]
        found = []
        for place in range(len(totals[0][0])):
            views = [sum(batch[view][place] for batch in totals) for view in range(len(totals[0]))]
            found.append(np.sum([_deviation(np.asarray(each)) for each in views], axis=0))
        return found

    def new_optimizer(self, epoch: int) -> torch.optim.Adam:
        """Return an optimiser of the branches, or of the parts."""
        part = self.network.parts if self._distils(epoch) else self.network.branches
        return torch.optim.Adam(part.parameters(), lr=self._params.learning_rate)

    def set_modes(self, epoch: int) -> None:
        """Keep the statistics of the frozen branches as well as their weights."""
        self.network.parts.train()
        self.network.branches.train(not self._distils(epoch))
        self.network.branches.requires_grad_(not self._distils(epoch))

    def batches(self, epoch: int) -> list[IntArray]:
        """Return the training rows of an epoch, in random batches."""
        return batches_of(self._stream, epoch, len(self.data.train), self._params.batch_size)

    def progress(self, epoch: int, share: float) -> float:
        """Return the share of the learning rate in either training, which falls along a cosine."""
        params = self._params
        first, count = (params.epochs, params.distillation_epochs) if self._distils(epoch) else (0, params.epochs)
        return (epoch - first + share) / count

    def learn(self, batch: IntArray, epoch: int, share: float) -> float:
        """Return one step; the mean loss of a branch, or of a part."""
        total = super().learn(batch, epoch, share)
        return total / self._summed

    def loss(self, batch: IntArray, epoch: int) -> Tensor:
        """Sum over branches, or over parts: none of them has weights of another, so that each has its own gradient."""
        images = self._images.batch(self.data.train, batch)
        if self._distils(epoch):
            errors = [each for _, places in self._taught(images) for place in places for each in place]
            losses = [error.square().mean() for error in errors]  # eq. 5.4 with j = 2
        else:
            labels = self._labels(batch)
            pairs = zip(self.network.branches, self.network.views(images), strict=True)
            losses = [functional.cross_entropy(branch(seen), labels) for branch, seen in pairs]
        self._summed = len(losses)
        return torch.stack(losses).sum()

    def _distils(self, epoch: int) -> bool:
        return epoch >= self._params.epochs

    def _measured(self, split: Split) -> list[Tensor]:
        self.network.eval()
        rows = np.arange(min(self._params.measured_examples, len(split)))
        return [self._images.batch(split, rows[at : at + _TOGETHER]) for at in range(0, len(rows), _TOGETHER)]

    def _labels(self, rows: IntArray) -> Tensor:
        return torch.from_numpy(self.data.train.labels[rows]).to(self.device)

    def _taught(self, images: Tensor) -> list[tuple[list[Tensor], list[list[Tensor]]]]:
        """Return the original's maps of each view, and the distance of every part from them."""
        found = []
        for branch, parts, seen in zip(
            self.network.branches, self.network.parts, self.network.views(images), strict=True
        ):
            with torch.no_grad():
                taught = branch.maps(seen)
            found.append((taught, parts.errors(seen, taught)))
        return found


def tuning_loss(outputs: Tensor, taught: Tensor, labels: Tensor) -> Tensor:
    """Return the mean over branches of the cross-entropy to the label and of the divergence from the original branch.

    Args:
        outputs: shape `b x views x classes`.
        taught: those of the original, likewise.
        labels: shape `b`.
    """
    views = outputs.shape[1]
    told, original = outputs.flatten(0, 1), taught.flatten(0, 1)
    labelled = functional.cross_entropy(told, labels.repeat_interleave(views))
    divergence = functional.kl_div(told.log_softmax(-1), original.softmax(-1), reduction="batchmean")
    return labelled + divergence


def _moments(taught: Sequence[Tensor], errors: Sequence[Sequence[Tensor]]) -> list[FloatArray]:
    """Return the moments of each place: elements, their sum and sum of squares, then the summed distance of every part."""
    found = []
    for features, parts in zip(taught, errors, strict=True):
        wide = features.double()
        sums = [float(wide.numel()), float(wide.sum()), float(wide.square().sum())]
        found.append(np.array([*sums, *(float(part.double().abs().sum()) for part in parts)]))
    return found


def _deviation(moments: FloatArray) -> FloatArray:
    count, total, squares = moments[:3]
    spread = np.sqrt(max(squares / count - (total / count) ** 2, 1e-24))
    return np.asarray(moments[3:] / count / spread)
