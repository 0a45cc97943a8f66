"""The network in torch: whole, with zero channels, and really smaller. Imported only where torch is needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from engines.contract.arrays import BoolArray
from engines.methods.myml.block_floating_point import BlockFormat
from engines.methods.myml.block_products import block_convolution, block_linear
from engines.methods.myml.layers import Layer


class Blocks(nn.Module):
    """Convolutions with ReLU, some halved by a maximum; the mean of each filter; a linear layer.

    Args:
        layers: with the channels and filters that it is to have.
        halved: mask of the halved outputs.
    """

    def __init__(self, layers: Sequence[Layer], halved: Sequence[bool]) -> None:
        super().__init__()
        convolutions = [
            nn.Conv2d(layer.channels, layer.filters, layer.kernel, padding=(layer.kernel[0] // 2, layer.kernel[1] // 2))
            for layer in layers[:-1]
        ]
        self.parts = nn.ModuleList([*convolutions, nn.Linear(layers[-1].channels, layers[-1].filters)])
        for part in convolutions:  # without normalisation, values must neither grow nor vanish from layer to layer
            nn.init.kaiming_normal_(part.weight, nonlinearity="relu")
            nn.init.zeros_(part.bias)
        self.halved = tuple(halved)

    def forward(
        self, images: Tensor, form: BlockFormat | None = None, begin: int = 0, end: int | None = None
    ) -> Tensor:
        """Return outputs `b x classes`, or those of the layers from `begin` to before `end`.

        Args:
            images: `b x channels x height x width`, or what layer `begin` takes.
            form: form of the products, forward and backward; None: 32 bits.
            begin: first layer.
            end: the one behind the last; None: all that follow.
        """
        found = images
        for number in range(begin, len(self.parts) if end is None else end):
            part = self.parts[number]
            if isinstance(part, nn.Linear):
                found = found.mean(dim=(2, 3))
                found = part(found) if form is None else block_linear(found, part, form)
                continue
            found = torch.relu(part(found) if form is None else block_convolution(found, part, form))
            if self.halved[number]:
                found = functional.max_pool2d(found, 2)
        return found

    def weight(self, number: int) -> Tensor:
        """Return the weights of a layer, shape `filters x channels x taps`."""
        held: Tensor = self.parts[number].weight
        return held.flatten(2) if held.dim() == 4 else held[:, :, None]


def factors_of(network: Blocks, masks: Sequence[BoolArray]) -> list[Tensor]:
    """Return the factors of the weights in `masked`: 0 for channels that the masks `filters x channels` remove, else 1."""
    found = []
    for part, mask in zip(network.parts, masks, strict=True):
        kept = torch.from_numpy(mask).to(part.weight)
        found.append(kept[:, :, None, None] if part.weight.dim() == 4 else kept)
    return found


def masked(network: Blocks, factors: Sequence[Tensor]) -> None:
    """Set channels to zero in place."""
    with torch.no_grad():
        for part, factor in zip(network.parts, factors, strict=True):
            part.weight.mul_(factor)


def lowest_removed(
    network: Blocks, number: int, count: int, asymmetric: bool, criterion: str, rows: BoolArray | None = None
) -> BoolArray:
    """Return the mask of a layer, `filters x channels`, without its channels of the least norm (goyal-2023 section 4.4).

    Args:
        network: with its weights.
        number: number of the layer.
        count: channels that are left: of all filters the same, or so many times the filters over all of them.
        asymmetric: whether filters keep different ones.
        criterion: "l1" or "l2"; of a channel of all filters their sum.
        rows: filters that count, shape `filters`; all by default.
    """
    weights = network.weight(number).detach().cpu().numpy().astype(np.float64)
    norms = np.abs(weights).sum(axis=2) if criterion == "l1" else np.sqrt((weights**2).sum(axis=2))
    if asymmetric:
        left = count * len(norms)
        order = np.argsort(-norms, axis=None, kind="stable")
        mask = np.zeros(norms.size, dtype=bool)
        mask[order[:left]] = True
        return mask.reshape(norms.shape)
    summed = norms.sum(axis=0) if rows is None else norms[rows].sum(axis=0)
    columns = np.zeros(norms.shape[1], dtype=bool)
    columns[np.argsort(-summed, kind="stable")[:count]] = True
    return np.broadcast_to(columns, norms.shape).copy()


def used_of(layers: Sequence[Layer], masks: Sequence[BoolArray]) -> tuple[tuple[BoolArray, BoolArray], ...]:
    """Return for each layer the used filters and the channels that one of these uses, shapes `filters` and `channels`."""
    found = list[tuple[BoolArray, BoolArray]]()
    used: BoolArray = np.ones(len(masks[-1]), dtype=bool)
    for layer, mask in zip(reversed(layers), reversed(masks), strict=True):
        across = np.ones(layer.channels, dtype=bool) if layer.first else np.asarray(mask[used].any(axis=0))
        found.append((used, across))
        used = across
    return tuple(reversed(found))


def smaller(network: Blocks, layers: Sequence[Layer], masks: Sequence[BoolArray]) -> Blocks:
    """Return a network without filters that nothing uses and channels that no filter uses: the same outputs as with them zero."""
    used, factors = used_of(layers, masks), factors_of(network, masks)
    shapes = [
        Layer(
            layer.title, layer.group, int(across.sum()), int(down.sum()), layer.kernel, layer.size_in, layer.size_out, layer.first
        )
        for layer, (down, across) in zip(layers, used, strict=True)
    ]  # fmt: skip
    found = Blocks(shapes, network.halved)
    with torch.no_grad():
        for new, old, factor, (down, across) in zip(found.parts, network.parts, factors, used, strict=True):
            rows = torch.from_numpy(down).to(old.weight.device)
            new.weight.copy_((old.weight * factor)[rows][:, torch.from_numpy(across).to(old.weight.device)])
            new.bias.copy_(old.bias[rows])
    return found


def put_back(small: Blocks, network: Blocks, layers: Sequence[Layer], masks: Sequence[BoolArray]) -> None:
    """Copy the weights of a pruned network back into the original one, in place."""
    with torch.no_grad():
        for new, old, (down, across) in zip(small.parts, network.parts, used_of(layers, masks), strict=True):
            rows, columns = (torch.from_numpy(np.flatnonzero(each)).to(old.weight.device) for each in (down, across))
            old.weight[rows[:, None], columns] = new.weight
            old.bias[rows] = new.bias
