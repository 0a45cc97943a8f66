"""Convolutional classifiers for mobile devices: MobileNet v1 and v4, EfficientNet-Lite, MobileOne, RepVGG and GhostNet.

Sources: MobileNet v1 from arXiv 1704.04861; MobileNet v4 from arXiv 2404.10518 and timm 1.0 (Apache-2.0);
EfficientNet-Lite from tensorflow/tpu (Apache-2.0); MobileOne from arXiv 2206.04040, RepVGG from arXiv 2101.03697 and GhostNet from
arXiv 1911.11907, with timm 1.0. MobileOne and RepVGG in deployed form: each block is one convolution with a bias.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.network_builder import Drawing, Feature, Row, divisible

# Channels and stride of each separable convolution.
_MOBILENET_V1 = (
    (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *((512, 1),) * 5, (1024, 2), (1024, 1),
)  # fmt: skip
# Expansion, channels, blocks, stride of each stage (arXiv 1801.04381, Table 2).
_MOBILENET_V2 = (
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1),
)  # fmt: skip
# Expansion, kernel, stride, channels, blocks of EfficientNet-B0; side, times the channels, times the blocks.
_LITE_STAGES = (
    (1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2), (6, 3, 2, 80, 3), (6, 5, 1, 112, 3), (6, 5, 2, 192, 4),
    (6, 3, 1, 320, 1),
)  # fmt: skip
_LITES = ((224, 1.0, 1.0), (240, 1.0, 1.1), (260, 1.1, 1.2), (280, 1.2, 1.4), (300, 1.4, 1.8))
# Times 64, 128, 256 and 512 channels; blocks of each stage.
_MOBILEONES = {
    "s0": (0.75, 1.0, 1.0, 2.0),
    "s1": (1.5, 1.5, 2.0, 2.5),
    "s2": (1.5, 2.0, 2.5, 4.0),
    "s3": (2.0, 2.5, 3.0, 4.0),
}
_MOBILEONE_DEPTHS = (2, 8, 10, 1)
_REPVGGS: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "a0": ((48, 48, 96, 192, 1280), (2, 4, 14, 1)),
    "a1": ((64, 64, 128, 256, 1280), (2, 4, 14, 1)),
    "a2": ((64, 96, 192, 384, 1408), (2, 4, 14, 1)),
    "b0": ((64, 64, 128, 256, 1280), (4, 6, 16, 1)),
    "b1": ((64, 128, 256, 512, 2048), (4, 6, 16, 1)),
    "b2": ((64, 160, 320, 640, 2560), (4, 6, 16, 1)),
    "b3": ((64, 192, 384, 768, 2560), (4, 6, 16, 1)),
}
# Kernel, expanded channels, channels, squeeze and excitation, stride.
_GHOSTNET = (
    (3, 16, 16, False, 1), (3, 48, 24, False, 2), (3, 72, 24, False, 1), (5, 72, 40, True, 2), (5, 120, 40, True, 1),
    (3, 240, 80, False, 2), (3, 200, 80, False, 1), (3, 184, 80, False, 1), (3, 184, 80, False, 1), (3, 480, 112, True, 1),
    (3, 672, 112, True, 1), (5, 672, 160, True, 2), (5, 960, 160, False, 1), (5, 960, 160, True, 1), (5, 960, 160, False, 1),
    (5, 960, 160, True, 1),
)  # fmt: skip


@dataclass(frozen=True)
class _UniversalBottleneck:
    """A universal inverted bottleneck: kernels of the depthwise convolutions before and after the expansion, 0 for none."""

    start: int
    middle: int
    stride: int
    expansion: int
    channels: int


@dataclass(frozen=True)
class _Attention:
    """Attention whose heads share keys and values, which are taken of a map with sides divided by `stride`."""

    heads: int
    width: int
    stride: int


_Blocks = tuple[_UniversalBottleneck | _Attention, ...]


@dataclass(frozen=True)
class MobileNetV4Shape:
    """A MobileNet v4.

    Attributes:
        side: side of the input.
        stem: channels.
        early: kernel, stride, channels and whether an activation follows, of each convolution after the stem.
        blocks: blocks in order.
    """

    side: int
    stem: int
    early: Sequence[tuple[int, int, int, bool]]
    blocks: _Blocks


def _repeated(count: int, *fields: int) -> _Blocks:
    return (_UniversalBottleneck(*fields),) * count


_ATTENTION_M = (_Attention(4, 64, 2), _Attention(4, 64, 1))
_ATTENTION_L = (_Attention(8, 48, 2), _Attention(8, 64, 1))
_EARLY_S = ((3, 2, 32, True), (1, 1, 32, True), (3, 2, 96, True), (1, 1, 64, True))
_EARLY = ((3, 2, 128, True), (1, 1, 48, False))
_EARLY_L = ((3, 2, 96, True), (1, 1, 48, False))
_V4_MEDIUM_START = (*_repeated(1, 3, 5, 2, 4, 80), *_repeated(1, 3, 3, 1, 2, 80))
_V4_LARGE_START = (
    *_repeated(1, 3, 5, 2, 4, 96), *_repeated(1, 3, 3, 1, 4, 96), *_repeated(1, 3, 5, 2, 4, 192), *_repeated(3, 3, 3, 1, 4, 192),
    *_repeated(1, 3, 5, 1, 4, 192),
)  # fmt: skip
_V4_LARGE_MIDDLE = (
    *_repeated(1, 5, 5, 2, 4, 512), *_repeated(3, 5, 5, 1, 4, 512), *_repeated(1, 5, 0, 1, 4, 512), *_repeated(1, 5, 3, 1, 4, 512),
    *_repeated(2, 5, 0, 1, 4, 512), *_repeated(1, 5, 3, 1, 4, 512), *_repeated(1, 5, 5, 1, 4, 512),
)  # fmt: skip
MOBILENETS_V4: Mapping[str, MobileNetV4Shape] = {
    "conv-small": MobileNetV4Shape(224, 32, _EARLY_S, (
        *_repeated(1, 5, 5, 2, 3, 96), *_repeated(4, 0, 3, 1, 2, 96), *_repeated(1, 3, 0, 1, 4, 96),
        *_repeated(1, 3, 3, 2, 6, 128), *_repeated(1, 5, 5, 1, 4, 128), *_repeated(1, 0, 5, 1, 4, 128),
        *_repeated(1, 0, 5, 1, 3, 128), *_repeated(2, 0, 3, 1, 4, 128),
    )),
    "conv-medium": MobileNetV4Shape(256, 32, _EARLY, (
        *_V4_MEDIUM_START, *_repeated(1, 3, 5, 2, 6, 160), *_repeated(2, 3, 3, 1, 4, 160), *_repeated(1, 3, 5, 1, 4, 160),
        *_repeated(1, 3, 3, 1, 4, 160), *_repeated(1, 3, 0, 1, 4, 160), *_repeated(1, 0, 0, 1, 2, 160),
        *_repeated(1, 3, 0, 1, 4, 160), *_repeated(1, 5, 5, 2, 6, 256), *_repeated(1, 5, 5, 1, 4, 256),
        *_repeated(2, 3, 5, 1, 4, 256), *_repeated(1, 0, 0, 1, 4, 256), *_repeated(1, 3, 0, 1, 4, 256),
        *_repeated(1, 3, 5, 1, 2, 256), *_repeated(1, 5, 5, 1, 4, 256), *_repeated(2, 0, 0, 1, 4, 256),
        *_repeated(1, 5, 0, 1, 2, 256),
    )),
    "conv-large": MobileNetV4Shape(384, 24, _EARLY_L, (
        *_V4_LARGE_START, *_repeated(5, 5, 3, 1, 4, 192), *_repeated(1, 3, 0, 1, 4, 192), *_V4_LARGE_MIDDLE,
        *_repeated(3, 5, 0, 1, 4, 512),
    )),
    "hybrid-medium": MobileNetV4Shape(256, 32, _EARLY, (
        *_V4_MEDIUM_START, *_repeated(1, 3, 5, 2, 6, 160), *_repeated(1, 0, 0, 1, 2, 160), *_repeated(1, 3, 3, 1, 4, 160),
        *_repeated(1, 3, 5, 1, 4, 160), _ATTENTION_M[0], *_repeated(1, 3, 3, 1, 4, 160), _ATTENTION_M[0],
        *_repeated(1, 3, 0, 1, 4, 160), _ATTENTION_M[0], *_repeated(1, 3, 3, 1, 4, 160), _ATTENTION_M[0],
        *_repeated(1, 3, 0, 1, 4, 160), *_repeated(1, 5, 5, 2, 6, 256), *_repeated(1, 5, 5, 1, 4, 256),
        *_repeated(2, 3, 5, 1, 4, 256), *_repeated(1, 0, 0, 1, 2, 256), *_repeated(1, 3, 5, 1, 2, 256),
        *_repeated(1, 0, 0, 1, 2, 256), *_repeated(1, 0, 0, 1, 4, 256), _ATTENTION_M[1], *_repeated(1, 3, 0, 1, 4, 256),
        _ATTENTION_M[1], *_repeated(1, 5, 5, 1, 4, 256), _ATTENTION_M[1], *_repeated(1, 5, 0, 1, 4, 256), _ATTENTION_M[1],
        *_repeated(1, 5, 0, 1, 4, 256),
    )),
    "hybrid-large": MobileNetV4Shape(384, 24, _EARLY_L, (
        *_V4_LARGE_START, *_repeated(2, 5, 3, 1, 4, 192), *(_ATTENTION_L[0], *_repeated(1, 5, 3, 1, 4, 192)) * 3,
        _ATTENTION_L[0], *_repeated(1, 3, 0, 1, 4, 192), *_V4_LARGE_MIDDLE,
        *(_ATTENTION_L[1], *_repeated(1, 5, 0, 1, 4, 512)) * 4,
    )),
}  # fmt: skip


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of all sizes."""
    timm = "timm 1.0 (Apache-2.0)"
    yield _document("mobilenet-v1", "MobileNet v1", "MobileNetV1", 224, "arXiv 1704.04861", mobilenet_v1)
    for number, (side, width, depth) in enumerate(_LITES):
        draw = partial(efficientnet_lite, side, width, depth)
        title = f"EfficientNet-Lite{number}"
        yield _document(title.lower(), title, f"EffNet-L{number}", side, "tensorflow/tpu (Apache-2.0)", draw)
    for name, shape in MOBILENETS_V4.items():
        kind, size = name.split("-")
        short = f"MobV4 {kind[0].upper()}-{size[0].upper()}"
        source = f"arXiv 2404.10518; {timm}"
        yield _document(
            f"mobilenet-v4-{name}",
            f"MobileNet v4 {kind} {size}",
            short,
            shape.side,
            source,
            partial(mobilenet_v4, shape),
        )
    for size, shares in _MOBILEONES.items():
        title = f"MobileOne-{size.upper()}"
        source = f"arXiv 2206.04040; {timm}"
        yield _document(
            f"mobileone-{size}", title, title.replace("Mobile", "Mob"), 224, source, partial(mobileone, shares)
        )
    for size, (widths, depths) in _REPVGGS.items():
        title = f"RepVGG-{size.upper()}"
        yield _document(
            f"repvgg-{size}", title, title, 224, f"arXiv 2101.03697; {timm}", partial(repvgg, widths, depths)
        )
    yield _document("ghostnet", "GhostNet 1.0", "GhostNet", 224, f"arXiv 1911.11907; {timm}", ghostnet)


