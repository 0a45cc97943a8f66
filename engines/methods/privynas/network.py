"""The supernet in torch: every operation of every block, one of which is active. Imported only where torch is needed.

Maps are normalised image by image (group normalisation), in place of batch normalisation: what a network gives for an image does
not depend on which images came along, and its bound B is a property of the weights alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from engines.methods.privynas.space import Block, Inverted, PrivacySpace


class InvertedResidual(nn.Module):
    """1 x 1 up, depthwise, 1 x 1 down; what went in is added where shapes agree."""

    def __init__(self, block: Block, operation: Inverted) -> None:
        super().__init__()
        wide, kernel = operation.expansion * block.channels_in, operation.kernel
        self.layers = nn.Sequential(
            nn.Conv2d(block.channels_in, wide, 1, bias=False), nn.GroupNorm(1, wide), nn.ReLU6(),
            nn.Conv2d(wide, wide, kernel, block.stride, kernel // 2, groups=wide, bias=False), nn.GroupNorm(1, wide), nn.ReLU6(),
            nn.Conv2d(wide, block.channels, 1, bias=False), nn.GroupNorm(1, block.channels),
        )  # fmt: skip
        self._adds = block.keeps_shape

    def forward(self, maps: Tensor) -> Tensor:
        """Shape `b x channels x side x side`."""
        found = self.layers(maps)
        return found + maps if self._adds else found


class PrivacySupernet(nn.Module):
    """Stem, blocks with all their operations, head; run up to a cut and from it on."""

    def __init__(self, space: PrivacySpace) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(space.image_channels, space.stem, 3, padding=1, bias=False),
            nn.GroupNorm(1, space.stem),
            nn.ReLU6(),
        )
        self.blocks = nn.ModuleList(
            nn.ModuleList(nn.Identity() if each is None else InvertedResidual(block, each) for each in block.operations)
            for block in space.blocks
        )
        self.head = nn.Sequential(
            nn.Conv2d(space.blocks[-1].channels, space.head, 1), nn.ReLU6(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
            nn.Linear(space.head, space.classes),
        )  # fmt: skip

    def edge(self, images: Tensor, operations: Sequence[int], position: int) -> Tensor:
        """What the first `position` blocks give out."""
        found = self.stem(images)
        for number in range(position):
            found = self.blocks[number][operations[number]](found)
        return found

    def server(self, maps: Tensor, operations: Sequence[int], position: int) -> Tensor:
        """Outputs of the classes, `b x classes`, of what was sent after `position` blocks."""
        for number in range(position, len(self.blocks)):
            maps = self.blocks[number][operations[number]](maps)
        return self.head(maps)

    def server_parameters(self, operations: Sequence[int], position: int) -> list[nn.Parameter]:
        """Weights of one network behind its cut."""
        rest = [self.blocks[number][operations[number]] for number in range(position, len(self.blocks))]
        return [each for part in (*rest, self.head) for each in part.parameters()]

    def norms(self, images: Tensor, operations: Sequence[int]) -> Tensor:
        """Largest absolute element behind each block, shape `blocks x b`."""
        found, norms = self.stem(images), []
        for block, place in zip(self.blocks, operations, strict=True):
            found = block[place](found)
            norms.append(norms_of(found))
        return torch.stack(norms)


def norms_of(maps: Tensor) -> Tensor:
    """Infinity norm of each image's tensor, shape `b`."""
    return maps.abs().flatten(1).amax(dim=1)


def clipped(maps: Tensor, bound: float) -> Tensor:
    """Each image's tensor scaled down so that no element is beyond the bound (section A.4)."""
    return maps / (norms_of(maps) / bound).clamp(min=1).view(-1, 1, 1, 1)


def protected(maps: Tensor, bound: float, scale: float, noise: Callable[[tuple[int, ...]], np.ndarray]) -> Tensor:
    """Clipped and with Laplace noise of that scale; `noise` draws it at scale 1."""
    drawn = torch.from_numpy(noise(tuple(maps.shape))).to(maps.device)
    return clipped(maps, bound) + scale * drawn
