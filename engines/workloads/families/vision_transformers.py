"""ViT, Swin v1 and v2, MaxViT and ConvNeXt.

Source: torchvision 0.15.2 `vision_transformer.py`, `swin_transformer.py`, `maxvit.py`, `convnext.py`. Positions that are learnt
are parameters of the addition that reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from engines.workloads.families.attention import Attention, encoder_block, feed_forward
from engines.workloads.families.network_builder import Drawing, Row

_RATIO = 4
_MAXVIT_WIDTHS = (64, 128, 256, 512)
_MAXVIT_DEPTHS = (2, 2, 5, 2)
_MAXVIT_WINDOW, _MAXVIT_HEAD = 7, 32
# Swin v2 makes its relative positions of two coordinates with a hidden layer of this width.
_POSITION_WIDTH = 512


def vit(side: int, patch: int, depth: int, heads: int, width: int) -> list[Row]:
    """Return the ViT for `side` x `side` inputs in patches of `patch` x `patch`."""
    drawing = Drawing((3, side, side))
    drawing.conv("patches", width, patch, stride=patch, pad=0, norm=False, act=False)
    drawing.shape = (width, drawing.places, 1)
    # The class token is a learnt operand of the concatenation.
    drawing.shape = (width, drawing.places + 1, 1)
    drawing.moved("class_token", "concat", weights=width)
    drawing.add("positions", weights=drawing.size)
    for block in range(depth):
        encoder_block(drawing, f"block{block}", Attention(heads), _RATIO * width)
    drawing.norm("norm")
    drawing.shape = (width, 1, 1)
    drawing.linear("head", 1000)
    return drawing.rows


@dataclass(frozen=True)
class SwinShape:
    """A Swin transformer.

    Attributes:
        side: side of the square input.
        window: tokens along the side of a window.
        width: width of the first stage; each later one has twice that of the one before.
        depths, heads: depths and heads of each stage.
        version: 1 or 2 (scaled cosine attention, normalisation after each part, positions from a small network).
    """

    side: int
    window: int
    width: int
    depths: Sequence[int]
    heads: Sequence[int]
    version: int = 1


def swin(shape: SwinShape) -> list[Row]:
    """Add Swin blocks: windows of tokens, every second block shifted by half a window."""
    drawing = Drawing((3, shape.side, shape.side))
    drawing.conv("patches", shape.width, 4, stride=4, pad=0, norm=False, act=False)
    drawing.norm("patches.norm")
    for stage, (depth, heads) in enumerate(zip(shape.depths, shape.heads, strict=True), start=1):
        if stage > 1:
            _merge(drawing, f"merge{stage - 1}", shape.version)
        side, width = drawing.shape[1], drawing.channels
        for block in range(depth):
            shifted = block % 2 == 1 and side > shape.window
            drawing.shape = (width, side**2, 1)
            _swin_block(drawing, f"stage{stage}.{block}", shape, heads, shifted)
        drawing.shape = (width, side, side)
    drawing.norm("norm")
    drawing.classify("head")
    return drawing.rows


def _swin_block(drawing: Drawing, name: str, shape: SwinShape, heads: int, shifted: bool) -> None:
    entry = drawing.last
    with _normalised(drawing, f"{name}.norm1", shape.version):
        _window_attention(drawing, f"{name}.attention", shape, heads, shifted)
    drawing.add_to(f"{name}.add1", entry)
    entry = drawing.last
    with _normalised(drawing, f"{name}.norm2", shape.version):
        feed_forward(drawing, f"{name}.mlp", _RATIO * drawing.channels)
    drawing.add_to(f"{name}.add2", entry)


@contextmanager
def _normalised(drawing: Drawing, name: str, version: int) -> Iterator[None]:
    """Add the normalisation before a part in version 1, after it in version 2."""
    if version == 1:
        drawing.norm(name)
    yield
    if version == 2:
        drawing.norm(name)


def _window_attention(drawing: Drawing, name: str, shape: SwinShape, heads: int, shifted: bool) -> None:
    each = shape.window**2
    windows, pairs, places = drawing.places // each, heads * each**2, (2 * shape.window - 1) ** 2
    scored = [("positions", pairs, places * heads if shape.version == 1 else 0)]
    entry, drawn = drawing.last, -1
    if shape.version == 2:
        _drawn_positions(drawing, f"{name}.positions", heads, each, places)
        drawn = drawing.last
        scored.insert(0, ("scale", heads, heads))
    drawing.reading(entry)
    if shifted:
        drawing.moved(f"{name}.shift", "reshape")
        scored.append(("mask", windows * each**2, 0))
    Attention(heads, windows, scored=tuple(scored), drawn=drawn).draw(drawing, name)
    if shifted:
        drawing.moved(f"{name}.shift_back", "reshape")


def _drawn_positions(drawing: Drawing, name: str, heads: int, tokens: int, places: int) -> None:
    """Add Swin v2's bias of the scores, from two coordinates of each relative position.

    It depends on no input. The first row is said to read what the block reads, so that it runs where the block does.
    """
    before, drawing.shape = drawing.shape, (2, places, 1)
    drawing.linear(f"{name}.fc1", _POSITION_WIDTH, act=True)
    drawing.linear(f"{name}.fc2", heads, bias=False)
    drawing.shape = (heads, tokens**2, 1)
    drawing.moved(f"{name}.gather", "gather")
    drawing.act(f"{name}.sigmoid")
    drawing.shape = before


def _merge(drawing: Drawing, name: str, version: int) -> None:
    """Merge four neighbours to one token of twice the width."""
    width, side = drawing.channels, drawing.shape[1] // 2
    drawing.shape = (4 * width, side, side)
    drawing.moved(f"{name}.concat", "concat")
    if version == 1:
        drawing.norm(f"{name}.norm")
    drawing.linear(f"{name}.reduce", 2 * width, bias=False)
    drawing.shape = (2 * width, side, side)
    if version == 2:
        drawing.norm(f"{name}.norm")


def maxvit_t() -> list[Row]:
    """Return MaxViT-T, 224x224: repeated inverted residual block, attention in windows, attention over a grid."""
    drawing = Drawing((3, 224, 224))
    drawing.conv("stem1", 64, 3, stride=2)
    drawing.conv("stem2", 64, 3, norm=False, act=False)
    for stage, (width, depth) in enumerate(zip(_MAXVIT_WIDTHS, _MAXVIT_DEPTHS, strict=True), start=1):
        for layer in range(depth):
            name = f"stage{stage}.{layer}"
            _maxvit_convolutions(drawing, f"{name}.mbconv", width, 2 if layer == 0 else 1)
            for kind in ("window", "grid"):
                _maxvit_attention(drawing, f"{name}.{kind}")
    drawing.pool_to("avgpool")
    drawing.norm("norm")
    drawing.linear("fc", drawing.channels, act=True)
    drawing.linear("head", 1000, bias=False)
    return drawing.rows


def _maxvit_convolutions(drawing: Drawing, name: str, width: int, stride: int) -> None:
    before, entry = drawing.shape, drawing.last
    hidden, shortcut = _RATIO * width, entry
    if stride == 2 or before[0] != width:
        drawing.pool(f"{name}.shortcut.pool", 3, 2, pad=1)
        drawing.conv(f"{name}.shortcut", width, norm=False, act=False)
        drawing.shape, shortcut = before, drawing.last
    drawing.reading(entry)
    drawing.norm(f"{name}.norm", kind="batchnorm")
    drawing.conv(f"{name}.expand", hidden)
    drawing.conv(f"{name}.depthwise", hidden, 3, stride=stride, groups=hidden)
    drawing.squeeze_excitation(f"{name}.se", width // 4)
    drawing.conv(f"{name}.project", width, norm=False, act=False)
    drawing.add_to(f"{name}.add", shortcut)


def _maxvit_attention(drawing: Drawing, name: str) -> None:
    width, *sides = drawing.shape
    heads, each = width // _MAXVIT_HEAD, _MAXVIT_WINDOW**2
    drawing.shape = (width, drawing.places, 1)
    positions = ("positions", heads * each**2, heads * (2 * _MAXVIT_WINDOW - 1) ** 2)
    encoder_block(drawing, name, Attention(heads, drawing.places // each, scored=(positions,)), _RATIO * width)
    drawing.shape = (width, sides[0], sides[1])


def convnext(depths: Sequence[int], widths: Sequence[int]) -> list[Row]:
    """Return the ConvNeXt of four stages, 224x224."""
    drawing = convnext_stages(depths, widths)
    drawing.pool_to("avgpool")
    drawing.norm("norm")
    drawing.linear("head", 1000)
    return drawing.rows


def convnext_stages(depths: Sequence[int], widths: Sequence[int]) -> Drawing:
    """Return the stages of a ConvNeXt without its head, 224x224."""
    drawing = Drawing((3, 224, 224))
    drawing.conv("stem", widths[0], 4, stride=4, pad=0, norm=False, act=False)
    drawing.norm("stem.norm")
    for stage, (depth, width) in enumerate(zip(depths, widths, strict=True), start=1):
        if stage > 1:
            drawing.norm(f"downsample{stage}.norm")
            drawing.conv(f"downsample{stage}", width, 2, stride=2, pad=0, norm=False, act=False)
        for block in range(depth):
            convnext_block(drawing, f"stage{stage}.{block}", width)
    return drawing


def convnext_block(drawing: Drawing, name: str, width: int) -> None:
    """Add a block of a ConvNeXt: a depthwise convolution of 7 x 7 and a feed-forward part, scaled and added."""
    shape, entry = drawing.shape, drawing.last
    drawing.conv(f"{name}.depthwise", width, 7, groups=width, norm=False, act=False)
    drawing.norm(f"{name}.norm")
    feed_forward(drawing, f"{name}.mlp", _RATIO * width)
    drawing.shape = shape
    drawing.moved(f"{name}.scale", "eltwise", weights=width)
    drawing.add_to(f"{name}.add", entry)