def _document(slug: str, title: str, short: str, side: int, source: str, draw: Callable[[], list[Row]]) -> LazyNetwork:
    summary = f"Image classification, {side}x{side}x3."
    return drawn_network(slug, f"{title}, {side}x{side}", short, summary, f"{source}; drawn from the definition", draw)


def mobilenet_v1(width: float = 1.0, side: int = 224, classes: int = 1000) -> list[Row]:
    """Return the MobileNet v1 with `width` times the channels for `side` x `side` inputs."""
    drawing = Drawing((3, side, side))
    draw_mobilenet_v1(drawing, width)
    drawing.classify("classifier", classes)
    return drawing.rows


def draw_mobilenet_v1(drawing: Drawing, width: float = 1.0, bias: bool = False) -> list[Feature]:
    """Add the convolutions of a MobileNet v1, which divide the sides by 32; return what each block gives out.

    Args:
        drawing: drawing of the input.
        width: times the channels.
        bias: whether convolutions have one next to their normalisation.
    """
    found = []
    drawing.conv("stem", int(32 * width), 3, stride=2, bias=bias)
    for number, (channels, stride) in enumerate(_MOBILENET_V1, start=1):
        drawing.conv(f"block{number}.depthwise", drawing.channels, 3, stride=stride, groups=drawing.channels, bias=bias)
        drawing.conv(f"block{number}.pointwise", int(channels * width), bias=bias)
        found.append(drawing.feature)
    return found


