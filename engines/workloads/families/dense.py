"""DenseNet and ShuffleNet v2 (torchvision 0.15.2 `densenet.py`, `shufflenetv2.py`), 224x224."""

from __future__ import annotations

from collections.abc import Sequence

from engines.workloads.families.network_builder import Drawing, Row

_BOTTLENECK = 4
_SHUFFLE_DEPTHS = (4, 8, 4)


def densenet(depths: Sequence[int], growth: int = 32, stem: int = 64) -> list[Row]:
    """Return four blocks in which every layer reads what all before it gave out.

    Args:
        depths: layers of each block.
        growth: channels that a layer adds.
        stem: channels of the first convolution.
    """
    drawing = Drawing((3, 224, 224))
    drawing.conv("conv0", stem, 7, stride=2)
    drawing.pool("pool0", 3, 2, pad=1)
    for block, depth in enumerate(depths, start=1):
        for layer in range(1, depth + 1):
            _dense_layer(drawing, f"block{block}.layer{layer}", growth)
        if block < len(depths):
            _normalised(drawing, f"transition{block}")
            drawing.conv(f"transition{block}.conv", drawing.channels // 2, norm=False, bias=False, act=False)
            drawing.pool(f"transition{block}.pool", 2, 2)
    _normalised(drawing, "norm5")
    drawing.classify("classifier")
    return drawing.rows


def _dense_layer(drawing: Drawing, name: str, growth: int) -> None:
    before, entry = drawing.shape, drawing.last
    _normalised(drawing, f"{name}.1")
    drawing.conv(f"{name}.conv1", _BOTTLENECK * growth)
    drawing.conv(f"{name}.conv2", growth, 3, norm=False, bias=False, act=False)
    drawing.reading(entry, drawing.last)
    drawing.concat(f"{name}.concat", [before, drawing.shape])


def _normalised(drawing: Drawing, name: str) -> None:
    drawing.norm(f"{name}:norm", kind="batchnorm")
    drawing.act(f"{name}:act")


def shufflenet_v2(widths: Sequence[int]) -> list[Row]:
    """Return three stages of which each block changes one half of the channels, then mixes both.

    Args:
        widths: channels of the stem, of each stage and of the last convolution.
    """
    drawing = Drawing((3, 224, 224))
    drawing.conv("conv1", widths[0], 3, stride=2)
    drawing.pool("maxpool", 3, 2, pad=1)
    for stage, (depth, width) in enumerate(zip(_SHUFFLE_DEPTHS, widths[1:-1], strict=True), start=2):
        for block in range(depth):
            _shuffle_block(drawing, f"stage{stage}.{block}", width // 2, halved=block == 0)
    drawing.conv("conv5", widths[-1])
    drawing.classify("fc")
    return drawing.rows


def _shuffle_block(drawing: Drawing, name: str, half: int, halved: bool) -> None:
    before, entry, other = drawing.shape, drawing.last, drawing.last
    stride = 2 if halved else 1
    if halved:
        drawing.conv(f"{name}.branch1.depthwise", before[0], 3, stride=2, groups=before[0], act=False)
        drawing.conv(f"{name}.branch1.conv", half)
        drawing.shape, other = before, drawing.last
    else:
        drawing.shape = (half, *before[1:])
    drawing.reading(entry)
    drawing.conv(f"{name}.branch2.conv1", half)
    drawing.conv(f"{name}.branch2.depthwise", half, 3, stride=stride, groups=half, act=False)
    drawing.conv(f"{name}.branch2.conv2", half)
    drawing.reading(other, drawing.last)
    drawing.concat(f"{name}.concat", [drawing.shape, drawing.shape])
    drawing.moved(f"{name}.shuffle", "reshape")
