"""Depth and segmentation by transformers: Depth Anything v1 and v2, MiDaS' DPT-hybrid, and SegFormer.

Source: transformers 5.24 (Apache-2.0) `depth_anything`, `dpt`, `segformer`; sizes as their published configurations. Channels:
Ranftl et al. 2021 (DPT), Yang et al. 2024 (Depth Anything), Xie et al. 2021 (SegFormer). The first residual unit of DPT's deepest
fusion runs for no image and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from engines.workloads.families.attention import CrossAttention
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.image_encoders import DINOV2, VitShape, draw_blocks, draw_patches
from engines.workloads.families.network_builder import Drawing, Feature, Row
from engines.workloads.families.residual import ResidualStages, draw_residual
from engines.workloads.tables import tied

_TRANSFORMERS = "transformers 5.24 (Apache-2.0); drawn from the definition"
_SEGFORMER_CLASSES = 150
_REDUCTIONS = (8, 4, 2, 1)  # of the sides of the map for keys and values, in the four stages of a SegFormer
_SEGFORMER_HEADS = (1, 2, 5, 8)


@dataclass(frozen=True)
class DptHead:
    """The decoder of a DPT: four maps of an encoder, fused from the deepest to the finest.

    Attributes:
        channels: channels of the maps, finest first.
        fused: channels while they are fused.
    """

    channels: Sequence[int]
    fused: int


def depth_anything(shape: VitShape, head: DptHead, taps: Sequence[int]) -> list[Row]:
    """Return a Depth Anything: DINOv2 and a DPT decoder; `taps` are the blocks, from 1, whose tokens it reads."""
    drawing = Drawing((3, shape.side, shape.side))
    draw_patches(drawing, shape)
    side = shape.side // shape.patch
    tokens: list[Feature] = []
    for first, last in pairwise((0, *taps)):
        draw_blocks(drawing, shape, first, last)
        tokens.append(drawing.feature)
    maps: list[Feature] = []
    for level, each in enumerate(tokens):
        drawing.branch(each)
        drawing.norm(f"norm{level}")
        drawing.shape = (shape.width, side, side)
        _reassemble(drawing, f"reassemble{level}", head.channels[level], level)
        maps.append(drawing.feature)
    _draw_depth(drawing, maps, head.fused, shape.side)
    return tied(drawing.rows, [f"norm{level}" for level in range(len(taps))])


def _reassemble(drawing: Drawing, name: str, channels: int, level: int) -> None:
    """Add a projection of the patches' tokens, four times and twice as fine, as they are, or half as fine."""
    drawing.conv(f"{name}.of_token", channels, norm=False, act=False)
    if level < 2:
        factor = 4 >> level
        drawing.transposed_conv(f"{name}.finer", channels, factor, stride=factor)
    if level == 3:
        drawing.conv(f"{name}.coarser", channels, 3, stride=2, norm=False, act=False)


def dpt_hybrid() -> list[Row]:
    """Return MiDaS' DPT-hybrid: stages of a ResNet-50 with group normalisation, ViT-B on the last of them, a DPT decoder."""
    shape = VitShape(384, 16, 12, 768, 12)
    drawing = Drawing((3, shape.side, shape.side))
    stages = draw_residual(drawing, ResidualStages((3, 4, 9)))
    for row in drawing.rows:
        row["kind"] = "norm" if row["kind"] == "batchnorm" else row["kind"]
    drawing.conv("patches", shape.width, norm=False, act=False)
    side = drawing.shape[1]
    drawing.shape = (shape.width, side**2 + 1, 1)
    drawing.moved("class_token", "concat", weights=shape.width)
    drawing.add("positions", weights=drawing.size)
    tokens: list[Feature] = []
    for first, last in ((0, 9), (9, 12)):
        draw_blocks(drawing, shape, first, last)
        tokens.append(drawing.feature)
    maps = stages[:2]
    for level, each in enumerate(tokens, start=2):
        drawing.branch(each)
        drawing.shape = (2 * shape.width, side**2, 1)
        drawing.moved(f"readout{level}.of_token", "concat")  # every token beside the class token
        drawing.linear(f"readout{level}", shape.width, act=True)
        drawing.shape = (shape.width, side, side)
        _reassemble(drawing, f"reassemble{level}", shape.width, level)
        maps.append(drawing.feature)
    _draw_depth(drawing, maps, 256, shape.side)
    return drawing.rows