def draw_mobilenet_v2(drawing: Drawing, dilated: bool = False) -> list[Feature]:
    """Add the convolutions of a MobileNet v2 before its head; return what each block gives out.

    Args:
        drawing: drawing of the input.
        dilated: whether the last two stages keep the size of their input, the last one with dilated convolutions.
    """
    found = []
    drawing.conv("stem", 32, 3, stride=2)
    for stage, (expansion, channels, blocks, first_stride) in enumerate(_MOBILENET_V2, start=1):
        for block in range(blocks):
            name, entry = f"stage{stage}.{block}", drawing.feature
            stride = first_stride if block == 0 and not (dilated and stage >= 6) else 1
            if expansion > 1:
                drawing.conv(f"{name}.expand", expansion * drawing.channels)
            dilation, width = 2 if dilated and stage == len(_MOBILENET_V2) else 1, drawing.channels
            drawing.conv(f"{name}.depthwise", width, 3, stride=stride, groups=width, dilation=dilation)
            drawing.conv(f"{name}.project", channels, act=False)
            if drawing.shape == entry[1]:
                drawing.sum(f"{name}.add", drawing.feature, entry)
            found.append(drawing.feature)
    return found


def efficientnet_lite(side: int, width: float, depth: float) -> list[Row]:
    """Return the EfficientNet without squeeze and excitation; stem, head and depth of first and last stage are not scaled."""
    drawing = Drawing((3, side, side))
    drawing.conv("stem", 32, 3, stride=2)
    for stage, (expansion, kernel, first_stride, channels, blocks) in enumerate(_LITE_STAGES, start=1):
        scaled = blocks if stage in (1, len(_LITE_STAGES)) else math.ceil(blocks * depth)
        for block in range(scaled):
            name, entry = f"stage{stage}.{block}", drawing.feature
            stride = first_stride if block == 0 else 1
            if expansion > 1:
                drawing.conv(f"{name}.expand", expansion * drawing.channels)
            drawing.conv(f"{name}.depthwise", drawing.channels, kernel, stride=stride, groups=drawing.channels)
            drawing.conv(f"{name}.project", divisible(channels * width), act=False)
            if drawing.shape == entry[1]:
                drawing.sum(f"{name}.add", drawing.feature, entry)
    drawing.conv("head", 1280)
    drawing.classify("classifier")
    return drawing.rows


