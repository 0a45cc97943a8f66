"""The residual network that predicts throughput. Imported only where torch is needed.

AndreasKaratzas/omniboost-v1, lib/estimator/resnet.py: a 7 x 7 convolution and four residual blocks of 4, 8, 16 and 32 channels.
"""

# mypy: allow-subclassing-any

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from engines.contract.arrays import FloatArray

CHANNELS = (4, 8, 16, 32)
_READ = 2048


class ResidualBlock(nn.Module):
    """Two 3 x 3 convolutions next to a shortcut; half the size where channels grow."""

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        stride = 1 if before == after else 2
        self.convolved = nn.Sequential(
            nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.GELU(),
            nn.Conv2d(after, after, 3, 1, 1, bias=False), nn.BatchNorm2d(after),
        )  # fmt: skip
        self.shortcut = (
            nn.Identity()
            if stride == 1
            else nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))
        )

    def forward(self, read: Tensor) -> Tensor:
        """Return an array of shape `b x after x h x w`."""
        return nn.functional.gelu(self.convolved(read) + self.shortcut(read))


class ThroughputNetwork(nn.Module):
    """Logarithm of the mean throughput, standardised.

    Args:
        units: units of its tensors.
    """

    def __init__(self, units: int) -> None:
        super().__init__()
        first, blocks = CHANNELS[0], []
        for before, after in zip((first, *CHANNELS), CHANNELS, strict=False):
            blocks.append(ResidualBlock(before, after))
        self.gate = nn.Sequential(
            nn.Conv2d(units, first, 7, 2, 3, bias=False), nn.BatchNorm2d(first), nn.GELU(), nn.MaxPool2d(3, 2, 1)
        )
        self.blocks = nn.Sequential(*blocks)
        self.last = nn.Linear(CHANNELS[-1], 1)
        self.register_buffer("mean", torch.zeros(1))
        self.register_buffer("spread", torch.ones(1))

    def forward(self, read: Tensor) -> Tensor:
        """Return the prediction for each input, shape `b`."""
        return self.last(self.blocks(self.gate(read)).mean(dim=(2, 3)))[:, 0]

    def told(self, blocks: npt.NDArray[np.float32]) -> FloatArray:
        """Return the mean throughput in 1/s of mappings as `blocks_of` gives them, shape `b`."""
        self.eval()
        found = []
        with torch.inference_mode():
            for begin in range(0, len(blocks), _READ):
                scores = self(torch.from_numpy(blocks[begin : begin + _READ]))
                found.append(torch.exp((scores * self.spread + self.mean).double()).numpy())
        return np.concatenate(found)
