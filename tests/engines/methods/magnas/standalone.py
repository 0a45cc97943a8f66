"""A subnet built alone from plain torch layers with the supernet's weights: to verify that sharing changes nothing."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from engines.supernets.layers import SlimBatchNorm, SlimConvolution, gathered, neighbours_of
from engines.supernets.network import Supernet, Unit
from engines.supernets.space import Architecture, SupernetSpace
from engines.workloads.vision_graph_rows import GraphBlock


class StandaloneNetwork(nn.Module):
    """One subnet as a network of its own; it holds its own weights alone, and the statistics of its batch normalisation.

    Args:
        supernet: whose weights are copied.
        architecture: which subnet.
        images: that its statistics are taken of, shape `b x channels x side x side`.
    """

    def __init__(self, supernet: Supernet, architecture: Architecture, images: Tensor) -> None:
        super().__init__()
        space: SupernetSpace = supernet.space
        with supernet.measured(images, architecture):
            self.stem = nn.Sequential(*(_unit(unit) for unit in supernet.stem))
            self.positions = nn.Parameter(supernet.positions.detach().clone())
            parts: list[nn.Module] = []
            for place, choice in enumerate(architecture):
                superblock = supernet.superblocks[place]
                if superblock.reduce is not None:
                    parts.append(_unit(superblock.reduce))
                shape = space.block(place, choice)
                for block in list(superblock.blocks)[: choice.depth]:
                    parts.append(_Grapher(block, shape))
                    if shape.hidden is not None:
                        width = space.widths[place]
                        first, second = _unit(block.fc1, shape.hidden), _unit(block.fc2, width, shape.hidden)
                        parts.append(_Residual(nn.Sequential(first, second)))
            self.blocks = nn.Sequential(*parts)
            self.head = nn.Sequential(
                nn.AdaptiveAvgPool2d(1), _unit(supernet.hidden), _convolution(supernet.classify), nn.Flatten()
            )
        self.eval()

    def forward(self, images: Tensor) -> Tensor:
        """Logits, shape `b x classes`."""
        logits: Tensor = self.head(self.blocks(self.stem(images) + self.positions))
        return logits


class _Residual(nn.Module):
    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = x + self.inner(x)
        return found


class _Grapher(nn.Module):
    def __init__(self, block: nn.Module, shape: GraphBlock) -> None:
        super().__init__()
        self.shape = shape
        self.pre = _unit(block.pre) if shape.preprocessed else nn.Identity()
        graph, operator = block.graph, shape.operator
        self.combine = _combine(graph.combine[operator])
        self.aggregate = _combine(graph.aggregate) if operator == "sage" else None
        self.epsilon = nn.Parameter(graph.epsilon.detach().clone()) if operator == "gin" else None
        self.pool = nn.AvgPool2d(shape.pooling) if shape.pooling > 1 else nn.Identity()
        self.post = _unit(block.post)

    def forward(self, x: Tensor) -> Tensor:
        inner = self.pre(x)
        nodes, candidates = inner.flatten(2), self.pool(inner).flatten(2)
        near = gathered(candidates, neighbours_of(nodes, candidates, self.shape))
        graph = self._operate(nodes, near).reshape(x.shape[0], -1, *x.shape[2:])
        found: Tensor = x + self.post(graph)
        return found

    def _operate(self, x: Tensor, near: Tensor) -> Tensor:
        if self.epsilon is not None:
            return self.combine(((1 + self.epsilon) * x + near.sum(3)).unsqueeze(3))
        if self.aggregate is not None:
            return self.combine(_interleaved(x.unsqueeze(3), self.aggregate(near).max(3, keepdim=True).values))
        if self.shape.operator == "edge":
            ends = x.unsqueeze(3).expand_as(near)
            return self.combine(_interleaved(ends, near - ends)).max(3).values
        relative = (near - x.unsqueeze(3)).max(3, keepdim=True).values
        return self.combine(_interleaved(x.unsqueeze(3), relative))


def _interleaved(x: Tensor, other: Tensor) -> Tensor:
    batch, channels, *rest = x.shape
    return torch.cat([x.unsqueeze(2), other.unsqueeze(2)], dim=2).reshape(batch, 2 * channels, *rest)


def _unit(unit: Unit, channels_out: int | None = None, channels_in: int | None = None) -> nn.Sequential:
    layers = [_convolution(unit.conv, channels_out, channels_in), _norm(unit.norm, channels_out)]
    return nn.Sequential(*layers, nn.GELU()) if unit.act else nn.Sequential(*layers)


def _combine(combine: nn.Module) -> nn.Sequential:
    return nn.Sequential(_convolution(combine.conv), _norm(combine.norm), nn.GELU())


def _convolution(conv: SlimConvolution, channels_out: int | None = None, channels_in: int | None = None) -> nn.Conv2d:
    weight = conv.weight.detach()[:channels_out, :channels_in]
    plain = nn.Conv2d(
        weight.shape[1] * conv.groups, weight.shape[0], weight.shape[2], conv.stride, conv.padding, groups=conv.groups
    )
    plain.weight.data.copy_(weight)
    assert plain.bias is not None
    plain.bias.data.copy_(conv.bias.detach()[:channels_out])
    return plain


def _norm(norm: SlimBatchNorm, channels: int | None = None) -> nn.BatchNorm2d:
    assert norm.mean is not None and norm.variance is not None
    plain = nn.BatchNorm2d(len(norm.weight[:channels]))
    plain.weight.data.copy_(norm.weight.detach()[:channels])
    plain.bias.data.copy_(norm.bias.detach()[:channels])
    assert plain.running_mean is not None and plain.running_var is not None
    plain.running_mean.copy_(norm.mean)
    plain.running_var.copy_(norm.variance)
    return plain
