"""The supernet in torch: every subnet of a space with one set of weights.

Source: odema-2023 section 4.1 and Figure 2. A subnet uses the first `depth` blocks of each superblock, of each block the branch of
its graph operator, the pre-processing and feed-forward parts if it has them, and of these the first `hidden` channels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn import functional

from engines.supernets.layers import GraphConvolution, SlimBatchNorm, SlimConvolution, Statistics
from engines.supernets.space import SUPERBLOCKS, Architecture, SuperblockChoice, SupernetSpace
from engines.workloads.vision_graph_rows import GraphBlock


class Unit(nn.Module):
    """A convolution with its batch normalisation, and the activation if there is one."""

    def __init__(self, channels_in: int, channels_out: int, kernel: int = 1, stride: int = 1, *, act: bool) -> None:
        super().__init__()
        self.conv = SlimConvolution(channels_in, channels_out, kernel, stride)
        self.norm = SlimBatchNorm(channels_out)
        self.act = act

    def forward(self, x: Tensor, channels_out: int | None = None) -> Tensor:
        """Return `channels_out`: how many of the output's channels are wanted; all by default."""
        found = self.norm(self.conv(x, channels_out))
        return functional.gelu(found) if self.act else found


class Block(nn.Module):
    """A Grapher and its feed-forward part (eqs. 1 and 2), with everything that any subnet may want of them."""

    def __init__(self, space: SupernetSpace, place: int) -> None:
        super().__init__()
        width, hidden = space.widths[place], max(space.hidden[place])
        self.pre = Unit(width, width, act=False)
        self.graph = GraphConvolution(width, space.operators)
        self.post = Unit(2 * width, width, act=False)
        self.fc1 = Unit(width, hidden, act=True)
        self.fc2 = Unit(hidden, width, act=False)

    def forward(self, x: Tensor, shape: GraphBlock) -> Tensor:
        """Apply the block; `shape` is that of the subnet's block."""
        inner = self.pre(x) if shape.preprocessed else x
        x = x + self.post(self.graph(inner, shape))
        return x if shape.hidden is None else x + self.fc2(self.fc1(x, shape.hidden))


class Superblock(nn.Module):
    """Superblock with as many blocks as any subnet may have, after the convolution that halves a pyramid's grid."""

    def __init__(self, space: SupernetSpace, place: int) -> None:
        super().__init__()
        before, width = space.widths[max(0, place - 1)], space.widths[place]
        self.reduce = None if before == width else Unit(before, width, 3, 2, act=False)
        self.blocks = nn.ModuleList(Block(space, place) for _ in range(space.depths[-1]))

    def forward(self, x: Tensor, choice: SuperblockChoice, shape: GraphBlock) -> Tensor:
        """Return the output of the first `choice.depth` blocks."""
        x = x if self.reduce is None else self.reduce(x)
        for block in list(self.blocks)[: choice.depth]:
            x = block(x, shape)
        return x


class Supernet(nn.Module):
    """All subnets of a space.

    Args:
        space: the shapes.
    """

    def __init__(self, space: SupernetSpace) -> None:
        super().__init__()
        self.space = space
        widths = [space.image_channels, *(width for width, _ in space.stem)]
        last = len(space.stem) - 1
        self.stem = nn.ModuleList(
            Unit(widths[at], width, 3, stride, act=at < last) for at, (width, stride) in enumerate(space.stem)
        )
        side = space.sides[0]
        self.positions = nn.Parameter(torch.zeros(1, space.widths[0], side, side))
        self.superblocks = nn.ModuleList(Superblock(space, place) for place in range(SUPERBLOCKS))
        self.hidden = Unit(space.widths[-1], space.head_channels, act=True)
        self.classify = SlimConvolution(space.head_channels, space.classes)

    def forward(self, images: Tensor, architecture: Architecture, dropped: Tensor | None = None) -> Tensor:
        """Return the logits of the subnet, shape `b x classes`.

        Args:
            images: shape `b x channels x side x side`.
            architecture: architecture of the subnet.
            dropped: factors of the features before the classes (dropout), shape `b x head_channels`.
        """
        x = images
        for unit in self.stem:
            x = unit(x)
        x = x + self.positions
        for place, (superblock, choice) in enumerate(zip(self.superblocks, architecture, strict=True)):
            x = superblock(x, choice, self.space.block(place, choice))
        x = self.hidden(x.mean((2, 3), keepdim=True))
        if dropped is not None:
            x = x * dropped[:, :, None, None]
        return self.classify(x).flatten(1)

    def initialise(self, generator: torch.Generator) -> None:
        """Draw random weights: He for convolutions; the residual branches begin at zero, so that depth does no harm at first."""
        with torch.no_grad():
            for module in self.modules():
                if isinstance(module, SlimConvolution):
                    fan_in = module.weight[0].numel()
                    values = torch.randn(module.weight.shape, generator=generator)
                    module.weight.copy_(values * (2.0 / fan_in) ** 0.5)
            for module in self.modules():
                if isinstance(module, Block):
                    module.post.norm.weight.fill_(0.2)
                    module.fc2.norm.weight.fill_(0.2)

    @contextmanager
    def measured(self, images: Tensor, architecture: Architecture) -> Iterator[None]:
        """Use within it the subnet's own statistics of batch normalisation, recorded over `images`."""
        norms = [module for module in self.modules() if isinstance(module, SlimBatchNorm)]
        with torch.no_grad():
            try:
                _use(norms, "record")
                self(images, architecture)
                _use(norms, "recorded")
                yield
            finally:
                _use(norms, "batch")
                for norm in norms:
                    norm.mean = norm.variance = None


def _use(norms: list[SlimBatchNorm], statistics: Statistics) -> None:
    for norm in norms:
        norm.statistics = statistics
