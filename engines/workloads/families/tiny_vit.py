"""TinyViT (Wu et al. 2022, arXiv 2207.10666): inverted residual blocks, then attention in windows.

Source: paper and timm 1.0 `tiny_vit.py` (Apache-2.0), after the authors' code (MIT). `draw_tiny_vit` takes any input side and
draws the stages alone, as image encoders of other networks use them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from engines.workloads.families.attention import Attention, feed_forward
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.network_builder import Drawing, Row

_RATIO = 4


@dataclass(frozen=True)
class TinyVitShape:
    """A TinyViT.

    Attributes:
        widths, depths, heads: of each of four stages; the first one consists of convolutions and has no heads.
        windows: tokens along the side of a window, of each stage.
        last_stride: stride of the last reduction; 1 in the image encoder of MobileSAM.
    """

    widths: Sequence[int]
    depths: Sequence[int] = (2, 2, 6, 2)
    heads: Sequence[int] = ()
    windows: Sequence[int] = (7, 7, 14, 7)
    last_stride: int = 2


TINY_VITS = {
    "5m": TinyVitShape((64, 128, 160, 320), heads=(0, 4, 5, 10)),
    "11m": TinyVitShape((64, 128, 256, 448), heads=(0, 4, 8, 14)),
    "21m": TinyVitShape((96, 192, 384, 576), heads=(0, 6, 12, 18)),
}


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of the classifiers."""
    source = "arXiv 2207.10666; timm 1.0 (Apache-2.0); drawn from the definition"
    for size, shape in TINY_VITS.items():
        title = f"TinyViT-{size.upper()}"
        summary = "Image classification, 224x224x3."
        yield drawn_network(f"tiny-vit-{size}", f"{title}, 224x224", title, summary, source, partial(tiny_vit, shape))


def tiny_vit(shape: TinyVitShape) -> list[Row]:
    """Return the classifier of 1,000 classes for inputs of 224x224."""
    drawing = Drawing((3, 224, 224))
    draw_tiny_vit(drawing, shape)
    drawing.pool_to("avgpool")
    drawing.norm("norm")
    drawing.linear("head", 1000)
    return drawing.rows


def draw_tiny_vit(drawing: Drawing, shape: TinyVitShape) -> None:
    """Add the stages of a TinyViT; the last map has 1/32 of the sides of the input where `last_stride` is 2."""
    drawing.conv("patches.conv1", shape.widths[0] // 2, 3, stride=2)
    drawing.conv("patches.conv2", shape.widths[0], 3, stride=2, act=False)
    for block in range(shape.depths[0]):
        _convolutions(drawing, f"stage0.{block}")
    for stage in range(1, len(shape.widths)):
        stride = shape.last_stride if stage == len(shape.widths) - 1 else 2
        _reduce(drawing, f"stage{stage}.reduce", shape.widths[stage], stride)
        for block in range(shape.depths[stage]):
            _block(drawing, f"stage{stage}.{block}", shape.heads[stage], shape.windows[stage])


def _convolutions(drawing: Drawing, name: str) -> None:
    entry, width = drawing.feature, drawing.channels
    drawing.conv(f"{name}.expand", _RATIO * width)
    drawing.conv(f"{name}.depthwise", _RATIO * width, 3, groups=_RATIO * width)
    drawing.conv(f"{name}.project", width, act=False)
    drawing.sum(f"{name}.add", drawing.feature, entry)
    drawing.act(f"{name}.act")


def _reduce(drawing: Drawing, name: str, width: int, stride: int) -> None:
    drawing.conv(f"{name}.conv1", width)
    drawing.conv(f"{name}.depthwise", width, 3, stride=stride, groups=width)
    drawing.conv(f"{name}.conv2", width, act=False)


def _block(drawing: Drawing, name: str, heads: int, window: int) -> None:
    entry = drawing.feature
    _window_attention(drawing, name, heads, window)
    drawing.sum(f"{name}.add1", drawing.feature, entry)
    drawing.conv(f"{name}.local", drawing.channels, 3, groups=drawing.channels, act=False)
    entry, shape = drawing.feature, drawing.shape
    drawing.shape = (drawing.channels, drawing.places, 1)
    drawing.norm(f"{name}.norm2")
    feed_forward(drawing, f"{name}.mlp", _RATIO * drawing.channels)
    drawing.shape = shape
    drawing.sum(f"{name}.add2", drawing.feature, entry)


def _window_attention(drawing: Drawing, name: str, heads: int, window: int) -> None:
    """Add attention within windows; a map whose sides are no multiples of `window` is padded for it."""
    shape, each = drawing.shape, window**2
    windows = -(-shape[1] // window) * -(-shape[2] // window)
    padded = (shape[0], windows * each, 1)
    if windows * each > drawing.places:
        drawing.moved(f"{name}.pad", "reshape", written=shape[0] * windows * each)
    drawing.shape = padded
    drawing.norm(f"{name}.norm1")
    positions = ("positions", heads * each**2, heads * each)
    Attention(heads, windows, scored=(positions,)).draw(drawing, f"{name}.attention")
    drawing.shape = shape
    if windows * each > drawing.places:
        drawing.moved(f"{name}.crop", "reshape", read=shape[0] * windows * each)
