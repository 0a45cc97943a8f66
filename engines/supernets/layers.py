"""Layers of the supernet in torch: convolutions that run on a part of their channels, batch normalisation, graph operators.

Source: odema-2023 section 5.1.1 (slimmable superblocks, dynamic graph layers with four branches); Yu and Huang, ICCV 2019, for
slimmable layers; huawei-noah/Efficient-AI-Backbones at f90e129, vig_pytorch, for the operators. Shapes: `b` images, `c` channels,
`n` nodes, `m` candidates, `k` neighbours. This module is imported only where torch is needed.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from engines.workloads.vision_graph_rows import GROUPS, GraphBlock, GraphOperator

Statistics = Literal["batch", "record", "recorded"]
_EPSILON = 1e-5


class SlimConvolution(nn.Module):
    """A convolution with bias of which the first channels may be used alone.

    Args:
        channels_in, channels_out: at full width.
        kernel, stride, groups: kernel, stride and groups of the convolution; it is padded to keep the size.
    """

    def __init__(self, channels_in: int, channels_out: int, kernel: int = 1, stride: int = 1, groups: int = 1) -> None:
        super().__init__()
        self.stride, self.padding, self.groups = stride, kernel // 2, groups
        self.weight = nn.Parameter(torch.empty(channels_out, channels_in // groups, kernel, kernel))
        self.bias = nn.Parameter(torch.zeros(channels_out))

    def forward(self, x: Tensor, channels_out: int | None = None) -> Tensor:
        """Apply the layer to `x`, with as many channels as the input side uses."""
        weight, bias = self.weight, self.bias
        if channels_out is not None:
            weight, bias = weight[:channels_out], bias[:channels_out]
        if self.groups == 1 and x.shape[1] < weight.shape[1]:
            weight = weight[:, : x.shape[1]]
        return functional.conv2d(x, weight, bias, self.stride, self.padding, groups=self.groups)


class SlimBatchNorm(nn.Module):
    """Batch normalisation of the channels that are there.

    Subnets differ in what reaches a layer, so shared running statistics would fit none of them. Training takes those of the
    batch; before a subnet is measured, one pass over training images records its own (as BigNAS and Once-for-All do).
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.statistics: Statistics = "batch"
        self.mean: Tensor | None = None
        self.variance: Tensor | None = None

    def forward(self, x: Tensor) -> Tensor:
        """Normalise like `nn.BatchNorm2d` with the statistics that `statistics` names."""
        channels = x.shape[1]
        weight, bias = self.weight[:channels], self.bias[:channels]
        if self.statistics == "record":
            self.mean, self.variance = x.mean((0, 2, 3)), x.var((0, 2, 3), correction=0)
        if self.statistics == "batch":
            return functional.batch_norm(x, None, None, weight, bias, training=True, eps=_EPSILON)
        if self.mean is None or self.variance is None:
            raise RuntimeError("The statistics of this subnet have not been recorded.")
        return functional.batch_norm(x, self.mean, self.variance, weight, bias, training=False, eps=_EPSILON)


def neighbours_of(x: Tensor, candidates: Tensor, block: GraphBlock) -> Tensor:
    """Return the numbers of the nearest candidates of every node, shape `b x n x k`.

    Args:
        x: nodes, shape `b x c x n`.
        candidates: shape `b x c x m`.
        block: tells how many, and how many are skipped in between.
    """
    with torch.no_grad():
        own = functional.normalize(x, dim=1)
        other = own if candidates is x else functional.normalize(candidates, dim=1)
        products = own.transpose(1, 2) @ other
        distance = own.square().sum(1)[:, :, None] - 2 * products + other.square().sum(1)[:, None, :]
        ranked = torch.topk(-distance, block.neighbours * block.dilation, dim=2).indices
        return ranked[:, :, :: block.dilation]


def gathered(candidates: Tensor, index: Tensor) -> Tensor:
    """Return the features of the neighbours, shape `b x c x n x k`."""
    batch, channels, count = candidates.shape
    flat = candidates.transpose(1, 2).reshape(batch * count, channels)
    offset = torch.arange(batch, device=index.device)[:, None, None] * count
    found = flat.index_select(0, (index + offset).reshape(-1))
    return found.reshape(batch, index.shape[1], index.shape[2], channels).permute(0, 3, 1, 2)


class _Combine(nn.Module):
    """1x1 convolution in groups, batch normalisation and activation."""

    def __init__(self, channels_in: int, channels_out: int) -> None:
        super().__init__()
        self.conv = SlimConvolution(channels_in, channels_out, groups=GROUPS)
        self.norm = SlimBatchNorm(channels_out)

    def forward(self, x: Tensor) -> Tensor:
        return functional.gelu(self.norm(self.conv(x)))


def _joined(x: Tensor, other: Tensor) -> Tensor:
    """Return the channels of both in turns, so that every group of the convolution after it sees both; `b x 2c x n x 1` or `k`."""
    return torch.stack([x, other], dim=2).flatten(1, 2)


class GraphConvolution(nn.Module):
    """The four graph operators side by side, of which one runs (section 5.1.1).

    Args:
        channels: channels of a node.
        operators: known operators.
    """

    def __init__(self, channels: int, operators: tuple[GraphOperator, ...]) -> None:
        super().__init__()
        widths = {"max-relative": 2 * channels, "edge": 2 * channels, "sage": 2 * channels, "gin": channels}
        self.combine = nn.ModuleDict({each: _Combine(widths[each], 2 * channels) for each in operators})
        if "sage" in operators:
            self.aggregate = _Combine(channels, channels)
        if "gin" in operators:
            self.epsilon = nn.Parameter(torch.zeros(1))

    def forward(self, x: Tensor, block: GraphBlock) -> Tensor:
        """Return `b x c x side x side` to `b x 2c x side x side`."""
        pooled = functional.avg_pool2d(x, block.pooling, block.pooling) if block.pooling > 1 else x
        nodes = x.flatten(2)
        candidates = pooled.flatten(2) if block.pooling > 1 else nodes
        index = neighbours_of(nodes, candidates, block)
        found = getattr(self, f"_{block.operator.replace('-', '_')}")(nodes, gathered(candidates, index))
        return found.reshape(x.shape[0], -1, *x.shape[2:])

    def _max_relative(self, x: Tensor, near: Tensor) -> Tensor:
        farthest = (near - x[..., None]).amax(-1)
        return self.combine["max-relative"](_joined(x, farthest)[..., None])

    def _edge(self, x: Tensor, near: Tensor) -> Tensor:
        ends = x[..., None].expand_as(near)
        return self.combine["edge"](_joined(ends, near - ends)).amax(-1)

    def _sage(self, x: Tensor, near: Tensor) -> Tensor:
        return self.combine["sage"](_joined(x, self.aggregate(near).amax(-1))[..., None])

    def _gin(self, x: Tensor, near: Tensor) -> Tensor:
        return self.combine["gin"](((1 + self.epsilon) * x + near.sum(-1))[..., None])
