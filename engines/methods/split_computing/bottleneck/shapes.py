"""Branches, bottlenecks and what may take the place of a block, as shapes and as documents of networks; without torch.

Source: odema-2024 section 5.3. The publication prints neither the operators of its search nor the channels of its convolutions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from engines.contract.engine import require
from engines.contract.integer_format import many
from engines.data.documents import ImageData
from engines.methods.split_computing.bottleneck.params import TrainBottleneckParams
from engines.workloads.families.network_builder import Drawing

VIEWS = 2
KEEP = "keep"
OPERATORS = (KEEP, "halved", "pointwise", "dropped")
OPERATOR_TITLES = {
    KEEP: "Unchanged", "halved": "Half the channels within", "pointwise": "1 x 1 in place of the second convolution",
    "dropped": "Without the second convolution",
}  # fmt: skip
_STRIDES = (2, 4, 8)


@dataclass(frozen=True, order=True)
class Bottleneck:
    """The tensor that a branch sends: `channels` 8-bit values in each of its places, `stride` times fewer in both directions."""

    channels: int
    stride: int


@dataclass(frozen=True)
class BranchDesign:
    """The design of every branch.

    Attributes:
        bottleneck: in place of the first block; None: the branch sends what it sees.
        blocks: operator of each of the other blocks.
    """

    bottleneck: Bottleneck | None
    blocks: tuple[str, ...]


@dataclass(frozen=True)
class BranchShape:
    """One branch: blocks of two 3 x 3 convolutions, the mean over the map, a classifier.

    Attributes:
        channels, height, width: channels, height and width of a view.
        image_width: width of the complete image, in pixels.
        classes: outputs.
        widths, strides: widths and strides of each block.
    """

    channels: int
    height: int
    width: int
    image_width: int
    classes: int
    widths: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def original(self) -> BranchDesign:
        """Nothing changed."""
        return BranchDesign(None, (KEEP,) * (len(self.widths) - 1))

    @property
    def code_channels(self) -> int:
        """Return the channels of the convolutions inside encoder and decoder."""
        return max(2, self.widths[0] // 2)

    def sent_bytes(self, bottleneck: Bottleneck | None) -> int:
        """Return the bytes that one branch sends, one per value."""
        if bottleneck is None:
            return self.channels * self.height * self.width
        height, width = (math.ceil(side / bottleneck.stride) for side in (self.height, self.width))
        return bottleneck.channels * height * width


def shape_of(data: ImageData, params: TrainBottleneckParams) -> BranchShape:
    """Return the thirds of the blocks with once, twice and four times the width; the first of the later thirds halve the map.

    Raises:
        ProblemError: images of one column, which cannot be seen from two sides.
    """
    require(data.width >= 4, "inputs.data.width", data.width, "images of at least 4 columns, to be seen from two sides")
    thirds = [3 * number // params.blocks for number in range(params.blocks)]
    strides = [1 if number == 0 or third == thirds[number - 1] else 2 for number, third in enumerate(thirds)]
    seen = math.ceil(params.view_percent / 100 * data.width - 1e-9)
    widths = tuple(params.width * 2**third for third in thirds)
    return BranchShape(data.channels, data.height, seen, data.width, len(data.classes), widths, tuple(strides))


def bottlenecks_of(shape: BranchShape, params: TrainBottleneckParams) -> tuple[Bottleneck, ...]:
    """Return every bottleneck that the parameters name, those that send most first.

    Raises:
        ProblemError: channels or reductions that are none.
    """
    channels = _numbers(params.channels, "params.channels", "whole numbers from 1 to 64", range(1, 65))
    strides = _numbers(params.strides, "params.strides", "some of 2, 4 and 8", _STRIDES)
    found = [Bottleneck(each, stride) for each in channels for stride in strides]
    require(
        len(found) <= 24,
        "params.channels",
        many(len(found), "bottleneck"),
        "at most 24 pairs of channels and reduction",
    )
    return tuple(sorted(found, key=lambda each: (-shape.sent_bytes(each), each)))


def _numbers(text: str, field: str, accepted: str, allowed: range | tuple[int, ...]) -> tuple[int, ...]:
    words = text.replace(",", " ").split()
    good = bool(words) and all(word.isdecimal() and int(word) in allowed for word in words)
    require(good, field, text, f"{accepted}, separated by spaces")
    return tuple(sorted({int(word) for word in words}))


def network_content(shape: BranchShape, design: BranchDesign, slug: str, title: str) -> dict[str, Any]:
    """Return one branch as the content of a `network/1` document; names begin with encoder, decoder, block1, ... or classifier."""
    drawing = Drawing((shape.channels, shape.height, shape.width))
    if design.bottleneck is None:
        _draw_block(drawing, "block1", KEEP, shape.widths[0], shape.strides[0])
    else:
        _draw_bottleneck(drawing, shape, design.bottleneck)
    rest = zip(design.blocks, shape.widths[1:], shape.strides[1:], strict=True)
    for number, (operator, width, stride) in enumerate(rest, start=2):
        _draw_block(drawing, f"block{number}", operator, width, stride)
    drawing.pool_to("classifier.mean")
    drawing.linear("classifier", shape.classes)
    return {
        "schema": "network/1", "slug": slug, "title": title, "short_title": "Branch",
        "summary": f"Image classification, {shape.height}x{shape.width}x{shape.channels}, one of {VIEWS} views.",
        "source": "trained by the engine train-bottleneck", "operations": drawing.rows,
    }  # fmt: skip


def _draw_block(drawing: Drawing, name: str, operator: str, width: int, stride: int) -> None:
    drawing.conv(f"{name}.conv1", inner_width(operator, width), 3, stride=stride)
    if operator != "dropped":
        drawing.conv(f"{name}.conv2", width, 1 if operator == "pointwise" else 3)


def _draw_bottleneck(drawing: Drawing, shape: BranchShape, bottleneck: Bottleneck) -> None:
    first, second, pooled = encoder_strides(bottleneck)
    drawing.conv("encoder.conv1", shape.code_channels, 3, stride=first)
    drawing.conv("encoder.conv2", bottleneck.channels, 3, stride=second)
    if pooled > 1:
        drawing.pool("encoder.pool", pooled, pooled, ceil=True)
    drawing.conv("decoder.conv1", shape.code_channels * bottleneck.stride**2, 3)
    # Channels become places, which moves nothing; the map of the first block is as large as the view.
    drawing.shape = (shape.code_channels, shape.height, shape.width)
    drawing.conv("decoder.conv2", shape.widths[0], 3)


def inner_width(operator: str, width: int) -> int:
    """Return the channels between both convolutions of a block."""
    return max(1, width // 2) if operator == "halved" else width


def encoder_strides(bottleneck: Bottleneck) -> tuple[int, int, int]:
    """Return the strides of the encoder's two convolutions and its pooling: each halves the map as published, if needed."""
    return 2, 2 if bottleneck.stride >= 4 else 1, 2 if bottleneck.stride >= 8 else 1
