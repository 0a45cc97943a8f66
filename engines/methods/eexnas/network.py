"""A network with its exit in torch, and its training. Imported only where torch is needed.

Weights and the order of windows follow from the network's name: whichever search comes to it trains the same.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from safetensors.torch import load, save
from torch import Tensor, nn
from torch.nn import functional

from engines.contract.arrays import FloatArray, IntArray
from engines.data.data_set import DataSet, Split
from engines.methods.eexnas.architecture import Laid
from engines.methods.eexnas.params import EexnasParams

_MEASURED_TOGETHER = 256


class EarlyExit(nn.Module):
    """Blocks of convolution, ReLU and maximum; the largest of each filter behind the first give the exit's outputs."""

    def __init__(self, laid: Laid) -> None:
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
        """Outputs of both ends, `b x 2 x classes`, of windows `b x channels x samples`."""
        found = self.blocks[0](windows)
        early = self.exit(found.amax(dim=2))
        for block in self.blocks[1:]:
            found = block(found)
        found = found.flatten(1)
        if self.hidden is not None:
            found = torch.relu(self.hidden(found))
        return torch.stack([early, self.output(found)], dim=1)


def trained(
    laid: Laid,
    data: DataSet,
    params: EexnasParams,
    stream: Callable[..., np.random.Generator],
    stopped: Callable[[], bool],
    device: str = "cpu",
) -> bytes | None:
    """Weights as safetensors after all epochs; None where a stop was asked for between two of them.

    Both ends learn at once: the loss is the mean of their cross-entropies.
    """
    name = laid.architecture.name
    with torch.random.fork_rng():
        torch.manual_seed(int(stream("weights", name).integers(2**31)))
        network = EarlyExit(laid).to(device)
    optimizer = torch.optim.Adam(network.parameters(), lr=params.learning_rate)
    windows, labels = _tensors(data.train, device)
    network.train()
    for epoch in range(params.epochs):
        if stopped():
            return None
        order = torch.from_numpy(stream("order", name, epoch).permutation(len(labels))).to(device)
        for rows in order.split(params.batch_size):
            outputs = network(windows[rows])
            loss = functional.cross_entropy(outputs.flatten(0, 1), labels[rows].repeat_interleave(2))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
    return bytes(save({name: value.detach().cpu().contiguous() for name, value in network.state_dict().items()}))


def weights_of(state: bytes) -> dict[str, FloatArray]:
    """Name -> 32-bit values."""
    held = load(state)
    return {name: held[name].numpy() for name in sorted(held)}  # a file gives them in any order


def outputs_of(laid: Laid, state: bytes, split: Split) -> tuple[FloatArray, IntArray]:
    """Outputs of both ends, shape `n x 2 x classes`, and the labels, shape `n`."""
    network = EarlyExit(laid)
    network.load_state_dict(load(state))
    network.eval()
    windows, labels = _tensors(split, "cpu")
    with torch.no_grad():
        parts = [network(each).numpy() for each in windows.split(_MEASURED_TOGETHER)]
    return np.concatenate(parts).astype(np.float64), labels.numpy()


def _tensors(split: Split, device: str) -> tuple[Tensor, Tensor]:
    """Windows `n x channels x samples`, which data sets keep as images of one column."""
    windows = torch.from_numpy(np.array(split.features[..., 0], dtype=np.float32))
    return windows.to(device), torch.from_numpy(np.array(split.labels)).to(device)