def _draw_depth(drawing: Drawing, maps: Sequence[Feature], fused: int, side: int) -> None:
    """Add the fusion of four maps and three convolutions to one depth for each of `side` x `side` pixels."""
    drawing.branch(draw_fusion(drawing, maps, fused))
    drawing.conv("depth.conv1", fused // 2, 3, norm=False, act=False)
    drawing.resize("depth.resize", side, side)
    drawing.conv("depth.conv2", 32, 3, norm=False)
    drawing.conv("depth.conv3", 1, norm=False)


def draw_fusion(drawing: Drawing, maps: Sequence[Feature], fused: int) -> Feature:
    """Add the fusion of four maps, finest first, in DPT's residual units; return what has twice the sides of the finest."""
    levels: list[Feature] = []
    for level, each in enumerate(maps):
        drawing.branch(each)
        drawing.conv(f"fusion{level}.input", fused, 3, bias=False, norm=False, act=False)
        levels.append(drawing.feature)
    entry = levels[-1]
    for level in reversed(range(len(levels))):
        if level < len(levels) - 1:
            _residual_unit(drawing, f"fusion{level}.unit1", levels[level])
            drawing.sum(f"fusion{level}.add", drawing.feature, entry)
            entry = drawing.feature
        _residual_unit(drawing, f"fusion{level}.unit2", entry)
        height, width = levels[level - 1][1][1:] if level else (2 * side for side in drawing.shape[1:])
        drawing.resize(f"fusion{level}.resize", height, width)
        drawing.conv(f"fusion{level}.project", fused, norm=False, act=False)
        entry = drawing.feature
    return entry


def _residual_unit(drawing: Drawing, name: str, entry: Feature) -> None:
    drawing.branch(entry)
    drawing.act(f"{name}.act")
    drawing.conv(f"{name}.conv1", drawing.channels, 3, norm=False)
    drawing.conv(f"{name}.conv2", drawing.channels, 3, norm=False, act=False)
    drawing.sum(f"{name}.add", drawing.feature, entry)


@dataclass(frozen=True)
class SegFormerShape:
    """A SegFormer for inputs of 512 x 512.

    Attributes:
        depths, widths: depths and widths of the four stages.
        decoded: channels of each map in the decoder.
    """

    depths: Sequence[int]
    widths: Sequence[int]
    decoded: int


def segformer(shape: SegFormerShape) -> list[Row]:
    """Return a SegFormer: four stages whose keys and values come of a coarser map, and a decoder of linear layers."""
    drawing = Drawing((3, 512, 512))
    maps: list[Feature] = []
    for stage, (depth, width) in enumerate(zip(shape.depths, shape.widths, strict=True)):
        kernel, stride = (3, 2) if stage else (7, 4)
        drawing.conv(f"stage{stage}.patches", width, kernel, stride=stride, norm=False, act=False)
        drawing.norm(f"stage{stage}.patches.norm")
        for block in range(depth):
            _segformer_block(drawing, f"stage{stage}.{block}", _SEGFORMER_HEADS[stage], _REDUCTIONS[stage])
        drawing.norm(f"stage{stage}.norm")
        maps.append(drawing.feature)
    decoded: list[Feature] = []
    for stage, each in enumerate(maps):
        drawing.branch(each)
        drawing.linear(f"decoder.linear{stage}", shape.decoded)
        drawing.shape = (shape.decoded, *each[1][1:])
        if stage:
            drawing.resize(f"decoder.resize{stage}", *maps[0][1][1:])
        decoded.append(drawing.feature)
    drawing.join("decoder.concat", *reversed(decoded))
    drawing.conv("decoder.fuse", shape.decoded)
    drawing.conv("decoder.classes", _SEGFORMER_CLASSES, norm=False, act=False)
    return drawing.rows


def _segformer_block(drawing: Drawing, name: str, heads: int, reduction: int) -> None:
    width, height, columns = drawing.shape
    entry = drawing.feature
    drawing.norm(f"{name}.norm1")
    normalised = tokens = drawing.feature
    if reduction > 1:
        drawing.conv(f"{name}.reduce", width, reduction, stride=reduction, pad=0, norm=False, act=False)
        drawing.norm(f"{name}.reduce.norm")
        tokens = drawing.feature
    drawing.shape = normalised[1]
    CrossAttention(heads, tokens, queries=normalised).draw(drawing, f"{name}.attention")
    drawing.shape = (width, height, columns)
    drawing.sum(f"{name}.add1", drawing.feature, entry)
    entry = drawing.feature
    drawing.norm(f"{name}.norm2")
    drawing.linear(f"{name}.mlp.fc1", 4 * width)
    drawing.shape = (4 * width, height, columns)
    drawing.conv(f"{name}.mlp.depthwise", 4 * width, 3, groups=4 * width, norm=False)
    drawing.linear(f"{name}.mlp.fc2", width)
    drawing.shape = (width, height, columns)
    drawing.sum(f"{name}.add2", drawing.feature, entry)


_DPT = {
    "small": ("s", DptHead((48, 96, 192, 384), 64), (3, 6, 9, 12)),
    "base": ("b", DptHead((96, 192, 384, 768), 128), (3, 6, 9, 12)),
    "large": ("l", DptHead((256, 512, 1024, 1024), 256), (5, 12, 18, 24)),
}
_SEGFORMERS = {
    "b0": SegFormerShape((2, 2, 2, 2), (32, 64, 160, 256), 256),
    "b1": SegFormerShape((2, 2, 2, 2), (64, 128, 320, 512), 256),
    "b2": SegFormerShape((3, 4, 6, 3), (64, 128, 320, 512), 768),
}


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of these networks."""
    summary = "Depth estimation of one image, 518x518x3."
    for version in (1, 2):
        for size, (encoder, head, taps) in _DPT.items():
            shape = DINOV2[encoder]
            # Version 1 reads the last four blocks, version 2 blocks of all depths.
            read = taps if version == 2 else range(shape.depth - 3, shape.depth + 1)
            title, short = f"Depth Anything v{version} {size}, 518x518", f"DepthA{version} {size[0].upper()}"
            source = f"configuration Depth-Anything-V{version}-{size.capitalize()}; {_TRANSFORMERS}"
            draw = partial(depth_anything, shape, head, tuple(read))
            yield drawn_network(f"depth-anything-v{version}-{size}", title, short, summary, source, draw)
    title, source = "DPT-hybrid, 384x384", f"configuration dpt-hybrid-midas; {_TRANSFORMERS}"
    yield drawn_network(
        "dpt-hybrid", title, "DPT-hybrid", "Depth estimation of one image, 384x384x3.", source, dpt_hybrid
    )
    summary = "Image segmentation, 512x512x3, 150 classes of ADE20K at a quarter of the sides."
    for size, each in _SEGFORMERS.items():
        title = f"SegFormer-{size.upper()}"
        source = f"configuration segformer-{size}-finetuned-ade-512-512; {_TRANSFORMERS}"
        yield drawn_network(f"segformer-{size}", f"{title}, 512x512", title, summary, source, partial(segformer, each))
