"""Networks of inverted residual blocks: MNASNet, MobileNet v3, EfficientNet v1 and v2.

Source: torchvision 0.15.2 `mnasnet.py`, `mobilenetv3.py`, `efficientnet.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from engines.workloads.families.network_builder import Drawing, Feature, Row, divisible

# Expansion, kernel, stride, channels, blocks (MNASNet-B1).
_MNASNET = (
    (3, 3, 2, 24, 3),
    (3, 5, 2, 40, 3),
    (6, 5, 2, 80, 3),
    (6, 3, 1, 96, 2),
    (6, 5, 2, 192, 4),
    (6, 3, 1, 320, 1),
)
# Kernel, expanded channels, channels, squeeze and excitation, stride (MobileNetV3, Tables 1 and 2).
_MOBILENET_V3: Mapping[str, tuple[tuple[int, int, int, bool, int], ...]] = MappingProxyType(
    {
        "large": (
            (3, 16, 16, False, 1), (3, 64, 24, False, 2), (3, 72, 24, False, 1), (5, 72, 40, True, 2),
            (5, 120, 40, True, 1), (5, 120, 40, True, 1), (3, 240, 80, False, 2), (3, 200, 80, False, 1),
            (3, 184, 80, False, 1), (3, 184, 80, False, 1), (3, 480, 112, True, 1), (3, 672, 112, True, 1),
            (5, 672, 160, True, 2), (5, 960, 160, True, 1), (5, 960, 160, True, 1),
        ),
        "small": (
            (3, 16, 16, True, 2), (3, 72, 24, False, 2), (3, 88, 24, False, 1), (5, 96, 40, True, 2),
            (5, 240, 40, True, 1), (5, 240, 40, True, 1), (5, 120, 48, True, 1), (5, 144, 48, True, 1),
            (5, 288, 96, True, 2), (5, 576, 96, True, 1), (5, 576, 96, True, 1),
        ),
    }
)  # fmt: skip
_MOBILENET_V3_HEADS: Mapping[str, int] = MappingProxyType({"large": 1280, "small": 1024})
# Expansion, kernel, stride, channels, blocks (EfficientNet-B0).
_EFFICIENTNET = (
    (1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2), (6, 3, 2, 80, 3), (6, 5, 1, 112, 3), (6, 5, 2, 192, 4),
    (6, 3, 1, 320, 1),
)  # fmt: skip
# Expansion, stride, channels, blocks, whether the first two convolutions are one; kernels are 3.
_EFFICIENTNET_V2: Mapping[str, tuple[tuple[int, int, int, int, bool], ...]] = MappingProxyType(
    {
        "s": (
            (1, 1, 24, 2, True), (4, 2, 48, 4, True), (4, 2, 64, 4, True), (4, 2, 128, 6, False),
            (6, 1, 160, 9, False), (6, 2, 256, 15, False),
        ),
        "m": (
            (1, 1, 24, 3, True), (4, 2, 48, 5, True), (4, 2, 80, 5, True), (4, 2, 160, 7, False),
            (6, 1, 176, 14, False), (6, 2, 304, 18, False), (6, 1, 512, 5, False),
        ),
        "l": (
            (1, 1, 32, 4, True), (4, 2, 64, 7, True), (4, 2, 96, 7, True), (4, 2, 192, 10, False),
            (6, 1, 224, 19, False), (6, 2, 384, 25, False), (6, 1, 640, 7, False),
        ),
    }
)  # fmt: skip


@dataclass(frozen=True)
class _Block:
    """Expand, filter each channel, squeeze and excite, project.

    Attributes:
        expanded, channels: inside and after the block.
        kernel, stride: kernel and stride of the filter.
        squeezed: channels of squeeze and excitation; None: there is none.
        expands: whether a convolution expands even to as many channels as there are.
        fused: one convolution expands and filters.
    """

    expanded: int
    channels: int
    kernel: int
    stride: int
    squeezed: int | None = None
    expands: bool = False
    fused: bool = False


def mnasnet(multiplier: float) -> list[Row]:
    """Return the MNASNet-B1 with `multiplier` times the channels, 224x224."""
    drawing = Drawing((3, 224, 224))
    stem, first, *widths = (divisible(width * multiplier) for width in (32, 16, *(row[3] for row in _MNASNET)))
    drawing.conv("stem", stem, 3, stride=2)
    drawing.conv("separable.depthwise", stem, 3, groups=stem)
    drawing.conv("separable.project", first, act=False)
    for stage, ((expansion, kernel, stride, _, depth), width) in enumerate(zip(_MNASNET, widths, strict=True), start=1):
        for index in range(depth):
            expanded = drawing.channels * expansion
            block = _Block(expanded, width, kernel, stride if index == 0 else 1, expands=True)
            _inverted_residual(drawing, f"stack{stage}.{index}", block)
    drawing.conv("head", 1280)
    drawing.classify("classifier")
    return drawing.rows


def mobilenet_v3(size: str) -> list[Row]:
    """Return MobileNetV3 "large" or "small", 224x224."""
    drawing = Drawing((3, 224, 224))
    drawing.conv("stem", 16, 3, stride=2)
    for index, (kernel, expanded, channels, squeezes, stride) in enumerate(_MOBILENET_V3[size], start=1):
        squeezed = divisible(expanded // 4) if squeezes else None
        _inverted_residual(drawing, f"block{index}", _Block(expanded, channels, kernel, stride, squeezed))
    drawing.conv("head", 6 * drawing.channels)
    drawing.pool_to("avgpool")
    drawing.linear("classifier.0", _MOBILENET_V3_HEADS[size], act=True)
    drawing.linear("classifier.3", 1000)
    return drawing.rows


def efficientnet(side: int, width: float = 1.0, depth: float = 1.0) -> list[Row]:
    """Return the EfficientNet with `width` times the channels and `depth` times the blocks of B0, for `side` x `side` inputs."""
    stages = [
        (expansion, kernel, stride, divisible(channels * width), math.ceil(blocks * depth), False)
        for expansion, kernel, stride, channels, blocks in _EFFICIENTNET
    ]
    return _efficient(side, divisible(32 * width), stages, 4 * divisible(320 * width))


def efficientnet_v2(size: str, side: int) -> list[Row]:
    """Return EfficientNetV2 "s", "m" or "l" for `side` x `side` inputs."""
    stages = [
        (expansion, 3, stride, channels, blocks, fused)
        for expansion, stride, channels, blocks, fused in _EFFICIENTNET_V2[size]
    ]
    return _efficient(side, stages[0][3], stages, 1280)


def draw_efficientnet_b0(drawing: Drawing) -> list[Feature]:
    """Add the convolutions of an EfficientNet-B0 before its head; return what each stage gives out."""
    stages = [(*stage, False) for stage in _EFFICIENTNET]
    return _draw_efficient(drawing, 32, stages)


def _efficient(side: int, stem: int, stages: Sequence[tuple[int, int, int, int, int, bool]], head: int) -> list[Row]:
    drawing = Drawing((3, side, side))
    _draw_efficient(drawing, stem, stages)
    drawing.conv("head", head)
    drawing.classify("classifier")
    return drawing.rows


def _draw_efficient(
    drawing: Drawing, stem: int, stages: Sequence[tuple[int, int, int, int, int, bool]]
) -> list[Feature]:
    found = []
    drawing.conv("stem", stem, 3, stride=2)
    for stage, (expansion, kernel, stride, channels, blocks, fused) in enumerate(stages, start=1):
        for index in range(blocks):
            before = drawing.channels
            squeezed = None if fused else max(1, before // 4)
            expanded = divisible(before * expansion)
            block = _Block(expanded, channels, kernel, stride if index == 0 else 1, squeezed, fused=fused)
            _inverted_residual(drawing, f"stage{stage}.{index}", block)
        found.append(drawing.feature)
    return found


def _inverted_residual(drawing: Drawing, name: str, block: _Block) -> None:
    before, entry = drawing.shape, drawing.last
    if block.fused and block.expanded == before[0]:
        drawing.conv(f"{name}.fused", block.channels, block.kernel, stride=block.stride)
    else:
        _expanded(drawing, name, block)
        drawing.conv(f"{name}.project", block.channels, act=False)
    if drawing.shape == before:
        drawing.reading(entry, drawing.last)
        drawing.add(f"{name}.add")


def _expanded(drawing: Drawing, name: str, block: _Block) -> None:
    if block.fused:
        drawing.conv(f"{name}.fused", block.expanded, block.kernel, stride=block.stride)
        return
    if block.expands or block.expanded != drawing.channels:
        drawing.conv(f"{name}.expand", block.expanded)
    drawing.conv(f"{name}.depthwise", block.expanded, block.kernel, stride=block.stride, groups=block.expanded)
    if block.squeezed is not None:
        drawing.squeeze_excitation(f"{name}.se", block.squeezed)