def mobilenet_v4(shape: MobileNetV4Shape) -> list[Row]:
    """Return the MobileNet v4; blocks of hybrid ones scale each channel before the sum."""
    drawing = Drawing((3, shape.side, shape.side))
    drawing.conv("stem", shape.stem, 3, stride=2)
    for number, (kernel, stride, channels, acts) in enumerate(shape.early, start=1):
        drawing.conv(f"early{number}", channels, kernel, stride=stride, act=acts)
    scales = any(isinstance(block, _Attention) for block in shape.blocks)
    for number, block in enumerate(shape.blocks, start=1):
        name, entry = f"block{number}", drawing.feature
        if isinstance(block, _Attention):
            _multi_query(drawing, name, block)
        else:
            _universal(drawing, name, block)
        if scales:
            drawing.moved(f"{name}.scale", "eltwise", weights=drawing.channels)
        if drawing.shape == entry[1]:
            drawing.sum(f"{name}.add", drawing.feature, entry)
    drawing.conv("head1", 960)
    drawing.pool_to("avgpool")
    drawing.conv("head2", 1280)
    drawing.linear("classifier", 1000)
    return drawing.rows


def _universal(drawing: Drawing, name: str, block: _UniversalBottleneck) -> None:
    if block.start:
        stride = 1 if block.middle else block.stride
        drawing.conv(f"{name}.start", drawing.channels, block.start, stride=stride, groups=drawing.channels, act=False)
    drawing.conv(f"{name}.expand", divisible(drawing.channels * block.expansion))
    if block.middle:
        drawing.conv(f"{name}.depthwise", drawing.channels, block.middle, stride=block.stride, groups=drawing.channels)
    drawing.conv(f"{name}.project", block.channels, act=False)


