"""A network with its exit in torch, and its training. Imported only where torch is needed.

Weights and the order of windows follow from the network's name: whichever search comes to it trains the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from safetensors.torch import load
from torch import Tensor, nn
from torch.nn import functional

from engines.contract.arrays import FloatArray, IntArray
from engines.data.data_set import DataSet, Split
from engines.learning.course import Course, Patience
from engines.learning.torch_learner import Stream, TorchLearner, adam, outputs_of, packed_weights
from engines.methods.eexnas.architecture import SizedNetwork
from engines.methods.eexnas.binary_network import BinaryEarlyExit
from engines.methods.eexnas.params import EexnasParams
from engines.methods.eexnas.scoring import HeldOutOutputs, NetworkOutputs

_MEASURED_TOGETHER = 256


class EarlyExit(nn.Module):
    """Blocks of convolution, ReLU and maximum; the largest of each filter behind the first give the exit's outputs."""

    def __init__(self, laid: SizedNetwork) -> None:
        super().__init__()
        blocks, channels = [], laid.layers[0].shape_in[0]
        for each in laid.architecture.blocks:
            parts: list[nn.Module] = [
                nn.Conv1d(channels, each.filters, each.kernel, each.stride, padding=each.kernel // 2), nn.ReLU()
            ]  # fmt: skip
            if each.pool:
                parts.append(nn.MaxPool1d(each.pool, each.pool_stride))
            blocks.append(nn.Sequential(*parts))
            channels = each.filters
        self.blocks = nn.ModuleList(blocks)
        self.exit = nn.Linear(laid.exit.shape_in[0], laid.classes)
        ends = [layer for layer in laid.layers if layer.kind == "linear"]
        linear = [nn.Linear(layer.shape_in[0] * layer.shape_in[1], layer.shape_out[0]) for layer in ends]
        self.hidden = linear[0] if len(linear) > 1 else None
        self.output = linear[-1]

    def forward(self, windows: Tensor) -> Tensor:
        """Return the outputs of both ends, `b x 2 x classes`, of windows `b x channels x samples`."""
        found = self.blocks[0](windows)
        early = self.exit(found.amax(dim=2))
        for block in self.blocks[1:]:
            found = block(found)
        found = found.flatten(1)
        if self.hidden is not None:
            found = torch.relu(self.hidden(found))
        return torch.stack([early, self.output(found)], dim=1)


class Learner(TorchLearner):
    """One network of the space: both ends learn at once by Adam, the mean of their cross-entropies.

    Args:
        laid: the network.
        data: the windows.
        params: parameters of the search.
        stream: keyed random streams (`Context.random`); weights and order follow from the network's name.
        device: torch's name of the device.
        seed: number of the training: 0 is the search's.
    """

    def __init__(
        self,
        laid: SizedNetwork,
        data: DataSet,
        params: EexnasParams,
        stream: Stream,
        device: str = "cpu",
        seed: int = 0,
    ) -> None:
        self._names = (laid.architecture.name, *([f"seed {seed}"] if seed else []))
        self._params, self._stream, self._device = params, stream, device
        with torch.random.fork_rng():
            torch.manual_seed(int(stream("weights", *self._names).integers(2**31)))
            network = network_of(laid).to(device)
        super().__init__(network, params.epochs)
        self._windows, self._labels = _tensors(data.train, device)
        self._held, self._true = _tensors(data.validation, device)

    def new_optimizer(self, epoch: int) -> torch.optim.Adam:
        """Return an Adam optimiser of all parameters."""
        return adam(self.network.parameters(), self._params.learning_rate)

    def batches(self, epoch: int) -> Sequence[Tensor]:
        """Return the training rows of an epoch, in random batches."""
        order = self._stream("order", *self._names, epoch).permutation(len(self._labels))
        rows: Sequence[Tensor] = torch.from_numpy(order).to(self._device).split(self._params.batch_size)
        return rows

    def loss(self, batch: Tensor, epoch: int) -> Tensor:
        """Return the mean cross-entropy of both ends."""
        outputs = self.network(self._windows[batch])
        return functional.cross_entropy(outputs.flatten(0, 1), self._labels[batch].repeat_interleave(2))

    def measure(self) -> dict[str, float]:
        """Return the accuracies in percent on windows to choose by."""
        found = outputs_of(self.network, self._held.split(_MEASURED_TOGETHER)).argmax(axis=2)
        self.network.train()
        early, late = (100 * (found == self._true.cpu().numpy()[:, None]).mean(axis=0)).tolist()
        return {"Exit": early, "Last layer": late}


def course_of(learner: Learner, params: EexnasParams) -> Course:
    """Return a training, which ends early where that is asked for."""
    return Course(learner, Patience("Last layer", params.patience) if params.patience else None)


def trained(
    laid: SizedNetwork, data: DataSet, params: EexnasParams, stream: Stream, device: str = "cpu", seed: int = 0
) -> bytes:
    """Return the weights as safetensors after the training."""
    learner = Learner(laid, data, params, stream, device, seed)
    course_of(learner, params).finish()
    return packed_weights(learner.network)


def network_of(laid: SizedNetwork) -> nn.Module:
    """Build the network with fresh weights."""
    return BinaryEarlyExit(laid) if laid.architecture.binary else EarlyExit(laid)


def weights_of(state: bytes) -> dict[str, FloatArray]:
    """Name -> 32-bit values."""
    held = load(state)
    return {name: held[name].numpy() for name in sorted(held)}  # a file gives them in any order


def measured(laid: SizedNetwork, state: bytes, split: Split) -> tuple[FloatArray, IntArray]:
    """Return the outputs of both ends, shape `n x 2 x classes`, and the labels, shape `n`."""
    network = network_of(laid)
    network.load_state_dict(load(state))
    windows, labels = _tensors(split, "cpu")
    return outputs_of(network, windows.split(_MEASURED_TOGETHER)), labels.numpy()


def network_outputs(laid: SizedNetwork, state: bytes, data: DataSet) -> NetworkOutputs:
    """Return the outputs of a trained network for held-out windows."""
    return NetworkOutputs(
        laid, HeldOutOutputs(*measured(laid, state, data.validation)), HeldOutOutputs(*measured(laid, state, data.test))
    )


def _tensors(split: Split, device: str) -> tuple[Tensor, Tensor]:
    """Return windows `n x channels x samples`, which data sets keep as images of one column."""
    windows = torch.from_numpy(np.array(split.features[..., 0], dtype=np.float32))
    return windows.to(device), torch.from_numpy(np.array(split.labels)).to(device)
