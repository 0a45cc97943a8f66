"""Branches, bottlenecks and operators of blocks as torch modules. Imported only where torch is needed."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from engines.methods.split_computing.bottleneck.shapes import (
    KEEP,
    OPERATORS,
    VIEWS,
    Bottleneck,
    BranchDesign,
    BranchShape,
    encoder_strides,
    inner_width,
)

_LEVELS = 255  # of 8 bits


def _unit(before: int, channels: int, kernel: int, stride: int = 1) -> nn.Sequential:
    convolution = nn.Conv2d(before, channels, kernel, stride=stride, padding=kernel // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(channels), nn.ReLU())


def block_of(operator: str, before: int, channels: int, stride: int) -> nn.Sequential:
    """Return a block: two 3 x 3 convolutions, or what the operator makes of them."""
    inner = inner_width(operator, channels)
    first = _unit(before, inner, 3, stride)
    return first if operator == "dropped" else nn.Sequential(
        first, _unit(inner, channels, 1 if operator == "pointwise" else 3)
    )  # fmt: skip


class BottleneckModule(nn.Module):
    """Encoder, 8 bits, decoder: in place of the first block."""

    def __init__(self, shape: BranchShape, bottleneck: Bottleneck) -> None:
        super().__init__()
        first, second, pooled = encoder_strides(bottleneck)
        code, self._sides = shape.code_channels, (shape.height, shape.width)
        narrow = nn.Sequential(
            nn.Conv2d(code, bottleneck.channels, 3, stride=second, padding=1, bias=False),
            nn.BatchNorm2d(bottleneck.channels),
        )
        self.encoder = nn.Sequential(
            _unit(shape.channels, code, 3, first), narrow, nn.AvgPool2d(pooled, ceil_mode=True), nn.Sigmoid()
        )
        self.decoder = nn.Sequential(
            _unit(bottleneck.channels, code * bottleneck.stride**2, 3), nn.PixelShuffle(bottleneck.stride)
        )
        self.last = _unit(code, shape.widths[0], 3)

    def sent(self, seen: Tensor) -> Tensor:
        """Return the transmitted tensor, rounded to steps of 1/255 within 0..1; gradients pass the rounding unchanged."""
        code = self.encoder(seen)
        return code + (torch.round(code * _LEVELS) / _LEVELS - code).detach()

    def forward(self, seen: Tensor) -> Tensor:
        """Return the map of the first block, as far as it was kept."""
        height, width = self._sides
        return self.last(self.decoder(self.sent(seen))[..., :height, :width])


class Branch(nn.Module):
    """A branch as it was before."""

    def __init__(self, shape: BranchShape) -> None:
        super().__init__()
        before = (shape.channels, *shape.widths[:-1])
        self.blocks = nn.ModuleList(
            block_of(KEEP, *each) for each in zip(before, shape.widths, shape.strides, strict=True)
        )
        self.classifier = nn.Linear(shape.widths[-1], shape.classes)

    def maps(self, seen: Tensor) -> list[Tensor]:
        """Return the feature map of each block."""
        found = []
        for block in self.blocks:
            seen = block(seen)
            found.append(seen)
        return found

    def outputs(self, features: Tensor) -> Tensor:
        """Return the outputs of what the last block gives out, shape `b x classes`."""
        return self.classifier(features.mean((2, 3)))

    def forward(self, seen: Tensor) -> Tensor:
        """Return the outputs before the softmax, shape `b x classes`."""
        return self.outputs(self.maps(seen)[-1])


class Parts(nn.Module):
    """The candidates of one branch: bottlenecks for the first block, operators for the other blocks."""

    def __init__(self, shape: BranchShape, bottlenecks: Sequence[Bottleneck]) -> None:
        super().__init__()
        self.bottlenecks = nn.ModuleList(BottleneckModule(shape, each) for each in bottlenecks)
        wide = zip(shape.widths[:-1], shape.widths[1:], shape.strides[1:], strict=True)
        self.operators = nn.ModuleList(
            nn.ModuleList(block_of(operator, *each) for operator in OPERATORS[1:]) for each in wide
        )

    def errors(self, seen: Tensor, taught: Sequence[Tensor]) -> list[list[Tensor]]:
        """Return the error of every candidate against the block that it may replace, for the input of that block.

        Args:
            seen: a view, shape `b x channels x height x width`.
            taught: output of each block of the original.

        Returns:
            of each place the differences of its parts, each shaped as the map.
        """
        found = [[part(seen) - taught[0] for part in self.bottlenecks]]
        for number, parts in enumerate(self.operators, start=1):
            found.append([part(taught[number - 1]) - taught[number] for part in parts])
        return found


class MultiBranch(nn.Module):
    """A branch for each view, what may take places in it, and the late fusion: the mean of the branches' probabilities."""

    def __init__(self, shape: BranchShape, bottlenecks: Sequence[Bottleneck]) -> None:
        super().__init__()
        self._shape, self._bottlenecks = shape, tuple(bottlenecks)
        self.branches = nn.ModuleList(Branch(shape) for _ in range(VIEWS))
        self.parts = nn.ModuleList(Parts(shape, bottlenecks) for _ in range(VIEWS))

    def views(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """Return the left and the right view of images."""
        return images[..., : self._shape.width], images[..., self._shape.image_width - self._shape.width :]

    def assembled(self, design: BranchDesign) -> BranchNetwork:
        """Return the branches as a design has them, with weights of their own."""
        pairs = zip(self.branches, self.parts, strict=True)
        return BranchNetwork([copy.deepcopy(nn.Sequential(*self._places(*each, design))) for each in pairs])

    def _places(self, branch: Branch, parts: Parts, design: BranchDesign) -> list[nn.Module]:
        found: list[nn.Module] = [branch.blocks[0]]
        if design.bottleneck is not None:
            found = [parts.bottlenecks[self._bottlenecks.index(design.bottleneck)]]
        for number, operator in enumerate(design.blocks):
            if operator == KEEP:
                found.append(branch.blocks[number + 1])
            else:
                found.append(parts.operators[number][OPERATORS.index(operator) - 1])
        return [*found, nn.AdaptiveAvgPool2d(1), nn.Flatten(), branch.classifier]


class BranchNetwork(nn.Module):
    """A network of independent branches."""

    def __init__(self, branches: Sequence[nn.Module]) -> None:
        super().__init__()
        self.branches = nn.ModuleList(branches)

    def forward(self, views: Sequence[Tensor]) -> Tensor:
        """Return the outputs of every branch, shape `b x views x classes`."""
        return torch.stack([branch(seen) for branch, seen in zip(self.branches, views, strict=True)], dim=1)