def _multi_query(drawing: Drawing, name: str, block: _Attention) -> None:
    width = drawing.channels
    drawing.norm(f"{name}.norm", kind="batchnorm")
    entry, rows = drawing.feature, []
    for part, channels in (("query", block.heads * block.width), ("key", block.width), ("value", block.width)):
        drawing.branch(entry)
        if block.stride > 1 and part != "query":
            drawing.conv(f"{name}.{part}.reduce", width, 3, stride=block.stride, groups=width, act=False)
        drawing.conv(f"{name}.{part}", channels, norm=False, bias=False, act=False)
        rows.append(drawing.last)
    keys = drawing.places
    _, height, columns = entry[1]
    queries = block.heads * height * columns
    drawing.reading(rows[0], rows[1])
    drawing.product(f"{name}.scores", queries, block.width, keys, 1)
    drawing.moved(f"{name}.softmax", "softmax", read=queries * keys, written=queries * keys)
    drawing.reading(drawing.last, rows[2])
    drawing.product(f"{name}.values", queries, keys, block.width, 1)
    drawing.shape = (block.heads * block.width, height, columns)
    drawing.conv(f"{name}.project", width, norm=False, bias=False, act=False)


def mobileone(shares: Sequence[float]) -> list[Row]:
    """Return the MobileOne with these shares of 64, 128, 256 and 512 channels."""
    drawing = Drawing((3, 224, 224))
    widths = [int(64 * 2**stage * share) for stage, share in enumerate(shares)]
    drawing.conv("stem", min(64, widths[0]), 3, stride=2, norm=False)
    for stage, (width, depth) in enumerate(zip(widths, _MOBILEONE_DEPTHS, strict=True), start=1):
        for block in range(depth):
            name, groups = f"stage{stage}.{block}", drawing.channels
            drawing.conv(f"{name}.depthwise", groups, 3, stride=2 if block == 0 else 1, groups=groups, norm=False)
            drawing.conv(f"{name}.pointwise", width, norm=False)
    drawing.classify("classifier")
    return drawing.rows


def repvgg(widths: Sequence[int], depths: Sequence[int]) -> list[Row]:
    """Return the RepVGG with these widths of stem and four stages."""
    drawing = Drawing((3, 224, 224))
    draw_repvgg(drawing, widths, depths)
    drawing.classify("classifier")
    return drawing.rows


def draw_repvgg(drawing: Drawing, widths: Sequence[int], depths: Sequence[int]) -> None:
    """Add the convolutions of a RepVGG."""
    drawing.conv("stem", widths[0], 3, stride=2, norm=False)
    for stage, (width, depth) in enumerate(zip(widths[1:], depths, strict=True), start=1):
        for block in range(depth):
            drawing.conv(f"stage{stage}.{block}", width, 3, stride=2 if block == 0 else 1, norm=False)


def ghostnet() -> list[Row]:
    """Return the GhostNet 1.0: half of the channels of each convolution come from a depthwise one over the other half."""
    drawing = Drawing((3, 224, 224))
    drawing.conv("stem", 16, 3, stride=2)
    for number, (kernel, expanded, channels, squeezes, stride) in enumerate(_GHOSTNET, start=1):
        name, entry = f"block{number}", drawing.feature
        _ghost(drawing, f"{name}.ghost1", expanded)
        if stride == 2:
            drawing.conv(f"{name}.depthwise", expanded, kernel, stride=2, groups=expanded, act=False)
        if squeezes:
            drawing.squeeze_excitation(f"{name}.se", divisible(expanded / 4, 4))
        _ghost(drawing, f"{name}.ghost2", channels, act=False)
        main = drawing.feature
        if drawing.shape != entry[1]:
            drawing.branch(entry)
            drawing.conv(
                f"{name}.shortcut.depthwise", entry[1][0], kernel, stride=stride, groups=entry[1][0], act=False
            )
            drawing.conv(f"{name}.shortcut.pointwise", channels, act=False)
            entry = drawing.feature
        drawing.sum(f"{name}.add", main, entry)
    drawing.conv("head", 960)
    drawing.pool_to("avgpool")
    drawing.conv("classifier.0", 1280, norm=False)
    drawing.linear("classifier.1", 1000)
    return drawing.rows


def _ghost(drawing: Drawing, name: str, channels: int, act: bool = True) -> None:
    drawing.conv(f"{name}.primary", channels // 2, act=act)
    primary = drawing.feature
    drawing.conv(f"{name}.cheap", channels // 2, 3, groups=channels // 2, act=act)
    drawing.join(f"{name}.join", primary, drawing.feature)
