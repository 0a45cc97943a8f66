"""The supernet in torch: blocks, each of which runs one of its operations. Imported only where torch is needed.

The operations of a block share weights: a smaller kernel is the middle of the largest, a smaller expansion its first channels (as
in Single-Path NAS and Once-for-All), so that two cores train them; ProxylessNAS has weights of its own for each. Maps are
normalised image by image (group normalisation), in place of batch normalisation: what a network gives for an image does not depend
on which images came along, and its bound B is a property of the weights alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from engines.methods.privynas.space import Block, PrivacySpace


class ElasticBlock(nn.Module):
    """1 x 1 up, depthwise, 1 x 1 down; what went in is added where shapes agree."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        real = [each for each in block.operations if each is not None]
        wide = block.channels_in * max(each.expansion for each in real)
        self._kernel = max(each.kernel for each in real)
        self._block = block
        self.expand = nn.Conv2d(block.channels_in, wide, 1, bias=False)
        self.depthwise = nn.Conv2d(wide, wide, self._kernel, groups=wide, bias=False)
        self.project = nn.Conv2d(wide, block.channels, 1, bias=False)
        self.expanded, self.filtered = nn.GroupNorm(1, wide), nn.GroupNorm(1, wide)
        self.projected = nn.GroupNorm(1, block.channels)

    def forward(self, maps: Tensor, place: int) -> Tensor:
        """Run the operator of that number; maps of shape `b x channels x side x side`."""
        operation, block = self._block.operations[place], self._block
        if operation is None:
            return maps
        wide, kernel = operation.expansion * block.channels_in, operation.kernel
        off = (self._kernel - kernel) // 2
        middle = self.depthwise.weight[:wide, :, off : off + kernel, off : off + kernel]
        found = _normal(functional.conv2d(maps, self.expand.weight[:wide]), self.expanded)
        found = functional.conv2d(functional.relu6(found), middle, None, block.stride, kernel // 2, groups=wide)
        found = functional.relu6(_normal(found, self.filtered))
        found = self.projected(functional.conv2d(found, self.project.weight[:, :wide]))
        return found + maps if block.keeps_shape else found


class OperationBlock(nn.Module):
    """A block that executes one of its candidate operations."""

    def __init__(self, block: ElasticBlock, place: int) -> None:
        super().__init__()
        self.block, self._place = block, place

    def forward(self, maps: Tensor) -> Tensor:
        """Compute the output of the block."""
        return self.block(maps, self._place)


def _normal(maps: Tensor, norm: nn.GroupNorm) -> Tensor:
    wide = maps.shape[1]
    return functional.group_norm(maps, 1, norm.weight[:wide], norm.bias[:wide])


class PrivacySupernet(nn.Module):
    """Stem, blocks with all their operations, head; run up to a cut and from it on."""

    def __init__(self, space: PrivacySpace) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(space.image_channels, space.stem, 3, padding=1, bias=False),
            nn.GroupNorm(1, space.stem),
            nn.ReLU6(),
        )
        self.blocks = nn.ModuleList(ElasticBlock(block) for block in space.blocks)
        self.head = nn.Sequential(
            nn.Conv2d(space.blocks[-1].channels, space.head, 1), nn.ReLU6(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
            nn.Linear(space.head, space.classes),
        )  # fmt: skip

    def edge(self, images: Tensor, operations: Sequence[int], position: int) -> Tensor:
        """Return the output of the first `position` blocks."""
        found = self.stem(images)
        for number in range(position):
            found = self.blocks[number](found, operations[number])
        return found

    def server(self, maps: Tensor, operations: Sequence[int], position: int) -> Tensor:
        """Return the outputs of the classes, `b x classes`, of what was sent after `position` blocks."""
        for number in range(position, len(self.blocks)):
            maps = self.blocks[number](maps, operations[number])
        return self.head(maps)

    def norms(self, images: Tensor, operations: Sequence[int]) -> Tensor:
        """Return the largest absolute element behind each block, shape `blocks x b`."""
        found, norms = self.stem(images), []
        for block, place in zip(self.blocks, operations, strict=True):
            found = block(found, place)
            norms.append(norms_of(found))
        return torch.stack(norms)


def norms_of(maps: Tensor) -> Tensor:
    """Return the infinity norm of each image's tensor, shape `b`."""
    return maps.abs().flatten(1).amax(dim=1)


def clipped(maps: Tensor, bound: float) -> Tensor:
    """Return each image's tensor scaled down so that no element is beyond the bound (section A.4)."""
    return maps / (norms_of(maps) / bound).clamp(min=1).view(-1, 1, 1, 1)


def protected(maps: Tensor, bound: float, scale: float, noise: Callable[[tuple[int, ...]], np.ndarray]) -> Tensor:
    """Return the feature maps, clipped to `bound`, with Laplace noise of that scale; `noise` draws it at scale 1."""
    drawn = torch.from_numpy(noise(tuple(maps.shape))).to(maps.device)
    return clipped(maps, bound) + scale * drawn
