"""Networks of the space: a stem and blocks, each of which is one of several inverted residuals, or nothing.

Source: the space of ProxylessNAS (mit-han-lab/proxylessnas), which odema-2024 section A.7 keeps: stages of MobileNetV2, kernels 3,
5, 7, expansions 3 and 6, and the identity where a block keeps its shape. A network may be cut after any block.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Literal

from engines.contract.errors import ProblemError

SpaceName = Literal["small", "published"]
_STAGES: dict[SpaceName, tuple[tuple[int, int, int], ...]] = {  # blocks, width, stride
    "small": ((2, 8, 1), (2, 16, 2), (2, 24, 2)),
    "published": ((4, 24, 2), (4, 40, 2), (4, 80, 2), (4, 96, 1), (4, 192, 2), (1, 320, 1)),
}
_KERNELS: dict[SpaceName, tuple[int, ...]] = {"small": (3, 5), "published": (3, 5, 7)}
_STEM: dict[SpaceName, int] = {"small": 8, "published": 32}
_HEAD: dict[SpaceName, int] = {"small": 64, "published": 1280}
EXPANSIONS = (3, 6)


@dataclass(frozen=True)
class InvertedResidual:
    """An inverted residual: 1 x 1 to `expansion` x the channels, depthwise `kernel` x `kernel`, 1 x 1 down."""

    kernel: int
    expansion: int

    @property
    def name(self) -> str:
        """Return the name as in the publication's figures."""
        return f"MB{self.expansion} {self.kernel}x{self.kernel}"


SKIP = "skip"


@dataclass(frozen=True)
class Block:
    """Where a block stands.

    Attributes:
        channels_in, channels: number of input and output channels.
        side_in, side: sides of the square input and output maps.
        operations: operations to choose from; None is the identity.
    """

    channels_in: int
    channels: int
    side_in: int
    side: int
    operations: tuple[InvertedResidual | None, ...]

    @property
    def stride(self) -> int:
        """Return the stride of its depthwise convolution."""
        return self.side_in // self.side

    @property
    def keeps_shape(self) -> bool:
        """Whether what goes in is added to what comes out."""
        return self.channels_in == self.channels and self.stride == 1

    @property
    def elements(self) -> int:
        """Return the number of elements of its output for one image."""
        return self.channels * self.side**2

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of its operations."""
        return tuple(SKIP if each is None else each.name for each in self.operations)


@dataclass(frozen=True)
class PrivacySpace:
    """All networks.

    Attributes:
        image_channels, side: channels and side of an image.
        classes: number of classes.
        stem, head: channels of the first and of the last convolution.
        blocks: blocks in order.
    """

    image_channels: int
    side: int
    classes: int
    stem: int
    head: int
    blocks: tuple[Block, ...]

    @property
    def positions(self) -> int:
        """Behind how many blocks a network may be cut."""
        return len(self.blocks)

    @cached_property
    def size(self) -> int:
        """How many networks there are, cuts and budgets apart."""
        return prod(len(block.operations) for block in self.blocks)

    @cached_property
    def mean_macs(self) -> float:
        """Multiply-accumulates for one image, stem and head included, mean over all networks."""
        total = 9.0 * self.image_channels * self.stem * self.side**2
        for block in self.blocks:
            total += sum(_macs(block, each) for each in block.operations if each) / len(block.operations)
        return total + self.blocks[-1].elements * self.head + self.head * self.classes


def _macs(block: Block, operation: InvertedResidual) -> float:
    wide = operation.expansion * block.channels_in
    after = block.side**2 * (operation.kernel**2 + block.channels)
    return float(wide * (block.channels_in * block.side_in**2 + after))


def space_of(
    name: SpaceName,
    channels: int,
    side: int,
    classes: int,
    *,
    depth: int | None,
    width: float,
    kernels: tuple[int, ...],
) -> PrivacySpace:
    """Return the space for images of that shape.

    Args:
        name: one of the two names.
        channels: channels of an image.
        side: side of the square images, in pixels.
        classes: classes of the data set.
        depth: blocks of each stage; None: as the space has them.
        width: all channels are multiplied by it.
        kernels: allowed kernels; empty for those of the space.

    Raises:
        ProblemError: images that cannot be halved so often.
    """
    stages = _STAGES[name]
    halved = 1
    for _, _, stride in stages:
        halved *= stride
    if side % halved:
        reason = "The search space halves feature maps repeatedly."
        raise ProblemError("params.image_side", side, f"a multiple of {halved}", reason=reason)
    operations = tuple(InvertedResidual(k, e) for k in kernels or _KERNELS[name] for e in EXPANSIONS)
    blocks, before, at = list[Block](), _wide(_STEM[name], width), side
    for count, channels_out, stride in stages:
        wide = _wide(channels_out, width)
        for number in range(depth or count):
            after = at // stride if number == 0 else at
            same = before == wide and after == at
            blocks.append(Block(before, wide, at, after, (*operations, None) if same and number else operations))
            before, at = wide, after
    return PrivacySpace(channels, side, classes, _wide(_STEM[name], width), _wide(_HEAD[name], width), tuple(blocks))


def _wide(channels: int, width: float) -> int:
    return max(4, round(channels * width / 4) * 4)
