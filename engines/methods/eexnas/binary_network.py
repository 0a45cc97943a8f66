"""A network of bits with its exit in torch (odema-2024 section B.4.4): weights and activations are +1 or -1.

Windows are whole numbers of 1/256, so that every sum is exact, here and in the C code. Gradients go straight through a sign where
its input lies within -1 and 1. Padding adds nothing. Imported only where torch is needed.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from engines.methods.eexnas.architecture import SizedNetwork

SCALE, LARGEST = 256.0, 8192.0  # of a window's whole numbers; sums of 100 channels stay below 2^24


class _Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor) -> Tensor:
        """Return +1 where not negative, else -1."""
        ctx.save_for_backward(values)
        return torch.where(values >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        """Return the straight-through gradient: unchanged for inputs within -1..1, else 0."""
        (values,) = ctx.saved_tensors
        return torch.where(values.abs() <= 1, gradients[0], 0.0)


def sign(values: Tensor) -> Tensor:
    """Return +1 or -1, with a gradient."""
    return _Sign.apply(values)  # type: ignore[no-any-return, no-untyped-call, unused-ignore]


class Bits(nn.Module):
    """Sums by signs of weights, and the sign of each sum past a whole threshold.

    Args:
        shape: shape of the weights, filters first.
        stride: stride of a convolution; None for a linear layer.
        step: size of one in the sums: 256 for windows, else 1.
    """

    def __init__(self, shape: tuple[int, ...], stride: int | None, step: float = 1.0) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(shape).uniform_(-0.5, 0.5))
        self.bias = nn.Parameter(torch.zeros(shape[0]))
        self._stride, self.norm = stride, step * math.sqrt(math.prod(shape[1:]))

    def offsets(self) -> Tensor:
        """Return the whole numbers that are added to the sums."""
        return torch.round(self.bias.detach() * self.norm)

    def forward(self, values: Tensor) -> Tensor:
        """Return the bits as +1 and -1."""
        whole = self.offsets() + (self.bias - self.bias.detach()) * self.norm
        if self._stride is None:
            sums = functional.linear(values, sign(self.weight)) + whole
        else:
            padding = self.weight.shape[2] // 2
            sums = functional.conv1d(values, sign(self.weight), None, self._stride, padding) + whole[:, None]
        return sign(sums / self.norm)


class Last(nn.Module):
    """Outputs: sums by signs of weights, times a scale and with a bias of each class."""

    def __init__(self, inputs: int, classes: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(classes, inputs).uniform_(-0.5, 0.5))
        self.scale = nn.Parameter(torch.full((classes,), 2.0 / math.sqrt(inputs)))
        self.bias = nn.Parameter(torch.zeros(classes))

    def forward(self, values: Tensor) -> Tensor:
        """Return an array of shape `b x classes`."""
        return functional.linear(values, sign(self.weight)) * self.scale + self.bias


class BinaryEarlyExit(nn.Module):
    """Blocks of convolution, sign and maximum; the largest of each filter behind the first give the exit's outputs."""

    def __init__(self, laid: SizedNetwork) -> None:
        super().__init__()
        self.blocks, channels = nn.ModuleList(), laid.layers[0].shape_in[0]
        for number, each in enumerate(laid.architecture.blocks):
            parts: list[nn.Module] = [
                Bits((each.filters, channels, each.kernel), each.stride, 1.0 if number else SCALE)
            ]
            if each.pool:
                parts.append(nn.MaxPool1d(each.pool, each.pool_stride))
            self.blocks.append(nn.Sequential(*parts))
            channels = each.filters
        self.exit = Last(laid.exit.shape_in[0], laid.classes)
        ends = [layer for layer in laid.layers if layer.kind == "linear"]
        sizes = [layer.shape_in[0] * layer.shape_in[1] for layer in ends]
        self.hidden = Bits((ends[0].shape_out[0], sizes[0]), None) if len(ends) > 1 else None
        self.output = Last(sizes[-1], laid.classes)

    def forward(self, windows: Tensor) -> Tensor:
        """Return the outputs of both ends, `b x 2 x classes`, of windows `b x channels x samples`."""
        found = self.blocks[0](torch.round(windows * SCALE).clamp(-LARGEST, LARGEST))
        early = self.exit(found.amax(dim=2))
        for block in self.blocks[1:]:
            found = block(found)
        found = found.flatten(1)
        if self.hidden is not None:
            found = self.hidden(found)
        return torch.stack([early, self.output(found)], dim=1)
